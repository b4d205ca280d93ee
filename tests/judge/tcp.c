/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tcp.h"

static GccTime
draw_idle (JudgePath *path)
{
  gdouble chance = 1. - g_rand_double (path->rand);

  return (GccTime) (-log (chance) * (gdouble) path->call->web_idle);
}

static gint64
draw_bytes (JudgePath *path)
{
  const JudgeCall *call = path->call;

  return (gint64) g_rand_double_range (
      path->rand, call->web_least_bytes, call->web_most_bytes + 1.);
}

JudgeTcp *
judge_tcp_new (const JudgeOther *other, JudgeLane *lane, GccTime *link_free)
{
  JudgePath *path = lane->path;
  JudgeTcp *self = g_new0 (JudgeTcp, 1);

  self->lane = lane;
  self->link_free = link_free;
  self->is_web = other == NULL;
  self->next = path->begin + (other != NULL ? other->start : draw_idle (path));
  self->stop = other != NULL ? path->begin + other->stop : G_MAXINT64;
  return self;
}

static void
begin (JudgeTcp *self)
{
  JudgePath *path = self->lane->path;

  self->bytes += self->cubic.bytes;
  cubic_init (&self->cubic, 2 * path->call->delay);
  self->cubic.path = &self->lane->hook;
  self->cubic.left = self->is_web ? draw_bytes (path) : 0;
  self->cubic.is_on = TRUE;
  self->next = G_MAXINT64;
}

void
judge_tcp_step (JudgeTcp *self, GccTime now)
{
  gboolean was_on;

  if (now >= self->next)
    begin (self);
  if (now >= self->stop)
    self->cubic.is_on = FALSE;
  was_on = self->cubic.is_on;
  cubic_step (&self->cubic, self->link_free, 0, 0, now);
  if (was_on && !self->cubic.is_on && self->is_web)
    self->next = now + draw_idle (self->lane->path);
}

gint64
judge_tcp_get_received (const JudgeTcp *self)
{
  return self->bytes + self->cubic.bytes;
}
