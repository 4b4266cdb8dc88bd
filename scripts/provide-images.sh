#!/usr/bin/env bash
# Sees to it that the images are there that deploy/Dockerfile, docker-compose.yml and the tests on containers name: it pulls them.
# Where no registry of images can be reached, stand-ins take their names (stand-in-images.sh), and each is said.
#
# Needs Docker, and for stand-ins root and debootstrap.
set -euo pipefail
cd "$(dirname "$0")/.."

needed=$(
  sed -n 's/^ARG \(NODE\|BASE\)_IMAGE=//p' deploy/Dockerfile
  for engine in kafka redis postgres clickhouse prometheus; do sed -n "/^  $engine:\$/,/^    image:/s/^    image: //p" docker-compose.yml; done
)

missing=0
for image in $needed; do
  docker image inspect "$image" > /dev/null 2>&1 || docker pull --quiet "$image" > /dev/null || missing=1
done
[ $missing = 0 ] || scripts/stand-in-images.sh

for image in $needed; do
  label=$(docker image inspect --format '{{ index .Config.Labels "cellarman.stand-in" }}' "$image")
  if [ -n "$label" ]; then echo "– $image: cannot be pulled, a stand-in took its place"; else echo "✓ $image"; fi
done
