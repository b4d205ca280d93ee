/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccRembPolicyParams:
 * @interval: time between regular REMBs
 * @drop: a REMB is due at once when A_r falls below this fraction of the last
 * @rise: a REMB is due at once when A_r is at least this times the last; 0: a
 *   rise waits for the interval
 * @early: whether a REMB that is due may ask for an early RTCP report; else it
 *   waits for the next regular one
 */
typedef struct {
  GccTime interval;
  gdouble drop;
  gdouble rise;
  gboolean early;
} GccRembPolicyParams;

/**
 * GccRembPolicy:
 *
 * Decides when A_r is sent: regularly, and at once when it has fallen by more
 * than 3 %, or been raised. Fields are private.
 */
typedef struct {
  const GccRembPolicyParams *params;
  GccTime last_time;
  GccRate last_remb;
  GccRate last_estimate;
} GccRembPolicy;

/* The first REMB is due one interval after @now at the earliest. */
void gcc_remb_policy_init (
    GccRembPolicy *self, const GccRembPolicyParams *params, GccTime now);

/* Whether @estimate, a new A_r in bit/s, is due to be sent. If so it counts as
 * sent. */
gboolean gcc_remb_policy_update (
    GccRembPolicy *self, GccRate estimate, GccTime now);

/* The last A_r that was due, bit/s, or %GCC_RATE_NONE. */
GccRate gcc_remb_policy_get_last_remb (const GccRembPolicy *self);

/* Maximum delay of a REMB that is due: an RTP session that was asked to send it
 * is not asked again before that. */
#define GCC_REMB_MAX_DELAY (20 * GCC_MSECOND)

/**
 * GccRembRequest:
 *
 * Whether a REMB is waiting to be sent, and when to ask the RTP session for a
 * packet to carry it. Fields are private. Zero-initialised: none is waiting.
 */
typedef struct {
  gboolean is_due;
  gboolean has_asked;
  GccTime last_asked;
} GccRembRequest;

/* A REMB is due. It replaces one that may still be waiting. */
void gcc_remb_request_note_due (GccRembRequest *self);

/* A REMB was sent: a packet for the next one may be asked for at once. */
void gcc_remb_request_note_sent (GccRembRequest *self);

gboolean gcc_remb_request_is_due (const GccRembRequest *self);

/* Whether to ask the RTP session now. If so it counts as asked. */
gboolean gcc_remb_request_ask (GccRembRequest *self, GccTime now);

G_END_DECLS
