#!/usr/bin/env bash
# Builds an element of gst-plugins-rs and prints the directory of its plugin: rtpgccbwe, the congestion control, is a peer
# for the testbed; webrtcsink, with the WHIP client and server, is an application for tests/webrtc.
#
#   build.sh [ELEMENT]            build if needed; the directory on stdout, progress on stderr
#   build.sh --which [ELEMENT]    print the directory only when it is already built, exit 1 otherwise
#
# ELEMENT is rtpgccbwe unless told. The source is the published crate with the dependencies that its own lock file names,
# fetched by cargo. The plugin is cached under ${XDG_CACHE_HOME:-~/.cache}/gcc-testbed/ELEMENT/<key>; the key covers
# crate, compiler, GStreamer and this script.
set -euo pipefail

which=false
if [ "${1-}" = --which ]; then
  which=true
  shift
fi
element=${1:-rtpgccbwe}

# Builds against GStreamer 1.20 and newer, webrtcsink against 1.22; needs the Rust that is named in the message below.
version=0.15.4
rust=1.92
libraries=(gstreamer-1.0 gstreamer-video-1.0 gstreamer-rtp-1.0)
headers=libgstreamer-plugins-base1.0-dev
options=()
case $element in
  rtpgccbwe) crate=gst-plugin-rtp plugin=libgstrsrtp.so ;;
  webrtcsink)
    crate=gst-plugin-webrtc plugin=libgstrswebrtc.so
    libraries+=(gstreamer-webrtc-1.0 gstreamer-sdp-1.0)
    headers=libgstreamer-plugins-bad1.0-dev
    # What a test needs; it is no part of what is measured, so it may be slow.
    options=(--no-default-features --features "whip,rustls-ring" --config profile.release.opt-level=0)
    ;;
  *)
    printf 'error: %s: no such element; build.sh knows rtpgccbwe and webrtcsink\n' "$element" >&2
    exit 2
    ;;
esac

cache=${XDG_CACHE_HOME:-$HOME/.cache}/gcc-testbed/$element
log=$cache/build.log
# rustup puts cargo where a login shell finds it, which this may not be.
PATH=$PATH:${CARGO_HOME:-$HOME/.cargo}/bin

say() { printf '%s: %s\n' "$element" "$*" >&2; }
fail() {
  printf 'error: %s: %s\n' "$element" "$*" >&2
  exit 2
}

command -v cargo >/dev/null ||
  fail "cargo is not here; install Rust $rust or newer, see https://rustup.rs"
command -v pkg-config >/dev/null || fail "pkg-config is not here; install it: apt install pkg-config"
gstreamer=$(pkg-config --modversion "${libraries[@]}" 2>/dev/null) ||
  fail "GStreamer's headers are not here; install them: apt install $headers"

key=$({ printf '%s\n' "$crate $version" "$gstreamer"; rustc --version; cat "${BASH_SOURCE[0]}"; } |
  sha256sum | cut -c1-16)
built=$cache/$key
if [ -f "$built/$plugin" ]; then
  printf '%s\n' "$built"
  exit 0
fi
! $which || exit 1

mkdir -p "$cache"
exec 9>"$cache/lock"
if ! flock -n 9; then
  say "another build is running, waiting for it"
  flock 9
  if [ -f "$built/$plugin" ]; then
    printf '%s\n' "$built"
    exit 0
  fi
fi

work=$(mktemp -d "$cache/build.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

say "building $crate $version: a few minutes, once"
# Cargo fetches only what something depends on.
mkdir -p "$work/wanted/src"
cat >"$work/wanted/Cargo.toml" <<END
[package]
name = "wanted"
version = "0.0.0"
edition = "2021"
[dependencies]
$crate = "=$version"
END
: >"$work/wanted/src/lib.rs"
cargo metadata --format-version 1 --manifest-path "$work/wanted/Cargo.toml" >"$work/metadata.json" 2>"$log" 9>&- ||
  fail "cargo cannot fetch $crate $version (log: $log)"
manifest=$(grep -o "\"manifest_path\":\"[^\"]*/$crate-$version/Cargo.toml\"" "$work/metadata.json" | head -n 1 | cut -d'"' -f4)
[ -f "$manifest" ] || fail "cargo did not say where it put $crate $version (log: $log)"
cp -r "$(dirname "$manifest")" "$work/source"
cargo build --release --lib --locked --manifest-path "$work/source/Cargo.toml" --target-dir "$work/target" \
  "${options[@]}" >>"$log" 2>&1 9>&- || fail "$crate $version does not build here; it needs Rust $rust or newer (log: $log)"

mkdir "$work/installed"
cp "$work/target/release/$plugin" "$work/installed/"
strip --strip-unneeded "$work/installed/$plugin" 2>>"$log" || true
printf '%s %s\n' "$crate" "$version" >"$work/installed/version"
GST_REGISTRY=$work/registry GST_PLUGIN_PATH=$work/installed gst-inspect-1.0 "$element" >>"$log" 2>&1 9>&- ||
  fail "the plugin was built, but GStreamer does not load $element from it (log: $log)"
rm -rf "${built:?}"
mv "$work/installed" "$built"
say "done: $crate $version"
printf '%s\n' "$built"
