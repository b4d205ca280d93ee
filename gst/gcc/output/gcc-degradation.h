/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccDegradationPreference:
 * @GCC_DEGRADATION_NONE: size and frame rate stay
 * @GCC_DEGRADATION_BALANCED: the size falls first, then both fall
 * @GCC_DEGRADATION_MAINTAIN_FRAMERATE: only the size falls
 * @GCC_DEGRADATION_MAINTAIN_RESOLUTION: only the frame rate falls
 *
 * The quality to give up when the rate is too low for the video, in the words of W3C
 * (MediaStreamTrack Content Hints, RTCDegradationPreference); the first is
 * libwebrtc's DISABLED.
 */
typedef enum {
  GCC_DEGRADATION_NONE,
  GCC_DEGRADATION_BALANCED,
  GCC_DEGRADATION_MAINTAIN_FRAMERATE,
  GCC_DEGRADATION_MAINTAIN_RESOLUTION,
} GccDegradationPreference;

/**
 * GccCodec:
 *
 * The family of an encoder: one picture takes some more bits than others.
 */
typedef enum {
  GCC_CODEC_VP8,
  GCC_CODEC_VP9,
  GCC_CODEC_H264,
  GCC_CODEC_H265,
  GCC_CODEC_AV1,
} GccCodec;

/**
 * GccVideoFormat:
 * @width: pixels, above 0
 * @height: pixels, above 0
 * @rate_n: frames in @rate_d seconds; 0: the frame rate varies
 * @rate_d: above 0
 */
typedef struct {
  guint width;
  guint height;
  guint rate_n;
  guint rate_d;
} GccVideoFormat;

gboolean gcc_video_format_is_equal (
    const GccVideoFormat *a, const GccVideoFormat *b);

#define GCC_DEGRADATION_MAX_STEPS 9

/* A size and a frame rate, the rate that they need, and since when there has
 * been that rate with a margin, and not. */
typedef struct {
  GccVideoFormat format;
  GccRate needed;
  GccTime above_since;
  GccTime below_since;
} GccDegradationStep;

/**
 * GccDegradation:
 *
 * Chooses size and frame rate of the video from the rate that its encoder is
 * set to, by a ladder of steps made of the source's format and a table of bits
 * per pixel. The encoder may begin anew at each step, with a key frame, so
 * steps are rare: the ladder is left upwards when the rate has held for ten
 * seconds, and at the edge of a step no more than once in that time. A step
 * down waits a second, and less when the rate is too low for the next step,
 * too. At first, when the rate leaves its start, steps follow each other sooner.
 * An encoder that is too slow costs steps, too, whatever the rate is. Fields are
 * private.
 */
typedef struct {
  GccDegradationPreference preference;
  GccCodec codec;
  GccVideoFormat source;
  GccDegradationStep steps[GCC_DEGRADATION_MAX_STEPS];
  guint n_steps;
  guint step;
  guint best;
  GccTime slow_at;
  GccTime patience;
  gboolean is_trying;
  gboolean has_rate;
  GccTime started_at;
  GccTime stepped_at;
} GccDegradation;

void gcc_degradation_init (GccDegradation *self);

/*
 * gcc_degradation_set_source:
 * @source: the video before any step
 *
 * Nothing happens when all three are what they were. Else a new ladder is made,
 * and the next update chooses a step of it at once.
 */
void gcc_degradation_set_source (GccDegradation *self,
    GccDegradationPreference preference, GccCodec codec,
    const GccVideoFormat *source);

/*
 * gcc_degradation_update:
 * @rate: what the encoder is set to, bit/s; below 0: not known, which changes
 *   nothing
 * @now: a clock that is set back counts as time that has passed
 *
 * To be called with each frame, or at least each half second.
 *
 * Returns: whether there is another step
 */
gboolean gcc_degradation_update (
    GccDegradation *self, GccRate rate, GccTime now);

/*
 * gcc_degradation_lower:
 *
 * The encoder is too slow for the present step: the next lower one is taken. Nothing happens before the first rate. A better step is tried again after
 * a minute, and where the encoder is too slow for it still, after two, four and so
 * on.
 */
void gcc_degradation_lower (GccDegradation *self, GccTime now);

/* The format for the encoder: the source's format, or less of it. The frame rate
 * of a source whose frame rate varies is a limit then, and 0 where none holds. */
const GccVideoFormat *gcc_degradation_get_format (const GccDegradation *self);

G_END_DECLS
