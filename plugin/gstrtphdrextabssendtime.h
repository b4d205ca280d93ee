/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gst.h>
#include <gst/rtp/rtp.h>

G_BEGIN_DECLS

#define GST_TYPE_RTP_HDR_EXT_ABS_SEND_TIME \
  (gst_rtp_hdr_ext_abs_send_time_get_type ())
G_DECLARE_FINAL_TYPE (GstRtpHdrExtAbsSendTime, gst_rtp_hdr_ext_abs_send_time,
    GST, RTP_HDR_EXT_ABS_SEND_TIME, GstRTPHeaderExtension)

GST_ELEMENT_REGISTER_DECLARE (rtphdrextabssendtime);

G_END_DECLS
