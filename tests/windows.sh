#!/bin/bash
# The library, the elements and the drop-in for Windows, tried under Wine: tests/windows.sh
#
# GStreamer's DLLs and programs are those of its wheels on PyPI, and the headers this system's: older ones of the same
# ABI. Everything is compiled here, below build/windows.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# shellcheck source=scripts/setup.sh
. scripts/setup.sh

# Of GStreamer, and of what compiles for it: Debian 12's Meson does not know Zig's linker.
version=1.28.7
wheels=("gstreamer-"{libs,ext-runtime,plugins,plugins-libs,cli}"==$version")
tools=(meson==1.12.1 ninja==1.13.2 wheel==0.48.0 ziglang==0.17.1)
here=$gcc_build_dir/windows
site=$here/gstreamer-$version
sdk=$here/sdk

pip_install() { "$here/venv/bin/pip" install --disable-pip-version-check "$@"; }

# The compiler, and GStreamer as Windows has it.
fetch() {
  [ -x "$here/venv/bin/pip" ] || "$gcc_system_python" -m venv --clear "$here/venv"
  gcc_logged "$here/fetch.log" "fetching the compiler" pip_install "${tools[@]}"
  [ -d "$site" ] || gcc_logged "$here/fetch.log" "fetching GStreamer" pip_install --no-compile --no-deps \
    --target "$site" --platform win_amd64 --python-version 3.12 --only-binary=:all: "${wheels[@]}"
}

# wrapper NAME LINE...: a program for the cross file.
wrapper() {
  local name=$1
  shift
  { echo '#!/bin/sh'; printf '%s\n' "$@"; } >"$here/$name"
  chmod +x "$here/$name"
}

wrappers() {
  local zig="exec '$here/venv/bin/python' -m ziglang"
  wrapper cc "$zig cc -target x86_64-windows-gnu -fno-sanitize=undefined \"\$@\""
  wrapper ar "$zig ar \"\$@\""
  wrapper run "export WINEPREFIX='$here/wine' WINEDEBUG=-all" \
    "export WINEPATH='Z:$site/gstreamer_libs/bin;Z:$site/gstreamer_ext_runtime/bin;Z:$site/gstreamer_plugins_libs/bin'" \
    'exec wine "$@"'
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
  import gstreamer-1.0 gstreamer-1.0 gobject-2.0 -I/usr/include/gstreamer-1.0
  import gstreamer-base-1.0 gstbase-1.0 gstreamer-1.0 ''
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
  local content=$here/wheel plugins=gstreamer_plugins/lib/gstreamer-1.0 version info
  version=$(scripts/release-notes --version)
  info=$content/gst_gcc-$version.dist-info
  rm -rf "$content" "$here"/gst_gcc-*.whl
  mkdir -p "$content/$plugins" "$info"
  cp "$here/elements/plugin/libgstgcc.dll" "$content/$plugins"
  cp LICENSE "$info"
  printf '%s\n' 'Metadata-Version: 2.1' 'Name: gst-gcc' "Version: $version" \
    'Summary: Google Congestion Control for GStreamer' 'License: LGPL-2.1-or-later' \
    'Requires-Dist: gstreamer-plugins>=1.28' >"$info/METADATA"
  printf '%s\n' 'Wheel-Version: 1.0' 'Generator: tests/windows.sh' 'Root-Is-Purelib: false' \
    'Tag: py3-none-win_amd64' >"$info/WHEEL"
  gcc_logged "$here/wheel.log" "the wheel" "$here/venv/bin/wheel" pack --dest-dir "$here" "$content"
  # As pip does it on Windows.
  "$here/venv/bin/python" -m zipfile -e "$here"/gst_gcc-*.whl "$site"
}

# gst NAME WORD...: a program of GStreamer's wheels, with the folders that their launcher has, and the drop-in's.
gst() {
  local plugins="Z:$site/gstreamer_libs/lib/gstreamer-1.0;Z:$site/gstreamer_plugins/lib/gstreamer-1.0"
  GST_REGISTRY_1_0="Z:$here/registry.bin" GST_REGISTRY_FORK=no GST_PLUGIN_SYSTEM_PATH_1_0=$plugins \
    GST_PLUGIN_PATH_1_0="Z:$here/elements/dropin" \
    timeout 60 "$here/run" "$site/gstreamer_cli/bin/gst-$1-1.0.exe" "${@:2}"
}

inspect() {
  local element
  for element in gccsender gccreceiver gccscale rtphdrextabssendtime rtpgccbwe; do
    gst inspect "$element" >"$here/$element.txt" 2>"$here/inspect.log" || gcc_fail "no $element, see $here/inspect.log"
    # GStreamer's wheels have an rtpgccbwe, too.
    grep -q 'Filename .*libgstgcc' "$here/$element.txt" || gcc_fail "another's $element, see $here/$element.txt"
  done
}

# The README's two ends over loopback for 20 s, with a test picture.
call() {
  gst launch rtpbin name=rtp rtp-profile=avpf \
    udpsrc port=5600 socket-timestamp=realtime \
    caps="application/x-rtp,media=video,encoding-name=VP8,clock-rate=90000,payload=96" \
    ! gccreceiver feedback=transport-cc ! rtp.recv_rtp_sink_0 \
    rtp. ! rtpvp8depay ! vp8dec ! videoconvert ! fakesink \
    udpsrc port=5601 ! rtp.recv_rtcp_sink_0 \
    rtp.send_rtcp_src_0 ! udpsink host=127.0.0.1 port=5605 async=false >"$here/receiver.log" 2>&1 &
  sleep 5
  gst launch -m rtpbin name=rtp rtp-profile=avpf \
    videotestsrc is-live=true num-buffers=600 ! video/x-raw,framerate=30/1 ! videoconvert \
    ! vp8enc deadline=1 ! rtpvp8pay mtu=1200 \
    ! gccsender feedback=transport-cc manage=all ! rtp.send_rtp_sink_0 \
    rtp.send_rtp_src_0 ! udpsink host=127.0.0.1 port=5600 \
    rtp.send_rtcp_src_0 ! udpsink host=127.0.0.1 port=5601 async=false \
    udpsrc port=5605 ! rtp.recv_rtcp_sink_0 >"$here/sender.log" 2>&1 || gcc_fail "see $here/sender.log"
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
  echo '<testsuite name="windows"><testcase classname="test_launch" name="call"/></testsuite>' >"$results/call.xml"
  {
    # shellcheck source=/dev/null
    printf 'distribution\tWine %s on %s\n' "$("$here/run" --version | sed 's/^wine-//; s/ .*//')" \
      "$(. /etc/os-release && echo "$PRETTY_NAME")"
    printf 'gstreamer\t%s\ndate\t%s\ncommit\t%s\n' "$version" "$(date -u +%F)" "$(git rev-parse --short HEAD)"
  } >"$results/facts.tsv"
}

main() {
  gcc_install_packages "${gcc_build_packages[@]}" "${gcc_python_packages[@]}" mingw-w64-tools wine wine64
  mkdir -p "$here"
  fetch
  wrappers
  imports
  printf "[constants]\nhere = '%s'\n" "$here" >"$here/constants.ini"
  PATH=$here/venv/bin:$PATH
  build elements -Dtests=disabled -Dtestbed=disabled -Drtpgccbwe=enabled
  build library -Dplugin=disabled
  "$here/run" wineboot -i
  wheel
  inspect
  call
  meson test -C "$here/library" --no-rebuild --print-errorlogs --timeout-multiplier 10 --suite unit
  keep
}

main "$@"
