/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccFrameRate:
 *
 * Which frames of a video are taken so that no more than a frame rate of them
 * are left, evenly spread. The times of those that are taken stay what they are.
 * Fields are private.
 */
typedef struct {
  GccTime due;
} GccFrameRate;

void gcc_frame_rate_init (GccFrameRate *self);

/*
 * gcc_frame_rate_takes:
 * @time: of the frame, in the video; %GCC_TIME_NONE: not known
 * @interval: between frames that are taken, at least 0; 0: all are
 * @jitter: a frame that is early by no more than that is on time, at least 0
 *
 * Returns: whether the frame is taken
 */
gboolean gcc_frame_rate_takes (
    GccFrameRate *self, GccTime time, GccTime interval, GccTime jitter);

G_END_DECLS
