/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/history/gcc-reports.h>

void
gcc_reports_init (GccReports *self, const GccLossReportParams *params)
{
  gcc_reporters_init (&self->reporters, params);
  gcc_loss_aggregator_init (&self->aggregator, params);
  self->is_excused = FALSE;
  self->remb = GCC_RATE_NONE;
  self->remb_ssrc = 0;
  self->has_strange_remb = FALSE;
}

/* --- reports of loss --- */

/* A block on @stream. */
static void
take_block (GccReports *self, GccSentStreams *streams,
    const GccSentStream *stream, const GccReportBlock *block, GccTime now,
    GccReportNews *news)
{
  GccCoveredBlock covered;

  if (!gcc_reporters_take_block (
          &self->reporters, stream, block, now, &covered)) {
    news->n_ignored++;
    return;
  }
  gcc_loss_aggregator_feed (&self->aggregator, &covered);
  news->n_blocks++;
  news->has_first |= covered.is_first;
  news->is_new |= gcc_sent_streams_tell (
      streams, block->ssrc, (guint16) block->ext_highest_seq);
}

GccReportNews
gcc_reports_feed (GccReports *self, GccSentStreams *streams,
    const GccReportBlock *blocks, guint n_blocks, GccTime now)
{
  GccReportNews news = { 0 };

  gcc_reporters_begin_report (&self->reporters);
  for (guint i = 0; i < n_blocks; i++) {
    const GccSentStream *stream = gcc_sent_streams_find (
        streams, blocks[i].ssrc);

    if (stream != NULL)
      take_block (self, streams, stream, &blocks[i], now, &news);
  }
  return news;
}

void
gcc_reports_begin_silence (GccReports *self)
{
  self->is_excused = TRUE;
}

void
gcc_reports_end_silence (GccReports *self)
{
  if (self->is_excused)
    gcc_loss_aggregator_forget (&self->aggregator);
  self->is_excused = FALSE;
}

/* --- REMBs --- */

gboolean
gcc_reports_feed_remb (GccReports *self, const GccSentStreams *streams,
    const GccRemb *remb, gboolean has_transport_feedback, GccTime now)
{
  gcc_reporters_set_transport_feedback (
      &self->reporters, has_transport_feedback);
  return gcc_reporters_take_remb (&self->reporters, streams, remb, now);
}

gboolean
gcc_reports_has_other_rate (GccReports *self, gboolean has_transport_feedback)
{
  gcc_reporters_set_transport_feedback (
      &self->reporters, has_transport_feedback);
  return gcc_reporters_get_remb (&self->reporters) != self->remb;
}

gboolean
gcc_reports_take_remb (GccReports *self)
{
  guint32 ssrc = gcc_reporters_get_remb_ssrc (&self->reporters);
  gboolean is_other = self->remb != GCC_RATE_NONE && ssrc != self->remb_ssrc;

  self->remb = gcc_reporters_get_remb (&self->reporters);
  self->remb_ssrc = ssrc;
  return is_other && self->remb != GCC_RATE_NONE;
}

void
gcc_reports_suspect (GccReports *self, const GccRemb *remb)
{
  if (self->has_strange_remb ||
      !gcc_reporters_has_other_remb (&self->reporters))
    return;

  self->has_strange_remb = TRUE;
  self->strange_remb = *remb;
}

const GccRemb *
gcc_reports_get_strange_remb (const GccReports *self)
{
  return self->has_strange_remb ? &self->strange_remb : NULL;
}
