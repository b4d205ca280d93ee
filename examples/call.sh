#!/usr/bin/env bash
# One video call under Google Congestion Control over a shaped link: installs what is missing, builds, calls,
# and shows what became of it. `call.sh --help` lists the options.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=../scripts/setup.sh
. "$root/scripts/setup.sh"

# What --help calls this.
export GCC_TESTBED_CALL_NAME=${0##*/}

gcc_check_options call --check "$@"
case " $* " in
  *" --quiet "*)
    gcc_quiet=true
    gcc_say() { :; }
    ;;
esac
gcc_stages 6
gcc_prepare_testbed
gcc_stage "the video"
"$gcc_venv/bin/python" -m gcc_testbed call --prepare "$@"
gcc_stage "the virtual-time kernel, in the making since stage 1"
gcc_await_kernel
gcc_stage "the call"

# exec: whoever kills this process kills the call itself, which leaves nothing behind.
exec "$gcc_venv/bin/python" -m gcc_testbed call "$@"
