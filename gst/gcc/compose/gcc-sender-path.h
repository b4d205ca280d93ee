/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/compose/gcc-send-side.h>
#include <gst/gcc/gcc-states.h>
#include <gst/gcc/history/gcc-feedback-watch.h>
#include <gst/gcc/output/gcc-target.h>

G_BEGIN_DECLS

/**
 * GccSenderPath:
 * @side: (nullable): the send side, half a megabyte; there is none before packets are
 *   numbered
 * @kind: the kind that is taken
 * @watch: whether feedback that shows arrivals comes
 *
 * The feedback about packets: which of the two kinds is followed, whether it comes, and
 * the send side that takes it. The other fields are private.
 */
typedef struct {
  const GccSendSideParams *params;
  GccSendSide *side;
  GccFeedback kind;
  GccFeedbackWatch watch;
  gboolean is_probing;
  gboolean uses_ecn;
} GccSenderPath;

/* @params: (nullable): without them no feedback about packets is followed. @watch: when
 * it is overdue */
void gcc_sender_path_init (GccSenderPath *self, const GccSendSideParams *params,
    const GccFeedbackWatchParams *watch);
void gcc_sender_path_clear (GccSenderPath *self);

/* --- which feedback --- */

/* Packets will be numbered from now on, and feedback of @kind is followed. The rate
 * starts from @target. Returns whether the profile follows it. */
gboolean gcc_sender_path_use (GccSenderPath *self, GccFeedback kind,
    const GccTarget *target, GccTime now);

/* Whether feedback of @kind is taken. */
gboolean gcc_sender_path_takes (const GccSenderPath *self, GccFeedback kind);

/* The feedback that A_s follows; %GCC_FEEDBACK_REMB while that is none about packets. */
GccFeedback gcc_sender_path_get_feedback (const GccSenderPath *self);

/* Why it does, in a few words. */
const gchar *gcc_sender_path_get_reason (const GccSenderPath *self);

/* Whether A_s is the sender's own estimate. */
gboolean gcc_sender_path_is_steering (const GccSenderPath *self);

/* Whether it is, and feedback is not overdue. */
gboolean gcc_sender_path_is_reported (const GccSenderPath *self);

/* Whether it is, and lowers the rate because packets leave and no feedback comes. This
 * silence is noticed sooner than that of reports. */
gboolean gcc_sender_path_is_unanswered (const GccSenderPath *self);

/* --- events --- */

void gcc_sender_path_set_probing (
    GccSenderPath *self, gboolean is_probing, GccTime now);
void gcc_sender_path_set_ecn (GccSenderPath *self, gboolean uses_ecn);

/* A packet leaves. */
void gcc_sender_path_feed_sent (
    GccSenderPath *self, const GccSentPacket *packet, GccTime now);

/* The application continues from @rate, bit/s. */
void gcc_sender_path_restart (GccSenderPath *self, GccRate rate, GccTime now);

/**
 * gcc_sender_path_feed:
 * @feedback: of the kind that is taken
 * @rate: from which an estimate continues that has paused, bit/s
 *
 * Returns: whether it has news about the sent packets. Without news an estimate that
 *   has paused stays so.
 */
gboolean gcc_sender_path_feed (GccSenderPath *self,
    const GccPathFeedback *feedback, GccRate rate, GccTime now);

/* Other feedback has come. Returns whether it takes over, because feedback about
 * packets is overdue. */
gboolean gcc_sender_path_feed_other (GccSenderPath *self, GccTime now);

/* --- what is known --- */

/* @rate as payload, bit/s. Receivers measure payload, the send side measures all
 * bytes that take their share of the path. */
GccRate gcc_sender_path_get_payload (const GccSenderPath *self, GccRate rate);

/* The rate at which a drain in course ends, bit/s; %GCC_RATE_NONE where none is. */
GccRate gcc_sender_path_get_rate_after_drain (const GccSenderPath *self);

G_END_DECLS
