/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccEncoderWatchParams:
 * @excess: what is sent beyond this multiple of what may be sent is too much; at
 *   least 1
 * @patience: the excess has to last for so long
 */
typedef struct {
  gdouble excess;
  GccTime patience;
} GccEncoderWatchParams;

/**
 * GccEncoderWatch:
 *
 * Whether encoders follow their rate. One at its coarsest quantizer sends no less,
 * whatever it is asked for, and one with a long rate buffer keeps the old rate.
 * No rate that is asked for helps the first: its user is to be told. Fields are
 * private.
 */
typedef struct {
  const GccEncoderWatchParams *params;
  GccTime over_since;
  gboolean is_told;
} GccEncoderWatch;

void gcc_encoder_watch_init (
    GccEncoderWatch *self, const GccEncoderWatchParams *params);

/*
 * gcc_encoder_watch_update:
 * @sent: what encoders have sent of late, bit/s
 * @asked: v, what they may send, bit/s
 * @now: a clock that is set back begins the time anew
 *
 * Returns: %TRUE once, when too much has been sent for long
 */
gboolean gcc_encoder_watch_update (
    GccEncoderWatch *self, GccRate sent, GccRate asked, GccTime now);

G_END_DECLS
