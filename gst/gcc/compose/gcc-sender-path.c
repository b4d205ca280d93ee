/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/compose/gcc-sender-path.h>

void
gcc_sender_path_init (GccSenderPath *self, const GccSendSideParams *params,
    const GccFeedbackWatchParams *watch)
{
  self->params = params;
  self->side = NULL;
  self->kind = GCC_FEEDBACK_TRANSPORT_CC;
  gcc_feedback_watch_init (&self->watch, watch);
  self->is_probing = TRUE;
  self->uses_ecn = FALSE;
}

void
gcc_sender_path_clear (GccSenderPath *self)
{
  g_clear_pointer (&self->side, g_free);
}

/* --- which feedback --- */

static void
begin (GccSenderPath *self, const GccTarget *target, GccTime now)
{
  self->side = g_new (GccSendSide, 1);
  gcc_send_side_init (self->side, self->params, target->min,
      target->result.rate, target->max, now);
  gcc_send_side_set_probing (self->side, self->is_probing, now);
  gcc_send_side_ecn_set_on (&self->side->rates.ecn, self->uses_ecn);
}

gboolean
gcc_sender_path_use (
    GccSenderPath *self, GccFeedback kind, const GccTarget *target, GccTime now)
{
  self->kind = kind;
  if (self->params != NULL && self->side == NULL)
    begin (self, target, now);
  return self->side != NULL;
}

gboolean
gcc_sender_path_takes (const GccSenderPath *self, GccFeedback kind)
{
  return self->side != NULL && self->kind == kind;
}

GccFeedback
gcc_sender_path_get_feedback (const GccSenderPath *self)
{
  return gcc_sender_path_is_steering (self) ? self->kind : GCC_FEEDBACK_REMB;
}

static const gchar *
get_ccfb_reason (const GccSenderPath *self)
{
  if (gcc_sender_path_is_steering (self))
    return "reports of RFC 8888 come";
  return self->side->has_feedback ? "reports of RFC 8888 have stopped"
                                  : "no report of RFC 8888 has come";
}

static const gchar *
get_transport_reason (const GccSenderPath *self)
{
  if (gcc_sender_path_is_steering (self))
    return "transport-wide feedback comes";
  return self->side->has_feedback ? "transport-wide feedback has stopped"
                                  : "no transport-wide feedback has come";
}

const gchar *
gcc_sender_path_get_reason (const GccSenderPath *self)
{
  if (self->params == NULL)
    return "the profile follows no transport-wide feedback";
  if (self->side == NULL)
    return "packets have no transport-wide sequence numbers";
  return self->kind == GCC_FEEDBACK_CCFB ? get_ccfb_reason (self)
                                         : get_transport_reason (self);
}

static gboolean
is_running (const GccSenderPath *self)
{
  return self->side != NULL && self->side->is_running;
}

gboolean
gcc_sender_path_is_steering (const GccSenderPath *self)
{
  return is_running (self) && self->side->has_feedback;
}

gboolean
gcc_sender_path_is_reported (const GccSenderPath *self)
{
  return gcc_sender_path_is_steering (self) &&
      gcc_feedback_watch_next_timeout (&self->watch) == GCC_TIME_NONE;
}

gboolean
gcc_sender_path_is_unanswered (const GccSenderPath *self)
{
  return gcc_sender_path_is_steering (self) &&
      gcc_send_side_is_unanswered (self->side);
}

/* --- events --- */

void
gcc_sender_path_set_probing (
    GccSenderPath *self, gboolean is_probing, GccTime now)
{
  self->is_probing = is_probing;
  if (self->side != NULL)
    gcc_send_side_set_probing (self->side, is_probing, now);
}

void
gcc_sender_path_set_ecn (GccSenderPath *self, gboolean uses_ecn)
{
  self->uses_ecn = uses_ecn;
  if (self->side != NULL)
    gcc_send_side_ecn_set_on (&self->side->rates.ecn, uses_ecn);
}

void
gcc_sender_path_feed_sent (
    GccSenderPath *self, const GccSentPacket *packet, GccTime now)
{
  if (self->side == NULL)
    return;

  gcc_send_side_feed_sent (self->side, packet, now);
  gcc_feedback_watch_feed_sent (&self->watch, now);
}

void
gcc_sender_path_restart (GccSenderPath *self, GccRate rate, GccTime now)
{
  if (is_running (self))
    gcc_send_side_restart (self->side, rate, now);
}

gboolean
gcc_sender_path_feed (GccSenderPath *self, const GccPathFeedback *feedback,
    GccRate rate, GccTime now)
{
  GccSendSide *side = self->side;
  gboolean was_running = side->is_running;
  gboolean has_news;

  if (!gcc_sender_path_is_steering (self))
    gcc_send_side_resume (side, rate, now);
  has_news = gcc_send_side_feed (side, feedback, now);
  if (!has_news && !was_running)
    gcc_send_side_pause (side, now);
  return has_news;
}

gboolean
gcc_sender_path_feed_other (GccSenderPath *self, GccTime now)
{
  if (!gcc_sender_path_is_steering (self) || gcc_sender_path_is_reported (self))
    return FALSE;

  gcc_feedback_watch_handle_timeout (&self->watch, GCC_RATE_NONE);
  gcc_send_side_pause (self->side, now);
  return TRUE;
}

/* --- what is known --- */

GccRate
gcc_sender_path_get_payload (const GccSenderPath *self, GccRate rate)
{
  return gcc_sender_path_is_steering (self)
      ? (GccRate) ((gdouble) rate *
            gcc_packet_sizes_get_payload_share (&self->side->sizes))
      : rate;
}

GccRate
gcc_sender_path_get_rate_after_drain (const GccSenderPath *self)
{
  return gcc_sender_path_is_steering (self)
      ? gcc_send_side_rates_get_rate_after_drain (&self->side->rates)
      : GCC_RATE_NONE;
}
