#!/bin/bash
# Builds the fuzz targets with clang, AddressSanitizer and UndefinedBehaviorSanitizer, and lets libFuzzer run them one
# after the other: ./tests/fuzz.sh [TARGET|all] [LIMIT] [HOW]
#   TARGET  caps, ccfb, elements, guard, numbering, padding, protection, receiver, remb, rtcp, rtp, sender, sequence,
#           transport-feedback or transport-wide; all is the default
#   LIMIT   seconds (10s, the default, and what CI runs) or executions (1000000) for each
#   HOW     search (the default) looks for new inputs as well as libFuzzer can; long does without what takes it most of
#           its time: it looks at no comparisons, weighs no inputs and makes none shorter; bare is long without
#           sanitizers: assertions and crashes only
# What a run learns stays in build/fuzz, and the next one begins with it. A finding is a file there, or in build/fuzz-long
# or build/fuzz-bare, named in the log: build/fuzz/tests/fuzz/fuzz-TARGET FILE shows it again. docs/fuzzing.md has the
# rest.
set -euo pipefail
cd "$(dirname "$0")/.."

# shellcheck source=scripts/setup.sh
. scripts/setup.sh

target=${1:-all}
limit=${2:-10s}
how=${3:-search}
case $limit in
  *[!0-9]*s | *[!0-9s]* | s | "") gcc_fail "no such limit: $limit; 10s is ten seconds, 1000000 are executions" ;;
  *s) export FUZZ_LIMIT=-max_total_time=${limit%s} ;;
  *) export FUZZ_LIMIT=-runs=$limit ;;
esac

# What one of them has learnt, all begin with.
export FUZZ_LEARNT=$PWD/build/fuzz/tests/fuzz
quick=(-Dc_args=-fno-sanitize-coverage=trace-cmp)
case $how in
  search) build=build/fuzz options=("-Db_sanitize=address,undefined") ;;
  long) build=build/fuzz-long options=("-Db_sanitize=address,undefined" "${quick[@]}") ;;
  bare) build=build/fuzz-bare options=(-Db_sanitize=none -Doptimization=3 "${quick[@]}") ;;
  *) gcc_fail "no such way to fuzz: $how; search, long or bare" ;;
esac
[ "$how" = search ] || export FUZZ_OPTIONS="-entropic=0 -reduce_inputs=0"

# Tells the summary of tests/run.sh why nothing was fuzzed.
skip() {
  gcc_say "skipped: $1"
  mkdir -p build/fuzz/meson-logs
  printf '<testsuites><testsuite name="fuzz"><testcase classname="fuzz" name="all"><skipped message="%s"/>%s\n' \
    "$1" '</testcase></testsuite></testsuites>' >build/fuzz/meson-logs/testlog.junit.xml
  : >build/fuzz/meson-logs/testlog.json
  exit 0
}

# The runtime library is a package of its own, with clang's version in its name.
install_clang() {
  local version
  gcc_install_packages clang
  version=$(clang -dumpversion)
  gcc_install_packages "libclang-rt-${version%%.*}-dev"
}

# Not to /dev/null: root's linker replaces it by a file.
has_libfuzzer() {
  mkdir -p "$build"
  printf 'int LLVMFuzzerTestOneInput (const char *d, long n) { return d != 0 && n < 0; }\n' |
    clang -fsanitize=fuzzer,address -x c - -o "$build/has-libfuzzer" 2>/dev/null
}

gcc_install_packages "${gcc_build_packages[@]}" "${gcc_gstreamer_packages[@]}"
has_libfuzzer || (install_clang) || true
has_libfuzzer || skip "there is no clang with libFuzzer"

CC=clang gcc_build_in "$build" -Dfuzz=true -Dtests=disabled -Dtestbed=disabled -Dwerror=true -Db_lundef=false \
  "${options[@]}"
[ "$target" != all ] || target=
status=0
meson test -C "$build" --print-errorlogs --no-rebuild ${target:+"$target"} || status=$?
grep -E '^test:|number_of_executed_units' "$build/meson-logs/testlog.txt"
exit "$status"
