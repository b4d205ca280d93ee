/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/history/gcc-loss-aggregator.h>

void
gcc_loss_aggregator_init (
    GccLossAggregator *self, const GccLossReportParams *params)
{
  *self = (GccLossAggregator){ .params = params, .rtt = GCC_TIME_NONE };
}

void
gcc_loss_aggregator_feed (GccLossAggregator *self, const GccCoveredBlock *block)
{
  self->rtt = MAX (self->rtt, block->rtt);
  if (block->is_first) {
    self->has_first = TRUE;
    self->first_loss = MAX (self->first_loss, block->fraction_lost);
    return;
  }
  self->new_packets += block->packets;
  self->weighted_loss += block->packets * block->fraction_lost;
}

/* From RTCP's unit. */
static gdouble
to_fraction (guint8 fraction_lost)
{
  return fraction_lost / 256.;
}

GccLossReport
gcc_loss_aggregator_finish (GccLossAggregator *self)
{
  GccLossReport report = { .rtt = self->rtt };

  self->packets += self->new_packets;
  if (self->new_packets == 0 && self->has_first) {
    report.has_loss = self->params->first_block_counts;
    report.fraction_lost = to_fraction (self->first_loss);
  } else if (self->new_packets > 0 &&
      self->packets >= self->params->min_packets) {
    report.has_loss = TRUE;
    report.fraction_lost = to_fraction (
        (guint8) (self->weighted_loss / self->packets));
    report.packets = self->packets;
    self->packets = 0;
    self->weighted_loss = 0;
  }

  self->new_packets = 0;
  self->has_first = FALSE;
  self->first_loss = 0;
  self->rtt = GCC_TIME_NONE;
  return report;
}

void
gcc_loss_aggregator_forget (GccLossAggregator *self)
{
  GccTime rtt = self->rtt;

  gcc_loss_aggregator_init (self, self->params);
  self->rtt = rtt;
}
