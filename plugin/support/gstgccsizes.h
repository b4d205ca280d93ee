/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/output/gcc-picture-size.h>
#include <gst/gst.h>

G_BEGIN_DECLS

/*
 * gst_gcc_sizes_choose:
 * @caps: a structure of caps of video, whose width and height are integers,
 *   ranges, or lists of both; without one of the fields any value is allowed
 * @shape: the picture that is scaled
 * @wanted: its size afterwards
 *
 * Returns: the best size that @caps allow (gcc_picture_size_is_better())
 */
GccPictureSize gst_gcc_sizes_choose (const GstStructure *caps,
    const GccPictureSize *shape, const GccPictureSize *wanted);

G_END_DECLS
