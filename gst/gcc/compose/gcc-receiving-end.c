/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/compose/gcc-receiving-end.h>
#include <gst/gcc/profiles/gcc-profile-private.h>

/* Media without numbers for this long means that numbers are missing. */
#define NUMBERS_PATIENCE (5 * GCC_SECOND)

void
gcc_receiving_end_init (GccReceivingEnd *self, const GccProfile *profile,
    gboolean always_remb, GccTime now)
{
  *self = (GccReceivingEnd){
    .profile = profile,
    .always_remb = always_remb,
  };
  gcc_receiver_init (&self->receiver, profile);
  gcc_arrival_time_init (&self->arrival_time);
  gcc_loss_reporter_init (&self->loss, &profile->loss_reporter, now);
  gcc_feedback_use_init (&self->feedback_use, &profile->feedback_use);
  gcc_feedback_trigger_init (
      &self->feedback_trigger, &profile->feedback_trigger);
}

void
gcc_receiving_end_clear (GccReceivingEnd *self)
{
  gcc_receiver_clear (&self->receiver);
  g_clear_pointer (&self->ccfb, g_free);
}

void
gcc_receiving_end_use_ccfb (GccReceivingEnd *self)
{
  if (self->ccfb == NULL)
    self->ccfb = g_new (GccCcfbReporter, 1);
  gcc_ccfb_reporter_init (self->ccfb);
}

gboolean
gcc_receiving_end_uses_ccfb (const GccReceivingEnd *self)
{
  return self->ccfb != NULL;
}

const GccReceiver *
gcc_receiving_end_get_receiver (const GccReceivingEnd *self)
{
  return &self->receiver;
}

/* --- which feedback --- */

gboolean
gcc_receiving_end_uses_feedback (const GccReceivingEnd *self)
{
  return gcc_feedback_use_is_in_use (&self->feedback_use);
}

gboolean
gcc_receiving_end_sends_remb (const GccReceivingEnd *self)
{
  return self->always_remb || !gcc_receiving_end_uses_feedback (self);
}

guint64
gcc_receiving_end_get_n_feedbacks (const GccReceivingEnd *self)
{
  return gcc_feedback_use_get_n_sent (&self->feedback_use);
}

/* Returns whether it has changed. A REMB that waits is not sent any more. */
static gboolean
note_use (GccReceivingEnd *self)
{
  gboolean is_in_use = gcc_receiving_end_uses_feedback (self);

  if (is_in_use == self->was_in_use)
    return FALSE;

  self->was_in_use = is_in_use;
  if (!gcc_receiving_end_sends_remb (self))
    self->remb_request = (GccRembRequest){ 0 };

  return TRUE;
}

gboolean
gcc_receiving_end_lacks_numbers (const GccReceivingEnd *self)
{
  return gcc_feedback_use_get_unnumbered (&self->feedback_use) >
      NUMBERS_PATIENCE;
}

gboolean
gcc_receiving_end_lacks_answers (const GccReceivingEnd *self, GccTime now)
{
  return gcc_receiving_end_sends_remb (self) &&
      gcc_receiver_get_stats (&self->receiver)->remb != GCC_RATE_NONE &&
      gcc_answer_watch_is_missing (&self->answers, now);
}

/* --- packets --- */

/* The controller's event, as far as it is sent. */
static GccReceiverEvent
note (GccReceivingEnd *self, GccReceiverEvent event)
{
  if (event != GCC_RECEIVER_EVENT_REMB)
    return event;
  if (!gcc_receiving_end_sends_remb (self))
    return GCC_RECEIVER_EVENT_RATE;

  gcc_remb_request_note_due (&self->remb_request);
  return event;
}

GccReceiverEvent
gcc_receiving_end_feed (GccReceivingEnd *self, GccPacket *packet, guint16 seq,
    GccArrivalSource source, GccTime timestamp, GccTime now)
{
  packet->arrival = gcc_arrival_time_update (
      &self->arrival_time, source, timestamp, now);
  packet->n_lost = gcc_loss_reporter_feed (&self->loss, packet->ssrc, seq);

  return note (self, gcc_receiver_feed (&self->receiver, packet, now));
}

GccReceiverEvent
gcc_receiving_end_handle_timeout (GccReceivingEnd *self, GccTime now)
{
  GccTime timeout = gcc_receiver_next_timeout (&self->receiver);

  return timeout != GCC_TIME_NONE && now >= timeout
      ? note (self, gcc_receiver_handle_timeout (&self->receiver, now))
      : GCC_RECEIVER_EVENT_NONE;
}

gboolean
gcc_receiving_end_awaits_number (const GccReceivingEnd *self)
{
  return gcc_feedback_use_awaits_number (&self->feedback_use);
}

