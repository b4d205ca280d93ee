/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/* Most SSRCs in one message: their number is one byte on the wire. */
#define GCC_REMB_MAX_SSRCS 255

/* Length in bytes of the FCI ("REMB", SSRC count, rate, SSRCs) of a message
 * that has @n_ssrcs SSRCs. */
#define GCC_REMB_FCI_LENGTH(n_ssrcs) (8 + 4 * (gsize) (n_ssrcs))

/**
 * GccRemb:
 * @sender: SSRC of packet sender in its header
 * @reporter: SSRC of the report it follows in its compound packet; @sender if
 *   it follows none
 * @rate: A_r, bit/s
 * @ssrcs: the media sources the rate is for
 * @n_ssrcs: number of @ssrcs, 0 to %GCC_REMB_MAX_SSRCS
 *
 * A REMB message.
 */
typedef struct {
  guint32 sender;
  guint32 reporter;
  GccRate rate;
  guint32 ssrcs[GCC_REMB_MAX_SSRCS];
  guint n_ssrcs;
} GccRemb;

/**
 * gcc_remb_write_fci:
 * @fci: at least GCC_REMB_FCI_LENGTH (@n_ssrcs of @self) bytes
 *
 * Writes the feedback control information of a REMB message, which follows the
 * 12-byte RTCP feedback header (draft-alvestrand-rmcat-remb-03,
 * section 2.2). The packet type is PSFB (206), the format 15, and the media
 * source of the header is 0. The rate is truncated to the 18-bit mantissa, so
 * that the message never announces more.
 */
GCC_API void gcc_remb_write_fci (const GccRemb *self, guint8 *fci);

/**
 * gcc_remb_parse_fci:
 * @fci: (array length=length): the bytes after the feedback header
 * @length: in bytes
 *
 * Sets the rate, at most %G_MAXINT64, and the media sources; @sender and
 * @reporter are not in these bytes.
 *
 * Returns: %FALSE, with nothing written, if this is not a REMB message or a
 *   malformed one: too short, another identifier, an SSRC count that does not
 *   match @length, or a rate beyond 64 bits.
 */
GCC_API gboolean gcc_remb_parse_fci (
    GccRemb *self, const guint8 *fci, gsize length);

G_END_DECLS
