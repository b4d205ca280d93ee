/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/output/gcc-fec-control.h>

#include <math.h>
#include <string.h>

void
gcc_fec_control_init (GccFecControl *self, const GccFecControlParams *params)
{
  g_return_if_fail (params->loss_window > 0);
  g_return_if_fail (params->loss_windows > 0 &&
      params->loss_windows <= GCC_FEC_CONTROL_MAX_WINDOWS);

  memset (self, 0, sizeof *self);
  self->params = params;
}

/* --- loss --- */

static void
restart (GccFecControl *self, GccTime now)
{
  memset (self->max_loss, 0, sizeof self->max_loss);
  self->mean_loss = 0.;
  self->has_window = TRUE;
  self->window_start = now;
}

/* Advances the windows so that the newest contains @now. After the clock was
 * set back time stands still until it has caught up; if that would take longer
 * than loss is remembered, loss is forgotten. */
static void
advance (GccFecControl *self, GccTime now)
{
  const GccFecControlParams *params = self->params;
  GccTime all = params->loss_window * params->loss_windows;
  GccTime passed = gcc_time_diff (now, self->window_start);

  if (!self->has_window || passed < -all || passed >= all) {
    restart (self, now);
    return;
  }
  if (passed < 0)
    return;

  for (; passed >= params->loss_window; passed -= params->loss_window) {
    self->newest = (self->newest + 1) % params->loss_windows;
    self->max_loss[self->newest] = 0.;
  }
  self->window_start = gcc_time_diff (now, passed);
}

void
gcc_fec_control_feed_loss (
    GccFecControl *self, gdouble fraction_lost, GccTime now)
{
  advance (self, now);
  fraction_lost = CLAMP (fraction_lost, 0., 1.);
  self->max_loss[self->newest] = MAX (
      self->max_loss[self->newest], fraction_lost);
  self->mean_loss += (gdouble) (fraction_lost - self->mean_loss) /
      self->params->loss_windows;
}

static gdouble
get_loss (GccFecControl *self, GccTime now)
{
  gdouble loss = 0.;

  advance (self, now);
  for (guint i = 0; i < self->params->loss_windows; i++)
    loss = MAX (loss, self->max_loss[i]);
  return loss;
}

/* --- the frames to be protected --- */

static gboolean
are_small (const GccFecControl *self, const GccSentFrames *frames, guint pixels)
{
  const GccFecControlParams *params = self->params;
  guint size_class = 0;

  while (size_class < G_N_ELEMENTS (params->small_frame_pixels) &&
      pixels > params->small_frame_pixels[size_class])
    size_class++;
  return frames->bytes < params->small_frame_bytes[size_class];
}

/* A loss is seen when the next frame comes; its repair takes a round trip. */
static gboolean
is_repaired_in_time (
    const GccFecControl *self, const GccSentFrames *frames, GccTime rtt)
{
  gdouble frame = (gdouble) GCC_SECOND / frames->per_second;

  return (gdouble) rtt + frame <= (gdouble) self->params->buffer;
}

/* While the RTT is not known, retransmissions may be late. */
static gboolean
does_without (const GccFecControl *self, const GccSentFrames *frames,
    guint pixels, GccTime rtt, gboolean is_repaired)
{
  if (frames->per_second <= 0.)
    return TRUE;
  if (rtt < 0)
    return FALSE;
  return rtt < self->params->nack_only_rtt ||
      (is_repaired && is_repaired_in_time (self, frames, rtt)) ||
      (rtt < self->params->small_frame_rtt && are_small (self, frames, pixels));
}

/* The 2013 generation looked this up in a table that no paper prints. Here a
 * frame gets as many FEC packets as losses are expected in it, plus one
 * standard deviation, because losses are not evenly spread. So short
 * frames get more in proportion: at 5 % loss 18 % for a frame of 3 packets, and
 * 9 % for one of 30.
 *
 * Each step is rounded to a double: an x87 keeps more bits, and would make 26 %
 * of what comes out at 25 %. */
static gdouble
get_needed (const GccFecControlParams *params, gdouble loss, gdouble packets)
{
  gdouble lost = packets * loss;
  gdouble variance = lost * (gdouble) (1. - loss);
  gdouble deviation = sqrt (variance);
  gdouble covered = lost + (gdouble) (params->deviations * deviation);
  gdouble percentage = (gdouble) (100. * covered) / packets;

  return ceil (percentage);
}

/* The probability that two packets or more of @n are lost. One FEC packet mends
 * one loss of those that it protects. */
static gdouble
get_failure (gdouble loss, gdouble n)
{
  gdouble others = pow (1. - loss, n - 1.);
  gdouble none = (gdouble) (1. - loss) * others;
  gdouble one = (gdouble) (n * loss) * others;

  return 1. - none - one;
}

/* The FEC packets of a frame share its media packets among them: the least number
 * that leaves few frames incomplete. */
static gdouble
get_sufficient (
    const GccFecControlParams *params, gdouble loss, gdouble packets)
{
  guint most = (guint) ceil (packets);

  for (guint n = 1; n < most; n++)
    if (n * get_failure (loss, packets / n + 1.) <= params->max_incomplete)
      return ceil ((gdouble) (100. * n) / packets);
  return 100.;
}

guint
gcc_fec_control_get_percentage (GccFecControl *self,
    const GccSentFrames *frames, guint pixels, GccTime rtt,
    gboolean is_repaired, GccTime now)
{
  const GccFecControlParams *params = self->params;
  gdouble packets = MAX (frames->packets, 1.);
  gdouble loss = get_loss (self, now);
  gdouble percentage;

  if (loss <= 0. || does_without (self, frames, pixels, rtt, is_repaired))
    return 0;
  percentage = params->max_incomplete > 0.
      ? get_sufficient (params, self->mean_loss, packets)
      : get_needed (params, loss, packets);
  return (guint) MIN (percentage, params->max_percentage);
}
