/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccEncoderRateParams:
 * @step: a change by this fraction of the rate that is set, above 0, is made
 *   when the interval is over, and a larger one the sooner
 * @min_fall: a fall by this fraction, 0 to 1, is made at once
 * @interval: of an encoder that starts over, with a key frame, at each change;
 *   at least 0; 0: each change is made at once
 */
typedef struct {
  gdouble step;
  gdouble min_fall;
  GccTime interval;
} GccEncoderRateParams;

/**
 * GccEncoderRate:
 *
 * When an encoder is set to a new rate. An encoder may pay for a change, at the
 * most with a key frame. To wait costs as well: a rise that waits is not sent,
 * and a fall that waits fills the queue of the network. A change of the fraction
 * d has cost d · t after the time t. The change is made when that reaches @step
 * times the interval, what it costs to make it, or when the interval is over. So
 * changes that are worth nothing come together, and one that matters does not
 * wait. Fields are private.
 */
typedef struct {
  GccRate rate;
  GccTime set_at;
} GccEncoderRate;

/* The encoder has not been set. */
void gcc_encoder_rate_init (GccEncoderRate *self);

/* Whether gcc_encoder_rate_update() has ever returned %TRUE. */
gboolean gcc_encoder_rate_is_set (const GccEncoderRate *self);

/*
 * gcc_encoder_rate_update:
 * @interval: that of @params, or the user's; 0 for an encoder that pays nothing
 * @rate: what the encoder is to have, bit/s, at least 0
 * @now: the interval is over when the clock is set back
 *
 * To be called as long as @rate is not set, at least each second: what waits is
 * not remembered.
 *
 * Returns: whether the encoder is to be set to @rate now, and then it counts as
 *   set
 */
gboolean gcc_encoder_rate_update (GccEncoderRate *self,
    const GccEncoderRateParams *params, GccTime interval, GccRate rate,
    GccTime now);

G_END_DECLS
