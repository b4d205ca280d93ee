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
gcc_build_packages=(gcc libc6-dev make meson ninja-build pkg-config
  libglib2.0-dev libgstreamer1.0-dev libgstreamer-plugins-base1.0-dev)
# What a call needs: vp8enc, rtpbin, udpsink, multifilesrc.
gcc_call_packages=(gstreamer1.0-tools gstreamer1.0-plugins-base gstreamer1.0-plugins-good)
# What the tests need, too: x264enc and the other encoders, webrtcbin, SRTP, gdppay.
gcc_gstreamer_packages=("${gcc_call_packages[@]}" gstreamer1.0-plugins-bad gstreamer1.0-plugins-ugly)
# examples/webrtc: Python for GStreamer, ICE for webrtcbin, and a certificate for the page.
gcc_webrtc_packages=(python3-gi python3-gst-1.0 gir1.2-gst-plugins-bad-1.0 gstreamer1.0-nice openssl)
# The tests' own webrtcbin application, in C.
gcc_webrtc_build_packages=(libgstreamer-plugins-bad1.0-dev)
# What builds the packages of debian/.
gcc_packaging_packages=(dpkg-dev debhelper)
# The compiler of CI's 32 bit: tests/architectures.sh.
gcc_i386_packages=(gcc-i686-linux-gnu)
gcc_python_packages=(python3 python3-venv)
# What sets rtpgccbwe's encoder inside a call.
gcc_peer_packages=(python3-gi gir1.2-gstreamer-1.0)
gcc_kernel_packages=(linux-source gcc libc6-dev make flex bison bc xz-utils bzip2)
gcc_testbed_packages=(iproute2 tcpdump ffmpeg)
gcc_kernel_builder=$gcc_root/testbed/kernel/build.sh

gcc_say() { printf '%s\n' "$*" >&2; }

gcc_fail() {
  printf 'error: %s\n' "$*" >&2
  exit 2
}

# gcc_stages COUNT, then gcc_stage WHAT for each: "stage 2 of 5: WHAT". A kernel that could not be built ends it there.
gcc_stage_count=0 gcc_stage_number=0
gcc_stages() { gcc_stage_count=$1 gcc_stage_number=0; }
gcc_stage() {
  gcc_kernel_is_building || gcc_await_kernel
  gcc_stage_number=$((gcc_stage_number + 1))
  gcc_last_line_s=$SECONDS
  gcc_say "stage $gcc_stage_number of $gcc_stage_count: $*"
}

# gcc_show_progress WHAT PERCENT: a bar on a terminal, rewritten, and removed at 100; elsewhere a line each half a minute.
# PERCENT may be empty: not known.
gcc_bar=########################################
gcc_line_each_s=30 gcc_last_line_s=0
gcc_show_progress() {
  ! ${gcc_quiet:-false} || return 0
  if [ ! -t 2 ]; then gcc_say_progress "$@"
  elif [ -z "$2" ]; then return 0
  elif [ "$2" -ge 100 ]; then printf '\r\033[K' >&2
  else printf '\r\033[K  %s [%-40s] %d %%' "$1" "${gcc_bar:0:$(($2 * 40 / 100))}" "$2" >&2; fi
}

gcc_say_progress() {
  [ $((SECONDS - gcc_last_line_s)) -ge "$gcc_line_each_s" ] && [ "${2:-0}" -lt 100 ] || return 0
  gcc_last_line_s=$SECONDS
  gcc_say "  $1: ${2:+$2 %, }at work for $((SECONDS / 60)) min $((SECONDS % 60)) s"
}

# How far a line of output says that a command is, in percent: ninja's [3/120], APT::Status-Fd's dlstatus:1:2.5:...
gcc_percent_in() {
  if [[ $1 =~ ^\[([0-9]+)/([0-9]+)\] ]]; then printf -v "$2" %d $((BASH_REMATCH[1] * 100 / BASH_REMATCH[2]))
  elif [[ $1 =~ ^[a-z]+status:[^:]*:([0-9]+) ]]; then printf -v "$2" %d "${BASH_REMATCH[1]}"
  else return 1; fi
}

# gcc_watched WHAT: passes output on, and shows how far it says that WHAT is, and the sizes of pip's large downloads.
gcc_watched() {
  local what=$1 line begun='' percent='' code
  while :; do
    code=0
    IFS= read -r -t "$gcc_line_each_s" line || code=$?
    begun+=$line
    if [ "$code" -gt 128 ]; then
      # No output for so long, or no more than half a line.
      gcc_show_progress "$what" "$percent"
      continue
    fi
    [ "$code" -eq 0 ] || [ -n "$begun" ] || break
    printf '%s\n' "$begun"
    case $begun in *Downloading*' MB)') gcc_say " $begun" ;; esac
    gcc_percent_in "$begun" percent || true
    gcc_show_progress "$what" "$percent"
    begun=''
  done
  gcc_show_progress "$what" 100
}

