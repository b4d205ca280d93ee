/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/output/gcc-encoder-watch.h>

void
gcc_encoder_watch_init (
    GccEncoderWatch *self, const GccEncoderWatchParams *params)
{
  *self = (GccEncoderWatch){ .params = params, .over_since = GCC_TIME_NONE };
}

gboolean
gcc_encoder_watch_update (
    GccEncoderWatch *self, GccRate sent, GccRate asked, GccTime now)
{
  if ((gdouble) sent <= self->params->excess * (gdouble) asked) {
    self->over_since = GCC_TIME_NONE;
    return FALSE;
  }
  if (self->over_since == GCC_TIME_NONE || now < self->over_since)
    self->over_since = now;
  if (self->is_told ||
      gcc_time_diff (now, self->over_since) < self->params->patience)
    return FALSE;
  self->is_told = TRUE;

  return TRUE;
}
