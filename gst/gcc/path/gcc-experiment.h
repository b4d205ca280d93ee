/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-states.h>
#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

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
