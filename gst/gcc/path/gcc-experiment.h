/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccVerdict:
 * @GCC_VERDICT_NONE: there was no drain and no test of losses
 * @GCC_VERDICT_OWN: this call alone holds the queue, or loses the packets
 * @GCC_VERDICT_OTHERS: other flows do
 * @GCC_VERDICT_LONGER_PATH: there is no queue, the path has become longer
 * @GCC_VERDICT_SLOWER_LINK: the link has become slower, and is drained again
 * @GCC_VERDICT_UNKNOWN: nothing is known: as much was sent as before, or too few
 *   packets were, or a queue may have lost them
 * @GCC_VERDICT_LOSSY_PATH: the path loses the packets, at any rate
 *
 * The result of the last drain of a queue, or of the last test of losses.
 */
typedef enum {
  GCC_VERDICT_NONE,
  GCC_VERDICT_OWN,
  GCC_VERDICT_OTHERS,
  GCC_VERDICT_LONGER_PATH,
  GCC_VERDICT_SLOWER_LINK,
  GCC_VERDICT_UNKNOWN,
  GCC_VERDICT_LOSSY_PATH,
} GccVerdict;

/**
 * GccExperiment:
 * @verdict: the verdict
 * @end: when it was reached; %GCC_TIME_NONE: never
 *
 * The last time that less was sent to find out who holds the queue, for people
 * to read; no rate depends on it.
 */
typedef struct {
  GccVerdict verdict;
  GccTime end;
} GccExperiment;

void gcc_experiment_init (GccExperiment *self);

void gcc_experiment_conclude (
    GccExperiment *self, GccVerdict verdict, GccTime now);

/* Takes another rule's experiment if that has ended later. */
void gcc_experiment_follow (GccExperiment *self, const GccExperiment *other);

/* One word, as in the statistics and the trace. */
const gchar *gcc_verdict_to_string (GccVerdict verdict);

G_END_DECLS
