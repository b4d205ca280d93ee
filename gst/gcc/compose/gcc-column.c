/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/gcc-column.h>

#include <gst/gcc/delay/gcc-signal.h>
#include <gst/gcc/gcc-states.h>
#include <gst/gcc/history/gcc-ecn-check.h>
#include <gst/gcc/loss/gcc-loss-estimate.h>
#include <gst/gcc/path/gcc-holder.h>
#include <gst/gcc/path/gcc-experiment.h>
#include <gst/gcc/path/gcc-reason.h>
#include <gst/gcc/rate/gcc-rate-control.h>

static const gchar *
feedback_to_string (GccFeedback feedback)
{
  switch (feedback) {
    case GCC_FEEDBACK_REMB:
      return "remb";
    case GCC_FEEDBACK_TRANSPORT_CC:
      return "transport-cc";
    case GCC_FEEDBACK_CCFB:
      return "ccfb";
  }

  g_return_val_if_reached (NULL);
}

const gchar *
gcc_state_to_word (GccColumnType type, gint state)
{
  if (state == GCC_STATE_ABSENT)
    return NULL;

  switch (type) {
    case GCC_COLUMN_SIGNAL:
      return gcc_signal_to_string ((GccSignal) state);
    case GCC_COLUMN_RATE_CONTROL:
      return gcc_rate_control_state_to_string ((GccRateControlState) state);
    case GCC_COLUMN_LOSS_ESTIMATE:
      return gcc_loss_estimate_state_to_string ((GccLossEstimateState) state);
    case GCC_COLUMN_COMPETITION:
      return gcc_competition_state_to_string ((GccCompetitionState) state);
    case GCC_COLUMN_VERDICT:
      return gcc_verdict_to_string ((GccVerdict) state);
    case GCC_COLUMN_REASON:
      return gcc_reason_to_string ((GccReason) state);
    case GCC_COLUMN_FEEDBACK:
      return feedback_to_string ((GccFeedback) state);
    case GCC_COLUMN_ECN:
      return gcc_ecn_state_to_string ((GccEcnState) state);
    default:
      return NULL;
  }
}
