/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/delay/gcc-overuse-detector.h>
#include <gst/gcc/gcc-types.h>
#include <gst/gcc/history/gcc-sent-history.h>
#include <gst/gcc/path/gcc-burst-rate.h>
#include <gst/gcc/path/gcc-competition.h>
#include <gst/gcc/path/gcc-loss-test.h>
#include <gst/gcc/probe/gcc-probe-controller.h>
#include <gst/gcc/profiles/gcc-send-side-rules-params.h>
#include <gst/gcc/rate/gcc-acknowledged-rate.h>

G_BEGIN_DECLS

/**
 * GccSendSideVerdict:
 * @state: holder of the queue
 * @has_drained: a queue of this call alone has just drained, and the over-use
 *   detector starts afresh
 * @rate: the delay based rate, bit/s, while loss is no limit; %GCC_RATE_NONE:
 *   the rate control decides
 * @most: upper bound of the rate, bit/s, for the reason @most_reason;
 *   %GCC_RATE_NONE: none
 * @capacity: rate of the path, as shown by the last queue of this call alone that has
 *   drained, bit/s; %GCC_RATE_NONE while unknown
 * @queueing: the present queueing delay
 * @noise: jitter of the round trips; 0 on most paths
 * @is_lossy: whether a queue has lost packets of late, ...
 * @has_just_lost: ... or by the last feedback
 * @found: how the holder of the queue, or the cause of loss, was found last
 *
 * The verdict of the rules on the queue.
 */
typedef struct {
  GccCompetitionState state;
  gboolean has_drained;
  GccRate rate;
  GccRate most;
  GccReason most_reason;
  GccRate capacity;
  GccTime queueing;
  GccTime noise;
  gboolean is_lossy;
  gboolean has_just_lost;
  GccVerdict found;
} GccSendSideVerdict;

/**
 * GccSendSideRules:
 *
 * The default's own rules of a sender that measures, for a queue, for the time
 * after a probe, and for late or missing feedback. A published generation has
 * none of them. Fields are private.
 */
typedef struct {
  const GccSendSideRulesParams *params;
  GccAcknowledgedRate recent;
  GccBurstRate burst;
  GccCompetition competition;
  GccLossTest loss_test;
  GccExperiment experiment;
  /* packets that the present feedback shows as arrived */
  guint n_just_arrived;
  GccTime delay;
  GccTime round_trip;
  gint64 highest_seq;
  /* when feedback covered packets of a probe */
  GccTime clustered;
  GccTime raised;
  GccRate link;
  /* when the application last set a rate; clusters sent earlier do not count */
  GccTime rate_set;
  gboolean had_gap;
  gboolean has_resumed;
  gint64 told_seq;
  GccTime told_time;
} GccSendSideRules;

/* Starts without knowledge of the path. @params must outlive the rules. */
void gcc_send_side_rules_init (
    GccSendSideRules *self, const GccSendSideRulesParams *params);

/* Other rates have been in force. All but the numbers covered by feedback is
 * forgotten. */
void gcc_send_side_rules_restart (GccSendSideRules *self);

/* The over-use detector starts afresh: the outcome of a probe stays unknown. */
void gcc_send_side_rules_forget_probe (GccSendSideRules *self);

/* The received rate is that of another time: it begins anew. */
void gcc_send_side_rules_forget_rate (GccSendSideRules *self);

/* --- feedback that is late, or not there --- */

/* The number of @packets, in the order of arrival, that are older than the
 * packets covered by earlier feedback; the arrivals of that time are known. */
guint gcc_send_side_rules_count_stale (
    const GccSendSideRules *self, const GccPacketResult *packets, guint n);

/**
 * gcc_send_side_rules_feed_numbers:
 * @first, @last: range of numbers that a feedback covers
 * @history: the packets before @first: if they are lost, no feedback is missing
 * @acknowledged: R(t), which skips the time that no feedback covers
 */
