# Shell functions shared by examples/*.sh and tests/run.sh: what a bare machine lacks, the build, and Python.
# To be sourced by bash with `set -euo pipefail`; everything works on the checkout this file lies in.

# Variables and parameters that the sourcing scripts use:
# shellcheck shell=bash disable=SC2034,SC2119,SC2120

gcc_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
gcc_build_dir=$gcc_root/build
gcc_venv=$gcc_build_dir/venv
# The distribution's own Python: its version and its venv module come from the packages below.
gcc_system_python=/usr/bin/python3

# Names on Debian 12 and Ubuntu 24.04 alike.
gcc_build_packages=(build-essential meson ninja-build pkg-config
  libglib2.0-dev libgstreamer1.0-dev libgstreamer-plugins-base1.0-dev)
gcc_gstreamer_packages=(gstreamer1.0-tools gstreamer1.0-plugins-base gstreamer1.0-plugins-good
  gstreamer1.0-plugins-bad gstreamer1.0-plugins-ugly)
# examples/webrtc: Python for GStreamer, ICE for webrtcbin, and a certificate for the page.
gcc_webrtc_packages=(python3-gi python3-gst-1.0 gir1.2-gst-plugins-bad-1.0 gstreamer1.0-nice openssl)
# The tests' own webrtcbin application, in C.
gcc_webrtc_build_packages=(libgstreamer-plugins-bad1.0-dev)
gcc_python_packages=(python3 python3-venv)
# What sets rtpgccbwe's encoder inside a call.
gcc_peer_packages=(python3-gi gir1.2-gstreamer-1.0)
gcc_testbed_packages=(linux-source flex bison bc xz-utils bzip2 iproute2 tcpdump ffmpeg)

gcc_say() { printf '%s\n' "$*" >&2; }

gcc_fail() {
  printf 'error: %s\n' "$*" >&2
  exit 2
}

# Runs a command with its output in a log; on failure one line that names the log.
gcc_logged() {
  local log=$1 what=$2
  shift 2
  mkdir -p "$(dirname "$log")"
  "$@" >"$log" 2>&1 </dev/null || gcc_fail "$what failed, see $log"
}

gcc_as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"
  elif command -v sudo >/dev/null; then sudo -- "$@"
  else gcc_fail "installing packages needs root, and there is no sudo; run as root: $*"; fi
}

gcc_missing_packages() {
  local package
  for package in "$@"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || printf '%s\n' "$package"
  done
}

