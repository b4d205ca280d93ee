#!/bin/bash
# Runs one libFuzzer target, for tests/fuzz/meson.build: run.sh PROGRAM CORPUS
#   FUZZ_LIMIT    when it ends: -max_total_time=SECONDS or -runs=NUMBER
#   FUZZ_LEARNT   where what it learns is kept, in NAME-corpus: else beside PROGRAM
#   FUZZ_OPTIONS  more of libFuzzer's options
# What it finds is in PROGRAM-crash-... and the like.
set -euo pipefail

program=$1 corpus=$2
suppressions=$(dirname "$0")/../sanitizers/lsan.supp
learnt=${FUZZ_LEARNT:-$(dirname "$program")}/$(basename "$program")-corpus
read -ra options <<<"${FUZZ_OPTIONS:-}"
mkdir -p "$learnt"

# Small pools and short stacks: what is allocated is most of the time.
export ASAN_OPTIONS=quarantine_size_mb=16:malloc_context_size=4:detect_stack_use_after_return=0
export LSAN_OPTIONS=suppressions=$suppressions:print_suppressions=0
export UBSAN_OPTIONS=print_stacktrace=1
export G_SLICE=always-malloc

# The time-out tells what hangs; a machine that others use may take ten times as long as usual.
# Meson takes 77, which libFuzzer ends with otherwise, for a test that was skipped.
exec "$program" "${FUZZ_LIMIT:--max_total_time=10}" -max_len=1024 -timeout=60 -rss_limit_mb=2048 \
  "${options[@]}" -error_exitcode=1 -print_final_stats=1 -verbosity=0 -artifact_prefix="$program-" "$learnt" "$corpus"
