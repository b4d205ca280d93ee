/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/compose/gcc-receiver-streams.h>

void
gcc_receiver_streams_init (GccReceiverStreams *self,
    const GccDelayDetectorParams *params, GccTime timeout)
{
  *self = (GccReceiverStreams){ .params = params, .timeout = timeout };
}

void
gcc_receiver_streams_clear (GccReceiverStreams *self)
{
  g_clear_pointer (&self->streams, g_free);
  self->n = 0;
  self->n_allocated = 0;
}

/* Silent streams are removed with the next update. */
static GccReceiverStream *
add (GccReceiverStreams *self, guint32 ssrc, const GccReceiverRules *rules)
{
  GccReceiverStream *stream;

  if (self->n == GCC_RECEIVER_MAX_STREAMS)
    return NULL;

  if (self->n == self->n_allocated) {
    self->n_allocated = MAX (1, 2 * self->n_allocated);
    self->streams = g_renew (
        GccReceiverStream, self->streams, self->n_allocated);
  }
  stream = &self->streams[self->n++];
  stream->ssrc = ssrc;
  gcc_delay_detector_init (&stream->delay, self->params);
  if (rules != NULL)
    gcc_receiver_rules_init_stream (rules, &stream->rules);
  return stream;
}

static GccReceiverStream *
find (const GccReceiverStreams *self, guint32 ssrc)
{
  for (guint i = 0; i < self->n; i++) {
    if (self->streams[i].ssrc == ssrc)
      return &self->streams[i];
  }
  return NULL;
}

GccReceiverStream *
gcc_receiver_streams_take (GccReceiverStreams *self, guint32 ssrc,
    const GccReceiverRules *rules, GccTime now)
{
  GccReceiverStream *stream = find (self, ssrc);

  if (stream == NULL)
    stream = add (self, ssrc, rules);
  if (stream != NULL)
    stream->last_packet = now;
  return stream;
}

void
gcc_receiver_streams_drop_silent (GccReceiverStreams *self, GccTime now)
{
  guint kept = 0;

  for (guint i = 0; i < self->n; i++) {
    if (gcc_time_diff (now, self->streams[i].last_packet) > self->timeout)
      continue;
    if (kept != i)
      self->streams[kept] = self->streams[i];
    kept++;
  }
  self->n = kept;
}

void
gcc_receiver_streams_drop_all (GccReceiverStreams *self)
{
  self->n = 0;
}

GccSignal
gcc_receiver_streams_get_signal (const GccReceiverStreams *self)
{
  GccSignal worst = GCC_SIGNAL_NORMAL;

  for (guint i = 0; i < self->n; i++) {
    GccSignal signal = gcc_delay_detector_get_signal (&self->streams[i].delay);

    worst = MAX (worst, signal);
  }
  return worst;
}

gdouble
gcc_receiver_streams_get_noise (const GccReceiverStreams *self)
{
  gdouble sum = 0.;

  for (guint i = 0; i < self->n; i++)
    sum += gcc_delay_detector_get_noise_variance (&self->streams[i].delay);
  return sum / MAX (self->n, 1);
}

void
gcc_receiver_streams_set_gamma_halved (
    GccReceiverStreams *self, gboolean halved)
{
  for (guint i = 0; i < self->n; i++)
    gcc_delay_detector_set_gamma_halved (&self->streams[i].delay, halved);
}
