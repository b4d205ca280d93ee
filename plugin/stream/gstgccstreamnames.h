/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/*
 * GstGccStreamNames:
 * @ssrc: (nullable): SSRC of the stream, decimal
 * @ssrc_number: the same as a number, which each packet is compared with
 * @mid: (nullable): identification tag of its media description (RFC 9143)
 *
 * The names of an RTP stream. Zero-initialised: none.
 */
typedef struct {
  gchar *ssrc;
  guint32 ssrc_number;
  gchar *mid;
} GstGccStreamNames;

/*
 * gst_gcc_stream_names_read:
 * @self: zero-initialised
 * @pads: (element-type GstPad): the sink pads that the stream passes, the first one
 *   first; those behind the element that merges it with others do not count
 *
 * The SSRC is that of the first RTP caps. The mid is in the caps as well, where the
 * application or a header extension has put it (`a-mid`); else it is that of the
 * transceiver of webrtcbin, which has one once it has negotiated. No caps are there
 * before the first packet.
 */
void gst_gcc_stream_names_read (GstGccStreamNames *self, const GPtrArray *pads);

void gst_gcc_stream_names_clear (GstGccStreamNames *self);

G_END_DECLS
