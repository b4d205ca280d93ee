/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gcc-round-trip.h"

#define COMPACT_NTP_SECOND G_GINT64_CONSTANT (65536)

guint32
gcc_compact_ntp (guint64 ntp)
{
  return (guint32) (ntp >> 16);
}

guint32
gcc_compact_ntp_from_time (GccTime duration)
{
  /* Above this the product below would overflow. */
  duration = CLAMP (duration, 0, G_MAXUINT16 * GCC_SECOND);

  return (guint32) (duration * COMPACT_NTP_SECOND / GCC_SECOND);
}

void
gcc_round_trip_init (GccRoundTrip *self)
{
  *self = (GccRoundTrip){ 0 };
}

void
gcc_round_trip_note_sent (GccRoundTrip *self, guint32 lsr, GccTime now)
{
  self->reports[self->next].lsr = lsr;
  self->reports[self->next].sent = now;
  self->next = (self->next + 1) % GCC_ROUND_TRIP_HISTORY;
}

GccTime
gcc_round_trip_measure (
    const GccRoundTrip *self, guint32 lsr, guint32 dlsr, GccTime now)
{
  /* A compact timestamp of 0 marks a free entry, too. */
  if (lsr == 0)
    return GCC_TIME_NONE;

  for (guint i = 0; i < GCC_ROUND_TRIP_HISTORY; i++) {
    if (self->reports[i].lsr == lsr) {
      GccTime delay_at_receiver = (GccTime) dlsr * GCC_SECOND /
          COMPACT_NTP_SECOND;

      GccTime passed = gcc_time_diff (now, self->reports[i].sent);

      return passed > delay_at_receiver ? passed - delay_at_receiver : 0;
    }
  }

  return GCC_TIME_NONE;
}
