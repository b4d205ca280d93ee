#!/bin/bash
# Builds the packages of debian/, installs them, and runs debian/tests with them: tests/packages.sh [--results DIR]
#
#   --results DIR   the packages, logs and junit.xml (build/packages)
#
# Everything happens in copies of this system (overlayfs, as root): what is installed is gone with the copy. On a bare
# system of another release: tests/on.sh trixie tests/packages.sh
set -euo pipefail
checkout=$(cd "$(dirname "$0")/.." && pwd)

child=''
say() { printf '%s\n' "$*" >&2; }
fail() {
  printf 'error: %s\n' "$*" >&2
  exit 2
}

# Inside a copy: the sources are in /gst-gcc, and /packages is the directory of results.

# apt_get WORD...: asks for lists of packages only where it cannot do without.
apt_get() {
  local options=(-qy --no-install-recommends)
  apt-get "${options[@]}" "$@" || { apt-get -q update && apt-get "${options[@]}" "$@"; }
}

# The unit tests are CI's own, the testbed's calls too: a package of the build alone.
inside_build() {
  export DEB_BUILD_OPTIONS="nocheck parallel=${GCC_JOBS:-1}" DEB_BUILD_PROFILES=nocheck
  apt_get install dpkg-dev build-essential
  apt_get build-dep ./
  dpkg-buildpackage -us -uc -b
  mv ../*.deb ../*.changes ../*.buildinfo /packages
}

inside_lintian() { lintian --fail-on error,warning /packages/*.changes; }

# The README's ports are those of other tests, too.
in_a_network_of_its_own() {
  # shellcheck disable=SC2016
  if command -v ip >/dev/null; then unshare --net sh -c 'ip link set lo up && exec "$0"' "$1"
  else "$1"; fi
}

# One test of debian/tests/control, with what its paragraph says.
inside_test() {
  local paragraph depends errors=/tmp/errors
  paragraph=$(awk -v RS= -v test="$1" '$0 ~ "^Tests: " test "(\n|$)"' debian/tests/control)
  depends=$(sed -n 's/^Depends: //p' <<<"$paragraph")
  apt_get install /packages/*.deb
  apt_get satisfy "$depends"
  in_a_network_of_its_own "debian/tests/$1" 2>"$errors" || { cat "$errors" >&2; return 1; }
  cat "$errors" >&2
  grep -q '^Restrictions:.*allow-stderr' <<<"$paragraph" || [ ! -s "$errors" ]
}

inside() {
  local step=$1
  shift
  cd /gst-gcc
  export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 HOME=/root TMPDIR=/tmp XDG_CACHE_HOME=/tmp/cache
  unset GST_PLUGIN_PATH GST_PLUGIN_SYSTEM_PATH GST_REGISTRY
  "inside_$step" "$@"
}

# in_a_copy WORD...: this script in a new copy of the system.
in_a_copy() {
  # shellcheck disable=SC2016
  unshare --mount --propagation unchanged --pid --fork --kill-child -- bash -euc '
    copy=$1 sources=$2 packages=$3
    shift 3
    # The root of tests/on.sh is no mount: what holds it is private.
    mount --make-rprivate / 2>/dev/null || true
    mount -t tmpfs tmpfs "$copy"
    mkdir "$copy"/{changes,work,root}
    mount -t overlay overlay -o "lowerdir=/,upperdir=$copy/changes,workdir=$copy/work" "$copy/root"
    root=$copy/root
    cp -L --remove-destination /etc/resolv.conf /etc/hosts "$root/etc/"
    mkdir -p "$root/gst-gcc" "$root/packages"
    mount --bind "$packages" "$root/packages"
    cp -a "$sources/." "$root/gst-gcc"
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount --rbind /sys "$root/sys"
    mount -t tmpfs tmpfs "$root/tmp"
    mount -t tmpfs tmpfs "$root/run"
    exec chroot "$root" /gst-gcc/tests/packages.sh --inside "$@"' - "$scratch/copy" "$scratch/sources" "$results" "$@" \
    </dev/null &
  child=$!
  wait "$child"
}

# Why no copy can be made here; fails where one can.
why_not() {
  if [ "$(id -u)" -ne 0 ]; then echo "a copy of the system needs root"
  elif in_a_copy nothing >/dev/null 2>&1; then return 1
  else echo "this machine mounts no overlayfs, even as root"; fi
}
inside_nothing() { :; }

# case_of NAME SECONDS OUTCOME: a line of junit.xml; the outcome is empty, or what happened instead.
case_of() {
  local inner=''
  case $3 in
    '') ;;
    skipped:*) inner="<skipped message=\"${3#skipped: }\"/>" ;;
    *) inner="<failure message=\"$3\"/>" ;;
  esac
  printf '<testcase classname="packages" name="%s" time="%s">%s</testcase>\n' "$1" "$2" "$inner" >>"$scratch/cases"
  say "$1: ${3:-passed} ($2 s)"
}

# step NAME WORD...: the words in a copy, as a test case.
step() {
  local name=$1 began=$SECONDS outcome=''
  shift
  in_a_copy "$@" >"$results/$name.log" 2>&1 || {
    tail -n 20 "$results/$name.log" >&2
    outcome="failed, see $name.log"
  }
  case_of "$name" $((SECONDS - began)) "$outcome"
  [ -z "$outcome" ]
}

all_steps() {
  local test failed=false
  step build build || return 1
  if command -v lintian >/dev/null; then step lintian lintian || failed=true
  else case_of lintian 0 "skipped: no lintian: apt install lintian"; fi
  while read -r test; do
    step "$test" test "$test" || failed=true
  done < <(sed -n 's/^Tests: //p' "$checkout/debian/tests/control")
  ! $failed
}

# shellcheck disable=SC2329 # a trap calls it
clean_up() {
  kill -KILL "$child" 2>/dev/null || true
  rm -rf --one-file-system "$scratch"
}

main() {
  local code=0 why
  results=$checkout/build/packages
  case ${1:-} in
    --results) results=${2:?--results needs a directory} ;;
    '') ;;
    *) fail "no such option: $1; known is --results" ;;
  esac
  rm -rf "$results"
  mkdir -p "$results"
  results=$(realpath "$results")
  scratch=$(mktemp -d "${TMPDIR:-/var/tmp}/gst-gcc-packages.XXXXXX")
  trap clean_up EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
  mkdir "$scratch/copy" "$scratch/sources"
  git -C "$checkout" archive HEAD | tar -x -C "$scratch/sources"
  touch "$scratch/cases"
  if why=$(why_not); then case_of packages 0 "skipped: $why"
  else all_steps || code=1; fi
  { echo '<testsuite name="packages">'; cat "$scratch/cases"; echo '</testsuite>'; } >"$results/junit.xml"
  exit "$code"
}

if [ "${1:-}" = --inside ]; then inside "${@:2}"; else main "$@"; fi
