/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/compose/gcc-receiver-private.h>
#include <gst/gcc/profiles/gcc-profile-private.h>
#include <gst/gcc/report/gcc-arrival-time.h>

#define INTERVAL (10 * GCC_MSECOND)

/* From the clock of the element to the wall clock. */
#define WALL (1700000000 * GCC_SECOND)

/* Packets on a link without a queue. The element sees each some time after the
 * kernel did, which is not always the same. */
typedef struct {
  GccArrivalTime arrival_time;
  GccTime arrival;
  guint n;
  GccTime min_error;
  GccTime max_error;
} Link;

static void
link_init (Link *self)
{
  gcc_arrival_time_init (&self->arrival_time);
  self->arrival = 100 * GCC_SECOND;
  self->n = 0;
  self->min_error = G_MAXINT64;
  self->max_error = G_MININT64;
}

static GccTime
link_latency (const Link *self)
{
  static const GccTime latencies[] = { 40, 120, 60, 900, 50, 70, 300 };

  return latencies[self->n % G_N_ELEMENTS (latencies)];
}

/* One packet, whose source's clock is @ahead of the element's. @origin is of
 * the time line. */
static void
deliver (Link *self, GccArrivalSource source, GccTime ahead, GccTime origin)
{
  GccTime now = self->arrival + link_latency (self);
  GccTime arrival = gcc_arrival_time_update (
      &self->arrival_time, source, self->arrival + ahead, now);
  GccTime error = arrival - self->arrival - origin;

  self->min_error = MIN (self->min_error, error);
  self->max_error = MAX (self->max_error, error);
  self->arrival += INTERVAL;
  self->n++;
}

static void
deliver_many (Link *self, guint n, GccTime ahead)
{
  for (guint i = 0; i < n; i++)
    deliver (self, GCC_ARRIVAL_KERNEL, ahead, WALL);
}

static void
assert_no_queue_was_seen (const Link *self)
{
  g_assert_cmpint (self->min_error, >=, -GCC_MSECOND);
  g_assert_cmpint (self->max_error, <=, GCC_MSECOND);
}

static void
test_what_fits_passes_unchanged (void)
{
  Link link;

  link_init (&link);
  deliver_many (&link, 1000, WALL);
  g_assert_cmpint (link.min_error, ==, 0);
  g_assert_cmpint (link.max_error, ==, 0);
}

/* The element was held up for a second; the kernel knows better. */
static void
test_a_backlog_keeps_its_arrival_times (void)
{
  GccTime arrival = 100 * GCC_SECOND;
  GccArrivalTime self;

  gcc_arrival_time_init (&self);
  for (guint i = 0; i < 300; i++) {
    GccTime now = i < 100 || i >= 200 ? arrival + 100 : 102 * GCC_SECOND;

    g_assert_cmpint (
        gcc_arrival_time_update (&self, GCC_ARRIVAL_KERNEL, arrival, now), ==,
        arrival);
    arrival += INTERVAL;
  }
}

/* GStreamer 1.22's udpsrc: in one packet of ten the time of the clock itself
 * stands where the running time should. */
static void
test_single_timestamps_of_the_future_are_the_present (void)
{
  const GccTime running_time = -77 * GCC_SECOND;
  Link link;

  link_init (&link);
  for (guint i = 0; i < 1000; i++)
    deliver (&link, GCC_ARRIVAL_BUFFER, i % 10 == 4 ? 0 : running_time,
        running_time);
  assert_no_queue_was_seen (&link);
}

static void
test_it_may_begin_with_a_wrong_one (void)
{
  const GccTime running_time = -77 * GCC_SECOND;
  Link link;

  link_init (&link);
  for (guint i = 0; i < 1000; i++)
    deliver (&link, GCC_ARRIVAL_BUFFER, i % 10 == 0 ? 0 : running_time, 0);
  assert_no_queue_was_seen (&link);
}

static void
test_a_wall_clock_set_in_mid_call_is_no_queue (void)
{
  static const GccTime steps[] = { 2 * GCC_SECOND, -2 * GCC_SECOND,
    3600 * GCC_SECOND, -3600 * GCC_SECOND, 150 * GCC_MSECOND,
    -150 * GCC_MSECOND };

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
    Link link;

    link_init (&link);
    deliver_many (&link, 500, WALL);
    deliver_many (&link, 500, WALL + steps[i]);
    assert_no_queue_was_seen (&link);
    deliver_many (&link, 500, WALL);
    assert_no_queue_was_seen (&link);
  }
}

/* Some buffers have the kernel's time, some only a DTS, some nothing. */
static void
test_sources_are_not_mixed (void)
{
  Link link;

  link_init (&link);
  for (guint i = 0; i < 1000; i++)
    if (i % 7 == 3)
      deliver (&link, GCC_ARRIVAL_BUFFER, -5 * GCC_SECOND, WALL);
    else if (i % 7 == 5)
      deliver (&link, GCC_ARRIVAL_CLOCK, link_latency (&link), WALL);
    else
      deliver (&link, GCC_ARRIVAL_KERNEL, WALL, WALL);
  assert_no_queue_was_seen (&link);

  for (guint i = 0; i < 1000; i++)
    deliver (&link, GCC_ARRIVAL_BUFFER, -5 * GCC_SECOND, WALL);
  assert_no_queue_was_seen (&link);
}

