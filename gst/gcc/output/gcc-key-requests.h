/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccKeyRequestsParams:
 * @share: part of the rate, 0 to 1, that key frames on request may take
 * @max_wait: a request waits no longer for that, µs
 */
typedef struct {
  gdouble share;
  GccTime max_wait;
} GccKeyRequestsParams;

/**
 * GccKeyCost:
 *
 * Bytes of a key frame: those of the greatest frame since the last request but one
 * went to the encoder, as no codec is known here. Fields are private;
 * zero-initialised: no frame was seen.
 */
typedef struct {
  gboolean has_frame;
  guint32 timestamp;
  guint64 bytes;
  guint64 greatest;
  guint64 greatest_before;
} GccKeyCost;

/* A packet with the RTP time @timestamp. Returns whether a frame begins. */
gboolean gcc_key_cost_feed (GccKeyCost *self, guint32 timestamp, gsize bytes);

/* A request goes to the encoder. */
void gcc_key_cost_requested (GccKeyCost *self);

/* How far apart requests are to be at @rate, bit/s, above 0. */
GccTime gcc_key_cost_get_interval (
    const GccKeyCost *self, const GccKeyRequestsParams *params, GccRate rate);

/**
 * GccKeyVerdict:
 * @GCC_KEY_PASSES: the request goes to the encoder
 * @GCC_KEY_WAITS: it is to be judged again later
 * @GCC_KEY_IS_ANSWERED: the key frame of an earlier request is still to come
 */
typedef enum {
  GCC_KEY_PASSES,
  GCC_KEY_WAITS,
  GCC_KEY_IS_ANSWERED,
} GccKeyVerdict;

/*
 * gcc_key_requests_judge:
 * @asked_at: when the request came
 * @passed_at: when the last one went to the encoder; %GCC_TIME_NONE: none has
 * @frame_at: when the last frame began; %GCC_TIME_NONE: none has
 * @interval: of gcc_key_cost_get_interval()
 *
 * Until a frame has begun, its key frame answers whoever asks.
 */
GccKeyVerdict gcc_key_requests_judge (GccTime asked_at, GccTime passed_at,
    GccTime frame_at, GccTime interval, GccTime now);

G_END_DECLS
