/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/gcc-report-reader.h>

void
gcc_report_reader_init (GccReportReader *self, const GccLossParams *params)
{
  *self = (GccReportReader){ .params = params };
}

static gint
find_stream (const GccReportReader *self, const GccReportBlock *block)
{
  for (guint i = 0; i < self->n_streams; i++) {
    if (self->streams[i].reporter == block->reporter &&
        self->streams[i].ssrc == block->ssrc)
      return (gint) i;
  }
  return -1;
}

static guint
make_room (GccReportReader *self)
{
  guint oldest = 0;

  if (self->n_streams < GCC_REPORT_READER_MAX_STREAMS)
    return self->n_streams++;

  for (guint i = 1; i < self->n_streams; i++) {
    if (self->streams[i].last_report < self->streams[oldest].last_report)
      oldest = i;
  }
  return oldest;
}

/* Packets since the stream's last report; 0 for its first one, a repeated one,
 * and when the sequence numbers have started afresh. */
static guint32
count_packets (GccReportReader *self, const GccReportBlock *block)
{
  gint found = find_stream (self, block);
  guint i = found >= 0 ? (guint) found : make_room (self);
  guint32 packets = found >= 0
      ? block->ext_highest_seq - self->streams[i].ext_highest_seq
      : 0;

  self->streams[i].reporter = block->reporter;
  self->streams[i].ssrc = block->ssrc;
  self->streams[i].ext_highest_seq = block->ext_highest_seq;
  self->streams[i].last_report = self->n_reports;
  return packets <= G_MAXINT32 ? packets : 0;
}

GccLossReport
gcc_report_reader_feed (
    GccReportReader *self, const GccReportBlock *blocks, guint n_blocks)
{
  GccLossReport report = { .rtt = GCC_TIME_NONE };
  guint64 packets = 0;
  guint8 max_loss = 0;

  self->n_reports++;
  for (guint i = 0; i < n_blocks; i++) {
    guint32 block_packets = count_packets (self, &blocks[i]);

    packets += block_packets;
    self->weighted_loss += (guint64) block_packets * blocks[i].fraction_lost;
    max_loss = MAX (max_loss, blocks[i].fraction_lost);
    report.rtt = MAX (report.rtt, blocks[i].rtt);
  }
  self->packets += packets;

  if (n_blocks > 0 && packets == 0) {
    report.has_loss = self->params->first_block_counts;
    report.fraction_lost = max_loss;
  } else if (packets > 0 && self->packets >= self->params->min_packets) {
    report.has_loss = TRUE;
    report.fraction_lost = (guint8) (self->weighted_loss / self->packets);
    self->packets = 0;
    self->weighted_loss = 0;
  }
  return report;
}
