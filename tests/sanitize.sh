#!/bin/bash
# Builds with a sanitizer and runs the unit and element tests, and those of webrtcbin and rtpsink: ./tests/sanitize.sh [address|thread|valgrind] [MESON OPTION...]
#   address   AddressSanitizer, LeakSanitizer and UndefinedBehaviorSanitizer (the default, and what CI runs)
#   thread    ThreadSanitizer, with what tells it of GLib's locks
#   valgrind  memcheck
set -euo pipefail
cd "$(dirname "$0")/.."

# shellcheck source=scripts/setup.sh
. scripts/setup.sh

tool=${1:-address}
options=(-Dwerror=true -Drtpgccbwe=enabled "${@:2}")
case $tool in
  address) options+=("-Db_sanitize=address,undefined") ;;
  thread) options+=(-Db_sanitize=thread) ;;
  valgrind) ;;
  *) gcc_fail "no such sanitizer: $tool; known are address, thread and valgrind" ;;
esac

gcc_install_packages "${gcc_build_packages[@]}" "${gcc_gstreamer_packages[@]}" \
  "${gcc_webrtc_packages[@]}" "${gcc_webrtc_build_packages[@]}"
[ "$tool" != valgrind ] || gcc_install_packages valgrind
gcc_build_in "build/$tool" "${options[@]}"
# Of -Db_coverage=true: the lines that an earlier run has reached.
find "build/$tool" -name '*.gcda' -delete
exec meson test -C "build/$tool" --print-errorlogs --no-rebuild --setup "$tool" \
  --suite unit --suite element --suite webrtc
