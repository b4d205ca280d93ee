#!/bin/bash
# Every fault of docs/reliability.md, in virtual time: `meson test --suite faults` and ./tests/faults.sh [OPTION...]
# Options are those of `gcc-testbed faults`, such as --quick, or `long --hours 24`. GCC_FAULTS_OUT keeps the calls.
set -euo pipefail
cd "$(dirname "$0")/.."

build=$(realpath "${GCC_BUILD_DIR:-build}")
python=$build/venv/bin/python
# Meson counts 77 as skipped.
[[ -x $python ]] || { echo "skipped: no $python; run examples/call.sh once"; exit 77; }
testbed/kernel/build.sh --which >/dev/null || { echo "skipped: no virtual-time kernel"; exit 77; }

if [[ -n ${GCC_FAULTS_OUT:-} ]]; then
  out=$GCC_FAULTS_OUT
else
  out=$(mktemp -d)
  trap 'rm -rf "$out"' EXIT
fi
PYTHONPATH=testbed GCC_BUILD_DIR=$build "$python" -m gcc_testbed faults --out "$out" "$@"
