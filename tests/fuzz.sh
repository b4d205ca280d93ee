#!/bin/bash
# Builds the fuzz targets with clang, AddressSanitizer and UndefinedBehaviorSanitizer, and lets libFuzzer run them one
# after the other: ./tests/fuzz.sh [TARGET|all] [LIMIT]
#   TARGET  elements, receiver, remb, rtcp, rtp, sender, transport-feedback or transport-wide; all is the default
#   LIMIT   seconds (10s, the default, and what CI runs) or executions (1000000) for each
# What a run learns stays in build/fuzz, and the next one begins with it. A finding is a file there, named in the log:
# build/fuzz/tests/fuzz/fuzz-TARGET FILE shows it again. docs/fuzzing.md has the rest.
set -euo pipefail
cd "$(dirname "$0")/.."

# shellcheck source=scripts/setup.sh
. scripts/setup.sh

target=${1:-all}
limit=${2:-10s}
case $limit in
  *[!0-9]*s | *[!0-9s]* | s | "") gcc_fail "no such limit: $limit; 10s is ten seconds, 1000000 are executions" ;;
  *s) export FUZZ_LIMIT=-max_total_time=${limit%s} ;;
  *) export FUZZ_LIMIT=-runs=$limit ;;
esac

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

has_libfuzzer() {
  printf 'int LLVMFuzzerTestOneInput (const char *d, long n) { return d != 0 && n < 0; }\n' |
    clang -fsanitize=fuzzer,address -x c - -o /dev/null 2>/dev/null
}

gcc_install_packages "${gcc_build_packages[@]}" "${gcc_gstreamer_packages[@]}"
has_libfuzzer || (install_clang) || true
has_libfuzzer || skip "there is no clang with libFuzzer"

CC=clang gcc_build_in build/fuzz -Dfuzz=true -Dtests=disabled -Dtestbed=disabled -Dwerror=true \
  -Db_sanitize=address,undefined -Db_lundef=false
[ "$target" != all ] || target=
exec meson test -C build/fuzz --print-errorlogs --no-rebuild ${target:+"$target"}