# Runs a command with its output in a log, and a bar where it says how far it is; on failure one line that names the log.
gcc_logged() {
  local log=$1 what=$2
  shift 2
  mkdir -p "$(dirname "$log")"
  "$@" </dev/null 2>&1 | gcc_watched "$what" >"$log" || gcc_fail "$what failed, see $log"
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

# gcc_apt_get WORD...: waits for another apt instead of failing on its lock, and says how far it is. Not on its standard
# output: apt closes that descriptor to the packages' scripts.
gcc_apt_get() {
  gcc_as_root env DEBIAN_FRONTEND=noninteractive sh -c \
    'exec apt-get -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 -o APT::Status-Fd=9 "$@" 9>&1' - "$@"
}

# What installing them takes, in apt's words: "231 MB to fetch, 444 MB on disk".
gcc_size_of_packages() {
  LC_ALL=C apt-get -qy --print-uris --no-install-recommends install "$@" 2>/dev/null |
    sed -nE -e 's/^Need to get ([^ ]+ [kMG]?B).*/\1 to fetch/p' \
      -e 's/^After this operation, ([^ ]+ [kMG]?B) of additional.*/\1 on disk/p' | paste -sd , | sed 's/,/, /'
}

# gcc_announce_packages PACKAGE...: which are missing, and what they take, before anything is fetched.
gcc_announce_packages() {
  local missing size
  command -v dpkg-query >/dev/null ||
    gcc_fail "this is not a Debian or Ubuntu system; install the equivalents of: $*"
  mapfile -t missing < <(gcc_missing_packages "$@" | awk '!seen[$0]++')
  [ ${#missing[@]} -gt 0 ] || return 0
  gcc_logged "$gcc_build_dir/update.log" "apt-get update" gcc_apt_get -q update
  size=$(gcc_size_of_packages "${missing[@]}") || size=
  gcc_say "installing ${#missing[@]} packages${size:+, with all that they need $size}: ${missing[*]}"
}

# gcc_apt_install PACKAGE...: those that are missing.
gcc_apt_install() {
  local missing
  mapfile -t missing < <(gcc_missing_packages "$@")
  [ ${#missing[@]} -gt 0 ] || return 0
  gcc_logged "$gcc_build_dir/install.log" "apt-get install" \
    gcc_apt_get -qy --no-install-recommends install "${missing[@]}"
}

# gcc_install_packages PACKAGE...: those that are missing, with apt; nothing is touched when none is.
gcc_install_packages() {
  gcc_announce_packages "$@"
  gcc_apt_install "$@"
}

# gcc_add_packages PACKAGE...: those that are missing, unless that would remove another; a line says why they are left out.
gcc_add_packages() {
  local missing install log=$gcc_build_dir/add.log
  install=(gcc_apt_get -qy --no-install-recommends --no-remove install)
  mapfile -t missing < <(gcc_missing_packages "$@")
  [ ${#missing[@]} -gt 0 ] || return 0
  mkdir -p "$gcc_build_dir"
  {
    "${install[@]}" "${missing[@]}" ||
      { gcc_apt_get -q update && "${install[@]}" "${missing[@]}"; }
  } >"$log" 2>&1 </dev/null ||
    gcc_say "left out: ${missing[*]}: $(sed -n 's/^E: //p' "$log" | tail -n 1)"
}

# gcc_configure DIRECTORY [MESON OPTION...]: options given here replace earlier ones.
gcc_configure() {
  local directory=$1 log=$1/build.log
  shift
  mkdir -p "$directory"
  if [ -f "$directory/build.ninja" ]; then
    # Not `meson configure`, which does not know an option that is newer than the directory.
    [ $# -eq 0 ] || gcc_logged "$log" "meson setup" meson setup --reconfigure "$directory" "$gcc_root" "$@"
  else
    gcc_logged "$log" "meson setup" meson setup "$directory" "$gcc_root" "$@"
  fi
}

# gcc_build_in DIRECTORY [MESON OPTION...]: configures and compiles into it.
gcc_build_in() {
  gcc_configure "$@"
  gcc_logged "$1/build.log" "the build" ninja -C "$1"
}

# gcc_build [MESON OPTION...]: the same into build/.
gcc_build() { gcc_build_in "$gcc_build_dir" "$@"; }

# What a call needs of it, without tests.
gcc_build_elements() {
  gcc_configure "$gcc_build_dir"
  gcc_logged "$gcc_build_dir/build.log" "the build" ninja -C "$gcc_build_dir" call
}

gcc_pip_install() { "$gcc_venv/bin/python" -m pip install --disable-pip-version-check "$@"; }

# gcc_optional_extra EXTRA: where it does not install, a line says why, and what needs it is skipped.
gcc_optional_extra() {
  local log=$gcc_build_dir/python-$1.log
  ! gcc_pip_install -e "$gcc_root/testbed[$1]" >"$log" 2>&1 </dev/null || return 0
  gcc_say "left out: Python's packages for '$1' do not install here, see $log:" \
    "$(grep -oE '(fatal error|ERROR): .*' "$log" | head -n 3 | paste -sd ';')"
  return 1
}

# gcc_python [EXTRA,...] [OPTIONAL EXTRA...]: the testbed's virtual environment; instant when nothing has changed.
gcc_python() {
  local extras=${1:+[$1]} stamp=$gcc_venv/gcc-stamp log=$gcc_build_dir/python.log want optional whole=true
  local wanted="$extras${2:+ ${*:2}}"
  want=$({ cat "$gcc_root/testbed/pyproject.toml"; "$gcc_system_python" -V; echo "$gcc_root"; } | sha256sum)
  # With extras once, always with extras: call.sh must not take pytest away from run.sh.
  if [ -f "$stamp" ] && [ "$(head -n 1 "$stamp")" = "$want" ] &&
    { [ -z "$wanted" ] || grep -qxF "$wanted" "$stamp"; }; then
    return 0
  fi
  rm -f "$stamp"
  [ -x "$gcc_venv/bin/python" ] && [ "$("$gcc_venv/bin/python" -V 2>/dev/null)" = "$("$gcc_system_python" -V)" ] ||
    gcc_logged "$log" "making a Python environment" "$gcc_system_python" -m venv --clear "$gcc_venv"
  gcc_logged "$log" "installing the testbed's Python packages" \
    gcc_pip_install -e "$gcc_root/testbed$extras"
  for optional in "${@:2}"; do
    gcc_optional_extra "$optional" || whole=false
  done
  # What did not install is tried again.
  ! $whole || printf '%s\n%s\n' "$want" "$wanted" >"$stamp"
}

# Builds the virtual-time kernel, if need be, beside what comes next. A process group of its own takes the compilers along
# when it ends, and with a Ctrl-C it ends by the trap.
gcc_kernel_build='' gcc_kernel_log=$gcc_build_dir/kernel.log
gcc_begin_kernel() {
  mkdir -p "$gcc_build_dir"
  # The shell that waits may read it before the builder's has made it.
  : >"$gcc_kernel_log"
  trap gcc_end_kernel EXIT
  # Without it bash goes on when the command that it waits for outlives the interrupt, or ends just then.
  trap 'exit 130' INT
  setsid "$gcc_kernel_builder" >/dev/null 2>"$gcc_kernel_log" </dev/null &
  gcc_kernel_build=$!
}
gcc_kernel_is_building() { [ -z "$gcc_kernel_build" ] || kill -0 "$gcc_kernel_build" 2>/dev/null; }
gcc_end_kernel() {
  [ -n "$gcc_kernel_build" ] || return 0
  kill -TERM -- -"$gcc_kernel_build" 2>/dev/null || kill -TERM "$gcc_kernel_build" 2>/dev/null || true
  wait "$gcc_kernel_build" 2>/dev/null || true
}

# How far the kernel is, in percent, from what its builder says.
gcc_kernel_percent() { sed -nE 's/^kernel: .* ([0-9]+) %$/\1/p' "$gcc_kernel_log" | tail -n 1; }

# Waits for the kernel that gcc_begin_kernel builds; its own words are the error.
gcc_await_kernel() {
  local percent code=0
  [ -n "$gcc_kernel_build" ] || return 0
  while gcc_kernel_is_building; do
    percent=$(gcc_kernel_percent)
    gcc_show_progress "the kernel" "${percent:-0}"
    sleep 0.5
  done
  gcc_show_progress "the kernel" 100
  wait "$gcc_kernel_build" || code=$?
  gcc_kernel_build=''
  [ "$code" -eq 0 ] || { grep '^error: ' "$gcc_kernel_log" >&2 || cat "$gcc_kernel_log" >&2; exit "$code"; }
}

# gcc_prepare_packages PACKAGE...: installs them and what the kernel needs; that first, to begin with the kernel.
gcc_prepare_packages() {
  gcc_announce_packages "${gcc_kernel_packages[@]}" "$@"
  gcc_apt_install "${gcc_kernel_packages[@]}"
  gcc_begin_kernel
  gcc_apt_install "$@"
}

# gcc_prepare_testbed [EXTRA,...] [PACKAGE...]: all that a call needs but for the kernel, for which gcc_await_kernel waits.
gcc_prepare_testbed() {
  gcc_stage "packages"
  gcc_prepare_packages "${gcc_build_packages[@]}" "${gcc_call_packages[@]}" "${gcc_python_packages[@]}" \
    "${gcc_testbed_packages[@]}" "${@:2}"
  gcc_stage "building the elements"
  gcc_build_elements
  gcc_stage "Python"
  gcc_python "${1:-}"
}

# gcc_optional_peer: rtpgccbwe of gst-plugins-rs, to compare with; where it cannot be built, a line says why.
gcc_optional_peer() {
  local log=$gcc_build_dir/rtpgccbwe.log build=$gcc_root/testbed/peer/build.sh code=0
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
  set -- env PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$gcc_root/testbed" \
    "$gcc_system_python" -m gcc_testbed "$command" "$check" "$@"
  if $help; then
    "$@"
    exit 0
  fi
  "$@" >/dev/null || exit $?
}
