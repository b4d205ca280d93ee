/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccReportBlock:
 * @reporter: SSRC of the receiver that reports
 * @ssrc: SSRC of the stream it reports on
 * @fraction_lost: since the reporter's last report, in 1/256 (RFC 3550,
 *   section 6.4.1)
 * @ext_highest_seq: extended highest sequence number received
 * @rtt: round-trip time from LSR and DLSR; %GCC_TIME_NONE if unknown
 */
typedef struct {
  guint32 reporter;
  guint32 ssrc;
  guint8 fraction_lost;
  guint32 ext_highest_seq;
  GccTime rtt;
} GccReportBlock;

G_END_DECLS
