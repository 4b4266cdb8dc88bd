#!/bin/sh
# Puts what a service needs to run into a directory: assemble.sh NAME-OF-SERVICE|all DIRECTORY
# That is its sources, our libraries that it uses, their packages of production, and an SBOM of those packages.
#
# Not `pnpm deploy`: it copies our libraries below node_modules, where Node strips no types (pnpm/pnpm#10602).
set -eu
service=$1
out=$2

case $service in
  all) services=$(ls services | grep -vx dashboard) ;;
  *) services=$service ;;
esac
set --
for name in $services; do set -- "$@" --filter-prod "{./services/$name}..."; done

pnpm install --frozen-lockfile --prod --no-optional "$@"

mkdir -p "$out"
pnpm "$@" list --depth -1 --parseable | while read -r package; do
  path=${package#"$PWD"/}
  mkdir -p "$out/$path"
  cp -a "$package/." "$out/$path"
  rm -rf "$out/$path/tests"
done
cp -a node_modules package.json LICENSE "$out"
# Half of the packages' bytes, which Node never reads.
find "$out/node_modules/.pnpm" -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete
cp deploy/images/healthcheck.mjs "$out"
pnpm "$@" sbom --sbom-format cyclonedx --sbom-type application --prod --no-optional > "$out/sbom.cdx.json"
