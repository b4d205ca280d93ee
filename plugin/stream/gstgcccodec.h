/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/output/gcc-degradation.h>
#include <gst/gst.h>

G_BEGIN_DECLS

/*
 * gst_gcc_codec_find:
 * @srcpad: where raw video leaves
 * @codec: (out): that of the next video encoder downstream; VP8 where it is not
 *   known
 * @counts_frames: (out): whether that encoder divides its bitrate by the frame
 *   rate of its caps. Fewer frames than that make a lower rate then
 */
void gst_gcc_codec_find (
    GstPad *srcpad, GccCodec *codec, gboolean *counts_frames);

G_END_DECLS
