/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/compose/gcc-sender-control.h>
#include <gst/gcc/gcc-sender.h>
#include <gst/gcc/output/gcc-media-budget.h>

G_BEGIN_DECLS

/* Begins the record of a sender: nothing is known. */
void gcc_sender_stats_init (GccSenderStats *self);

/* Takes the counts of messages. */
void gcc_sender_stats_take_counts (
    GccSenderStats *self, const GccSenderCounts *counts);

/* Takes A_s, and what it is made of. */
void gcc_sender_stats_take_control (
    GccSenderStats *self, const GccSenderControl *control);

/* Takes the rates of what was sent. */
void gcc_sender_stats_take_rates (
    GccSenderStats *self, const GccMediaRates *rates);

G_END_DECLS
