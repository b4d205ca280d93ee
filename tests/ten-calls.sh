#!/bin/bash
# Ten calls at once in one process, in virtual time: ./tests/ten-calls.sh [MINUTES]
# MINUTES is 60 unless told; at least 3. tests/element/ten-calls.c says what has to hold.
exec "$(dirname "$0")/virtual.sh" tests/element/ten-calls "${1:-60}"
