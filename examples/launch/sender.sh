#!/bin/sh
# Sends video to PEER under Google Congestion Control: the sender of README.
# Start receiver.sh there.
#
#   ./sender.sh [PEER] [SOURCE]
#
# PEER is a host name or address (default: this host); SOURCE is any gst-launch
# source of raw video (default: a test picture; a camera: "v4l2src").
# The rate is printed as it changes.
PEER=${1:-127.0.0.1}
SOURCE=${2:-videotestsrc is-live=true pattern=zone-plate kx2=20 ky2=20 kt=1 ! video/x-raw,width=640,height=480,framerate=30/1}

# shellcheck disable=SC2086 # SOURCE is a piece of a pipeline
exec gst-launch-1.0 -m rtpbin name=rtp rtp-profile=avpf \
  $SOURCE ! videoconvert ! vp8enc ! rtpvp8pay mtu=1200 \
     ! gccsender feedback=transport-cc manage=all ! rtp.send_rtp_sink_0 \
  rtp.send_rtp_src_0  ! udpsink host="$PEER" port=5000 \
  rtp.send_rtcp_src_0 ! udpsink host="$PEER" port=5001 async=false \
  udpsrc port=5005 ! rtp.recv_rtcp_sink_0
