/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/gcc-goog-2026.h>

const GccSentHistoryParams gcc_goog_2026_sent_history = {
  .max_age = 60 * GCC_SECOND, /* C26 */
};
