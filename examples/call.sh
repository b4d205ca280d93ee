#!/usr/bin/env bash
# One video call under Google Congestion Control over a shaped link: installs what is missing, builds, calls,
# and shows what became of it. `call.sh --help` lists the options.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$root/scripts/setup.sh"

# What --help calls this.
export GCC_TESTBED_CALL_NAME=${0##*/}

# Nothing but the standard library, and no bytecode left in the checkout: just the options.
testbed() {
  PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$root/examples/testbed "$gcc_system_python" -m gcc_testbed "$@"
}

wants_help=false quiet=false
for word in "$@"; do
  case $word in
    -h | --help) wants_help=true ;;
    --quiet) quiet=true ;;
  esac
done

if [ -x "$gcc_system_python" ]; then
  # Wrong options are told before anything is installed or built.
  testbed call "$@" --check || exit $?
  if $wants_help; then exit 0; fi
elif $wants_help; then
  gcc_fail "--help needs python3; install it: apt install python3"
fi

if $quiet; then gcc_say() { :; }; fi
gcc_install_packages "${gcc_build_packages[@]}" "${gcc_gstreamer_packages[@]}" "${gcc_python_packages[@]}" \
  "${gcc_testbed_packages[@]}"
gcc_build
gcc_python
"$root/examples/testbed/kernel/build.sh" >/dev/null || exit $?

# exec: whoever kills this process kills the call itself, which leaves nothing behind.
exec "$gcc_venv/bin/python" -m gcc_testbed call "$@"
