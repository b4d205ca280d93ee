/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Statuses that each packet which leaves allows: receivers repeat some in
 * overlapping messages. */
#define GST_GCC_STATUS_BUDGET_PER_PACKET 2

/* Most statuses that are saved up: four seconds of 1000 packets a second. They
 * cost rtpsession some 30 ms. */
#define GST_GCC_STATUS_BUDGET_MAX 8192

/*
 * GstGccStatusBudget:
 *
 * The statuses of transport-wide feedback that an RTP session which numbers its
 * packets may be given. rtpsession makes a structure for each status, and for
 * each number between the last message and the next one by its count
 * (1.22 to 1.28), whether or not such packets were sent. No more of them than
 * packets have left are allowed. Fields are private.
 */
typedef struct {
  guint allowance;
  /* As in rtpsession. */
  gboolean has_message;
  guint16 expected_seq;
  guint8 expected_count;
} GstGccStatusBudget;

/* @n packets leave that the session numbers. */
void gst_gcc_status_budget_add (GstGccStatusBudget *self, guint n);

/*
 * gst_gcc_status_budget_take:
 * @fci: (array length=length): of a sound message
 * @length: at least 8 bytes
 *
 * Returns: %FALSE where the message costs more than is left; @self then does
 *   not change
 */
gboolean gst_gcc_status_budget_take (
    GstGccStatusBudget *self, const guint8 *fci, gsize length);

G_END_DECLS
