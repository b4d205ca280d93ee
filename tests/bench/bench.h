/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A call at 1 Mbit/s, as a receiver sees it. */
#define BENCH_PACKETS_PER_SECOND 125
#define BENCH_FRAMES_PER_SECOND 30
#define BENCH_PAYLOAD_SIZE 1000
#define BENCH_N_RECEIVERS 1000

/**
 * BenchPacket:
 * @arrival_us: with a few ms of jitter, never back
 * @rtp_timestamp: 90 kHz, of the frame
 * @abs_send_time: 2^-18 s, of the packet
 */
typedef struct {
  gint64 arrival_us;
  guint32 rtp_timestamp;
  guint32 abs_send_time;
} BenchPacket;

/* The packets of such a call, from a fixed seed. Free with g_free(). */
BenchPacket *bench_make_call (guint n_packets);

/* Does @n things; what is prepared before is not measured. */
typedef void (*BenchFunc) (gpointer user_data, guint n);

/**
 * BenchResult:
 * @ns: CPU time of one thing, median of the rounds
 * @spread: from the lower to the upper quartile of the rounds, ns
 * @allocations: of one thing; negative where they cannot be counted
 */
typedef struct {
  gdouble ns;
  gdouble spread;
  gdouble allocations;
} BenchResult;

/* Calls @func (@user_data, @n) for some rounds, after one to warm up. */
BenchResult bench_run (BenchFunc func, gpointer user_data, guint n);

/* The same for several at once, each round of one next to a round of the
 * other, so that noise of the machine hits all. */
void bench_run_together (BenchFunc func, gpointer *user_data, guint n_runs,
    guint n, BenchResult *results);

/* CPU time of this thread so far, ns. */
gint64 bench_cpu_time (void);

/* Prints a line of the table, or what a goal is and whether it was met. */
void bench_print (const gchar *what, const BenchResult *result);
void bench_print_goal (
    const gchar *goal, gdouble value, gdouble limit, const gchar *unit);

void bench_library (void);
void bench_elements (void);

G_END_DECLS
