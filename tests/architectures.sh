#!/bin/bash
# The tests on other architectures than this machine's: tests/architectures.sh [--results DIR] [i386] [s390x] [arm64]
#
#   i386    32 bit: the unit and element tests, run by this processor
#   s390x   big endian: the library's unit tests, run by qemu
#   arm64   the same
#
#   --results DIR   where the results go (build/architectures); an architecture that cannot be tried is a skipped test
#
# Without a name all three. Everything is compiled here, with the headers and libraries of the other architecture from
# a folder: no package of it is installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# shellcheck source=scripts/setup.sh
. scripts/setup.sh

# apt_for ARCHITECTURE DIRECTORY WORD...: apt-get with the architecture's packages and nothing of this system's state.
apt_for() {
  local architecture=$1 state=$2/apt
  shift 2
  mkdir -p "$state"/{lists,archives}/partial
  [ -e "$state/status" ] || touch "$state/status"
  apt-get -q -o "APT::Architecture=$architecture" -o "APT::Architectures::=$architecture" \
    -o "Dir::Etc::sourcelist=$state/sources.list" -o Dir::Etc::sourceparts=- \
    -o "Dir::State::lists=$state/lists" -o "Dir::State::status=$state/status" \
    -o "Dir::Cache=$state" -o "Dir::Cache::archives=$state/archives" \
    -o Acquire::Languages=none -o APT::Sandbox::User=root "$@"
}

# The archive that this system's base comes from, for apt: the distribution's own, without updates and others' packages.
source_lines() {
  local suite keyring
  # shellcheck source=/dev/null
  suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
  # shellcheck source=/dev/null
  keyring=$(. /etc/os-release && echo "/usr/share/keyrings/$ID-archive-keyring.gpg")
  [ -e "$keyring" ] && keyring="[signed-by=$keyring] " || keyring=''
  # shellcheck disable=SC2016 # apt puts it in, not the shell
  apt-get indextargets --format "deb $keyring"'$(REPO_URI) $(CODENAME) $(COMPONENT)' \
    'Created-By: Packages' "Codename: $suite" | sort -u
}

# fetch ARCHITECTURE DIRECTORY PACKAGE...: them and what they need, into DIRECTORY/apt/archives.
fetch() {
  local architecture=$1 directory=$2
  shift 2
  mkdir -p "$directory/apt"
  source_lines >"$directory/apt/sources.list"
  [ -s "$directory/apt/sources.list" ] || return 1
  apt_for "$architecture" "$directory" update || return 1
  apt_for "$architecture" "$directory" -y --no-install-recommends --download-only install "$@"
}

# unpack DIRECTORY: what was fetched, as DIRECTORY/sysroot; none of it is run or set up.
unpack() {
  local root=$1/sysroot deb link part
  rm -rf "$root"
  mkdir -p "$root"/usr/{bin,lib,sbin}
  for part in bin lib sbin; do ln -s "usr/$part" "$root/$part"; done
  for deb in "$1"/apt/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$deb" | tar -x --keep-directory-symlink --no-same-owner -C "$root" \
      --exclude='./usr/share/doc' --exclude='./usr/share/locale' --exclude='./usr/share/man' --exclude='./dev' || return 1
  done
  # What points at /lib is meant for the system that this is a part of: libm.so.
  find "$root" -type l -lname '/*' -print0 | while IFS= read -r -d '' link; do
    ln -sfn "$root$(readlink "$link")" "$link"
  done
  rm -rf "$1/apt"
  touch "$root/made"
}

# cross_file DIRECTORY TRIPLET CPU ENDIAN RUNNER...
cross_file() {
  local root=$1/sysroot triplet=$2 cpu=$3 endian=$4 compiler=${compilers[$2]:-$2}
  shift 4
  cat <<END
[binaries]
c = '$compiler-gcc'
ar = '$compiler-ar'
strip = '$compiler-strip'
pkg-config = 'pkg-config'
# before Meson 1.3
pkgconfig = 'pkg-config'
exe_wrapper = [$(printf "'%s', " "$@")]

[built-in options]
c_args = ['--sysroot=$root']
c_link_args = ['--sysroot=$root']

[properties]
needs_exe_wrapper = true
sys_root = '$root'
pkg_config_libdir = '$root/usr/lib/$triplet/pkgconfig:$root/usr/share/pkgconfig'

[host_machine]
system = 'linux'
cpu_family = '$cpu'
cpu = '$cpu'
endian = '$endian'
END
}
# Triplets whose compiler has another name.
declare -A compilers=([i386-linux-gnu]=i686-linux-gnu)

# skip NAME WHY: a test that is skipped, in the results.
skip() {
  printf '<testsuite name="%s"><testcase classname="%s" name="all"><skipped message="%s"/></testcase></testsuite>\n' \
    "$1" "$1" "$2" >"$results/$1.xml"
  : >"$results/$1.json"
}

