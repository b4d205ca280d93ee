#!/bin/sh
# Shows the video that protected-sender.sh sends from PEER, after repair.
#
#   ./protected-receiver.sh [PEER] [SINK] [LATENCY]
#
# LATENCY is how long a lost packet is waited for, in ms (default: 400): the
# round-trip time and more.
PEER=${1:-127.0.0.1}
SINK=${2:-autovideosink}
LATENCY=${3:-400}

# The parts of rtpbin, one by one: gst-launch cannot put a retransmission
# receiver and a FEC decoder into rtpbin itself; an application can, by its
# signals request-aux-receiver and request-fec-decoder. The caps behind the
# session name no payload type, or the jitter buffer would drop FEC.
# shellcheck disable=SC2086 # SINK is a piece of a pipeline
exec gst-launch-1.0 rtpsession name=rtp rtp-profile=avpf \
  udpsrc port=5000 socket-timestamp=realtime \
      caps="application/x-rtp,media=video,encoding-name=VP8,clock-rate=90000,payload=96" ! \
    gccreceiver feedback=transport-cc ! rtp.recv_rtp_sink \
  rtp.recv_rtp_src ! \
    rtprtxreceive payload-type-map="application/x-rtp-pt-map,96=(uint)97" ! \
    capssetter replace=true \
      caps="application/x-rtp,media=video,encoding-name=VP8,clock-rate=90000" ! \
    rtpstorage size-time=$((2 * LATENCY * 1000000)) ! rtpssrcdemux ! \
    rtpjitterbuffer latency="$LATENCY" do-lost=true do-retransmission=true rtx-next-seqnum=false ! \
    rtpulpfecdec name=repair pt=100 ! \
    rtpptdemux name=media ignored-payload-types="<100>" \
  media. ! rtpvp8depay ! vp8dec ! videoconvert ! $SINK \
  udpsrc port=5001 ! rtp.recv_rtcp_sink \
  rtp.send_rtcp_src ! udpsink host="$PEER" port=5005 async=false
