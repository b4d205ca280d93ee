#!/bin/bash
# Runs the unit and element tests, and those of webrtcbin and rtpsink, and tells which lines they reach: ./tests/coverage.sh
# Fails where less of a folder is reached than its floor below. Raise the floors, never lower them.
# build/coverage/lines.txt has the lines that no test reaches.
set -euo pipefail
cd "$(dirname "$0")/.."

# shellcheck source=scripts/setup.sh
. scripts/setup.sh

# Percent of lines.
floors=(gst/gcc:99.5 plugin:98 dropin:95)

build=build/coverage
results=$build/meson-logs/floors.xml

# covered FOLDER [OPTION...]
# Two threads that take a branch at once can leave gcov's count of it negative; lines count all the same.
covered() {
  build/venv/bin/gcovr --root . --filter "$1/" --gcov-ignore-parse-errors=negative_hits.warn_once_per_file "${@:2}" "$build"
}

# check FOLDER FLOOR: prints a test case for the summary of tests/run.sh. gcovr removes the file of its
# list first: as root it removes /dev/null.
check() {
  local case="<testcase classname=\"coverage\" name=\"$1: at least $2 % of lines\""
  if covered "$1" --fail-under-line "$2" --print-summary --txt "$build/meson-logs/lines.txt" | sed -n "s|^lines|$1|p" >&2; then
    printf '%s/>\n' "$case"
  else
    printf '%s><failure message="fewer"/></testcase>\n' "$case"
  fi
}

gcc_install_packages "${gcc_build_packages[@]}" "${gcc_gstreamer_packages[@]}" "${gcc_python_packages[@]}" \
  "${gcc_webrtc_packages[@]}" "${gcc_webrtc_build_packages[@]}"
gcc_python dev
gcc_build_in "$build" -Dwerror=true -Drtpgccbwe=enabled -Db_coverage=true -Dtestbed=disabled
find "$build" -name '*.gcda' -delete
status=0
# CI has it beside pytest, with what that leaves of a processor.
meson test -C "$build" --timeout-multiplier 4 --print-errorlogs --no-rebuild --suite unit --suite element --suite webrtc ||
  status=$?

covered '(gst/gcc|plugin|dropin)' --txt "$build/lines.txt"
{
  printf '<testsuites><testsuite name="coverage">\n'
  for each in "${floors[@]}"; do check "${each%:*}" "${each#*:}"; done
  printf '</testsuite></testsuites>\n'
} >"$results"
! grep -q '<failure' "$results" || status=1
exit "$status"
