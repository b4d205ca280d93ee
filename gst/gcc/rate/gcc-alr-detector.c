/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/rate/gcc-alr-detector.h>

#define BITS_PER_KBIT 1000

void
gcc_alr_detector_init (GccAlrDetector *self, const GccAlrDetectorParams *params)
{
  *self = (GccAlrDetector){
    .params = params,
    .last_sent = GCC_TIME_NONE,
    .start = GCC_TIME_NONE,
  };
}

/* Whole bytes, as libwebrtc counts them. */
static gint64
get_bytes (GccRate rate, GccTime duration)
{
  return (gint64) gcc_rate_get_bytes (rate, duration);
}

void
gcc_alr_detector_set_estimate (GccAlrDetector *self, GccRate estimate)
{
  gdouble used = (gdouble) estimate * self->params->usage;

  self->budget_rate = (GccRate) (used / BITS_PER_KBIT) * BITS_PER_KBIT;
  self->max_bytes = get_bytes (self->budget_rate, self->params->window);
  self->left_bytes = CLAMP (
      self->left_bytes, -self->max_bytes, self->max_bytes);
}

static gdouble
get_share_left (const GccAlrDetector *self)
{
  return self->max_bytes == 0
      ? 0.
      : (gdouble) self->left_bytes / (gdouble) self->max_bytes;
}

void
gcc_alr_detector_feed_sent (GccAlrDetector *self, gsize bytes, GccTime now)
{
  GccTime passed = gcc_time_diff (now, self->last_sent);
  gboolean is_first = self->last_sent == GCC_TIME_NONE;

  self->last_sent = now;
  /* the time in which the first packet was sent is not known */
  if (is_first)
    return;

  self->left_bytes = MAX (self->left_bytes - (gint64) bytes, -self->max_bytes);
  /* two windows fill an empty budget; a longer time could overflow */
  self->left_bytes += get_bytes (
      self->budget_rate, CLAMP (passed, 0, 2 * self->params->window));
  self->left_bytes = MIN (self->left_bytes, self->max_bytes);

  if (self->start == GCC_TIME_NONE &&
      get_share_left (self) > self->params->start)
    self->start = now;
  else if (get_share_left (self) < self->params->stop)
    self->start = GCC_TIME_NONE;
}
