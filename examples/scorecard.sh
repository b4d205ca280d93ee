#!/usr/bin/env bash
# The scorecard: one fixed set of calls, ours beside what else could be used. Installs what is missing, builds, and goes on
# from where the last time ended. `scorecard.sh --help` lists the options.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=../scripts/setup.sh
. "$root/scripts/setup.sh"

gcc_check_options scorecard --dry-run "$@"
gcc_stages 6
gcc_prepare_testbed sweep "${gcc_gstreamer_packages[@]}"
gcc_stage "rtpgccbwe, to compare with"
gcc_optional_peer
gcc_stage "the virtual-time kernel"
gcc_await_kernel
gcc_stage "the scorecard"
exec "$gcc_venv/bin/python" -m gcc_testbed scorecard "$@"
