/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/report/gcc-remb-release.h>

/* Three in a row are lost once in a thousand, where one report in ten is
 * lost. */
#define N_REPORTS 3

void
gcc_remb_release_note_bound (GccRembRelease *self)
{
  *self = (GccRembRelease){ .is_bound = TRUE };
}

void
gcc_remb_release_note_feedback (GccRembRelease *self)
{
  if (self->is_bound)
    *self = (GccRembRelease){ .n_due = N_REPORTS };
}

gboolean
gcc_remb_release_is_due (const GccRembRelease *self)
{
  return self->n_due > 0;
}

void
gcc_remb_release_note_sent (GccRembRelease *self)
{
  if (self->n_due > 0)
    self->n_due--;
}
