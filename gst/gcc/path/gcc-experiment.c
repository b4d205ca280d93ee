/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/path/gcc-experiment.h>

void
gcc_experiment_init (GccExperiment *self)
{
  *self = (GccExperiment){ .verdict = GCC_VERDICT_NONE, .end = GCC_TIME_NONE };
}

void
gcc_experiment_conclude (GccExperiment *self, GccVerdict verdict, GccTime now)
{
  *self = (GccExperiment){ .verdict = verdict, .end = now };
}

void
gcc_experiment_follow (GccExperiment *self, const GccExperiment *other)
{
  if (other->end == GCC_TIME_NONE)
    return;
  if (self->end == GCC_TIME_NONE || other->end > self->end)
    *self = *other;
}

const gchar *
gcc_verdict_to_string (GccVerdict verdict)
{
  switch (verdict) {
    case GCC_VERDICT_NONE:
      return "none";
    case GCC_VERDICT_OWN:
      return "own";
    case GCC_VERDICT_OTHERS:
      return "others";
    case GCC_VERDICT_LONGER_PATH:
      return "longer-path";
    case GCC_VERDICT_SLOWER_LINK:
      return "slower-link";
    case GCC_VERDICT_UNKNOWN:
      return "unknown";
    case GCC_VERDICT_LOSSY_PATH:
      return "lossy-path";
  }

  g_return_val_if_reached (NULL);
}
