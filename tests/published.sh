#!/bin/bash
# Installs what is missing, builds, and makes the calls that the project publishes: tests/published.sh [OPTION...]
#   OPTION  of pytest: -k l4s makes those of docs/how-to/l4s.md
# On a bare system of another release tests/on.sh trixie tests/published.sh leaves what tests/compatibility.py takes.
set -euo pipefail
cd "$(dirname "$0")/.."

# shellcheck source=../scripts/setup.sh
. scripts/setup.sh

gcc_stages 4
gcc_stage "packages"
# A kernel that is there needs no source to be built from.
"$gcc_kernel_builder" --which >/dev/null 2>&1 || gcc_prepare_packages
gcc_install_packages "${gcc_build_packages[@]}" "${gcc_gstreamer_packages[@]}" "${gcc_python_packages[@]}" \
  "${gcc_testbed_packages[@]}" "${gcc_webrtc_packages[@]}"
gcc_stage "building"
gcc_build_elements
gcc_stage "Python"
gcc_python dev
gcc_stage "the calls"
gcc_await_kernel

results=build/test-results
rm -rf "$results"
mkdir -p "$results"
build/venv/bin/python -m pytest -q -rs -c testbed/pyproject.toml --rootdir=. \
  --junitxml="$results/pytest.xml" tests/test_published_lines.py "$@"
