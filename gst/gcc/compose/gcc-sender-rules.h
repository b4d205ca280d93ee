/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gcc/history/gcc-loss-aggregator.h>
#include <gst/gcc/loss/gcc-loss-control.h>
#include <gst/gcc/output/gcc-target.h>
#include <gst/gcc/path/gcc-tcp-share.h>
#include <gst/gcc/profiles/gcc-sender-rules-params.h>

G_BEGIN_DECLS

/**
 * GccSenderRules:
 *
 * The default's own rules of a sender that follows reports and REMBs: its share
 * beside loss-based traffic, and the loss that a test has shown to be of the
 * path. A sender of a published generation has none of them.
 *
 * |[
 * reports ─► share beside TCP ─► A_s at most, pacing, loss of the path
 * ]|
 *
 * Fields are private.
 */
typedef struct {
  const GccSenderRulesParams *params;
  GccTcpShare tcp_share;
  gdouble path_loss;
} GccSenderRules;

/**
 * GccSenderRates:
 * @target: A_s
 * @loss_control: eq. (1), which continues from A_s
 *
 * The rates of the sender, which the rules read and set.
 */
typedef struct {
  GccTarget *target;
  GccLossControl *loss_control;
} GccSenderRates;

/* Nothing is known. @params must outlive the rules. */
void gcc_sender_rules_init (
    GccSenderRules *self, const GccSenderRulesParams *params);

/* Takes a report, after the target and before the loss control; not while A_s is
 * the sender's own estimate over transport-wide feedback, which has rules of its
 * own beside loss-based traffic. */
void gcc_sender_rules_feed_report (GccSenderRules *self,
    const GccSenderRates *rates, const GccLossReport *report, GccTime now);

/* A_s is the sender's own estimate from here on. */
void gcc_sender_rules_release (
    GccSenderRules *self, const GccSenderRates *rates);

/* The pacing rate where A_s is @target, bit/s; %GCC_RATE_NONE: no pacing. */
GccRate gcc_sender_rules_get_pacing_rate (
    const GccSenderRules *self, GccRate target);

/* The holder of the queue. */
GccCompetitionState gcc_sender_rules_get_state (const GccSenderRules *self);

/* How the holder, or the cause of loss, was found last. */
GccVerdict gcc_sender_rules_get_verdict (const GccSenderRules *self);

/* The loss that a test has shown to be of the path itself, 0 to 1. */
gdouble gcc_sender_rules_get_path_loss (const GccSenderRules *self);

G_END_DECLS
