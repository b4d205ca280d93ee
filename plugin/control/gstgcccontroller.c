/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "control/gstgcccontroller.h"

#include <gst/gcc/path/gcc-reason.h>

#include "support/gstgcctime.h"

/* A longer gap is a pause. */
#define MAX_MEDIA_GAP (1 * GCC_SECOND)

void
gst_gcc_controller_init (GstGccController *self, GstElement *element,
    GstGccTrace *trace, const GccProfile *profile, GccRate min, GccRate start,
    GccRate max)
{
  *self = (GstGccController){ .element = element, .trace = trace };
  g_mutex_init (&self->lock);
  self->sender = g_new (GccSender, 1);
  gcc_sender_init (self->sender, profile, min, start, max);
}

void
gst_gcc_controller_clear (GstGccController *self)
{
  gcc_sender_clear (self->sender);
  g_clear_pointer (&self->sender, g_free);
  g_clear_pointer (&self->shared, gst_gcc_shared_unref);
  g_mutex_clear (&self->lock);
}

void
gst_gcc_controller_start (GstGccController *self, const GccProfile *profile,
    GccRate min, GccRate start, GccRate max, gboolean probing)
{
  gcc_sender_clear (self->sender);
  gcc_sender_init (self->sender, profile, min, start, max);
  gcc_sender_set_probing (self->sender, probing, gst_gcc_time_now ());
  gst_gcc_trace_write (
      self->trace, "start", gcc_sender_get_stats (self->sender));

  self->is_silence_due = FALSE;
  self->is_check_due = FALSE;
  self->encoders_due = GCC_TIME_NONE;
  self->next_number = 0;
  self->n_numbered = 0;
  self->media = (GccMediaTime){ 0 };
  self->numbered = (GccMediaTime){ 0 };
  self->sent_time = 0;
  self->untold_time = 0;
}

void
gst_gcc_controller_set_running (GstGccController *self, gboolean is_running)
{
  g_mutex_lock (&self->lock);
  self->is_running = is_running;
  g_mutex_unlock (&self->lock);
}

gboolean
gst_gcc_controller_is_running (GstGccController *self)
{
  gboolean is_running;

  g_mutex_lock (&self->lock);
  is_running = self->is_running;
  g_mutex_unlock (&self->lock);

  return is_running;
}

/* The round trip grows, too, while an answer does not come. */
gboolean
gst_gcc_controller_lacks_feedback (const GstGccController *self)
{
  GccReason reason = gcc_sender_get_stats (self->sender)->reason;

  return gcc_sender_is_silent (self->sender) || reason == GCC_REASON_SILENCE ||
      reason == GCC_REASON_ROUND_TRIP;
}

void
gst_gcc_controller_trace (GstGccController *self, GccSenderEvent event)
{
  if (event != GCC_SENDER_EVENT_NONE)
    gst_gcc_trace_write (self->trace, gcc_sender_event_to_string (event),
        gcc_sender_get_stats (self->sender));
}

void
gst_gcc_controller_handle_timeout (GstGccController *self, GccTime now)
{
  GccTime timeout = gcc_sender_next_timeout (self->sender);

  if (timeout != GCC_TIME_NONE && now >= timeout)
    gst_gcc_controller_trace (
        self, gcc_sender_handle_timeout (self->sender, now));
}

/* --- packets that leave, with the lock held --- */

/* Returns whether it has become due, so that it is reported once. */
static gboolean
note_silence_due (GstGccController *self)
{
  gboolean was_due = self->is_silence_due;

  self->is_silence_due = self->has_session &&
      gcc_sender_is_silence_due (self->sender);
  return self->is_silence_due && !was_due;
}

/* Packets that leave are a clock, by which the library acts every few
 * milliseconds. Returns whether time has changed the target, so that a check is
 * due. */
static gboolean
tell_time (GstGccController *self, GccTime now)
{
  GccRate target = gcc_sender_get_target (self->sender);

  gst_gcc_controller_handle_timeout (self, now);
  if (self->is_check_due || gcc_sender_get_target (self->sender) == target)
    return FALSE;
  self->is_check_due = TRUE;

  return TRUE;
}

/* Returns whether an encoder has become due, so that a check is. */
static gboolean
note_encoders_due (GstGccController *self, GccTime now)
{
  if (self->encoders_due == GCC_TIME_NONE || now < self->encoders_due ||
      self->is_check_due)
    return FALSE;
  self->encoders_due = GCC_TIME_NONE;
  self->is_check_due = TRUE;

  return TRUE;
}

void
gst_gcc_controller_set_shared (GstGccController *self, GstGccShared *shared)
{
  GstGccShared *before;

  g_mutex_lock (&self->lock);
  before = self->shared;
  self->shared = gst_gcc_shared_ref (shared);
  g_mutex_unlock (&self->lock);
  g_clear_pointer (&before, gst_gcc_shared_unref);
}

/* The numbers before @next are those of others. */
static void
skip_to (GstGccController *self, guint64 next)
{
  if (next <= self->next_number)
    return;
  gcc_sender_skip_transport_seqs (self->sender, next - self->next_number);
  self->next_number = next;
}

void
gst_gcc_controller_skip_numbers (GstGccController *self)
{
  if (self->shared != NULL && self->n_numbered > 0)
    skip_to (self, gst_gcc_shared_get_next_number (self->shared));
}

static void
number (GstGccController *self, GccSentPacket *packet, GccTime now)
{
  if (!packet->is_numbered)
    return;

  if (self->shared != NULL)
    skip_to (
        self, gst_gcc_shared_take_number (self->shared, self->next_number));
  packet->transport_seq = gcc_sender_take_transport_seq (self->sender);
  self->next_number++;
  self->n_numbered++;
  self->untold_time += gcc_media_time_pass (
      &self->numbered, MAX_MEDIA_GAP, now);
}

gboolean
gst_gcc_controller_count (
    GstGccController *self, GccSentPacket *packet, GccTime now)
{
  gboolean is_due;

  self->sent_time += gcc_media_time_pass (&self->media, MAX_MEDIA_GAP, now);
  number (self, packet, now);
  gcc_sender_feed_sent (self->sender, packet, now);
  is_due = note_silence_due (self);
  if (self->n_numbered > 0)
    is_due |= tell_time (self, now);
  is_due |= note_encoders_due (self, now);

  return is_due;
}
