/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/history/gcc-packet-result.h>

static gboolean
is_before (const GccPacketResult *a, const GccPacketResult *b)
{
  return a->arrival != b->arrival ? a->arrival < b->arrival
                                  : a->sent.seq < b->sent.seq;
}

static gboolean
is_sorted (const GccPacketResult *results, guint n_results)
{
  for (guint i = 1; i < n_results; i++)
    if (is_before (&results[i], &results[i - 1]))
      return FALSE;
  return TRUE;
}

static void
swap (GccPacketResult *a, GccPacketResult *b)
{
  GccPacketResult kept = *a;

  *a = *b;
  *b = kept;
}

static void
sift_down (GccPacketResult *heap, guint root, guint n)
{
  for (;;) {
    guint child = 2 * root + 1;

    if (child >= n)
      return;
    if (child + 1 < n && is_before (&heap[child], &heap[child + 1]))
      child++;
    if (!is_before (&heap[root], &heap[child]))
      return;
    swap (&heap[root], &heap[child]);
    root = child;
  }
}

/* In place, and as fast for any order that a peer may choose. */
static void
heap_sort (GccPacketResult *results, guint n_results)
{
  for (guint root = n_results / 2; root > 0; root--)
    sift_down (results, root - 1, n_results);
  for (guint n = n_results - 1; n > 0; n--) {
    swap (&results[0], &results[n]);
    sift_down (results, 0, n);
  }
}

/* Brings those with an arrival to the front, in the order they have; returns
 * how many there are. */
static guint
partition (GccPacketResult *results, guint n_results)
{
  guint n_arrived = 0;

  for (guint i = 0; i < n_results; i++) {
    if (results[i].arrival == GCC_TIME_NONE)
      continue;
    if (i != n_arrived)
      swap (&results[i], &results[n_arrived]);
    n_arrived++;
  }
  return n_arrived;
}

guint
gcc_packet_results_sort (GccPacketResult *results, guint n_results)
{
  guint n_arrived = partition (results, n_results);

  if (!is_sorted (results, n_arrived))
    heap_sort (results, n_arrived);
  return n_arrived;
}

static GccTime
get_last_arrival (const GccPacketResult *results, guint n_results)
{
  GccTime last = GCC_TIME_NONE;

  for (guint i = 0; i < n_results; i++)
    last = MAX (last, results[i].arrival);
  return last;
}

gboolean
gcc_packet_results_get_round_trip (const GccPacketResult *results,
    guint n_results, GccTime now, GccTime *max_feedback, GccTime *propagation)
{
  GccTime last_arrival = get_last_arrival (results, n_results);
  GccTime longest = G_MININT64;
  GccTime shortest = G_MAXINT64;

  if (last_arrival == GCC_TIME_NONE)
    return FALSE;

  for (guint i = 0; i < n_results; i++) {
    GccTime feedback, waiting;

    if (results[i].arrival == GCC_TIME_NONE)
      continue;
    feedback = gcc_time_diff (now, results[i].sent.time);
    waiting = gcc_time_diff (last_arrival, results[i].arrival);
    longest = MAX (longest, feedback);
    shortest = MIN (shortest, gcc_time_diff (feedback, waiting));
  }
  *max_feedback = longest;
  *propagation = shortest;
  return TRUE;
}
