/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccEncoderRateParams:
 * @cost: what a change costs an encoder that starts over, with a key frame, at
 *   each: the time that the key frame takes at the rate that is set; at least
 *   0; 0: each change is made at once
 * @min_fall: a fall by this fraction of the rate that is set, 0 to 1, is made
 *   at once
 */
typedef struct {
  GccTime cost;
  gdouble min_fall;
} GccEncoderRateParams;

/**
 * GccEncoderRate:
 *
 * When an encoder is set to a new rate. An encoder may pay for a change, at the
 * most with a key frame. To wait costs as well: a rise that waits is not sent,
 * and a fall that waits fills a queue of the network. The rate that is wanted
 * is set when waiting for it has cost as much as the change: its distance to the
 * rate that is set, as a fraction of that, times the time. So what is worth
 * nothing is not changed, and both together cost at most twice what the best
 * choice would have. When the rate that is wanted gets to the other side of the
 * one that is set the count begins anew. Fields are private.
 */
typedef struct {
  GccRate rate;
  GccRate wanted;
  GccTime updated_at;
  gdouble waited;
} GccEncoderRate;

/* The encoder has not been set. */
void gcc_encoder_rate_init (GccEncoderRate *self);

/* Whether gcc_encoder_rate_update() has ever returned %TRUE. */
gboolean gcc_encoder_rate_is_set (const GccEncoderRate *self);

/*
 * gcc_encoder_rate_update:
 * @cost: that of @params, or the user's; 0 for an encoder that pays nothing
 * @rate: what is wanted, bit/s, at least 0
 * @now: a clock that is set back does not count
 *
 * To be called at least each second: what waits is set by a later call.
 *
 * Returns: whether the encoder is to be set to @rate now, and then it counts as
 *   set
 */
gboolean gcc_encoder_rate_update (GccEncoderRate *self,
    const GccEncoderRateParams *params, GccTime cost, GccRate rate,
    GccTime now);

G_END_DECLS
