/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "flow.h"

#include <gst/gcc/profiles/gcc-profile-private.h>

JudgeFlow *
judge_flow_new (const JudgeSubject *subject, JudgeLane *lane,
    GccTime *link_free, GccTime extra_delay, GccTime now)
{
  const JudgeCall *from = lane->path->call;
  JudgeFlow *self = g_new0 (JudgeFlow, 1);
  AnyCall *call = &self->call;

  any_call_init_at (call, subject->feedback == JUDGE_REMB, subject->profile,
      from->start, from->max, now);
  ANY_CALL (call, path) = &lane->hook;
  ANY_CALL (call, link_free) = link_free;
  ANY_CALL (call, delay) = from->delay + extra_delay;
  ANY_CALL (call, frame_rate) = (guint) from->frame_rate;
  ANY_CALL (call, clump) = from->tick;
  self->feedback_loss = from->feedback_loss_percent / 100.;
  if (call->over_remb) {
    call->remb.keeps_rembs = TRUE;
  } else {
    call->transport.feedback_delay = from->delay + extra_delay;
    call->transport.feedback_loss = self->feedback_loss;
    any_call_add_reports (call);
  }
  gcc_sender_set_limits (call->sender, from->min, from->max);
  return self;
}

void
judge_flow_free (JudgeFlow *self)
{
  any_call_clear (&self->call);
  g_free (self);
}

void
judge_flow_set_viewer (JudgeFlow *self, const SimViewer *viewer)
{
  ANY_CALL (&self->call, viewer) = viewer;
}

void
judge_flow_step (JudgeFlow *self)
{
  RembCall *remb = &self->call.remb;

  if (self->call.over_remb)
    remb->is_mute = self->feedback_loss > 0. &&
        g_rand_double (remb->rand) < self->feedback_loss;
  any_call_step (&self->call);
}

GccRate
judge_flow_get_target (const JudgeFlow *self)
{
  return any_call_get_rate (&self->call);
}

gint64
judge_flow_get_received (const JudgeFlow *self)
{
  return ANY_CALL (&self->call, received_bytes);
}

guint
judge_flow_get_sent (const JudgeFlow *self)
{
  return ANY_CALL (&self->call, n_sent);
}

guint
judge_flow_get_lost (const JudgeFlow *self)
{
  return ANY_CALL (&self->call, n_lost);
}
