/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

/* A call as text, a key and its numbers in each line. Units are in the names of
 * most keys. These have another form:
 *
 *     call NAME
 *     codel TARGET_MS, fq_codel TARGET_MS    in place of drop tail
 *     rtx                                    lost packets are sent again
 *     tcp START_S STOP_S                     a CUBIC flow
 *     second_call START_S STOP_S EXTRA_DELAY_MS
 *     web CONNECTIONS LEAST_BYTES MOST_BYTES IDLE_MEAN_S
 *     row START_S KBPS DELAY_MS LOSS_PERCENT    the path from then on
 *     end
 *
 * Keys that are left out have the values of judge_call_init(). */

#include <gst/gcc/gcc-types.h>

typedef enum {
  JUDGE_DROP_TAIL,
  JUDGE_CODEL,
  /* a queue, a CoDel and a share of the link for each flow */
  JUDGE_FQ_CODEL,
} JudgeQueue;

/* From @time of the call on. */
typedef struct {
  GccTime time;
  gdouble rate;
  GccTime late;
  gdouble loss_percent;
} JudgeRow;

/* A CUBIC flow without end, or a second call. */
typedef struct {
  GccTime start;
  GccTime stop;
  /* on its way to the link and back, beside that of the path */
  GccTime extra_delay;
} JudgeOther;

typedef struct {
  gchar name[64];
  guint32 seed;
  GccTime duration;
  GccTime measure_from;

  GArray *rows;
  /* one way, the same back */
  GccTime delay;
  /* of a normal distribution */
  GccTime jitter;
  /* the receiver takes packets at multiples of this; 0: at once */
  GccTime tick;
  gdouble loss_percent;
  gdouble feedback_loss_percent;
  /* what an idle link lets pass at once */
  gdouble bucket_bytes;
  JudgeQueue queue;
  /* CoDel's */
  GccTime target;
  /* a limit in time follows the rate; 0: the limit is in bytes */
  GccTime queue_time;
  gdouble queue_bytes;

  GccRate min;
  GccRate start;
  GccRate max;
  gdouble frame_rate;
  /* lost packets are sent again */
  gboolean is_repaired;

  GArray *tcps;
  GArray *calls;
  /* connections with one transfer after the other */
  gdouble n_web;
  gdouble web_least_bytes;
  gdouble web_most_bytes;
  GccTime web_idle;
} JudgeCall;

void judge_call_init (JudgeCall *self);
void judge_call_clear (JudgeCall *self);

/* Takes the next line. Returns the problem with it, or %NULL. @is_complete: it
 * was the last one of the call. */
const gchar *judge_call_take (
    JudgeCall *self, const gchar *line, gboolean *is_complete);
