/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/**
 * SECTION:element-rtphdrextabssendtime
 * @title: rtphdrextabssendtime
 * @short_description: Adds to RTP packets the time at which they were sent
 * @see_also: gccreceiver, gccsender, #GstRTPHeaderExtension, #GstRTPBasePayload
 *
 * The RTP header extension
 * http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time: the time at which
 * a packet was sent, in 24 bits of which 18 are a fraction of a second. It
 * wraps every 64 s. It gives #gccreceiver more information than RTP timestamps,
 * which are the times of capture: each packet of a frame has its own send time,
 * and all streams of a session share one time base.
 *
 * Payloaders add it by themselves (`auto-header-extension`, enabled by default)
 * when the caps downstream of them have the extension, as they do when it was
 * negotiated in SDP with an `a=extmap` line. The time is that at which the
 * payloader pushes the packet. It is too early if an element downstream delays
 * the packet. #gccsender updates the time in retransmissions, and in all
 * packets while it paces.
 *
 * Depayloaders accept the extension and ignore it.
 *
 * ## Send with abs-send-time as extension 3
 *
 * |[
 * URI=http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time
 * gst-launch-1.0 rtpbin name=rtp rtp-profile=avpf \
 *   v4l2src ! videoconvert ! vp8enc ! rtpvp8pay mtu=1200 \
 *      ! "application/x-rtp,extmap-3=(string)$URI" \
 *      ! gccsender manage=all ! rtp.send_rtp_sink_0 \
 *   rtp.send_rtp_src_0  ! udpsink host=RECEIVER port=5000 \
 *   rtp.send_rtcp_src_0 ! udpsink host=RECEIVER port=5001 async=false \
 *   udpsrc port=5005 ! rtp.recv_rtcp_sink_0
 * ]|
 *
 * ## Receive it
 *
 * |[
 * URI=http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time
 * VP8=media=video,encoding-name=VP8,clock-rate=90000,payload=96
 * gst-launch-1.0 rtpbin name=rtp rtp-profile=avpf \
 *   udpsrc port=5000 socket-timestamp=realtime \
 *       caps="application/x-rtp,$VP8,extmap-3=(string)$URI" \
 *      ! gccreceiver ! rtp.recv_rtp_sink_0 \
 *   rtp. ! rtpvp8depay ! vp8dec ! videoconvert ! autovideosink \
 *   udpsrc port=5001 ! rtp.recv_rtcp_sink_0 \
 *   rtp.send_rtcp_src_0 ! udpsink host=SENDER port=5005 async=false
 * ]|
 *
 * Since: 0.1
 */

#include "gstrtphdrextabssendtime.h"

#include <gst/gcc/gcc-abs-send-time.h>

#include "support/gstgccabssendtime.h"

struct _GstRtpHdrExtAbsSendTime {
  GstRTPHeaderExtension parent;
};

G_DEFINE_TYPE (GstRtpHdrExtAbsSendTime, gst_rtp_hdr_ext_abs_send_time,
    GST_TYPE_RTP_HEADER_EXTENSION)
GST_ELEMENT_REGISTER_DEFINE (rtphdrextabssendtime, "rtphdrextabssendtime",
    GST_RANK_MARGINAL, GST_TYPE_RTP_HDR_EXT_ABS_SEND_TIME);

static GstRTPHeaderExtensionFlags
get_supported_flags (GstRTPHeaderExtension *extension)
{
  (void) extension;

  return GST_RTP_HEADER_EXTENSION_ONE_BYTE | GST_RTP_HEADER_EXTENSION_TWO_BYTE;
}

static gsize
get_max_size (GstRTPHeaderExtension *extension, const GstBuffer *input)
{
  (void) extension;
  (void) input;

  return GCC_ABS_SEND_TIME_LENGTH;
}

static gssize
write_time (GstRTPHeaderExtension *extension, const GstBuffer *input,
    GstRTPHeaderExtensionFlags flags, GstBuffer *output, guint8 *data,
    gsize size)
{
  (void) extension;
  (void) input;
  (void) flags;
  (void) output;

  if (size < GCC_ABS_SEND_TIME_LENGTH)
    return -1;
  GST_WRITE_UINT24_BE (data, gst_gcc_abs_send_time_now ());

  return GCC_ABS_SEND_TIME_LENGTH;
}

static gboolean
read_time (GstRTPHeaderExtension *extension, GstRTPHeaderExtensionFlags flags,
    const guint8 *data, gsize size, GstBuffer *output)
{
  (void) flags;
  (void) output;

  if (size != GCC_ABS_SEND_TIME_LENGTH)
    return FALSE;
  GST_TRACE_OBJECT (extension, "sent at %06x", GST_READ_UINT24_BE (data));

  return TRUE;
}

/* There are no attributes. The base class says NULL, which is not the empty
 * string of caps with a direction, and so would not negotiate with them. */
static gboolean
set_caps_from_attributes (GstRTPHeaderExtension *extension, GstCaps *caps)
{
  return gst_rtp_header_extension_set_caps_from_attributes_helper (
      extension, caps, "");
}

static void
gst_rtp_hdr_ext_abs_send_time_class_init (GstRtpHdrExtAbsSendTimeClass *klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstRTPHeaderExtensionClass *extension_class = GST_RTP_HEADER_EXTENSION_CLASS (
      klass);

  extension_class->get_supported_flags = get_supported_flags;
  extension_class->get_max_size = get_max_size;
  extension_class->write = write_time;
  extension_class->read = read_time;
  extension_class->set_caps_from_attributes = set_caps_from_attributes;

  gst_rtp_header_extension_class_set_uri (
      extension_class, GCC_ABS_SEND_TIME_URI);
  gst_element_class_set_static_metadata (element_class,
      "Absolute send time RTP header extension", GST_RTP_HDREXT_ELEMENT_CLASS,
      "Adds to RTP packets the time at which they were sent",
      "The gst-gcc authors");
}

static void
gst_rtp_hdr_ext_abs_send_time_init (GstRtpHdrExtAbsSendTime *self)
{
  (void) self;
}
