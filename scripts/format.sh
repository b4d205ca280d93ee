#!/bin/bash
# Formats the C sources. With --check: says which are not formatted, and fails.
set -euo pipefail
cd "$(dirname "$0")/.."

formatter=build/venv/bin/clang-format
if [ ! -x "$formatter" ]; then
  echo "error: $formatter is missing: tests/run.sh installs it" >&2
  exit 2
fi

mapfile -t sources < <(find gst plugin dropin tests examples testbed -name '*.[ch]' | sort)
if [ "${1:-}" = --check ]; then
  "$formatter" --dry-run --Werror "${sources[@]}"
else
  "$formatter" -i "${sources[@]}"
fi
