/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/delay/gcc-signal.h>

const gchar *
gcc_signal_to_string (GccSignal signal)
{
  switch (signal) {
    case GCC_SIGNAL_NORMAL:
      return "normal";
    case GCC_SIGNAL_UNDERUSE:
      return "underuse";
    case GCC_SIGNAL_OVERUSE:
      return "overuse";
  }

  g_return_val_if_reached (NULL);
}
