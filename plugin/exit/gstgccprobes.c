/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "exit/gstgccprobes.h"

/* Greatest number of packets of a cluster that may leave back to back. Even a
 * late cluster has fewer. The bound ends a cluster whose packets do not count
 * because they have no room for a transport-wide number. */
#define MAX_AT_ONCE 64

void
gst_gcc_probes_init (GstGccProbes *self, GstGccController *controller)
{
  *self = (GstGccProbes){ .controller = controller };
}

void
gst_gcc_probes_set_on (GstGccProbes *self, gboolean is_on)
{
  self->is_on = is_on;
  self->left = 0;
  self->n_at_once = 0;
}

GccRate
gst_gcc_probes_get_pacing_rate (const GstGccProbes *self)
{
  return gcc_sender_get_stats (self->controller->sender)->pacing_rate;
}

gboolean
gst_gcc_probes_is_window_full (const GstGccProbes *self)
{
  return self->is_on && gcc_sender_is_window_full (self->controller->sender);
}

void
gst_gcc_probes_feed_queued (GstGccProbes *self, gsize bytes, GccTime now)
{
  if (self->is_on)
    gcc_sender_feed_queued (self->controller->sender, bytes, now);
}

GccTime
gst_gcc_probes_get_next (GstGccProbes *self, GccTime now)
{
  GccTime next = self->is_on
      ? gcc_sender_next_probe (self->controller->sender, now)
      : GCC_TIME_NONE;

  if (next == GCC_TIME_NONE) {
    self->left = 0;
    self->n_at_once = 0;
    return GCC_TIME_NONE;
  }
  if (self->left > 0)
    return now;
  if (next > now)
    self->n_at_once = 0;

  return self->n_at_once < MAX_AT_ONCE ? next : GCC_TIME_NONE;
}

gsize
gst_gcc_probes_get_left (const GstGccProbes *self)
{
  if (self->left > 0)
    return self->left;

  return MAX (gcc_sender_get_probe_size (self->controller->sender), 1);
}

void
gst_gcc_probes_feed_sent (GstGccProbes *self, gsize bytes)
{
  gsize left = gst_gcc_probes_get_left (self);

  self->left = left - MIN (bytes, left);
  self->n_at_once++;
}
