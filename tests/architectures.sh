#!/bin/bash
# The tests on other architectures than this machine's: tests/architectures.sh [i386] [s390x] [arm64]
#
#   i386    32 bit: the unit and element tests, in a system of its own that this processor runs (as root)
#   s390x   big endian: the library and its unit tests, built here and run by qemu
#   arm64   the same
#
# Without a name all three. Systems and builds stay in build/ARCHITECTURE.
set -euo pipefail
cd "$(dirname "$0")/.."

# shellcheck source=scripts/setup.sh
. scripts/setup.sh

# shellcheck source=/dev/null
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")

# tell NAME LOGS: how many passed, in a line that begins with the name.
tell() {
  local code=0 told
  told=$("$gcc_system_python" tests/summary.py "$2/testlog.junit.xml" "$2/testlog.json") || code=$?
  # shellcheck disable=SC2001 # each line
  sed "s/^/$1: /" <<<"$told"
  return "$code"
}

# The last of these is run inside the system that the first makes.
on_i386() {
  gcc_install_packages debootstrap git
  tests/on.sh --arch i386 --root build/i386/root --results build/i386-results "$suite" tests/architectures.sh --inside
}
inside() {
  gcc_install_packages "${gcc_build_packages[@]}" "${gcc_gstreamer_packages[@]}" python3
  gcc_build -Dwerror=true -Drtpgccbwe=enabled
  scripts/test --no-rebuild --suite unit --suite element || true
  tell "$(dpkg --print-architecture)" build/meson-logs
}

# sysroot ARCHITECTURE DIRECTORY: GLib and the C library of it; nothing of it is run here.
sysroot() {
  local archive deb link
  # apt puts it in, not the shell
  # shellcheck disable=SC2016
  archive=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' "Codename: $suite" | head -n 1)
  rm -rf "$2"
  gcc_logged "$2.log" "fetching GLib for $1" gcc_as_root debootstrap --download-only --variant=minbase \
    --arch="$1" --include=libglib2.0-dev "$suite" "$2/fetched" "$archive"
  mkdir -p "$2/usr/lib"
  ln -s usr/lib "$2/lib"
  for deb in "$2"/fetched/var/cache/apt/archives/{lib,zlib,linux-libc-dev}*.deb; do
    dpkg-deb --fsys-tarfile "$deb" | tar -x --keep-directory-symlink -C "$2"
  done
  # What points at /lib is meant for the system that this is a part of: libm.so.
  find "$2" -type l -lname '/*' -print0 | while IFS= read -r -d '' link; do
    ln -sfn "$2$(readlink "$link")" "$link"
  done
  rm -rf "$2/fetched"
  touch "$2/made"
}

# cross_file TRIPLET CPU ENDIAN QEMU SYSROOT
cross_file() {
  cat <<EOF
[binaries]
c = '$1-gcc'
ar = '$1-ar'
strip = '$1-strip'
pkg-config = 'pkg-config'
# before Meson 1.3
pkgconfig = 'pkg-config'
exe_wrapper = ['$4', '-L', '$5']

[built-in options]
c_args = ['--sysroot=$5']
c_link_args = ['--sysroot=$5']

[properties]
sys_root = '$5'
pkg_config_libdir = '$5/usr/lib/$1/pkgconfig:$5/usr/share/pkgconfig'

[host_machine]
system = 'linux'
cpu_family = '$2'
cpu = '$2'
endian = '$3'
EOF
}

# by_qemu ARCHITECTURE TRIPLET CPU ENDIAN
by_qemu() {
  local root=$gcc_build_dir/$1/sysroot
  gcc_install_packages "${gcc_build_packages[@]}" "gcc-$2" debootstrap qemu-user-static python3
  [ -e "$root/made" ] || sysroot "$1" "$root"
  cross_file "$2" "$3" "$4" "qemu-$3-static" "$root" >"build/$1/cross.ini"
  gcc_build_in "$gcc_build_dir/$1/build" --cross-file "build/$1/cross.ini" -Dwerror=true -Dplugin=disabled
  # What takes a second here takes ten there, or a minute on a busy machine: no time is too long.
  meson test -C "build/$1/build" --no-rebuild --print-errorlogs --suite unit --timeout-multiplier 0 || true
  tell "$1" "build/$1/build/meson-logs"
}

[ $# -gt 0 ] || set -- i386 s390x arm64
code=0
for architecture in "$@"; do
  case $architecture in
    i386) on_i386 || code=1 ;;
    --inside) inside || code=1 ;;
    s390x) by_qemu s390x s390x-linux-gnu s390x big || code=1 ;;
    arm64) by_qemu arm64 aarch64-linux-gnu aarch64 little || code=1 ;;
    *) gcc_fail "no such architecture: $architecture; known are i386, s390x and arm64" ;;
  esac
done
exit "$code"
