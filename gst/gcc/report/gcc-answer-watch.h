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
 * Whether the sender answers the receiver reference times of reports (RFC 3611,
 * sections 4.4 and 4.5). gccsender and libwebrtc answer; an RTP session alone
 * does not. The received rate cannot show whether a REMB is followed, because
 * the link bounds that rate as well. Fields are private. Zero-initialised:
 * nothing has arrived.
 */
typedef struct {
  guint n_reports;
  GccTime first_report;
  gboolean has_answer;
} GccAnswerWatch;

/* A sender report has arrived. */
void gcc_answer_watch_feed_report (GccAnswerWatch *self, GccTime now);

/* An answer (DLRR) has arrived. */
void gcc_answer_watch_feed_answer (GccAnswerWatch *self);

/* Whether an answer is overdue: three reports without one have arrived, the
 * first of them at least 15 s ago. */
gboolean gcc_answer_watch_is_missing (const GccAnswerWatch *self, GccTime now);

G_END_DECLS
