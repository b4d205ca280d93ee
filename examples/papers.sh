#!/usr/bin/env bash
# The published results made again, with a page for each paper: installs what is missing, builds, and goes on from
# where the last time ended. `papers.sh --help` lists the options.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=../scripts/setup.sh
. "$root/scripts/setup.sh"

gcc_check_options papers --dry-run "$@"
gcc_stages 5
gcc_prepare_testbed sweep "${gcc_gstreamer_packages[@]}"
gcc_stage "the virtual-time kernel"
gcc_await_kernel
gcc_stage "the papers"
exec "$gcc_venv/bin/python" -m gcc_testbed papers "$@"
