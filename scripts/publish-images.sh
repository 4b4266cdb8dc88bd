#!/usr/bin/env bash
# Builds the image of each service and the one of all for amd64 and arm64, pushes them with provenance and SBOM, and signs what was
# pushed, by its digest and without a key of its own (Sigstore).
#
#   IMAGE=ghcr.io/somebody/cellarman VERSION=v1.2.3 scripts/publish-images.sh
#
# Needs Docker's buildx with a builder that makes attestations (the driver docker-container), a sign-in to the registry, and cosign with
# an identity: GitHub Actions gives one to jobs that may write id-token. The digests are in .local/publish-images/digests.txt.
set -euo pipefail
cd "$(dirname "$0")/.."

: "${IMAGE:?the name of the images, with the registry}" "${VERSION:?the version, as the tag of the release has it}"
version=${VERSION#v}
name=${IMAGE,,}
work=.local/publish-images
rm -rf "$work"
mkdir -p "$work"

# Both platforms, and beside each an attestation with its provenance and its SBOM.
look_into() {
  docker buildx imagetools inspect --raw "$1" > "$work/index.json"
  node -e '
    const { deepStrictEqual } = require("node:assert");
    const { manifests } = JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8"));
    const platforms = manifests.map(({ platform: { os, architecture } }) => `${os}/${architecture}`).sort();
    deepStrictEqual(platforms, ["linux/amd64", "linux/arm64", "unknown/unknown", "unknown/unknown"]);
  ' "$work/index.json"
}

# Every image of a release is built on the same bases, named by digest.
pinned() {
  local reference
  reference=$(sed -n "s/^ARG $1=//p" deploy/Dockerfile)
  echo "$1=$reference@$(docker buildx imagetools inspect --format '{{.Manifest.Digest}}' "$reference")"
}
node_image=$(pinned NODE_IMAGE)
base_image=$(pinned BASE_IMAGE)
printf '%s\n' "$node_image" "$base_image" | tee "$work/digests.txt"

for service in $(ls services | grep -vx dashboard) all; do
  repository=$name
  [ "$service" = all ] || repository=$name-$service
  docker buildx build --file deploy/Dockerfile --platform linux/amd64,linux/arm64 \
    --build-arg "$node_image" --build-arg "$base_image" --build-arg "SERVICE=$service" --build-arg "VERSION=$version" \
    --build-arg "REVISION=$(git rev-parse HEAD)" --build-arg "CREATED=$(git show --no-patch --format=%cI HEAD)" \
    --provenance mode=max --sbom true --metadata-file "$work/metadata.json" \
    --tag "$repository:$version" --push .
  digest=$(node -p 'JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8"))["containerimage.digest"]' "$work/metadata.json")
  look_into "$repository@$digest"
  cosign sign --yes --recursive "$repository@$digest"
  if [ -n "${GITHUB_WORKFLOW_REF:-}" ]; then
    # As whoever runs the image can do it (docs/release.md).
    cosign verify --certificate-identity "$GITHUB_SERVER_URL/$GITHUB_WORKFLOW_REF" \
      --certificate-oidc-issuer https://token.actions.githubusercontent.com "$repository@$digest" > /dev/null
  fi
  echo "$repository:$version@$digest" | tee -a "$work/digests.txt"
done
[ -z "${GITHUB_STEP_SUMMARY:-}" ] || sed 's/.*/`&`\n/' "$work/digests.txt" >> "$GITHUB_STEP_SUMMARY"
