/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

/* All columns of a call as a table, to find which one a digest differs in. */

#include "run.h"

/* A #GoldenSampleFunc: a line for each flow, after that of names. */
void golden_trace_print (
    gpointer data, guint n_samples, const GoldenFlow *flows, guint n_flows);
