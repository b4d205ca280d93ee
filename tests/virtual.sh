#!/bin/bash
# Runs a program of the build with GStreamer in virtual time: ./tests/virtual.sh PROGRAM [WORD...]
# PROGRAM is relative to the build directory, or absolute. What it prints comes when it has ended, and its status is returned.
set -euo pipefail
cd "$(dirname "$0")/.."

build=$(realpath "${GCC_BUILD_DIR:-build}")
[[ $1 == /* ]] && program=$1 || program=$build/$1
# Meson counts 77 as skipped.
kernel=$(testbed/kernel/build.sh --which) || { echo "skipped: no virtual-time kernel"; exit 77; }

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# Plugins are looked for out here: a library that one of them loads measures the clock until it has moved, and in there
# that is never.
export GST_PLUGIN_PATH="$build/plugin:$build/testbed/model"
GST_REGISTRY=$scratch/registry.bin gst-inspect-1.0 gccsender >/dev/null
cat >"$scratch/init" <<END
#!/bin/bash
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t tmpfs tmpfs /run
# Never the host, whatever happens.
trap 'grep -q "User Mode Linux" /proc/cpuinfo && /sbin/halt -f' EXIT
export PATH=/usr/sbin:/usr/bin:/sbin:/bin GST_PLUGIN_PATH="$GST_PLUGIN_PATH"
export GST_REGISTRY="$scratch/registry.bin" GST_REGISTRY_UPDATE=no G_DEBUG=fatal-criticals
status=0
$(printf '%q ' "$program" "${@:2}") >"$scratch/log" 2>&1 || status=\$?
echo \$status >"$scratch/status"
END
chmod +x "$scratch/init"

TMPDIR=$scratch setsid "$kernel" mem=1024M time-travel=inf-cpu norandmaps \
  root=/dev/root rootfstype=hostfs rootflags=/ rw "init=$scratch/init" \
  con=null con0=fd:0,fd:1 quiet panic=-1 </dev/null >"$scratch/kernel.log" 2>&1 || true
cat "$scratch/log"
exit "$(cat "$scratch/status")"
