/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccShare:
 * @min: least rate of the stream, bit/s
 * @max: greatest rate of the stream, bit/s; @min <= @max
 * @weight: relative share, above 0
 * @rate: the result, bit/s
 *
 * One of several streams that share a rate.
 */
typedef struct {
  GccRate min;
  GccRate max;
  gdouble weight;
  GccRate rate;
} GccShare;

/* Divides @total by weight. The excess over a stream's maximum goes to the
 * others, and what a stream lacks to its minimum comes from them. The sum of
 * the rates is @total, unless all are at their maximum (less) or the minima do
 * not fit (then every stream gets exactly its minimum: more). */
void gcc_rate_split (GccRate total, GccShare *shares, guint n_shares);

G_END_DECLS
