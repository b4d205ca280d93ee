/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/path/gcc-reason.h>

const gchar *
gcc_reason_to_string (GccReason reason)
{
  switch (reason) {
    case GCC_REASON_START:
      return "start";
    case GCC_REASON_LIMITS:
      return "limits";
    case GCC_REASON_GROWTH:
      return "growth";
    case GCC_REASON_PROBE:
      return "probe";
    case GCC_REASON_OVERUSE:
      return "overuse";
    case GCC_REASON_LOSS:
      return "loss";
    case GCC_REASON_ROUND_TRIP:
      return "round-trip";
    case GCC_REASON_REMB:
      return "remb";
    case GCC_REASON_SILENCE:
      return "no-feedback";
    case GCC_REASON_DRAIN:
      return "drain";
    case GCC_REASON_DRAIN_OVER:
      return "drain-over";
    case GCC_REASON_TCP:
      return "tcp";
    case GCC_REASON_ECN:
      return "ecn";
  }

  g_return_val_if_reached (NULL);
}

static gboolean
only_lowers (GccReason reason)
{
  return reason == GCC_REASON_OVERUSE || reason == GCC_REASON_LOSS ||
      reason == GCC_REASON_ROUND_TRIP || reason == GCC_REASON_SILENCE ||
      reason == GCC_REASON_ECN;
}

GccReason
gcc_reason_follow (
    GccReason reason, GccReason cause, GccRate before, GccRate after)
{
  if (after == before)
    return reason;
  return after > before && only_lowers (cause) ? GCC_REASON_GROWTH : cause;
}
