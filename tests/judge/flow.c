/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "flow.h"

#include <gst/gcc/profiles/gcc-profile-private.h>

static GccSender *
get_sender (JudgeFlow *self)
{
  return self->feedback == JUDGE_REMB ? &self->call.remb.sender
                                      : &self->call.transport.sender;
}

static void
init_transport (
    Call *call, const GccProfile *profile, const JudgeCall *from, GccTime now)
{
  call_init_at (call, profile->name, from->start, from->max, now);
  call->delay = call->feedback_delay = from->delay;
  call->frame_rate = (guint) from->frame_rate;
  call->clump = from->tick;
  call->feedback_loss = from->feedback_loss_percent / 100.;
  call->has_reports = call->covers_all = TRUE;
}

static void
init_remb (RembCall *call, const GccProfile *profile, const JudgeCall *from,
    GccTime now)
{
  remb_call_init_at (call, profile, from->start, from->max, now);
  call->delay = from->delay;
  call->frame_rate = (guint) from->frame_rate;
  call->clump = from->tick;
  call->keeps_rembs = TRUE;
}

static void
lead (JudgeFlow *self, const SimPath *path, GccTime *link_free, GccTime extra)
{
  Call *transport = &self->call.transport;
  RembCall *remb = &self->call.remb;

  if (self->feedback == JUDGE_REMB) {
    remb->path = path;
    remb->link_free = link_free;
    remb->delay += extra;
  } else {
    transport->path = path;
    transport->link_free = link_free;
    transport->delay += extra;
    transport->feedback_delay += extra;
  }
}

JudgeFlow *
judge_flow_new (const JudgeSubject *subject, JudgeLane *lane,
    GccTime *link_free, GccTime extra_delay, GccTime now)
{
  const JudgeCall *call = lane->path->call;
  JudgeFlow *self = g_new0 (JudgeFlow, 1);

  self->feedback = subject->feedback;
  self->feedback_loss = call->feedback_loss_percent / 100.;
  if (self->feedback == JUDGE_REMB)
    init_remb (&self->call.remb, subject->profile, call, now);
  else
    init_transport (&self->call.transport, subject->profile, call, now);
  gcc_sender_set_limits (get_sender (self), call->min, call->max);
  lead (self, &lane->hook, link_free, extra_delay);
  return self;
}

void
judge_flow_free (JudgeFlow *self)
{
  if (self->feedback == JUDGE_REMB)
    remb_call_clear (&self->call.remb);
  else
    call_clear (&self->call.transport);
  g_free (self);
}

void
judge_flow_set_viewer (JudgeFlow *self, const SimViewer *viewer)
{
  if (self->feedback == JUDGE_REMB)
    self->call.remb.viewer = viewer;
  else
    self->call.transport.viewer = viewer;
}

static void
step_remb (RembCall *call, gdouble feedback_loss)
{
  call->is_mute = feedback_loss > 0. &&
      g_rand_double (call->rand) < feedback_loss;
  remb_call_step (call);
}

void
judge_flow_step (JudgeFlow *self)
{
  if (self->feedback == JUDGE_REMB)
    step_remb (&self->call.remb, self->feedback_loss);
  else
    call_step (&self->call.transport);
}

GccRate
judge_flow_get_target (const JudgeFlow *self)
{
  return gcc_sender_get_target (self->feedback == JUDGE_REMB
          ? &self->call.remb.sender
          : &self->call.transport.sender);
}

gint64
judge_flow_get_received (const JudgeFlow *self)
{
  return self->feedback == JUDGE_REMB ? self->call.remb.received_bytes
                                      : self->call.transport.received_bytes;
}

guint
judge_flow_get_sent (const JudgeFlow *self)
{
  return self->feedback == JUDGE_REMB ? self->call.remb.n_sent
                                      : self->call.transport.n_sent;
}

guint
judge_flow_get_lost (const JudgeFlow *self)
{
  return self->feedback == JUDGE_REMB ? self->call.remb.n_lost
                                      : self->call.transport.n_lost;
}
