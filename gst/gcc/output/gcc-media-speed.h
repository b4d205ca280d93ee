/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccMediaSpeedParams:
 * @window: over so long the speed is measured, µs
 * @n_windows: so many windows in a row have to be too fast, or too slow
 * @fast: a speed above this is too fast; more than 1
 * @slow: a speed below this is too slow; less than 1
 * @jump: a timestamp that is older by more than this begins anew, µs
 */
typedef struct {
  GccTime window;
  guint n_windows;
  gdouble fast;
  gdouble slow;
  GccTime jump;
} GccMediaSpeedParams;

/**
 * GccMediaSpeed:
 *
 * Whether media advances as fast as time does. Media of a source that is not live
 * comes as fast as it can be encoded where nothing waits for a clock, and media of
 * an encoder that is too slow falls behind. A pause, a jump in the timestamps or a
 * burst fills one window only. Fields are private.
 */
typedef struct {
  const GccMediaSpeedParams *params;
  GccTime since;
  GccTime media;
  GccTime newest;
  guint n_fast;
  guint n_slow;
  GccTime late;
} GccMediaSpeed;

void gcc_media_speed_init (
    GccMediaSpeed *self, const GccMediaSpeedParams *params);

/*
 * gcc_media_speed_feed:
 * @media: timestamp of a packet, µs; one that is older than another before it, as
 *   of a retransmission, changes nothing, unless it is much older
 * @now: when the packet came
 *
 * Returns: the speed, each time that so many windows were too fast (above 1) or too
 *   slow (below 1); 0. otherwise
 */
gdouble gcc_media_speed_feed (GccMediaSpeed *self, GccTime media, GccTime now);

/* How far media has fallen behind since it is too slow, µs. */
GccTime gcc_media_speed_get_late (const GccMediaSpeed *self);

G_END_DECLS
