/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccEncoderRatioParams:
 * @window: time over which an encoder is measured
 * @steady: a window counts where the wanted rate has changed by at most this
 *   factor, at least 1
 * @over: more than this multiple of the wanted rate is too much, above 1
 * @under: less than this part of the wanted rate is too little, below 1
 * @least: least ratio that is learnt, above 0
 * @most: greatest ratio that is learnt, above 1
 * @step: an encoder that sends too little is set to this multiple, above 1, to see
 *   whether it sends more
 * @doubt: after a step without an answer none is made for so long, and twice as
 *   long after each further one
 * @relapse: what is too much for so long ends a correction upwards
 */
typedef struct {
  GccTime window;
  gdouble steady;
  gdouble over;
  gdouble under;
  gdouble least;
  gdouble most;
  gdouble step;
  GccTime doubt;
  GccTime relapse;
} GccEncoderRatioParams;

/**
 * GccEncoderRatio:
 *
 * The ratio of what an encoder sends to what it is set to, and the factor by which
 * its rate has to differ from the wanted one. Two windows in a row decide, because
 * a key frame or a change of the picture is not the encoder's fault. Too much is
 * corrected at once. Too little may be all that the picture needs: whether the encoder could
 * send more is tried in steps, and a correction upwards ends as soon as the
 * encoder sends too much. Fields are private.
 */
typedef struct {
  const GccEncoderRatioParams *params;
  gdouble factor;

  gboolean is_measuring;
  GccTime start;
  GccTime updated_at;
  guint64 first_bytes;
  GccRate wanted;
  gdouble wanted_bits;
  GccRate least_wanted;
  GccRate most_wanted;

  GccTime short_start;
  guint64 short_bytes;

  gint streak;
  gdouble tried_part;
  gdouble tried_factor;
  GccTime next_step;
  GccTime doubt;

  GccRate told;
  GccRate sent;
} GccEncoderRatio;

/* @params: (nullable): %NULL: the factor stays 1 */
void gcc_encoder_ratio_init (
    GccEncoderRatio *self, const GccEncoderRatioParams *params);

/*
 * gcc_encoder_ratio_update:
 * @bytes: all that the encoder has sent so far
 * @wanted: what it is to send from now on, bit/s, above 0
 * @now: a clock that is set back begins the window anew
 *
 * To be called at least once a second.
 *
 * Returns: whether gcc_encoder_ratio_get_factor() has changed
 */
gboolean gcc_encoder_ratio_update (
    GccEncoderRatio *self, guint64 bytes, GccRate wanted, GccTime now);

/* The bytes of now say nothing of the encoder: the measurement begins anew with the
 * next update. */
void gcc_encoder_ratio_pause (GccEncoderRatio *self);

/* The encoder is to be set to this multiple of the wanted rate. */
gdouble gcc_encoder_ratio_get_factor (const GccEncoderRatio *self);

/* Whether the factor is that of an encoder which sends too much, or which has answered
 * that it could send more. */
gboolean gcc_encoder_ratio_is_wrong (const GccEncoderRatio *self);

/* Of the last window: the rate that the encoder was set to, and what it sent, bit/s.
 * %FALSE, and nothing is written, before the first. */
gboolean gcc_encoder_ratio_get_rates (
    const GccEncoderRatio *self, GccRate *told, GccRate *sent);

G_END_DECLS
