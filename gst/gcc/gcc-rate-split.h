/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccShare:
 * @min: what the stream gets at least, bit/s
 * @max: what it gets at most, bit/s; @min <= @max
 * @weight: its part of what is shared, above 0
 * @rate: the result, bit/s
 *
 * One of several streams between which a rate is divided.
 */
typedef struct {
  GccRate min;
  GccRate max;
  gdouble weight;
  GccRate rate;
} GccShare;

/* Divides @total by weight; what a stream cannot take because of its maximum
 * goes to the others, and what one needs for its minimum comes from them. The
 * sum of the rates is @total, unless all are at their maximum (less) or the
 * minima do not fit (then everyone gets exactly the minimum: more). */
void gcc_rate_split (GccRate total, GccShare *shares, guint n_shares);

G_END_DECLS
