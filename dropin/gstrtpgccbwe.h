/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Another name than that of gst-plugins-rs: one process may have both. */
#define GST_TYPE_GCC_RTP_GCC_BWE (gst_gcc_rtp_gcc_bwe_get_type ())
G_DECLARE_FINAL_TYPE (
    GstGccRtpGccBwe, gst_gcc_rtp_gcc_bwe, GST, GCC_RTP_GCC_BWE, GstBin)

GST_ELEMENT_REGISTER_DECLARE (rtpgccbwe);

G_END_DECLS