gboolean
gcc_receiving_end_feed_media (GccReceivingEnd *self, gboolean is_marker,
    gboolean is_numbered, GccTime now)
{
  gboolean has_changed;

  gcc_feedback_use_feed_media (&self->feedback_use, is_numbered, now);
  has_changed = note_use (self);
  gcc_feedback_trigger_feed (&self->feedback_trigger, is_marker,
      gcc_receiving_end_uses_feedback (self), now);

  return has_changed;
}

void
gcc_receiving_end_feed_ccfb (
    GccReceivingEnd *self, const GccCcfbPacket *packet, GccTime now)
{
  if (self->ccfb != NULL)
    gcc_ccfb_reporter_feed (self->ccfb, packet, now);
}

GccTime
gcc_receiving_end_get_feedback_interval (const GccReceivingEnd *self)
{
  return gcc_feedback_trigger_get_interval (&self->feedback_trigger);
}

gdouble
gcc_receiving_end_check_clock (GccReceivingEnd *self, const GccPacket *packet)
{
  gdouble factor;

  if (self->clock_was_wrong || packet->clock_rate == 0 ||
      packet->ignore_rtp_timestamp)
    return 0.;

  factor = gcc_clock_check_feed (&self->clock_check, packet->ssrc,
      packet->rtp_timestamp, packet->clock_rate, packet->arrival);
  self->clock_was_wrong = factor != 0.;

  return factor;
}

gboolean
gcc_receiving_end_asks_for_report (GccReceivingEnd *self, GccTime now)
{
  if (self->ccfb != NULL && gcc_ccfb_reporter_ask (self->ccfb, now))
    return TRUE;
  /* In 2013 a REMB waited for the next regular report. */
  return self->profile->remb.early &&
      gcc_remb_request_ask (&self->remb_request, now);
}

/* --- RTCP that arrives --- */

void
gcc_receiving_end_feed_sender_report (
    GccReceivingEnd *self, guint32 ssrc, guint32 compact_ntp, GccTime arrival)
{
  gcc_loss_reporter_feed_sender_report (
      &self->loss, ssrc, compact_ntp, arrival);
}

void
gcc_receiving_end_feed_rtcp (GccReceivingEnd *self, gboolean has_sender_reports,
    gboolean is_answer, GccTime rtt, GccTime now)
{
  if (rtt != GCC_TIME_NONE)
    gcc_receiver_set_rtt (&self->receiver, rtt);
  if (has_sender_reports)
    gcc_answer_watch_feed_report (&self->answers, now);
  if (is_answer)
    gcc_answer_watch_feed_answer (&self->answers);
}

/* --- RTCP that leaves --- */

gboolean
gcc_receiving_end_note_feedback (GccReceivingEnd *self)
{
  gboolean has_changed;

  gcc_feedback_use_note_sent (&self->feedback_use);
  has_changed = note_use (self);
  if (!gcc_receiving_end_sends_remb (self))
    gcc_remb_release_note_feedback (&self->remb_release);

  return has_changed;
}

gsize
gcc_receiving_end_write_ccfb (
    GccReceivingEnd *self, guint8 *body, gsize room, GccTime now)
{
  return self->ccfb != NULL
      ? gcc_ccfb_reporter_write (self->ccfb, body, room,
            gcc_arrival_time_get_present (&self->arrival_time, now))
      : 0;
}

gboolean
gcc_receiving_end_note_ccfb (GccReceivingEnd *self, gsize cost, GccTime now)
{
  gcc_ccfb_reporter_note_sent (self->ccfb, cost, now);
  return gcc_receiving_end_note_feedback (self);
}

GccReception *
gcc_receiving_end_get_receptions (GccReceivingEnd *self, guint *n_receptions)
{
  return gcc_loss_reporter_get_receptions (&self->loss, n_receptions);
}

gboolean
gcc_receiving_end_is_loss_due (const GccReceivingEnd *self, GccTime now)
{
  return gcc_loss_reporter_is_due (&self->loss, now);
}

void
gcc_receiving_end_note_loss (GccReceivingEnd *self, GccTime now)
{
  gcc_loss_reporter_reported (&self->loss, now);
}

gboolean
gcc_receiving_end_is_remb_due (const GccReceivingEnd *self)
{
  return gcc_remb_request_is_due (&self->remb_request);
}

gboolean
gcc_receiving_end_get_remb (const GccReceivingEnd *self, GccRemb *remb)
{
  if (!gcc_receiver_get_remb (&self->receiver, remb))
    return FALSE;
  if (gcc_receiving_end_sends_remb (self))
    return TRUE;

  remb->rate = GCC_REMB_NO_BOUND;
  return gcc_remb_release_is_due (&self->remb_release);
}

void
gcc_receiving_end_note_remb (GccReceivingEnd *self)
{
  gcc_remb_request_note_sent (&self->remb_request);
  if (gcc_receiving_end_sends_remb (self))
    gcc_remb_release_note_bound (&self->remb_release);
  else
    gcc_remb_release_note_sent (&self->remb_release);
}
