/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-states.h>

G_BEGIN_DECLS

const gchar *gcc_signal_to_string (GccSignal signal);

G_END_DECLS