/* After the change-over timestamps count again, to the microsecond. */
static void
test_another_source_is_followed_soon (void)
{
  GccTime first, last;
  Link link;

  link_init (&link);
  deliver_many (&link, 100, WALL);
  for (guint i = 0; i < 10; i++)
    deliver (&link, GCC_ARRIVAL_BUFFER, 0, WALL);
  first = gcc_arrival_time_update (&link.arrival_time, GCC_ARRIVAL_BUFFER,
      link.arrival, link.arrival + 5000);
  last = gcc_arrival_time_update (&link.arrival_time, GCC_ARRIVAL_BUFFER,
      link.arrival + 7777, link.arrival + 60000);
  g_assert_cmpint (last - first, ==, 7777);
}

/* An hour of a clock that is 100 ppm fast, and of one that is as slow. */
static void
test_drift_passes_unchanged (void)
{
  for (gint sign = -1; sign <= 1; sign += 2) {
    GccArrivalTime self;
    GccTime arrival = 0;

    gcc_arrival_time_init (&self);
    for (guint i = 0; i < 360000; i++) {
      GccTime now = arrival + sign * arrival / 10000 + 100;

      g_assert_cmpint (
          gcc_arrival_time_update (&self, GCC_ARRIVAL_KERNEL, arrival, now), ==,
          arrival);
      arrival += INTERVAL;
    }
  }
}

static void
test_clocks_at_the_ends_of_time_do_no_harm (void)
{
  static const GccTime times[] = { G_MININT64, G_MAXINT64, 0, -1, 1,
    G_MAXINT64 - 1, G_MININT64 + 1 };
  GccArrivalTime self;

  gcc_arrival_time_init (&self);
  for (guint i = 0; i < 2401; i++)
    gcc_arrival_time_update (
        &self, (GccArrivalSource) (i % 3), times[i % 7], times[i / 7 % 7]);
}

/* --- with the estimator --- */

/* The estimate after two minutes of frames of two packets, 30 a second, on an
 * empty link, of which udpsrc gets the arrival of every @wrong-th or so wrong
 * (0: of none). Without this stage the default profile ends at a tenth. */
static GccRate
estimate_with_wrong_timestamps (const GccProfile *profile, guint wrong)
{
  GRand *random = g_rand_new_with_seed (1);
  GccArrivalTime arrival_time;
  GccReceiver receiver;
  GccRate estimate;

  gcc_arrival_time_init (&arrival_time);
  gcc_receiver_init (&receiver, profile);
  for (guint i = 0; i < 7200; i++) {
    GccTime sent = 100 * GCC_SECOND + i / 2 * GCC_SECOND / 30;
    GccTime now = sent + i % 2 * 100;
    gboolean is_wrong = wrong > 0 && g_rand_int (random) % wrong == 0;
    GccPacket packet = { .ssrc = 1,
      .rtp_timestamp = i / 2 * 3000,
      .payload_size = 600,
      .has_abs_send_time = TRUE,
      .abs_send_time = gcc_abs_send_time_from_time (sent),
      .arrival = gcc_arrival_time_update (&arrival_time, GCC_ARRIVAL_BUFFER,
          is_wrong ? now : now - GCC_SECOND, now + 50) };

    gcc_receiver_feed (&receiver, &packet, now);
    gcc_receiver_handle_timeout (&receiver, now);
  }
  estimate = gcc_receiver_get_estimate (&receiver);
  gcc_receiver_clear (&receiver);
  g_rand_free (random);

  return estimate;
}

static void
test_wrong_timestamps_do_not_change_the_estimate (void)
{
  for (guint i = 0; i < gcc_n_profiles; i++) {
    GccRate right = estimate_with_wrong_timestamps (gcc_profiles[i], 0);
    GccRate wrong = estimate_with_wrong_timestamps (gcc_profiles[i], 20);

    g_test_message ("%s: %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT,
        gcc_profiles[i]->name, right, wrong);
    g_assert_cmpfloat_with_epsilon ((gdouble) wrong / right, 1., 0.05);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/arrival-time/" #name, test_##name)
  ADD (what_fits_passes_unchanged);
  ADD (a_backlog_keeps_its_arrival_times);
  ADD (single_timestamps_of_the_future_are_the_present);
  ADD (it_may_begin_with_a_wrong_one);
  ADD (a_wall_clock_set_in_mid_call_is_no_queue);
  ADD (sources_are_not_mixed);
  ADD (another_source_is_followed_soon);
  ADD (drift_passes_unchanged);
  ADD (clocks_at_the_ends_of_time_do_no_harm);
  ADD (wrong_timestamps_do_not_change_the_estimate);
  return g_test_run ();
}
