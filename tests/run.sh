#!/bin/bash
# Installs what is missing, builds with warnings as errors, and runs every test:
# style, unit and element tests (these two with sanitizers, and for the lines they reach, too), fuzz targets, calls in
# virtual time with every fault; the packages and 32 bit.
set -euo pipefail
cd "$(dirname "$0")/.."

# shellcheck source=../scripts/setup.sh
. scripts/setup.sh

gcc_stages 7
gcc_stage "packages"
gcc_prepare_packages "${gcc_build_packages[@]}" "${gcc_gstreamer_packages[@]}" \
  "${gcc_python_packages[@]}" "${gcc_testbed_packages[@]}" \
  "${gcc_webrtc_packages[@]}" "${gcc_webrtc_build_packages[@]}" "${gcc_packaging_packages[@]}"
gcc_add_packages "${gcc_i386_packages[@]}"
gcc_stage "building"
gcc_build -Dwerror=true -Drtpgccbwe=enabled
gcc_stage "Python"
gcc_python dev sweep webrtc
gcc_stage "the virtual-time kernel"
gcc_await_kernel

results=build/test-results
rm -rf "$results"
mkdir -p "$results"

# A failure must not keep the other tests from running: the summary decides.
gcc_stage "style"
scripts/check -rs --junitxml="$results/style.xml" || true

# Element tests mostly wait: meanwhile the same is built with sanitizers, and tested.
gcc_stage "unit and element tests, while they are built with AddressSanitizer and UndefinedBehaviorSanitizer, then those"
nice -n 19 tests/sanitize.sh address -Db_coverage=true >"$results/address.log" 2>&1 &
address=$!
scripts/test --no-rebuild || true
cp build/meson-logs/testlog.junit.xml "$results/meson.xml"
cp build/meson-logs/testlog.json "$results/meson.json"
wait "$address" || true
cat "$results/address.log"
cp build/address/meson-logs/testlog-address.junit.xml "$results/address.xml"
cp build/address/meson-logs/testlog-address.json "$results/address.json"

# pytest leaves most of one core idle: the lines that those tests have reached, of which fewer than before are a failure;
# what networks and people do to a call, in virtual time; the fuzz targets; the packages; 32 bit.
gcc_stage "pytest: the testbed, calls in virtual time, while faults, fuzz targets, the packages and 32 bit are tried"
{
  tests/coverage.sh --of build/address >"$results/coverage.log" 2>&1 || true
  meson test -C build --print-errorlogs --no-rebuild --suite faults --logbase faults >"$results/faults.log" 2>&1 || true
  tests/fuzz.sh all 10s >"$results/fuzz.log" 2>&1 || true
  tests/packages.sh >"$results/packages.log" 2>&1 || true
  tests/architectures.sh --results "$results" i386 >"$results/i386.log" 2>&1 || true
} &
beside=$!
renice -n 19 "$beside" >/dev/null
build/venv/bin/python -m pytest -q -rs --junitxml="$results/pytest.xml" \
  --ignore=tests/test_style.py tests testbed || true
wait "$beside"
cat "$results"/{coverage,faults,fuzz,packages,i386}.log
cp build/address/meson-logs/floors.xml "$results/floors.xml"
cp build/meson-logs/faults.junit.xml "$results/faults.xml"
cp build/meson-logs/faults.json "$results/faults.json"
cp build/fuzz/meson-logs/testlog.junit.xml "$results/fuzz.xml"
cp build/fuzz/meson-logs/testlog.json "$results/fuzz.json"
cp build/packages/junit.xml "$results/packages.xml" || true

build/venv/bin/python tests/summary.py \
  "$results"/{style.xml,meson.xml,meson.json,address.xml,address.json,floors.xml,fuzz.xml,fuzz.json,faults.xml,faults.json,packages.xml,i386.xml,i386.json,pytest.xml}
