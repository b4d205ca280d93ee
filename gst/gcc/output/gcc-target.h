/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gcc/history/gcc-loss-aggregator.h>
#include <gst/gcc/path/gcc-reason.h>

G_BEGIN_DECLS

/**
 * GccTargetParams:
 * @start_phase: time after the first report during which A_s follows a REMB up
 *   as long as nothing is lost; 0 is no such phase
 * @follow_ratio: after the start phase, A_s still follows a REMB up that is at
 *   most this times A_s, because such a REMB follows the received rate; 0: it
 *   does not
 * @follow_near: A_s follows so only when the REMB before was at most this times
 *   A_s, because a REMB that has grown away from A_s follows no received rate
 * @follow_after: least time without loss before A_s follows so
 * @freed_step: where the REMB of one end has held A_s, and that of another is the
 *   least from then on, A_s rises to that by this factor; 0: it does not
 * @freed_interval: ... once in this time
 */
typedef struct {
  GccTime start_phase;
  gdouble follow_ratio;
  gdouble follow_near;
  GccTime follow_after;
  gdouble freed_step;
  GccTime freed_interval;
} GccTargetParams;

/**
 * GccTargetLimit:
 * @GCC_TARGET_LIMIT_LOSS: the loss-based rate
 * @GCC_TARGET_LIMIT_DELAY: the delay-based rate
 * @GCC_TARGET_LIMIT_REMB: A_r, the receiver's estimate
 * @GCC_TARGET_LIMIT_MIN: the lower limit
 * @GCC_TARGET_LIMIT_MAX: the upper limit
 *
 * The limit of A_s.
 */
typedef enum {
  GCC_TARGET_LIMIT_LOSS,
  GCC_TARGET_LIMIT_DELAY,
  GCC_TARGET_LIMIT_REMB,
  GCC_TARGET_LIMIT_MIN,
  GCC_TARGET_LIMIT_MAX,
} GccTargetLimit;

/**
 * GccTargetResult:
 * @rate: A_s, bit/s
 * @limited_by: the limit that keeps A_s at @rate
 * @may_rise: whether a higher loss-based rate would raise A_s
 * @restarts: whether A_s was raised at once, by a REMB or after a test: the
 *   sources continue from @rate, whatever A_s was before
 * @reason: why A_s changed last
 *
 * The target, and its cause.
 */
typedef struct {
  GccRate rate;
  GccTargetLimit limited_by;
  gboolean may_rise;
  gboolean restarts;
  GccReason reason;
} GccTargetResult;

/**
 * GccTarget:
 * @min: the least, bit/s
 * @max: the greatest, bit/s
 * @result: A_s, and why
 *
 * The target A_s, the rate to send at. This is the only place where the
 * loss-based rate, the delay-based rate, REMB and the limits meet: A_s is the
 * least of the rates (eq. (2) of the papers), and the limits are applied last.
 * The sources need the result, because eq. (1) starts from the A_s in force.
 * The other fields are private.
 */
typedef struct {
  const GccTargetParams *params;
  GccRate min;
  GccRate max;
  GccRate delay_based;
  GccRate remb;
  GccRate silence;
  GccRate before_silence;
  gboolean is_lossy;
  GccTime last_loss;
  gboolean is_freed;
  GccTime stepped_at;
  GccTime first_report;
  GccTargetResult result;
} GccTarget;

/* Rates in bit/s; 0 < @min <= @max, and @start is clamped to them. */
void gcc_target_init (GccTarget *self, const GccTargetParams *params,
    GccRate min, GccRate start, GccRate max);
void gcc_target_set_limits (GccTarget *self, GccRate min, GccRate max);

/* Takes a report: the start phase depends on its time and its loss. */
void gcc_target_feed_report (
    GccTarget *self, const GccLossReport *report, GccTime now);

/* Takes a new loss-based rate, bit/s, and the @cause of it. */
void gcc_target_feed_loss_based (
    GccTarget *self, GccRate rate, GccReason cause);

/* Takes the rates of the sender's own estimate, bit/s, and the @cause of @rate:
 * A_s is the least of them, of A_r and of the limits, whatever A_s was
 * before. */
void gcc_target_feed_estimate (
    GccTarget *self, GccRate delay_based, GccRate rate, GccReason cause);

/* The sender's own estimate has ended. A_s is kept and grows from there. */
void gcc_target_release_estimate (GccTarget *self);

/* Silence of feedback bounds A_s by @rate, bit/s, until it ends. It never raises
 * A_s. */
void gcc_target_feed_silence (GccTarget *self, GccRate rate);

/* Silence has ended: A_s is what it was before, as far as the other bounds
 * allow. */
void gcc_target_end_silence (GccTarget *self);

/* Sets A_r, bit/s, not negative. It never raises A_s, except in the start phase
 * and by #GccTargetParams.follow_ratio. */
void gcc_target_feed_remb (GccTarget *self, GccRate remb, GccTime now);

/* ... where another end has sent it than the one before. */
void gcc_target_feed_other_remb (GccTarget *self, GccRate remb, GccTime now);

/* A_s as it would be without the bound of silence, bit/s. */
GccRate gcc_target_get_rate_before_silence (const GccTarget *self);

/* A REMB has ended. @remb, which is not less, is the A_r of the remaining
 * REMBs, or %GCC_RATE_NONE. A_s is kept and grows from there. */
void gcc_target_release_remb (GccTarget *self, GccRate remb);

/* The application continues from @rate, bit/s: A_s is set to @rate, as far as
 * the limits and A_r allow, whatever the estimate was. */
void gcc_target_restart (GccTarget *self, GccRate rate);

G_END_DECLS
