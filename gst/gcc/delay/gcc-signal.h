/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * GccSignal:
 * @GCC_SIGNAL_NORMAL: the queues are neither filling nor draining
 * @GCC_SIGNAL_UNDERUSE: the queues drain
 * @GCC_SIGNAL_OVERUSE: the queues fill
 *
 * The over-use detector's signal, in ascending order of precedence when the
 * streams of one session are combined.
 */
typedef enum {
  GCC_SIGNAL_NORMAL,
  GCC_SIGNAL_UNDERUSE,
  GCC_SIGNAL_OVERUSE,
} GccSignal;

const gchar *gcc_signal_to_string (GccSignal signal);

G_END_DECLS
