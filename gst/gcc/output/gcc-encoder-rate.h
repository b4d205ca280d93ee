/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccEncoderRateParams:
 * @cost: cost of a change for an encoder that starts over with a key frame at
 *   each change: the time that the key frame takes at the rate that is set; at
 *   least 0; 0: each change is made at once
 * @min_fall: a fall by this fraction of the rate that is set, 0 to 1, is made
 *   at once
 * @rise_cost: each fall of late makes a rise cost so much more, as a part of
 *   the cost; at least 0
 * @min_rise: a rise by this fraction of the rate that is set, above 0, costs what
 *   a fall does
 * @memory: time over which a fall is forgotten, above 0
 */
typedef struct {
  GccTime cost;
  gdouble min_fall;
  gdouble rise_cost;
  gdouble min_rise;
  GccTime memory;
} GccEncoderRateParams;

/**
 * GccEncoderRate:
 *
 * Decides when an encoder is set to a new rate. A change may cost an encoder up
 * to a key frame. Waiting has a cost as well: a rise that waits is not sent,
 * and a fall that waits fills a queue of the network. The wanted rate is set
 * when the waiting has cost as much as the change: the distance to the rate
 * that is set, as a fraction of that rate, times the time. So small changes are
 * not made, and waiting and changes together cost at most twice as much as the
 * best choice. The count begins anew when the wanted rate passes the rate that
 * is set.
 *
 * On a constant link the wanted rate rises and falls all the time. A fall that
 * waited would fill a queue, so a small rise waits for longer, the more falls there
 * were of late. A rate that only grows is followed as before. Fields are private.
 */
typedef struct {
  GccRate rate;
  GccRate wanted;
  GccTime updated_at;
  gdouble waited;
  gdouble recent;
} GccEncoderRate;

/* A change that would wait for longer has no time to be made. */
#define GCC_ENCODER_RATE_MAX_WAIT (3600 * GCC_SECOND)

/* The encoder has not been set. */
void gcc_encoder_rate_init (GccEncoderRate *self);

/* Whether gcc_encoder_rate_update() has ever returned %TRUE. */
gboolean gcc_encoder_rate_is_set (const GccEncoderRate *self);

/*
 * gcc_encoder_rate_update:
 * @cost: the cost of @params, or the user's; 0 for an encoder without a cost
 * @rate: the wanted rate, bit/s, at least 0
 * @now: a clock that is set back does not count
 *
 * A change that waits is made by a later call: at gcc_encoder_rate_get_due(), or
 * once a second.
 *
 * Returns: whether the encoder is to be set to @rate now, and then it counts as
 *   set
 */
gboolean gcc_encoder_rate_update (GccEncoderRate *self,
    const GccEncoderRateParams *params, GccTime cost, GccRate rate,
    GccTime now);

/*
 * gcc_encoder_rate_get_due:
 * @cost: as it was in the last call of gcc_encoder_rate_update()
 *
 * Returns: when the change that waits is made, if no other rate is wanted
 *   meanwhile; %GCC_TIME_NONE: none waits
 */
GccTime gcc_encoder_rate_get_due (const GccEncoderRate *self,
    const GccEncoderRateParams *params, GccTime cost);

G_END_DECLS