void gcc_send_side_rules_feed_numbers (GccSendSideRules *self,
    const GccSentRecord *first, const GccSentRecord *last,
    const GccSentHistory *history, GccAcknowledgedRate *acknowledged);

/* --- the rates --- */

/**
 * gcc_send_side_rules_feed_packets:
 * @packets: (array length=n): have arrived, in that order; at least one. Their feedback
 *   came at @now
 * @acknowledged: R(t), with these packets
 *
 * Returns: whether R(t) is known. After a gap it takes more than a part of a frame, and
 *   the R(t) of before counts until then.
 */
gboolean gcc_send_side_rules_feed_packets (GccSendSideRules *self,
    const GccPacketResult *packets, guint n,
    const GccAcknowledgedRate *acknowledged, GccTime now);

/**
 * gcc_send_side_rules_feed_signal:
 * @detector: has a signal
 * @gamma_0: its γ at the start, ms
 * @controller: hears the word on the last raise
 *
 * Over-use is also the end of a burst's rate.
 *
 * Returns: the signal, corrected for jitter
 */
GccSignal gcc_send_side_rules_feed_signal (GccSendSideRules *self,
    const GccOveruseDetector *detector, gdouble gamma_0,
    GccProbeController *controller, GccTime now);

/* Whether the result of a probe may be far above the rate of the link: on a noisy
 * path, where a whole cluster may arrive in one clump, and once a drain has shown
 * that rate. A cluster of a few milliseconds is easily wrong by a half. */
gboolean gcc_send_side_rules_bounds_probes (const GccSendSideRules *self);

/* The rate at which the path takes a large frame at once, bit/s; 0 while nothing has
 * shown it. %GCC_RATE_NONE where it has no room: a queue drains, is held by other flows,
 * or has lost packets of late. */
GccRate gcc_send_side_rules_get_burst_rate (const GccSendSideRules *self);

/* The rate of which over-use takes a share, bit/s: @acknowledged, R(t), or
 * more.
 * @before: A_s, bit/s
 * @beta: that share, 0 to 1. After the queue of a probe it leads to what the
 * probe has shown. */
GccRate gcc_send_side_rules_get_full_rate (const GccSendSideRules *self,
    GccRate acknowledged, GccRate before, gdouble beta, GccTime now);

/* The application has set another rate at @now. Clusters sent earlier do not count. */
void gcc_send_side_rules_forget_clusters (GccSendSideRules *self, GccTime now);

/* Whether the packet was sent before the application last set a rate. */
gboolean gcc_send_side_rules_is_forgotten (
    const GccSendSideRules *self, const GccSentRecord *sent);

/* A probe has measured @probe, bit/s, where the rate was @before. The time
 * after it shows whether the probe was right. */
void gcc_send_side_rules_feed_probe (GccSendSideRules *self, GccRate probe,
    GccRate before, GccProbeController *controller, GccTime now);

/* The last probe has shown that the link takes @link, bit/s. %GCC_RATE_NONE: nothing
 * is shown, because another probe was asked for. */
void gcc_send_side_rules_set_link (GccSendSideRules *self, GccRate link);

/* Whether @rate, bit/s, need not grow: the last probe has shown that the link takes
 * little more, and the next one finds more. */
gboolean gcc_send_side_rules_is_at_link (const GccSendSideRules *self,
    const GccProbeController *controller, GccRate rate);

/**
 * gcc_send_side_rules_update:
 * @input: signal, R(t), round trip, A_s, and whether the application limits the
 *   rate; the rest is filled in
 * @history: the packets that were sent
 *
 * To be called after the functions above, with each feedback that covers an
 * arrival.
 */
GccSendSideVerdict gcc_send_side_rules_update (GccSendSideRules *self,
    GccCompetitionInput *input, GccSentHistory *history, GccTime now);

/* The rate at which the drain of a queue ends, bit/s; %GCC_RATE_NONE while none
 * drains. */
GccRate gcc_send_side_rules_get_rate_after_drain (const GccSendSideRules *self);

G_END_DECLS
