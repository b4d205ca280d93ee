#!/bin/bash
# Runs the unit and element tests, and those of webrtcbin and rtpsink, and tells which lines they reach: ./tests/coverage.sh
#   --of BUILD   the lines that the tests of BUILD have reached, as they are; Meson's -Db_coverage=true counts them
# Fails where less of a folder is reached than its floor below. Raise the floors, never lower them.
# lines.txt of the build has the lines that no test reaches.
set -euo pipefail
cd "$(dirname "$0")/.."

# shellcheck source=scripts/setup.sh
. scripts/setup.sh

# Percent of lines.
floors=(gst/gcc:99.5 plugin:98 dropin:95)

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

case "$#:${1:-}" in
  0:) build=build/coverage ;;
  2:--of) build=${2%/} ;;
  *) gcc_fail "tests/coverage.sh takes nothing, or --of BUILD" ;;
esac
results=$build/meson-logs/floors.xml
gcc_install_packages "${gcc_build_packages[@]}" "${gcc_gstreamer_packages[@]}" "${gcc_python_packages[@]}" \
  "${gcc_webrtc_packages[@]}" "${gcc_webrtc_build_packages[@]}"
gcc_python dev
status=0
if [ $# -eq 0 ]; then
  gcc_build_in "$build" -Dwerror=true -Drtpgccbwe=enabled -Db_coverage=true -Dtestbed=disabled
  find "$build" -name '*.gcda' -delete
  meson test -C "$build" --print-errorlogs --no-rebuild --suite unit --suite element --suite webrtc || status=$?
fi

covered '(gst/gcc|plugin|dropin)' --txt "$build/lines.txt"
{
  printf '<testsuites><testsuite name="coverage">\n'
  for each in "${floors[@]}"; do check "${each%:*}" "${each#*:}"; done
  printf '</testsuite></testsuites>\n'
} >"$results"
! grep -q '<failure' "$results" || status=1
exit "$status"
