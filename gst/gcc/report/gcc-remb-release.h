/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/* A REMB of this rate, bit/s, is no bound: libwebrtc never sends more, and the
 * rate fits into 32 bits. */
#define GCC_REMB_NO_BOUND G_GINT64_CONSTANT (1000000000)

/**
 * GccRembRelease:
 *
 * libwebrtc keeps its rate below the last REMB for the whole call, even while
 * it follows transport-wide feedback. So when transport-wide feedback takes
 * over, the next reports have a REMB that is no bound. There is more than one
 * such report, because RTCP may be lost. Fields are private. Zero-initialised:
 * no REMB has been sent.
 */
typedef struct {
  gboolean is_bound;
  guint n_due;
} GccRembRelease;

/* A REMB of A_r was sent. */
void gcc_remb_release_note_bound (GccRembRelease *self);

/* Transport-wide feedback was sent, and no REMB is sent from now on. */
void gcc_remb_release_note_feedback (GccRembRelease *self);

/* Whether the report that leaves needs a REMB of %GCC_REMB_NO_BOUND. */
gboolean gcc_remb_release_is_due (const GccRembRelease *self);

/* A REMB of %GCC_REMB_NO_BOUND was sent. */
void gcc_remb_release_note_sent (GccRembRelease *self);

G_END_DECLS
