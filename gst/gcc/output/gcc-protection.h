/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccProtectionParams:
 * @max_share: greatest fraction of A_s, less audio, that FEC and retransmission
 *   may take together; below 1
 */
typedef struct {
  gdouble max_share;
} GccProtectionParams;

/**
 * GccProtection:
 * @params: numbers of the profile
 * @shared: A_s less audio, bit/s, not negative: video and its protection share it
 * @video: rate at which video was sent, bit/s
 * @fec: rate of FEC, bit/s
 * @repeated: rate of retransmission and padding, bit/s
 *
 * Shares A_s between video and its protection.
 */
typedef struct {
  const GccProtectionParams *params;
  GccRate shared;
  GccRate video;
  GccRate fec;
  GccRate repeated;
} GccProtection;

/* v, the rate left for the encoders, bit/s; at least 1. */
GccRate gcc_protection_get_encoder_target (const GccProtection *self);

/* The further rate that retransmission may take now, bit/s; nothing where it is
 * not positive. */
GccRate gcc_protection_get_max_retransmission (const GccProtection *self);

/* Greatest number of FEC packets for a hundred media packets: FEC gets at most
 * the rest after retransmission, whether or not the encoder has reached v. */
gdouble gcc_protection_get_max_fec_percentage (const GccProtection *self);

G_END_DECLS
