/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/report/gcc-remb-policy.h>

void
gcc_remb_policy_init (
    GccRembPolicy *self, const GccRembPolicyParams *params, GccTime now)
{
  *self = (GccRembPolicy){
    .params = params,
    .last_time = now,
    .last_remb = GCC_RATE_NONE,
    .last_estimate = GCC_RATE_NONE,
  };
}

/* Only the fall since the previous estimate counts, applied to the last REMB.
 * An A_r that decreases slowly waits for the regular interval. */
static gboolean
has_dropped (const GccRembPolicy *self, GccRate estimate)
{
  GccRate expected;

  if (self->last_remb == GCC_RATE_NONE)
    return FALSE;
  expected = self->last_remb - self->last_estimate + estimate;
  return (gdouble) expected < self->params->drop * (gdouble) self->last_remb;
}

static gboolean
has_risen (const GccRembPolicy *self, GccRate estimate)
{
  return self->params->rise > 0. && self->last_remb != GCC_RATE_NONE &&
      (gdouble) estimate >= self->params->rise * (gdouble) self->last_remb;
}

gboolean
gcc_remb_policy_update (GccRembPolicy *self, GccRate estimate, GccTime now)
{
  GccTime passed = gcc_time_diff (now, self->last_time);
  gboolean is_due = passed >= self->params->interval || passed < 0 ||
      has_dropped (self, estimate) || has_risen (self, estimate);

  self->last_estimate = estimate;
  if (!is_due)
    return FALSE;

  self->last_time = now;
  self->last_remb = estimate;
  return TRUE;
}

GccRate
gcc_remb_policy_get_last_remb (const GccRembPolicy *self)
{
  return self->last_remb;
}

/* --- when to ask for a packet --- */

void
gcc_remb_request_note_due (GccRembRequest *self)
{
  self->is_due = TRUE;
}

void
gcc_remb_request_note_sent (GccRembRequest *self)
{
  *self = (GccRembRequest){ 0 };
}

gboolean
gcc_remb_request_is_due (const GccRembRequest *self)
{
  return self->is_due;
}

gboolean
gcc_remb_request_ask (GccRembRequest *self, GccTime now)
{
  GccTime passed = gcc_time_diff (now, self->last_asked);

  if (!self->is_due)
    return FALSE;
  if (self->has_asked && passed >= 0 && passed < GCC_REMB_MAX_DELAY)
    return FALSE;

  self->has_asked = TRUE;
  self->last_asked = now;
  return TRUE;
}
