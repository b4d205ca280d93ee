/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/* A REMB of this rate, bit/s, is no bound: libwebrtc sends no more in any case, and
 * whoever reads rates in 32 bits can read it. */
#define GCC_REMB_NO_BOUND G_GINT64_CONSTANT (1000000000)

/**
 * GccRembRelease:
 *
 * libwebrtc keeps its rate below the last REMB that it got, for all of the call, also
 * where it follows transport-wide feedback. So where that takes over from REMB the next
 * reports have one that is no bound: more than one, as RTCP may be lost. Fields are
 * private. Zero-initialised: no REMB has been sent.
 */
typedef struct {
  gboolean is_bound;
  guint n_due;
} GccRembRelease;

/* A REMB of A_r was sent. */
void gcc_remb_release_note_bound (GccRembRelease *self);

/* Transport-wide feedback was sent, and no REMB is from now on. */
void gcc_remb_release_note_feedback (GccRembRelease *self);

/* Whether the report that leaves needs a REMB of %GCC_REMB_NO_BOUND. */
gboolean gcc_remb_release_is_due (const GccRembRelease *self);

/* That was sent. */
void gcc_remb_release_note_sent (GccRembRelease *self);

G_END_DECLS
