#!/bin/bash
# Installs what is missing, builds with warnings as errors, and runs every test:
# style, unit, element (these two with sanitizers, and for the lines they reach, too), fuzz targets, and calls in virtual time, with every fault; the packages and 32 bit, too.
set -euo pipefail
cd "$(dirname "$0")/.."

# shellcheck source=../scripts/setup.sh
. scripts/setup.sh

gcc_stages 8
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
nice -n 19 tests/sanitize.sh address >"$results/address.log" 2>&1 &
address=$!
scripts/test --no-rebuild || true
cp build/meson-logs/testlog.junit.xml "$results/meson.xml"
cp build/meson-logs/testlog.json "$results/meson.json"
wait "$address" || true
cat "$results/address.log"
cp build/address/meson-logs/testlog-address.junit.xml "$results/address.xml"
cp build/address/meson-logs/testlog-address.json "$results/address.json"

# What networks and people do to a call, in virtual time: a rule that a fault misleads fails here.
# It takes one core, and what a fuzz target does in ten seconds is checked by nobody.
gcc_stage "faults, while each fuzz target runs for ten seconds"
meson test -C build --print-errorlogs --no-rebuild --suite faults --logbase faults \
  >"$results/faults.log" 2>&1 &
faults=$!
tests/fuzz.sh all 10s || true
cp build/fuzz/meson-logs/testlog.junit.xml "$results/fuzz.xml"
cp build/fuzz/meson-logs/testlog.json "$results/fuzz.json"
wait "$faults" || true
cat "$results/faults.log"
cp build/meson-logs/faults.junit.xml "$results/faults.xml"
cp build/meson-logs/faults.json "$results/faults.json"

# pytest leaves most of one core idle: the packages take a minute of it, then 32 bit two and a half, then the lines that
# the tests reach. Fewer than before is a failure.
gcc_stage "pytest: the testbed, calls in virtual time, while the packages are built and tried, then 32 bit, then coverage"
{
  nice -n 19 tests/packages.sh >"$results/packages.log" 2>&1 || true
  nice -n 19 tests/architectures.sh --results "$results" i386 >"$results/i386.log" 2>&1 || true
  nice -n 19 tests/coverage.sh >"$results/coverage.log" 2>&1
} &
beside=$!
build/venv/bin/python -m pytest -q -rs --junitxml="$results/pytest.xml" \
  --ignore=tests/test_style.py tests testbed || true
wait "$beside" || true
cat "$results"/{packages,i386,coverage}.log
cp build/packages/junit.xml "$results/packages.xml" || true
cp build/coverage/meson-logs/testlog.junit.xml "$results/coverage.xml"
cp build/coverage/meson-logs/testlog.json "$results/coverage.json"
cp build/coverage/meson-logs/floors.xml "$results/floors.xml"

build/venv/bin/python tests/summary.py "$results"/{style.xml,meson.xml,meson.json,address.xml,address.json,coverage.xml,coverage.json,floors.xml,fuzz.xml,fuzz.json,faults.xml,faults.json,packages.xml,i386.xml,i386.json,pytest.xml}
