/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/gcc-tcp-share.h>

void
gcc_tcp_share_init (GccTcpShare *self, const GccTcpShareParams *params)
{
  *self = (GccTcpShare){
    .params = params,
    .rtt = GCC_TIME_NONE,
    .queue_since = GCC_TIME_NONE,
    .alone_since = GCC_TIME_NONE,
    .capacity = GCC_RATE_NONE,
    .last_report = GCC_TIME_NONE,
  };
  gcc_least_rtt_init (&self->least_rtt);
}

/* --- whose queue it is --- */

static void
note_queue (GccTcpShare *self, GccTime now)
{
  self->alone_since = GCC_TIME_NONE;
  if (self->queue_since == GCC_TIME_NONE)
    self->queue_since = now;
}

/* What A_s is while nobody else is there is what the link takes, or less. */
static void
note_no_queue (GccTcpShare *self, GccRate target, GccTime now)
{
  self->queue_since = GCC_TIME_NONE;
  if (self->alone_since == GCC_TIME_NONE)
    self->alone_since = now;
  if (!self->is_beside_tcp &&
      gcc_time_diff (now, self->alone_since) >= self->params->alone)
    self->capacity = MAX (target, (GccRate) ((gdouble) self->capacity * 0.999));
}

static void
note_rtt (GccTcpShare *self, GccTime rtt, GccRate target, GccTime now)
{
  GccTime queueing;

  self->rtt = rtt;
  gcc_least_rtt_feed (&self->least_rtt, rtt, self->params->rtt_window, now);
  queueing = gcc_least_rtt_get_queueing (&self->least_rtt, rtt);
  if (queueing <= self->params->empty_queueing)
    self->is_beside_tcp = FALSE;
  if (queueing >= self->params->min_queueing)
    note_queue (self, now);
  else
    note_no_queue (self, target, now);
}

static gboolean
is_held_by_others (const GccTcpShare *self, GccTime now)
{
  return self->queue_since != GCC_TIME_NONE &&
      gcc_time_diff (now, self->queue_since) >= self->params->min_time;
}

/* --- the share --- */

/* From the present rate, as if that were right. */
static void
begin (GccTcpShare *self, GccRate target, GccTime now)
{
  gdouble interval;

  self->is_beside_tcp = TRUE;
  self->mean_rtt = gcc_time_to_seconds (self->rtt);
  self->rate = (gdouble) target;
  self->last_loss = now;
  interval = gcc_cubic_interval (
      &self->params->cubic, self->rate, self->mean_rtt);
  for (guint i = 0; i < GCC_TCP_SHARE_INTERVALS; i++)
    self->intervals[i] = interval;
}

/* All that is lost within a round trip is one loss. */
static void
note_loss (GccTcpShare *self, GccTime now)
{
  GccTime passed = gcc_time_diff (now, self->last_loss);

  if (passed < self->rtt)
    return;
  self->intervals[self->next_interval] = gcc_time_to_seconds (passed);
  self->next_interval = (self->next_interval + 1) % GCC_TCP_SHARE_INTERVALS;
  self->last_loss = now;
}

/* The interval that has not ended counts as soon as it is a long one. */
static gdouble
get_mean_interval (const GccTcpShare *self, GccTime now)
{
  gdouble open = gcc_time_to_seconds (gcc_time_diff (now, self->last_loss));
  gdouble sum = 0.;

  for (guint i = 0; i < GCC_TCP_SHARE_INTERVALS; i++)
    sum += self->intervals[i];
  if (open > sum / GCC_TCP_SHARE_INTERVALS)
    return (sum + open) / (GCC_TCP_SHARE_INTERVALS + 1);
  return sum / GCC_TCP_SHARE_INTERVALS;
}

static void
approach (GccTcpShare *self, gdouble passed, GccTime now)
{
  gdouble rtt = gcc_time_to_seconds (self->rtt);
  gdouble step = self->params->max_step * passed * self->rate;
  gdouble wanted;

  self->mean_rtt += (rtt - self->mean_rtt) * MIN (passed, 1.);
  wanted = gcc_cubic_rate (
      &self->params->cubic, get_mean_interval (self, now), self->mean_rtt);
  if (self->capacity != GCC_RATE_NONE)
    wanted = MIN (wanted, self->params->max_share * (gdouble) self->capacity);
  self->rate = CLAMP (wanted, self->rate - step, self->rate + step);
}

/* --- events --- */

void
gcc_tcp_share_feed_report (
    GccTcpShare *self, const GccLossReport *report, GccRate target, GccTime now)
{
  GccTime passed = CLAMP (
      gcc_time_diff (now, self->last_report), 0, GCC_SECOND);

  if (self->params->min_queueing == 0)
    return;
  self->last_report = now;
  if (report->rtt >= 0)
    note_rtt (self, report->rtt, target, now);
  if (!report->has_loss)
    return;

  if (self->is_beside_tcp) {
    if (report->fraction_lost > 0)
      note_loss (self, now);
    approach (self, gcc_time_to_seconds (passed), now);
  } else if (report->fraction_lost > 0 && is_held_by_others (self, now)) {
    begin (self, target, now);
  }
}

GccRate
gcc_tcp_share_get_rate (const GccTcpShare *self)
{
  return self->is_beside_tcp ? gcc_rate_from_double (self->rate)
                             : GCC_RATE_NONE;
}
