# A wheel of the elements: what is in it, for Linux and for Windows. To be sourced after scripts/setup.sh.
# shellcheck shell=bash disable=SC2034

gcc_wheel_tools=(wheel==0.48.0)
# Zip knows no earlier time: what is made has no time of its own, wheel and DLL alike.
export SOURCE_DATE_EPOCH=315532800

gcc_wheel_metadata() {
  printf '%s\n' 'Metadata-Version: 2.4' 'Name: gst-gcc' "Version: $(scripts/release-notes --version)" \
    'Summary: Google Congestion Control for GStreamer: gccsender, gccreceiver, gccscale, rtphdrextabssendtime' \
    'License-Expression: LGPL-2.1-or-later' 'License-File: LICENSE' 'Description-Content-Type: text/plain' "$@" ''
  # The description of Debian's package, as a text.
  sed -n '/^Description: .* elements/,/^$/{/^Description/d; s/^ \.\{0,1\}//p}' debian/control
}

# gcc_pack_wheel PYTHON DIRECTORY TAG PLUGIN PLACE METADATA...: DIRECTORY/gst_gcc-VERSION-TAG.whl. PLACE is where in the
# wheel the plugin is; @ stands for gst_gcc-VERSION. The same plugin gives the same wheel.
gcc_pack_wheel() {
  local python=$1 directory=$2 tag=$3 plugin=$4 name place content=$2/content
  name=gst_gcc-$(scripts/release-notes --version)
  place=$content/${5/@/$name}
  rm -rf "$content" "$directory"/gst_gcc-*.whl
  install -D -m 644 "$plugin" "$place/${plugin##*/}"
  install -D -m 644 LICENSE "$content/$name.dist-info/licenses/LICENSE"
  gcc_wheel_metadata "${@:6}" >"$content/$name.dist-info/METADATA"
  printf '%s\n' 'Wheel-Version: 1.0' 'Generator: gst-gcc' 'Root-Is-Purelib: false' "Tag: $tag" \
    >"$content/$name.dist-info/WHEEL"
  chmod 644 "$content/$name.dist-info"/*[A-Z]
  "$python" -m wheel pack --dest-dir "$directory" "$content"
}
