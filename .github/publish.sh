#!/usr/bin/env bash
# The steps of release.yml that need Docker, a registry or cosign: publish.sh login | build PROCESSOR | sign
set -euo pipefail

version=$(node --print 'JSON.parse(fs.readFileSync("package.json", "utf8")).version')
# A registry takes lower case alone.
image="ghcr.io/${GITHUB_REPOSITORY,,}"

login() {
  docker login ghcr.io --username "$GITHUB_ACTOR" --password-stdin <<<"$REGISTRY_TOKEN"
}

# The image of one processor, with the very bundle of the release in place of the Dockerfile's stage "build".
build() {
  local processor=$1 context base digest
  context=$(mktemp --directory)
  mkdir "$context/bundle"
  tar --extract --file "release/rackbell-$version.tar" --directory "$context/bundle" --strip-components 1
  base=$(sed -n 's/^ARG BASE=//p' Dockerfile)
  digest=$(docker buildx imagetools inspect "$base" --format '{{.Manifest.Digest}}')
  docker buildx build --platform "linux/$processor" --build-context "build=$context" --build-arg "BASE=$base@$digest" \
    --provenance=false --tag "$image:$version-$processor" --push .
}

# One image of both processors, signed by its digest. Nobody holds a key: Sigstore notes that this workflow signed it.
sign() {
  local digest
  docker buildx imagetools create --tag "$image:$version" "$image:$version-amd64" "$image:$version-arm64"
  digest=$(docker buildx imagetools inspect "$image:$version" --format '{{.Manifest.Digest}}')
  cosign sign --yes "$image@$digest"
  printf 'image=%s\ndigest=%s\n' "$image" "$digest" >>"$GITHUB_OUTPUT"
}

"$@"
