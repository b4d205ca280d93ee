/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/history/gcc-silence.h>

#include <gst/gcc/history/gcc-deadline.h>

void
gcc_silence_init (GccSilence *self, const GccFeedbackWatchParams *feedback,
    const GccArrivalWatchParams *arrivals)
{
  gcc_feedback_watch_init (&self->feedback, feedback);
  self->watches_arrivals = arrivals != NULL;
  if (self->watches_arrivals)
    gcc_arrival_watch_init (&self->arrivals, arrivals);
}

void
gcc_silence_feed_sent (GccSilence *self, GccTime now)
{
  gcc_feedback_watch_feed_sent (&self->feedback, now);
  if (self->watches_arrivals)
    gcc_arrival_watch_feed_sent (&self->arrivals, now);
}

void
gcc_silence_feed_feedback (GccSilence *self, GccTime now)
{
  gcc_feedback_watch_feed_feedback (&self->feedback, now);
}

void
gcc_silence_feed_news (GccSilence *self, GccTime now)
{
  if (self->watches_arrivals)
    gcc_arrival_watch_feed_news (&self->arrivals, now);
  gcc_feedback_watch_feed_feedback (&self->feedback, now);
}

void
gcc_silence_feed_no_news (GccSilence *self, GccTime round_trip)
{
  if (self->watches_arrivals)
    gcc_arrival_watch_feed_no_news (&self->arrivals, round_trip);
}

GccTime
gcc_silence_next_timeout (const GccSilence *self)
{
  GccTime next = gcc_feedback_watch_next_timeout (&self->feedback);

  return self->watches_arrivals
      ? gcc_deadline_get_earlier (
            next, gcc_arrival_watch_next_timeout (&self->arrivals))
      : next;
}

GccRate
gcc_silence_handle_timeout (GccSilence *self, GccRate rate)
{
  GccRate lowered = gcc_feedback_watch_handle_timeout (&self->feedback, rate);

  return gcc_silence_is_cut_off (self)
      ? gcc_arrival_watch_handle_timeout (&self->arrivals, rate)
      : lowered;
}

gboolean
gcc_silence_has_feedback (const GccSilence *self)
{
  return gcc_feedback_watch_has_feedback (&self->feedback) &&
      !gcc_silence_is_cut_off (self);
}

gboolean
gcc_silence_is_unheard (const GccSilence *self)
{
  return self->feedback.is_silent;
}

gboolean
gcc_silence_is_cut_off (const GccSilence *self)
{
  return self->watches_arrivals && self->arrivals.is_failing;
}

gboolean
gcc_silence_is_silent (const GccSilence *self)
{
  return gcc_silence_is_unheard (self) || gcc_silence_is_cut_off (self);
}

gboolean
gcc_silence_lowers (const GccSilence *self)
{
  return gcc_feedback_watch_lowers (&self->feedback) ||
      gcc_silence_is_cut_off (self);
}
