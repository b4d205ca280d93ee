/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccAlrDetectorParams:
 * @usage: share of the estimate that an application is to use
 * @window: window of the budget: budget that was not used for longer is
 *   forgotten
 * @start: share of the budget that is left when the application begins to be
 *   the limit; -1 to 1
 * @stop: share that is left when it ceases to be; below @start
 */
typedef struct {
  gdouble usage;
  GccTime window;
  gdouble start;
  gdouble stop;
} GccAlrDetectorParams;

/**
 * GccAlrDetector:
 * @start: since when the application is the limit; %GCC_TIME_NONE where it is not
 *
 * Detects the application limited region: the application, not the path, limits
 * the sent rate. The received rate then gives no information on the path.
 * The other fields are private.
 */
typedef struct {
  const GccAlrDetectorParams *params;
  GccRate budget_rate;
  gint64 max_bytes;
  gint64 left_bytes;
  GccTime last_sent;
  GccTime start;
} GccAlrDetector;

void gcc_alr_detector_init (
    GccAlrDetector *self, const GccAlrDetectorParams *params);

/* The estimate of the path, bit/s; above 0. */
void gcc_alr_detector_set_estimate (GccAlrDetector *self, GccRate estimate);

/* A packet of @bytes has been sent. */
void gcc_alr_detector_feed_sent (
    GccAlrDetector *self, gsize bytes, GccTime now);

G_END_DECLS
