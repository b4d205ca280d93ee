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
 * @timeout: of media without transport-wide feedback, until that is not in use, or
 *   not any more
 * @max_gap: of media: a longer gap between two packets counts as this one
 */
typedef struct {
  GccTime timeout;
  GccTime max_gap;
} GccFeedbackUseParams;

/**
 * GccFeedbackUse:
 *
 * Whether a receiver sends transport-wide feedback, by what it is seen to send:
 * there is none while no packet arrives, so that only time with media counts
 * against it. The first packet that is numbered begins its use: a REMB that left
 * before the first feedback would bound the rate of libwebrtc for all of the call.
 * Fields are private.
 */
typedef struct {
  const GccFeedbackUseParams *params;
  gboolean is_in_use;
  gboolean was_numbered;
  GccMediaTime media;
  GccTime without;
  GccTime unnumbered;
  guint64 n_sent;
} GccFeedbackUse;

/* Not in use. */
void gcc_feedback_use_init (
    GccFeedbackUse *self, const GccFeedbackUseParams *params);

/* A packet has arrived. @is_numbered: it has a transport-wide number, and the session
 * reads those. */
void gcc_feedback_use_feed_media (
    GccFeedbackUse *self, gboolean is_numbered, GccTime now);

/* Whether a packet that is numbered makes a difference. */
gboolean gcc_feedback_use_awaits_number (const GccFeedbackUse *self);

/* For so long media has arrived before a packet was numbered, without pauses. */
GccTime gcc_feedback_use_get_unnumbered (const GccFeedbackUse *self);

/* Transport-wide feedback is sent. */
void gcc_feedback_use_note_sent (GccFeedbackUse *self);

gboolean gcc_feedback_use_is_in_use (const GccFeedbackUse *self);

/* How many feedback packets have been sent. */
guint64 gcc_feedback_use_get_n_sent (const GccFeedbackUse *self);

G_END_DECLS
