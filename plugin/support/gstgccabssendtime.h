/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* The present time in 2^-18 s, 24 bits, as in the header extension
 * abs-send-time. All elements of the process have one clock. */
guint32 gst_gcc_abs_send_time_now (void);

/* Writes the time into @buffer (transfer full), an RTP packet that has the
 * extension as @id, and returns it or a copy. A packet without the extension is
 * not changed. */
GstBuffer *gst_gcc_abs_send_time_renew (GstBuffer *buffer, guint id);

G_END_DECLS
