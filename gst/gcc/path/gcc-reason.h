/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-states.h>
#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/* One word, as in the statistics, the trace and the log. */
const gchar *gcc_reason_to_string (GccReason reason);

/**
 * gcc_reason_follow:
 * @reason: reason of the last change
 * @cause: cause of the present rate
 * @before: rate before, bit/s; %GCC_RATE_NONE while there was none
 * @after: present rate, bit/s
 *
 * Returns: @reason while the rate is the same, @cause when it is not. When a
 * rate rises by a cause that only lowers rates, then the limit has moved up,
 * and %GCC_REASON_GROWTH is returned.
 */
GccReason gcc_reason_follow (
    GccReason reason, GccReason cause, GccRate before, GccRate after);

G_END_DECLS
