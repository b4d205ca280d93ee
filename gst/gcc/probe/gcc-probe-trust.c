/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/probe/gcc-probe-trust.h>

#include <math.h>

void
gcc_probe_trust_init (GccProbeTrust *self)
{
  *self = (GccProbeTrust){
    .share = 1.,
    .refuted = GCC_RATE_NONE,
    .result = GCC_RATE_NONE,
  };
}

/* As much of the refuted result as the link has carried was right. */
static void
restore (GccProbeTrust *self, GccRate carried, GccTime memory, GccTime now)
{
  if (carried != GCC_RATE_NONE)
    self->share = MAX (
        self->share, MIN ((gdouble) carried / (gdouble) self->refuted, 1.));
  if (gcc_time_has_passed (memory, self->since, now)) {
    self->share = sqrt (self->share);
    self->since = now;
  }
}

GccRate
gcc_probe_trust_weigh (GccProbeTrust *self, GccRate result, GccRate before,
    GccRate acknowledged, GccTime memory, GccTime now)
{
  if (result <= before)
    return result;
  self->result = result;
  if (self->share < 1.)
    restore (self, acknowledged, memory, now);
  return MAX (before, gcc_rate_from_double (self->share * (gdouble) result));
}

void
gcc_probe_trust_feed_overuse (
    GccProbeTrust *self, GccRate acknowledged, GccTime now)
{
  gdouble share;

  if (self->result == GCC_RATE_NONE || acknowledged == GCC_RATE_NONE)
    return;
  share = (gdouble) acknowledged / (gdouble) self->result;
  if (share >= self->share)
    return;
  self->share = share;
  self->refuted = self->result;
  self->since = now;
}
