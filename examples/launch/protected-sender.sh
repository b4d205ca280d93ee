#!/bin/sh
# As sender.sh, with forward error correction and retransmissions inside the
# rate. Start protected-receiver.sh at PEER.
#
#   ./protected-sender.sh [PEER] [SOURCE] [LOSS]
#
# LOSS is for trying it out: the part of the packets that is thrown away here,
# 0 to 1 (default: none).
PEER=${1:-127.0.0.1}
SOURCE=${2:-videotestsrc is-live=true pattern=zone-plate kx2=20 ky2=20 kt=1 ! video/x-raw,width=640,height=480,framerate=30/1}
LOSS=${3:-}

# FEC before what is sent again: it is not sent again itself. gccsender drives
# its percentage.
# shellcheck disable=SC2086 # SOURCE and LOSS are pieces of a pipeline
exec gst-launch-1.0 -m rtpbin name=rtp rtp-profile=avpf \
  $SOURCE ! videoconvert ! vp8enc ! rtpvp8pay mtu=1200 ! rtpulpfecenc pt=100 \
     ! rtprtxsend payload-type-map="application/x-rtp-pt-map,96=(uint)97" max-size-time=1000 max-size-packets=0 \
     ! gccsender feedback=transport-cc manage=all ! rtp.send_rtp_sink_0 \
  rtp.send_rtp_src_0  ! ${LOSS:+identity drop-probability=$LOSS !} udpsink host="$PEER" port=5000 \
  rtp.send_rtcp_src_0 ! udpsink host="$PEER" port=5001 async=false \
  udpsrc port=5005 ! rtp.recv_rtcp_sink_0
