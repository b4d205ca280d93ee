/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gcc/path/gcc-packet-train.h>

G_BEGIN_DECLS

/* Number of trains that show the rate of the link. */
#define GCC_LINK_TRAINS 8

/**
 * GccLinkTrainsParams:
 * @train: packets of one frame
 * @max_age: greatest age of the trains that show the rate of the link
 * @share: greatest first A_r, as a share of the rate of the link
 * @raise: greatest first A_r, as a multiple of R(t)
 */
typedef struct {
  GccPacketTrainParams train;
  GccTime max_age;
  gdouble share;
  gdouble raise;
} GccLinkTrainsParams;

/**
 * GccLinkTrains:
 *
 * The rate of the link by the last trains. Other flows on the link make no
 * difference, because only the time from one packet to the next is compared.
 * Fields are private.
 */
typedef struct {
  const GccLinkTrainsParams *params;
  GccTrainRates trains[GCC_LINK_TRAINS];
  GccTime times[GCC_LINK_TRAINS];
  guint n_trains;
  guint next;
} GccLinkTrains;

void gcc_link_trains_init (
    GccLinkTrains *self, const GccLinkTrainsParams *params);

/* Takes the rates of one train, in the order of arrival. */
void gcc_link_trains_feed (
    GccLinkTrains *self, const GccTrainRates *train, GccTime now);

/* Greatest rate of the link by the last trains, bit/s; %GCC_RATE_NONE: there
 * are too few trains. */
GccRate gcc_link_trains_get_most (const GccLinkTrains *self, GccTime now);

/* Greatest first A_r by the first trains, bit/s: at least @received_rate, R(t). */
GccRate gcc_link_trains_get_start (
    const GccLinkTrains *self, GccRate received_rate);

G_END_DECLS
