#!/bin/bash
# A newcomer's path on another release of the distribution: makes a bare system of it with debootstrap, clones what is
# committed here into it, and runs ./tests/run.sh there, or COMMAND. As root:
#
#   tests/on.sh [OPTION...] SUITE [COMMAND...]     SUITE: bookworm, trixie, sid, ...
#
#   --root DIR      make the system in DIR, or use the one that is there, and keep it
#                   (otherwise: below ${TMPDIR:-/var/tmp}, removed at the end)
#   --with PACKAGE  install this, too; may be repeated: chromium, firefox-esr, janus
#   --results DIR   what the tests left (build/on-SUITE)
#
# The packages come from where apt gets those of this system. Mounts and processes live in namespaces of their own and
# end with them.
set -euo pipefail

checkout=$(cd "$(dirname "$0")/.." && pwd)
inside=/root/gst-gcc

say() { printf '%s\n' "$*" >&2; }
fail() {
  printf 'error: %s\n' "$*" >&2
  exit 2
}
usage() { sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "$0"; }

root='' results='' suite='' with=() command=() kept=false child=''
read_options() {
  while [ $# -gt 0 ]; do
    case $1 in
      --root | --with | --results) [ $# -ge 2 ] || fail "$1 needs a value" ;;
    esac
    case $1 in
      --root) root=$2 kept=true; shift 2 ;;
      --with) with+=("$2"); shift 2 ;;
      --results) results=$2; shift 2 ;;
      -h | --help) usage; exit 0 ;;
      -*) fail "no such option: $1; see tests/on.sh --help" ;;
      *) break ;;
    esac
  done
  [ $# -ge 1 ] || fail "no suite given: tests/on.sh bookworm, or trixie, or sid; see tests/on.sh --help"
  suite=$1
  shift
  command=("$@")
  [ $# -gt 0 ] || command=(./tests/run.sh)
  results=${results:-$checkout/build/on-$suite}
}

check_machine() {
  [ "$(id -u)" -eq 0 ] || fail "a system of its own needs root: sudo $0 $suite"
  local program
  for program in debootstrap git unshare; do
    command -v "$program" >/dev/null || fail "no $program here; install it: apt install debootstrap git util-linux"
  done
  unshare --mount --pid --fork true 2>/dev/null || fail "this machine allows no mounts, even as root"
  [ -e "/usr/share/debootstrap/scripts/$suite" ] || fail "debootstrap knows no suite $suite"
}

# What apt is told here, as addresses of archives.
# apt puts it in, not the shell
# shellcheck disable=SC2016
archives() { apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | sort -u; }

# serves ARCHIVE SUITE
serves() {
  /usr/lib/apt/apt-helper download-file "${1%/}/dists/$2/InRelease" "$scratch/InRelease" >/dev/null 2>&1
}

find_mirror() {
  local archive
  for archive in $(archives); do
    if serves "$archive" "$suite"; then
      printf '%s\n' "$archive"
      return 0
    fi
  done
  fail "none of the archives that apt uses here has $suite: $(archives | tr '\n' ' ')"
}

sources() {
  local archive part
  printf 'deb %s %s main\n' "$mirror" "$suite"
  for archive in $(archives); do
    for part in "$suite-updates" "$suite-security"; do
      ! serves "$archive" "$part" || printf 'deb %s %s main\n' "$archive" "$part"
    done
  done
}

# Runs a command with mounts and processes of its own, which are gone when it is.
apart() {
  unshare --mount --propagation private --pid --fork --kill-child -- "$@" </dev/null &
  child=$!
  wait "$child"
}

# run_inside WORD...: a command in the new system, in the clone if that is there.
run_inside() {
  # shellcheck disable=SC2016
  apart bash -euc '
    root=$1 inside=$2
    shift 2
    mount -t proc proc "$root/proc"
    mount -t sysfs sysfs "$root/sys"
    # Devices of its own: root inside may remove them, and the host keeps its own.
    mount -t tmpfs -o mode=755 tmpfs "$root/dev"
    cp -a /dev/null /dev/zero /dev/full /dev/random /dev/urandom /dev/tty "$root/dev"
    ln -s /proc/self/fd "$root/dev/fd"
    ln -s /proc/self/fd/0 "$root/dev/stdin"
    ln -s /proc/self/fd/1 "$root/dev/stdout"
    ln -s /proc/self/fd/2 "$root/dev/stderr"
    mkdir "$root/dev/shm" "$root/dev/pts"
    mount -t tmpfs tmpfs "$root/dev/shm"
    mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
    ln -s pts/ptmx "$root/dev/ptmx"
    mount -t tmpfs tmpfs "$root/run"
    exec chroot "$root" env -i "$@"' - "$root" "$inside" \
    HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
    DEBIAN_FRONTEND=noninteractive "${environment[@]}" \
    sh -c 'cd "$0" 2>/dev/null || cd /; exec "$@"' "$inside" "$@"
}

# What this machine needs to reach the network: proxies, certificates and package indexes. Files that variables name
# are copied under another name than the system's own, which its packages would overwrite.
environment=()
pass_environment() {
  local name value cert
  cert=$(sed -n 's/^cert *= *//p' /etc/pip.conf 2>/dev/null | head -n 1)
  [ -z "$cert" ] || export PIP_CERT="${PIP_CERT:-$cert}"
  [ ! -f /etc/pip.conf ] || cp /etc/pip.conf "$root/etc/pip.conf"
  mkdir -p "$root/etc/from-the-host"
  while IFS= read -r name; do
    value=${!name}
    if [ -e "$value" ]; then
      rm -rf "${root:?}/etc/from-the-host/$name"
      cp -rL "$value" "$root/etc/from-the-host/$name"
      value=/etc/from-the-host/$name
    fi
    environment+=("$name=$value")
  done < <(compgen -e | grep -xE 'PIP_.*|SSL_CERT_FILE|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|(https?|no|all)_proxy|(HTTPS?|NO|ALL)_PROXY')
}

make_system() {
  local log=$scratch/debootstrap.log
  say "making a bare $suite in $root"
  mkdir -p "$root"
  apart debootstrap --variant=minbase --include=git "$suite" "$root" "$mirror" >"$log" 2>&1 || {
    tail -n 5 "$log" >&2
    fail "debootstrap $suite failed"
  }
  sources >"$root/etc/apt/sources.list"
  # A system that is made again in minutes need not reach the disk at once.
  echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/from-the-host"
  apt-config dump | grep -E '^Acquire::(Check-|https?::)' >"$root/etc/apt/apt.conf.d/from-the-host" || true
  touch "$root/made"
}

clone() {
  [ -z "$(git -C "$checkout" status --porcelain)" ] || say "note: only what is committed is tried"
  # A build that is there stays there: a system that is used again need not build everything again.
  [ -d "$root$inside" ] || git clone -q --no-hardlinks "$checkout" "$root$inside"
  git -C "$root$inside" fetch -q "$checkout" HEAD
  git -C "$root$inside" checkout -q --force --detach FETCH_HEAD
  rm -rf "$root$inside/build/test-results"
}

# What was on the machine, for docs/compatibility.md.
facts() {
  # shellcheck disable=SC2016
  run_inside sh -c '
    tell() { printf "%s\t%s\n" "$1" "$2"; }
    . /etc/os-release
    tell distribution "$PRETTY_NAME"
    tell gstreamer "$(gst-launch-1.0 --version | sed -n "s/^GStreamer //p")"
    tell python "$(python3 -V | cut -d" " -f2)"
    tell kernel "$(ls /usr/src/linux-source-*.tar.* | sed "s/.*linux-source-//; s/\.tar.*//" | sort -V | tail -n 1)"
    tell aiortc "$(build/venv/bin/python -c "import aiortc; print(aiortc.__version__)" 2>/dev/null)"
    for peer in chromium firefox-esr janus; do
      ! command -v "$peer" >/dev/null ||
        tell "$peer" "$("$peer" --version 2>/dev/null | grep -oE "[0-9]+\.[.0-9]+[0-9a-z]*" | head -n 1)"
    done'
  printf 'date\t%s\ncommit\t%s\n' "$(date -u +%F)" "$(git -C "$root$inside" rev-parse --short HEAD)"
}

# shellcheck disable=SC2329 # a trap calls it
clean_up() {
  if [ -n "$child" ]; then
    kill -KILL "$child" 2>/dev/null || true
    wait "$child" 2>/dev/null || true
  fi
  rm -rf --one-file-system "$scratch"
}

main() {
  local status=0 shown
  read_options "$@"
  check_machine
  scratch=$(mktemp -d "${TMPDIR:-/var/tmp}/gst-gcc-on-$suite.XXXXXX")
  trap clean_up EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
  root=$(realpath -m "${root:-$scratch/root}")

  if [ ! -e "$root/made" ]; then
    mirror=$(find_mirror)
    make_system
  fi
  cp -L --remove-destination /etc/resolv.conf /etc/hosts "$root/etc/"
  pass_environment
  if [ ${#with[@]} -gt 0 ]; then
    say "installing ${with[*]}"
    run_inside sh -c 'apt-get -q update && apt-get -qy --no-install-recommends install "$@"' - "${with[@]}" \
      >"$scratch/install.log" 2>&1 || {
      tail -n 5 "$scratch/install.log" >&2
      fail "apt-get install ${with[*]} failed"
    }
  fi
  clone

  rm -rf "$results"
  mkdir -p "$results"
  say "running ${command[*]} on $suite"
  exec 3> >(exec tee "$results/output.txt")
  shown=$!
  run_inside "${command[@]}" >&3 2>&1 3>&- || status=$?
  exec 3>&-
  wait "$shown"
  if [ -d "$root$inside/build/test-results" ]; then
    cp -r "$root$inside/build/test-results/." "$results/"
    facts >"$results/facts.tsv"
  fi
  ! $kept || say "the system stays in $root"
  say "results in $results"
  printf '%s: %s\n' "$suite" "$(tail -n 1 "$results/output.txt")"
  exit "$status"
}

main "$@"
