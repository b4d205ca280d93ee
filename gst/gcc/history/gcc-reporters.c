/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/history/gcc-reporters.h>

#include <string.h>

/* RFC 3550, section 6.3.5 */
#define TIMEOUT_INTERVALS 5

/* Bounds of a report interval: early feedback makes it seem shorter, and no
 * time-out is longer than five times the upper bound. */
#define MIN_INTERVAL GCC_SECOND
#define MAX_INTERVAL (10 * GCC_SECOND)

void
gcc_reporters_init (GccReporters *self, const GccLossReportParams *params)
{
  memset (self, 0, sizeof *self);
  self->params = params;
  self->other_remb = GCC_RATE_NONE;
}

/* --- who reports --- */

static GccReporter *
find_reporter (GccReporters *self, guint32 ssrc)
{
  for (guint i = 0; i < self->n_reporters; i++)
    if (self->reporters[i].ssrc == ssrc)
      return &self->reporters[i];

  return NULL;
}

static gboolean
is_anybody_there (const GccReporters *self)
{
  return self->n_reporters > 0 || self->has_transport_feedback;
}

static void
release_other_remb (GccReporters *self)
{
  if (!is_anybody_there (self))
    self->other_remb = GCC_RATE_NONE;
}

static void
forget_reporter (GccReporters *self, GccReporter *reporter)
{
  *reporter = self->reporters[--self->n_reporters];
  release_other_remb (self);
}

void
gcc_reporters_set_transport_feedback (GccReporters *self, gboolean comes)
{
  self->has_transport_feedback = comes;
  release_other_remb (self);
}

static GccReporter *
add_reporter (GccReporters *self, guint32 ssrc, GccTime now)
{
  GccReporter *reporter = &self->reporters[0];

  if (self->n_reporters < GCC_REPORTERS_MAX) {
    reporter = &self->reporters[self->n_reporters++];
  } else {
    for (guint i = 1; i < self->n_reporters; i++)
      if (gcc_time_diff (now, self->reporters[i].last_heard) >
          gcc_time_diff (now, reporter->last_heard))
        reporter = &self->reporters[i];
  }

  *reporter = (GccReporter){
    .ssrc = ssrc,
    .interval = CLAMP (self->params->interval, MIN_INTERVAL, MAX_INTERVAL),
    .last_report = now,
    .remb = GCC_RATE_NONE,
  };
  return reporter;
}

/* The smoothed interval between reports rises to a longer one at once, and
 * falls slowly. */
static void
note_report (GccReporters *self, guint32 ssrc, GccTime now)
{
  GccReporter *reporter = find_reporter (self, ssrc);
  GccTime passed;

  if (reporter == NULL)
    reporter = add_reporter (self, ssrc, now);
  passed = CLAMP (
      gcc_time_diff (now, reporter->last_report), MIN_INTERVAL, MAX_INTERVAL);
  reporter->interval = MAX (passed, (7 * reporter->interval + passed) / 8);
  reporter->last_report = reporter->last_heard = now;
}

static GccTime
get_timeout (const GccReporter *reporter)
{
  return TIMEOUT_INTERVALS * reporter->interval;
}

/* Also after the clock was set back by more than the time-out. */
static gboolean
has_timed_out (const GccReporter *reporter, GccTime since, GccTime now)
{
  GccTime passed = gcc_time_diff (now, since);
  GccTime timeout = get_timeout (reporter);

  return passed >= timeout || passed < -timeout;
}

void
gcc_reporters_take_bye (GccReporters *self, guint32 ssrc)
{
  GccReporter *reporter = find_reporter (self, ssrc);

  if (reporter != NULL)
    forget_reporter (self, reporter);
  if (ssrc == self->other_ssrc)
    self->other_remb = GCC_RATE_NONE;
}

/* Also after the clock was set back by more than the lifetime. */
static gboolean
has_expired (const GccReporters *self, GccRate remb, GccTime since, GccTime now)
{
  GccTime lifetime = self->params->remb_lifetime;
  GccTime passed = gcc_time_diff (now, since);

  return remb != GCC_RATE_NONE && lifetime > 0 &&
      (passed >= lifetime || passed < -lifetime);
}

static GccTime
get_earlier (
    const GccReporters *self, GccTime next, GccRate remb, GccTime since)
{
  GccTime lifetime = self->params->remb_lifetime;
  GccTime end = gcc_time_add (since, lifetime);

  if (remb == GCC_RATE_NONE || lifetime == 0)
    return next;
  return next == GCC_TIME_NONE ? end : MIN (next, end);
}

GccTime
gcc_reporters_next_timeout (const GccReporters *self)
{
  GccTime next = get_earlier (
      self, GCC_TIME_NONE, self->other_remb, self->last_other_remb);

  for (guint i = 0; i < self->n_reporters; i++) {
    const GccReporter *reporter = &self->reporters[i];
    GccTime timeout = gcc_time_add (
        reporter->last_heard, get_timeout (reporter));

    if (next == GCC_TIME_NONE || timeout < next)
      next = timeout;
    next = get_earlier (self, next, reporter->remb, reporter->last_remb);
  }
  return next;
}

static void
end_rembs (GccReporters *self, GccTime now)
{
  for (guint i = 0; i < self->n_reporters; i++)
    if (has_expired (
            self, self->reporters[i].remb, self->reporters[i].last_remb, now))
      self->reporters[i].remb = GCC_RATE_NONE;
  if (has_expired (self, self->other_remb, self->last_other_remb, now))
    self->other_remb = GCC_RATE_NONE;
}

