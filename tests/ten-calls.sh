#!/bin/bash
# Ten calls at once in one process, in virtual time: ./tests/ten-calls.sh [MINUTES]
# MINUTES is 60 unless told; at least 3. tests/element/ten-calls.c says what has to hold.
set -euo pipefail
cd "$(dirname "$0")/.."

build=$(realpath "${GCC_BUILD_DIR:-build}")
minutes=${1:-60}
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
export GST_PLUGIN_PATH="$GST_PLUGIN_PATH"
export GST_REGISTRY="$scratch/registry.bin" GST_REGISTRY_UPDATE=no G_DEBUG=fatal-criticals
status=0
"$build/tests/element/ten-calls" $minutes >"$scratch/log" 2>&1 || status=\$?
echo \$status >"$scratch/status"
END
chmod +x "$scratch/init"

TMPDIR=$scratch setsid "$kernel" mem=1024M time-travel=inf-cpu norandmaps \
  root=/dev/root rootfstype=hostfs rootflags=/ rw "init=$scratch/init" \
  con=null con0=fd:0,fd:1 quiet panic=-1 </dev/null >"$scratch/kernel.log" 2>&1 || true
cat "$scratch/log"
exit "$(cat "$scratch/status")"
