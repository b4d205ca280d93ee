/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

/* Runs one of the calls, and shows its flows every 100 ms. */

#include "flow.h"

#define GOLDEN_SAMPLES_PER_SECOND 10
#define GOLDEN_SAMPLE (GCC_SECOND / GOLDEN_SAMPLES_PER_SECOND)

/* @n_samples: those before this one; the first is 100 ms after the beginning */
typedef void (*GoldenSampleFunc) (
    gpointer data, guint n_samples, const GoldenFlow *flows, guint n_flows);

void golden_run (const GoldenCall *call, const GccProfile *profile,
    GoldenFeedback feedback, GoldenSampleFunc sample, gpointer data);
