/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gcc-profile-parts.h"

const GccProfile gcc_profile_goog_2020 = {
  .name = "goog-2020",
  .description = "libwebrtc's last REMB generation: 5 ms groups, adaptive "
      "threshold, AIMD",
  .delay = {
    GOOG_2020_GROUP,
    GOOG_2020_FILTER,
    GOOG_2020_DETECTOR (
        6. /* C20 */, 0.0087 /* 1/ms, C20 */, 0.039 /* 1/ms, C20 */),
  },
  GOOG_2020_REMB_PROBE,
  GOOG_2020_RECEIVED_RATE,
  GOOG_2020_RATE_CONTROL (0.85 /* C20 */, 1.5 /* C20 */),
  GOOG_2020_RECEIVER,
  GOOG_2020_REMB,
  GOOG_2020_LOSS_REPORTER,
  GOOG_2020_LOSS,
  GOOG_2020_TARGET,
  GOOG_FEEDBACK_WATCH (1. /* C20: never */),
  GOOG_PROTECTION (1., 0),
  GOOG_TRANSPORT_FEEDBACK,
  GOOG_PACER (0. /* ours */),
};
