/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

/* What a sender has sent, and the results of feedback about that. */

#include <gst/gcc/history/gcc-sent-history.h>
#include <gst/gcc/profiles/gcc-goog-2026.h>
#include <string.h>

#define MAX_RESULTS GCC_SENT_HISTORY_MAX_RESULTS
#define SIZE 1000
#define LOST (-1)

typedef struct {
  GccSentHistory history;
  guint8 count;
  GccPacketResult results[MAX_RESULTS];
  guint n_results;
} SentPath;

/* Too large for the stack. */
static SentPath path;

static inline void
path_init (void)
{
  memset (&path, 0, sizeof path);
  gcc_sent_history_init (&path.history, &gcc_goog_2026_sent_history);
}

/* Numbers of the results; those lost with a minus in front. */
static inline gchar *
describe_results (void)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < path.n_results; i++)
    g_string_append_printf (text, "%s%s%d", i == 0 ? "" : " ",
        path.results[i].is_received ? "" : "-",
        (gint) path.results[i].sent.seq);
  return g_string_free (text, FALSE);
}

static inline void
check_results (const gchar *expected)
{
  g_autofree gchar *got = describe_results ();

  g_assert_cmpstr (got, ==, expected);
}

static inline gint64
get_in_flight (void)
{
  return path.history.in_flight;
}

static inline const GccSentHistoryStats *
stats (void)
{
  return &path.history.stats;
}
