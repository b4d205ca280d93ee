/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gcc/history/gcc-media-time.h>

G_BEGIN_DECLS

/**
 * GccFeedbackWatchParams:
 * @intervals: feedback is silent after this many of its own intervals
 * @first_interval: the interval until it is known
 * @min_interval: least interval
 * @max_interval: greatest interval
 * @max_gap: greatest gap between two packets; a longer one is a pause, and
 *   counts as this
 * @decrease: factor of A_s for silence; 1 is no decrease
 * @decrease_interval: time between decreases
 */
typedef struct {
  guint intervals;
  GccTime first_interval;
  GccTime min_interval;
  GccTime max_interval;
  GccTime max_gap;
  gdouble decrease;
  GccTime decrease_interval;
} GccFeedbackWatchParams;

/**
 * GccFeedbackWatch:
 * @is_silent: whether feedback has fallen silent, or never came
 *
 * Notices that packets leave and no feedback comes: no report block and no REMB
 * that counts. Then the receiver is gone, or its RTCP does not arrive, and the
 * state of the network is not known. Time counts only while packets leave: a
 * source that pauses gets no reports, and needs none. The other fields are private.
 */
typedef struct {
  const GccFeedbackWatchParams *params;
  GccTime interval;
  GccMediaTime sent;
  GccTime waited;
  GccTime next_decrease;
  gboolean had_feedback;
  gboolean is_silent;
} GccFeedbackWatch;

void gcc_feedback_watch_init (
    GccFeedbackWatch *self, const GccFeedbackWatchParams *params);

/* A packet leaves. */
void gcc_feedback_watch_feed_sent (GccFeedbackWatch *self, GccTime now);

/* Feedback that counts has come. It ends a silence. */
void gcc_feedback_watch_feed_feedback (GccFeedbackWatch *self, GccTime now);

/* When gcc_feedback_watch_handle_timeout() has something to do; %GCC_TIME_NONE
 * while there is nothing. The time is never in the future, because only a
 * packet that leaves makes the silence longer. */
GccTime gcc_feedback_watch_next_timeout (const GccFeedbackWatch *self);

/* The rate to which silence lowers @rate, bit/s; %GCC_RATE_NONE if it does
 * not. */
GccRate gcc_feedback_watch_handle_timeout (
    GccFeedbackWatch *self, GccRate rate);

/* Whether feedback has come, and has not fallen silent since. */
gboolean gcc_feedback_watch_has_feedback (const GccFeedbackWatch *self);

/* Whether nothing else should set the rate. */
gboolean gcc_feedback_watch_lowers (const GccFeedbackWatch *self);

G_END_DECLS
