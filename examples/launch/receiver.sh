#!/bin/sh
# Shows the video that sender.sh sends from PEER, and tells it what arrives: the
# receiver of README.
#
#   ./receiver.sh [PEER] [SINK]
#
# PEER is a host name or address (default: this host); SINK is any gst-launch
# video sink (default: autovideosink).
PEER=${1:-127.0.0.1}
SINK=${2:-autovideosink}

# shellcheck disable=SC2086 # SINK is a piece of a pipeline
exec gst-launch-1.0 rtpbin name=rtp rtp-profile=avpf \
  udpsrc port=5000 socket-timestamp=realtime \
      caps="application/x-rtp,media=video,encoding-name=VP8,clock-rate=90000,payload=96" \
     ! gccreceiver feedback=transport-cc ! rtp.recv_rtp_sink_0 \
  rtp. ! rtpvp8depay ! vp8dec ! videoconvert ! $SINK \
  udpsrc port=5001 ! rtp.recv_rtcp_sink_0 \
  rtp.send_rtcp_src_0 ! udpsink host="$PEER" port=5005 async=false
