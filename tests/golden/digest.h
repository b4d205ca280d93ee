/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

/* The digest of a call: a hash of all columns of its flows, noted each second.
 *
 * Integers and strings count as they are. A double counts in multiples of 2^-16
 * (of a millisecond, or of a share): pow(), exp() and log() of another libm, or
 * of a processor without FMA, may differ in the last bits, and those are no
 * behaviour. A rate is an integer, and a change of rules shows in a rate. */

#include <gst/gcc/gcc-column.h>

#include "calls.h"
#include "flow.h"

#define GOLDEN_MAX_COLUMNS 64

/* Columns of a stats struct, of which one that is %NULL is there no more. */
typedef struct {
  const GccColumn *columns[GOLDEN_MAX_COLUMNS];
  guint n;
} GoldenColumns;

/* The columns that digests are of: those of the file, to which a new column
 * adds nothing. */
typedef struct {
  GoldenColumns sender;
  GoldenColumns receiver;
} GoldenStats;

/* @seconds: the first bits of the hash after each second */
typedef struct {
  const GoldenStats *stats;
  guint64 hash;
  guint n_seconds;
  guint16 seconds[GOLDEN_MAX_SECONDS];
} GoldenDigest;

void golden_digest_init (GoldenDigest *self, const GoldenStats *stats);

/* A #GoldenSampleFunc. */
void golden_digest_add (
    gpointer self, guint n_samples, const GoldenFlow *flows, guint n_flows);

/* The hash, then that of each second, in hexadecimal. */
gchar *golden_digest_to_string (const GoldenDigest *self);

/* The second from which on two such texts differ; of those that do not differ,
 * that after the last. */
guint golden_digest_compare (const gchar *a, const gchar *b);
