/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Measures CPU time, not the wall's, so that other processes disturb it little;
 * what they do to the caches stays. */

#define _GNU_SOURCE

#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <gst/gst.h>

#define N_ROUNDS 15

/* --- allocations: the C library's functions, with a counter --- */

static guint64 n_allocations;

#ifdef __GLIBC__
#define COUNTS_ALLOCATIONS TRUE

extern void *__libc_malloc (size_t size);
extern void *__libc_calloc (size_t n, size_t size);
extern void *__libc_realloc (void *memory, size_t size);

void *
malloc (size_t size)
{
  n_allocations++;
  return __libc_malloc (size);
}

void *
calloc (size_t n, size_t size)
{
  n_allocations++;
  return __libc_calloc (n, size);
}

void *
realloc (void *memory, size_t size)
{
  n_allocations++;
  return __libc_realloc (memory, size);
}
#else
#define COUNTS_ALLOCATIONS FALSE
#endif

static void
check_allocations_are_counted (void)
{
  guint64 before = n_allocations;

  g_free (g_malloc (1));
  g_free (g_malloc0 (1));
  if (COUNTS_ALLOCATIONS && n_allocations != before + 2)
    g_error ("allocations are not counted");
}

/* --- rounds --- */

gint64
bench_cpu_time (void)
{
  struct timespec time;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);
  return (gint64) time.tv_sec * 1000000000 + time.tv_nsec;
}

static gint
compare_doubles (gconstpointer a, gconstpointer b)
{
  const gdouble *x = a, *y = b;

  return (*x > *y) - (*x < *y);
}

static void
summarise (gdouble *ns, BenchResult *result)
{
  qsort (ns, N_ROUNDS, sizeof *ns, compare_doubles);
  result->ns = ns[N_ROUNDS / 2];
  result->spread = ns[N_ROUNDS * 3 / 4] - ns[N_ROUNDS / 4];
}

void
bench_run_together (BenchFunc func, gpointer *user_data, guint n_runs, guint n,
    BenchResult *results)
{
  gdouble (*ns)[N_ROUNDS] = g_malloc_n (n_runs, sizeof *ns);

  for (guint run = 0; run < n_runs; run++) {
    func (user_data[run], n);
    results[run].allocations = COUNTS_ALLOCATIONS ? 0. : -1.;
  }
  for (guint round = 0; round < N_ROUNDS; round++) {
    for (guint run = 0; run < n_runs; run++) {
      guint64 allocations = n_allocations;
      gint64 start = bench_cpu_time ();

      func (user_data[run], n);
      ns[run][round] = (gdouble) (bench_cpu_time () - start) / n;
      if (COUNTS_ALLOCATIONS)
        results[run].allocations += (gdouble) (n_allocations - allocations) /
            ((gdouble) n * N_ROUNDS);
    }
  }
  for (guint run = 0; run < n_runs; run++)
    summarise (ns[run], &results[run]);
  g_free (ns);
}

BenchResult
bench_run (BenchFunc func, gpointer user_data, guint n)
{
  BenchResult result;

  bench_run_together (func, &user_data, 1, n, &result);
  return result;
}

/* --- the call --- */

BenchPacket *
bench_make_call (guint n_packets)
{
  BenchPacket *packets = g_new (BenchPacket, n_packets);
  GRand *rand = g_rand_new_with_seed (1);
  gint64 last = 0;

  for (guint i = 0; i < n_packets; i++) {
    gint64 frame = (gint64) i * BENCH_FRAMES_PER_SECOND /
        BENCH_PACKETS_PER_SECOND;
    gint64 first = (frame * BENCH_PACKETS_PER_SECOND + BENCH_FRAMES_PER_SECOND -
                       1) /
        BENCH_FRAMES_PER_SECOND;
    gint64 sent = frame * 1000000 / BENCH_FRAMES_PER_SECOND +
        (i - first) * 1000;
    gint64 arrival = sent + 50000 + g_rand_int_range (rand, 0, 3000);

    last = packets[i].arrival_us = MAX (arrival, last);
    packets[i].rtp_timestamp = (guint32) (frame * 90000 /
        BENCH_FRAMES_PER_SECOND);
    packets[i].abs_send_time = (guint32) ((sent << 18) / 1000000) & 0xffffff;
  }
  g_rand_free (rand);
  return packets;
}

/* --- the table --- */

void
bench_print (const gchar *what, const BenchResult *result)
{
  printf ("  %-42s %8.1f ns  ± %5.1f", what, result->ns, result->spread / 2.);
  if (result->allocations < 0.)
    printf ("  allocations not counted\n");
  else
    printf ("  %8.4f allocations\n", result->allocations);
  fflush (stdout);
}

void
bench_print_goal (
    const gchar *goal, gdouble value, gdouble limit, const gchar *unit)
{
  printf ("  goal: %s at most %g%s: %s (%.4g%s)\n", goal, limit, unit,
      value <= limit ? "met" : "MISSED", value, unit);
  fflush (stdout);
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  check_allocations_are_counted ();

  printf ("median of %d rounds, ± half the distance of their quartiles\n",
      N_ROUNDS);
  bench_library ();
  bench_elements ();
  gst_deinit ();
  return 0;
}
