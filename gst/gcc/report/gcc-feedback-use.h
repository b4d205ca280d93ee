/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gcc/history/gcc-media-time.h>

G_BEGIN_DECLS

/**
 * GccFeedbackUseParams:
 * @timeout: time of media without transport-wide feedback after which it counts
 *   as not in use
 * @number_timeout: time of media without numbers, after the first one, after
 *   which it counts as not in use, until feedback leaves again
 * @max_gap: greatest gap between two packets; a longer one counts as this
 */
typedef struct {
  GccTime timeout;
  GccTime number_timeout;
  GccTime max_gap;
} GccFeedbackUseParams;

/**
 * GccFeedbackUse:
 *
 * Whether a receiver sends transport-wide feedback, judged by the feedback that
 * leaves. No feedback leaves while no packet arrives, so only time with media
 * counts against it. Its use begins with the first numbered packet, because a
 * REMB that left before the first feedback would bound the rate of libwebrtc
 * for the whole call. Fields are private.
 */
typedef struct {
  const GccFeedbackUseParams *params;
  gboolean is_in_use;
  gboolean was_numbered;
  GccMediaTime media;
  GccTime without;
  GccTime without_number;
  GccTime unnumbered;
  guint64 n_sent;
} GccFeedbackUse;

/* Not in use. */
void gcc_feedback_use_init (
    GccFeedbackUse *self, const GccFeedbackUseParams *params);

/* A packet has arrived. @is_numbered: it has a transport-wide number, and the
 * session reads such numbers. */
void gcc_feedback_use_feed_media (
    GccFeedbackUse *self, gboolean is_numbered, GccTime now);

/* Whether a numbered packet changes the state. */
gboolean gcc_feedback_use_awaits_number (const GccFeedbackUse *self);

/* For how long media has arrived before the first numbered packet, without
 * pauses. */
GccTime gcc_feedback_use_get_unnumbered (const GccFeedbackUse *self);

/* Transport-wide feedback is sent. */
void gcc_feedback_use_note_sent (GccFeedbackUse *self);

gboolean gcc_feedback_use_is_in_use (const GccFeedbackUse *self);

/* How many feedback packets have been sent. */
guint64 gcc_feedback_use_get_n_sent (const GccFeedbackUse *self);

G_END_DECLS