# tell NAME: how many passed, in a line that begins with the name.
tell() {
  local code=0 told
  told=$("$gcc_system_python" tests/summary.py "$results/$1.xml" "$results/$1.json") || code=$?
  # shellcheck disable=SC2001 # each line
  sed "s/^/$1: /" <<<"$told"
  # An architecture that is skipped has no failure.
  [ "$code" -eq 0 ] || { [ -e "$results/$1.json" ] && [ ! -s "$results/$1.json" ]; }
}

# lacks COMMAND...: the first that is not here; fails where all are.
lacks() {
  local command
  for command in "$@"; do
    command -v "$command" >/dev/null || { echo "$command"; return 0; }
  done
  return 1
}

# sysroot ARCHITECTURE DIRECTORY PACKAGE...: once.
sysroot() {
  local architecture=$1 directory=$2
  shift 2
  [ ! -e "$directory/sysroot/made" ] || return 0
  gcc_say "fetching the libraries of $architecture"
  mkdir -p "$directory"
  fetch "$architecture" "$directory" "$@" >"$directory/fetch.log" 2>&1 && unpack "$directory"
}

# tests_of ARCHITECTURE [MESON OPTION...] -- WORD...: builds, and runs the tests that the words choose.
tests_of() {
  local name=$1 build=$gcc_build_dir/$1/build options=()
  shift
  while [ "$1" != -- ]; do options+=("$1"); shift; done
  shift
  (gcc_build_in "$build" --cross-file "$gcc_build_dir/$name/cross.ini" -Dwerror=true "${options[@]}") || return 0
  rm -f "$build"/meson-logs/testlog.{junit.xml,json}
  meson test -C "$build" --no-rebuild --print-errorlogs "$@" || true
  cp "$build/meson-logs/testlog.junit.xml" "$results/$name.xml"
  cp "$build/meson-logs/testlog.json" "$results/$name.json"
}

on_i386() {
  local directory=$gcc_build_dir/i386 libraries run missing
  gcc_add_packages "${gcc_i386_packages[@]}"
  ! missing=$(lacks i686-linux-gnu-gcc) || { skip i386 "no $missing here"; return; }
  sysroot i386 "$directory" libc6-dev libgstreamer-plugins-base1.0-dev "${gcc_gstreamer_packages[@]}" ||
    { skip i386 "its packages cannot be had, see $directory/fetch.log"; return; }
  libraries=$directory/sysroot/usr/lib/i386-linux-gnu
  run=("$libraries/ld-linux.so.2" --library-path "$libraries:$libraries/pulseaudio")
  "${run[0]}" --version >/dev/null 2>&1 || { skip i386 "this machine runs nothing of i386"; return; }
  cross_file "$directory" i386-linux-gnu x86 little "${run[@]}" >"$directory/cross.ini"
  printf '#!/bin/sh\nexec %s "$@"\n' \
    "${run[*]} $libraries/gstreamer1.0/gstreamer-1.0/gst-plugin-scanner" >"$directory/gst-plugin-scanner"
  chmod +x "$directory/gst-plugin-scanner"
  GST_PLUGIN_SCANNER=$directory/gst-plugin-scanner GST_PLUGIN_SYSTEM_PATH=$libraries/gstreamer-1.0 \
    tests_of i386 -Drtpgccbwe=enabled -- --timeout-multiplier 10 --suite unit --suite element
}

# by_qemu ARCHITECTURE TRIPLET CPU ENDIAN
by_qemu() {
  local directory=$gcc_build_dir/$1 missing
  gcc_add_packages "gcc-$2" qemu-user-static
  ! missing=$(lacks "$2-gcc" "qemu-$3-static") || { skip "$1" "no $missing here"; return; }
  sysroot "$1" "$directory" libc6-dev libglib2.0-dev ||
    { skip "$1" "its packages cannot be had, see $directory/fetch.log"; return; }
  cross_file "$directory" "$2" "$3" "$4" "qemu-$3-static" -L "$directory/sysroot" >"$directory/cross.ini"
  # What takes a second here takes ten there, or a minute on a busy machine: no time is too long.
  tests_of "$1" -Dplugin=disabled -- --timeout-multiplier 0 --suite unit
}

# try ARCHITECTURE
try() {
  rm -f "$results/$1".{xml,json}
  case $1 in
    i386) on_i386 ;;
    s390x) by_qemu s390x s390x-linux-gnu s390x big ;;
    arm64) by_qemu arm64 aarch64-linux-gnu aarch64 little ;;
  esac
  tell "$1"
}

main() {
  local architecture code=0
  results=$gcc_build_dir/architectures
  if [ "${1:-}" = --results ]; then
    results=$(realpath -m "${2:?--results needs a directory}")
    shift 2
  fi
  [ $# -gt 0 ] || set -- i386 s390x arm64
  for architecture in "$@"; do
    [[ $architecture =~ ^(i386|s390x|arm64)$ ]] ||
      gcc_fail "no such architecture: $architecture; known are i386, s390x and arm64"
  done
  gcc_install_packages "${gcc_build_packages[@]}" python3
  mkdir -p "$results"
  for architecture in "$@"; do
    try "$architecture" || code=1
  done
  exit "$code"
}

# A test sources this.
[ "${BASH_SOURCE[0]}" != "$0" ] || main "$@"
