/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/path/gcc-random-loss.h>

void
gcc_random_loss_init (GccRandomLoss *self, const GccRandomLossParams *params)
{
  *self = (GccRandomLoss){
    .params = params,
    .rtt = GCC_TIME_NONE,
    .least = 1.,
  };
  gcc_windowed_min_init (&self->least_rtt);
}

static void
begin (GccRandomLoss *self, GccRate rate)
{
  self->first_rate = self->max_rate = rate;
  self->n = 0;
  self->least = 1.;
}

/* At a much lower rate, loss says more about the path than the loss before it,
 * so the measurement begins anew. */
static void
note_rate (GccRandomLoss *self, GccRate rate)
{
  self->max_rate = MAX (self->max_rate, rate);
  if ((gdouble) rate <= self->params->fall * (gdouble) self->max_rate ||
      self->first_rate == 0)
    begin (self, rate);
}

/* Whether the rate has risen before there were enough reports. The reports at
 * the lower rate have to suffice then. */
static gboolean
has_risen (const GccRandomLoss *self, GccRate rate)
{
  return self->n > 0 &&
      (gdouble) self->first_rate < self->params->fall * (gdouble) rate;
}

static void
note_loss (GccRandomLoss *self, gdouble fraction_lost, GccRate rate)
{
  if (has_risen (self, rate) && self->n < self->params->n_reports)
    self->least = MIN (self->least, self->mean);
  self->n = MIN (self->n + 1, self->params->n_reports);
  self->mean += (fraction_lost - self->mean) / self->n;
  if (self->n == self->params->n_reports)
    self->least = MIN (self->least, self->mean);
}

void
gcc_random_loss_feed_rtt (GccRandomLoss *self, GccTime rtt, GccTime now)
{
  self->rtt = rtt;
  gcc_windowed_min_feed (&self->least_rtt, rtt, self->params->rtt_window, now);
}

void
gcc_random_loss_feed_loss (
    GccRandomLoss *self, gdouble fraction_lost, GccRate target)
{
  note_rate (self, target);
  note_loss (self, fraction_lost, target);
}

static gboolean
has_no_queue (const GccRandomLoss *self)
{
  GccTime queueing = gcc_windowed_min_get_excess (&self->least_rtt, self->rtt);

  return queueing >= 0 && queueing < self->params->max_queueing;
}

gboolean
gcc_random_loss_explains (const GccRandomLoss *self, gdouble path_loss)
{
  gdouble least = MAX (self->least, path_loss);

  return self->n == self->params->n_reports &&
      self->mean <= least + self->params->margin && has_no_queue (self);
}