void
gcc_reporters_handle_timeout (GccReporters *self, GccTime now)
{
  end_rembs (self, now);
  for (guint i = self->n_reporters; i > 0; i--)
    if (has_timed_out (
            &self->reporters[i - 1], self->reporters[i - 1].last_heard, now))
      forget_reporter (self, &self->reporters[i - 1]);
}

/* --- what a report block covers --- */

static guint
find_place (GccReporters *self, const GccSentStream *stream, guint32 reporter)
{
  guint oldest = 0;

  for (guint i = 0; i < self->n_places; i++) {
    if (self->places[i].reporter == reporter &&
        self->places[i].ssrc == stream->ssrc)
      return i;
    if (self->places[i].last_report < self->places[oldest].last_report)
      oldest = i;
  }
  if (self->n_places < GCC_REPORTERS_MAX_PLACES)
    oldest = self->n_places++;

  /* another serial than the stream's: the next block is the first */
  self->places[oldest].reporter = reporter;
  self->places[oldest].ssrc = stream->ssrc;
  self->places[oldest].serial = ~stream->serial;
  return oldest;
}

void
gcc_reporters_begin_report (GccReporters *self)
{
  self->n_reports++;
}

gboolean
gcc_reporters_take_block (GccReporters *self, const GccSentStream *stream,
    const GccReportBlock *block, GccTime now, GccCoveredBlock *covered)
{
  gboolean is_first;
  guint64 n_packets;
  guint i;

  if (!gcc_sent_stream_count_until (
          stream, (guint16) block->ext_highest_seq, &n_packets))
    return FALSE;

  i = find_place (self, stream, block->reporter);
  is_first = self->places[i].serial != stream->serial;
  if (!is_first &&
      (n_packets < self->places[i].covered ||
          self->places[i].last_report == self->n_reports))
    return FALSE;

  *covered = (GccCoveredBlock){
    .fraction_lost = block->fraction_lost,
    .rtt = block->rtt,
    .is_first = is_first,
    .packets = is_first ? 0 : n_packets - self->places[i].covered,
  };
  self->places[i].serial = stream->serial;
  self->places[i].covered = n_packets;
  self->places[i].last_report = self->n_reports;
  note_report (self, block->reporter, now);
  return TRUE;
}

/* --- whose REMB counts --- */

static gboolean
names_a_stream_of_ours (const GccRemb *remb, const GccSentStreams *streams)
{
  for (guint i = 0; i < remb->n_ssrcs; i++)
    if (gcc_sent_streams_find (streams, remb->ssrcs[i]) != NULL)
      return TRUE;

  return FALSE;
}

/* Whether a reporter sends REMBs itself. One that has stopped, while its
 * reports go on, is taken to send them from another SSRC now. */
static gboolean
is_remb_renewed (const GccReporters *self, GccTime now)
{
  for (guint i = 0; i < self->n_reporters; i++) {
    const GccReporter *reporter = &self->reporters[i];

    if (reporter->remb != GCC_RATE_NONE &&
        !has_timed_out (reporter, reporter->last_remb, now))
      return TRUE;
  }
  return FALSE;
}

static gboolean
take_other_remb (GccReporters *self, const GccRemb *remb, GccTime now)
{
  if (!is_anybody_there (self) || is_remb_renewed (self, now))
    return FALSE;

  for (guint i = 0; i < self->n_reporters; i++)
    self->reporters[i].remb = GCC_RATE_NONE;
  self->other_ssrc = remb->sender;
  self->other_remb = remb->rate;
  self->last_other_remb = now;
  return TRUE;
}

gboolean
gcc_reporters_take_remb (GccReporters *self, const GccSentStreams *streams,
    const GccRemb *remb, GccTime now)
{
  GccReporter *reporter = find_reporter (self, remb->sender);

  if (reporter == NULL)
    reporter = find_reporter (self, remb->reporter);
  if (remb->rate < 0 || !names_a_stream_of_ours (remb, streams))
    return FALSE;
  if (reporter == NULL)
    return take_other_remb (self, remb, now);

  reporter->remb = remb->rate;
  reporter->last_remb = reporter->last_heard = now;
  self->other_remb = GCC_RATE_NONE;
  return TRUE;
}

/* %NULL: the least is that of no reporter, or there is none. */
static const GccReporter *
find_least (const GccReporters *self)
{
  const GccReporter *found = NULL;
  GccRate least = self->other_remb;

  for (guint i = 0; i < self->n_reporters; i++) {
    GccRate remb = self->reporters[i].remb;

    if (remb == GCC_RATE_NONE || (least != GCC_RATE_NONE && remb >= least))
      continue;
    least = remb;
    found = &self->reporters[i];
  }
  return found;
}

GccRate
gcc_reporters_get_remb (const GccReporters *self)
{
  const GccReporter *reporter = find_least (self);

  return reporter != NULL ? reporter->remb : self->other_remb;
}

guint32
gcc_reporters_get_remb_ssrc (const GccReporters *self)
{
  const GccReporter *reporter = find_least (self);

  return reporter != NULL ? reporter->ssrc : self->other_ssrc;
}

gboolean
gcc_reporters_has_other_remb (const GccReporters *self)
{
  return self->other_remb != GCC_RATE_NONE;
}
