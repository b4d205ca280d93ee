/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-column.h>
#include <gst/gcc/gcc-profile.h>
#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/*
 * Fuzz:
 *
 * The bytes that decide what a target does. They end; from then on all that is
 * read is 0.
 */
typedef struct {
  const guint8 *data;
  gsize length;
} Fuzz;

/* --- what a target has --- */

/* Called once. */
void fuzz_init (void);
/* One execution: what must not happen ends in g_assert (). It leaves nothing
 * that the next one could see. */
void fuzz_one (Fuzz *input);

/* --- what it reads --- */

gboolean fuzz_has_more (const Fuzz *self);
guint8 fuzz_uint8 (Fuzz *self);
guint16 fuzz_uint16 (Fuzz *self);
guint32 fuzz_uint32 (Fuzz *self);
guint64 fuzz_uint64 (Fuzz *self);
/* 0 to @max */
guint fuzz_up_to (Fuzz *self, guint max);
/* TRUE once in @n */
gboolean fuzz_once_in (Fuzz *self, guint n);
/* All that is left; at most @max. */
const guint8 *fuzz_bytes (Fuzz *self, gsize max, gsize *length);
/* How far a clock goes: mostly microseconds to milliseconds, at times seconds
 * to days; one in eight steps goes back. */
GccTime fuzz_step (Fuzz *self);
/* The same, but not back. */
GccTime fuzz_duration (Fuzz *self);
/* bit/s: mostly 1 kbit/s to 65 Mbit/s, at times up to what 63 bits hold; not
 * 0. */
GccRate fuzz_rate (Fuzz *self);
/* One of all that there are. */
const GccProfile *fuzz_profile (Fuzz *self);

/* --- what holds for both sides --- */

/* Rates are not negative but where they are unknown, and doubles are numbers
 * but those named in @may_be_nan, which ends with NULL. */
void fuzz_check_stats (gconstpointer stats, const GccColumn *columns,
    guint n_columns, const gchar *const *may_be_nan);

G_END_DECLS
