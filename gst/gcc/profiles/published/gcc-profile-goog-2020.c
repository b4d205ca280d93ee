/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/profiles/gcc-profile-parts.h>

const GccProfile gcc_profile_goog_2020 = {
  .name = "goog-2020",
  .description = "libwebrtc's last REMB generation: 5 ms groups, adaptive "
                 "threshold, AIMD",
  GOOG_2020_STAGES,
  GOOG_PACER (0. /* ours */),
};
