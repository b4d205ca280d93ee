/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

/* A sender and its receiver over one link, of either kind of feedback, which
 * follow the settings of a call. */

#define CALL_STEP 500

#include "../unit/support/any-call.h"
#include "../unit/support/cubic.h"

#include "calls.h"

/* Of both simulators. */
#define GOLDEN_STEP 500

typedef enum {
  GOLDEN_REMB,
  GOLDEN_TRANSPORT,
  GOLDEN_N_FEEDBACKS,
} GoldenFeedback;

extern const gchar *const golden_feedbacks[GOLDEN_N_FEEDBACKS];

/* What the flows share. */
typedef struct {
  gint64 settings[GOLDEN_N_SETTINGS];
  GccTime now;
  GccTime link_free;
  GRand *rand;
  Cubic tcp;
} GoldenPath;

typedef struct {
  GoldenPath *path;
  guint index;
  AnyCall call;
  GccRate max_rate;
  guint n_sent;
  guint n_lost;
  /* what was lost last, and how often it will be asked for */
  guint16 lost_seq;
  guint n_requests;
  /* of each kind of packets beside the video */
  guint16 seqs[GCC_SENT_N_KINDS];
  /* packets · per cent that FEC is still owed for */
  guint64 fec_due;
} GoldenFlow;

/* The flow begins at the path's time. */
void golden_flow_init (GoldenFlow *self, GoldenPath *path, guint index,
    const GccProfile *profile, GoldenFeedback feedback);
void golden_flow_clear (GoldenFlow *self);

/* Goes on by %GOLDEN_STEP. */
void golden_flow_step (GoldenFlow *self);

const GccSenderStats *golden_flow_get_sender_stats (const GoldenFlow *self);

/* %NULL over transport-wide feedback, where the receiver measures nothing. */
const GccReceiverStats *golden_flow_get_receiver_stats (const GoldenFlow *self);