# gcc_install_packages PACKAGE...: those that are missing, with apt; nothing is touched when none is.
gcc_install_packages() {
  local missing log=$gcc_build_dir/install.log
  command -v dpkg-query >/dev/null ||
    gcc_fail "this is not a Debian or Ubuntu system; install the equivalents of: $*"
  mapfile -t missing < <(gcc_missing_packages "$@")
  [ ${#missing[@]} -gt 0 ] || return 0
  gcc_say "installing ${#missing[@]} packages: ${missing[*]}"
  mkdir -p "$gcc_build_dir"
  # Waits for another apt instead of failing on its lock.
  gcc_logged "$log" "apt-get update" gcc_as_root apt-get -o DPkg::Lock::Timeout=300 -q update
  gcc_logged "$log" "apt-get install ${missing[*]}" gcc_as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get -o DPkg::Lock::Timeout=300 -qy --no-install-recommends install "${missing[@]}"
}

# gcc_build_in DIRECTORY [MESON OPTION...]: configures and compiles into it; options given here replace earlier ones.
gcc_build_in() {
  local directory=$1 log=$1/build.log
  shift
  gcc_say "building"
  mkdir -p "$directory"
  if [ -f "$directory/build.ninja" ]; then
    [ $# -eq 0 ] || gcc_logged "$log" "meson configure" meson configure "$directory" "$@"
  else
    gcc_logged "$log" "meson setup" meson setup "$directory" "$gcc_root" "$@"
  fi
  gcc_logged "$log" "the build" ninja -C "$directory"
}

# gcc_build [MESON OPTION...]: the same into build/.
gcc_build() { gcc_build_in "$gcc_build_dir" "$@"; }

gcc_pip_install() { "$gcc_venv/bin/python" -m pip install --disable-pip-version-check "$@"; }

# gcc_optional_extra EXTRA: where it does not install, a line says why, and what needs it is skipped.
gcc_optional_extra() {
  local log=$gcc_build_dir/python-$1.log
  ! gcc_pip_install -e "$gcc_root/examples/testbed[$1]" >"$log" 2>&1 </dev/null || return 0
  gcc_say "left out: Python's packages for '$1' do not install here, see $log:" \
    "$(grep -oE '(fatal error|ERROR): .*' "$log" | head -n 3 | paste -sd ';')"
  return 1
}

# gcc_python [EXTRA,...] [OPTIONAL EXTRA...]: the testbed's virtual environment; instant when nothing has changed.
gcc_python() {
  local extras=${1:+[$1]} stamp=$gcc_venv/gcc-stamp log=$gcc_build_dir/python.log want optional whole=true
  local wanted="$extras${2:+ ${*:2}}"
  want=$({ cat "$gcc_root/examples/testbed/pyproject.toml"; "$gcc_system_python" -V; echo "$gcc_root"; } | sha256sum)
  # With extras once, always with extras: call.sh must not take pytest away from run.sh.
  if [ -f "$stamp" ] && [ "$(head -n 1 "$stamp")" = "$want" ] &&
    { [ -z "$wanted" ] || grep -qxF "$wanted" "$stamp"; }; then
    return 0
  fi
  gcc_say "preparing Python"
  rm -f "$stamp"
  [ -x "$gcc_venv/bin/python" ] && [ "$("$gcc_venv/bin/python" -V 2>/dev/null)" = "$("$gcc_system_python" -V)" ] ||
    gcc_logged "$log" "making a Python environment" "$gcc_system_python" -m venv --clear "$gcc_venv"
  gcc_logged "$log" "installing the testbed's Python packages" \
    gcc_pip_install -e "$gcc_root/examples/testbed$extras"
  for optional in "${@:2}"; do
    gcc_optional_extra "$optional" || whole=false
  done
  # What did not install is tried again.
  ! $whole || printf '%s\n%s\n' "$want" "$wanted" >"$stamp"
}

# gcc_prepare_testbed [EXTRA,...]: everything that a call needs, from packages to the virtual-time kernel.
gcc_prepare_testbed() {
  gcc_install_packages "${gcc_build_packages[@]}" "${gcc_gstreamer_packages[@]}" "${gcc_python_packages[@]}" \
    "${gcc_testbed_packages[@]}"
  gcc_build
  gcc_python "${1:-}"
  "$gcc_root/examples/testbed/kernel/build.sh" >/dev/null || exit $?
}

# gcc_optional_peer: rtpgccbwe of gst-plugins-rs, to compare with; where it cannot be built, a line says why.
gcc_optional_peer() {
  local log=$gcc_build_dir/rtpgccbwe.log build=$gcc_root/examples/testbed/peer/build.sh code=0
  "$build" --which >/dev/null 2>"$log" || code=$?
  if [ "$code" -eq 1 ]; then
    gcc_say "building rtpgccbwe: a few minutes, once"
    code=0
    "$build" >/dev/null 2>"$log" </dev/null || code=$?
  fi
  if [ "$code" -ne 0 ]; then
    gcc_say "left out: $(sed -n 's/^error: //p' "$log" | tail -n 1)"
  else
    gcc_install_packages "${gcc_peer_packages[@]}"
  fi
}

# gcc_check_options COMMAND CHECK [WORD...]: tells wrong options of a command of gcc-testbed before anything is
# installed or built; CHECK is the option that makes it do no more. With --help that is all.
gcc_check_options() {
  local command=$1 check=$2 help=false
  shift 2
  case " $* " in *" -h "* | *" --help "*) help=true ;; esac
  if [ ! -x "$gcc_system_python" ]; then
    if $help; then gcc_fail "--help needs python3; install it: apt install python3"; fi
    return 0
  fi
  # Nothing but the standard library, and no bytecode left in the checkout.
  set -- env PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$gcc_root/examples/testbed" \
    "$gcc_system_python" -m gcc_testbed "$command" "$check" "$@"
  if $help; then
    "$@"
    exit 0
  fi
  "$@" >/dev/null || exit $?
}
