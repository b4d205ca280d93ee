#!/usr/bin/env bash
# A video call with a browser on this machine or in its network: installs what is missing, builds, and serves the
# page. `call.sh --help` lists the options.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=../../scripts/setup.sh
. "$here/../../scripts/setup.sh"

gcc_stages 3
gcc_stage "packages"
gcc_install_packages "${gcc_build_packages[@]}" "${gcc_gstreamer_packages[@]}" \
  "${gcc_webrtc_packages[@]}"
gcc_stage "building the elements"
gcc_build_elements
gcc_stage "the page"

export GST_PLUGIN_PATH=$gcc_build_dir/plugin${GST_PLUGIN_PATH:+:$GST_PLUGIN_PATH}
export LD_LIBRARY_PATH=$gcc_build_dir/gst/gcc${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
exec "$gcc_system_python" "$here/call.py" "$@"
