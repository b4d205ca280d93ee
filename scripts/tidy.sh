#!/bin/bash
# Looks for what is legal C and yet likely wrong in gst/gcc, plugin and dropin, with clang-tidy: .clang-tidy has the checks.
# Files of another system are not compiled here.
set -euo pipefail
cd "$(dirname "$0")/.."

tidy=build/venv/bin/clang-tidy
for file in "$tidy" build/compile_commands.json; do
  if [ ! -f "$file" ]; then
    echo "error: $file is missing: tests/run.sh makes it" >&2
    exit 2
  fi
done

find gst plugin dropin -name '*.c' ! -name '*-windows.c' -print0 | sort -z |
  xargs -0 -n 4 -P "$(nproc)" "$tidy" -p build --quiet
