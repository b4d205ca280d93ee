/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccFeedbackTriggerParams:
 * @interval: time between feedbacks that no marker triggers
 * @max_wait: greatest time from a packet to the next marker: while packets wait
 *   longer, the interval triggers feedback
 * @hold: time after the last packet that waited longer, for which the interval
 *   still triggers
 * @timeout: time without feedback after which the interval is given up
 * @retry: time before the interval is tried again
 */
typedef struct {
  GccTime interval;
  GccTime max_wait;
  GccTime hold;
  GccTime timeout;
  GccTime retry;
} GccFeedbackTriggerParams;

/**
 * GccFeedbackTrigger:
 *
 * Chooses the trigger of transport-wide feedback: the marker bit, which ends a
 * frame, or an interval. An RTP session of GStreamer can have one or the other,
 * and tests the interval only when a packet arrives. The marker reports a whole
 * frame as soon as it is complete; with the interval most of a frame waits for
 * the next frame. But audio has no markers, and at low frame rates the first
 * packets of a paced frame wait long for the marker. Fields are private.
 */
typedef struct {
  const GccFeedbackTriggerParams *params;
  gboolean is_waiting;
  GccTime waiting_since;
  gboolean was_late;
  GccTime late_at;
  gboolean uses_interval;
  GccTime interval_since;
  gboolean has_failed;
  GccTime failed_at;
} GccFeedbackTrigger;

/* The marker. */
void gcc_feedback_trigger_init (
    GccFeedbackTrigger *self, const GccFeedbackTriggerParams *params);

/* A packet has arrived. @is_in_use is whether feedback leaves at all: a session
 * whose running time was set back does not see the interval end. */
void gcc_feedback_trigger_feed (GccFeedbackTrigger *self, gboolean is_marker,
    gboolean is_in_use, GccTime now);

/* The interval that should trigger feedback; %GCC_TIME_NONE: the marker
 * should. */
GccTime gcc_feedback_trigger_get_interval (const GccFeedbackTrigger *self);

G_END_DECLS
