/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/report/gcc-loss-reporter.h>

void
gcc_loss_reporter_init (
    GccLossReporter *self, const GccLossReporterParams *params, GccTime now)
{
  self->params = params;
  self->last_report = now;
  self->n_receptions = 0;
}

static GccReception *
find (GccLossReporter *self, guint32 ssrc)
{
  return gcc_reception_find (self->receptions, self->n_receptions, ssrc);
}

static GccReception *
add (GccLossReporter *self, guint32 ssrc)
{
  GccReception *reception;

  if (self->n_receptions == GCC_LOSS_REPORTER_MAX_STREAMS)
    return NULL;

  reception = &self->receptions[self->n_receptions++];
  gcc_reception_init (reception, ssrc);
  return reception;
}

gint
gcc_loss_reporter_feed (GccLossReporter *self, guint32 ssrc, guint16 seq)
{
  GccReception *reception = find (self, ssrc);

  if (reception == NULL)
    reception = add (self, ssrc);
  return reception != NULL ? gcc_reception_feed (reception, seq) : 0;
}

void
gcc_loss_reporter_feed_sender_report (
    GccLossReporter *self, guint32 ssrc, guint32 compact_ntp, GccTime now)
{
  GccReception *reception = find (self, ssrc);

  if (reception != NULL)
    gcc_reception_feed_sender_report (reception, compact_ntp, now);
}

GccReception *
gcc_loss_reporter_get_receptions (GccLossReporter *self, guint *n_receptions)
{
  *n_receptions = self->n_receptions;
  return self->receptions;
}

gboolean
gcc_loss_reporter_is_due (const GccLossReporter *self, GccTime now)
{
  return gcc_time_diff (now, self->last_report) >= self->params->interval;
}

void
gcc_loss_reporter_reported (GccLossReporter *self, GccTime now)
{
  self->last_report = now;
}
