/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccAnswerWatch:
 *
 * Whether the sender answers the receiver reference times that reports bring
 * (RFC 3611, sections 4.4 and 4.5): gccsender does, and so does libwebrtc, while an
 * RTP session alone does not. Whether a REMB is followed cannot be told by the rate
 * that arrives, which the link bounds as well. Fields are private.
 * Zero-initialised: nothing has come.
 */
typedef struct {
  guint n_reports;
  GccTime first_report;
  gboolean has_answer;
} GccAnswerWatch;

/* A sender report has arrived. */
void gcc_answer_watch_feed_report (GccAnswerWatch *self, GccTime now);

/* An answer (DLRR) has. */
void gcc_answer_watch_feed_answer (GccAnswerWatch *self);

/* Whether an answer should have come by now: three reports have, the first of them
 * 15 s ago, and none has brought one. */
gboolean gcc_answer_watch_is_missing (const GccAnswerWatch *self, GccTime now);

G_END_DECLS
