/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/history/gcc-large-loss.h>

#define LARGE 1212
#define SMALL 400

static const GccLargeLossParams params = {
  .least = 50, .most = 1000, .lost = 0.95, .passed = 0.2
};

typedef gboolean (*PassesFunc) (gsize size, guint i);

#define OVERHEAD 28

/* Packets of both sizes in turn, eight of them in each feedback, of which this is the
 * first one or, with @again, another one. */
static void
tell (GccLargeLoss *self, guint n, PassesFunc passes, gboolean again)
{
  for (guint i = 0; i < n; i += 8) {
    GccPacketResult packets[8] = { 0 };

    for (guint j = 0; j < 8; j++) {
      gsize size = j % 2 ? LARGE : SMALL;

      packets[j].sent.size = (guint32) size + OVERHEAD;
      packets[j].is_received = passes (size, i + j);
      packets[j].was_lost = again && packets[j].is_received;
      packets[j].had_arrived = again && !packets[j].is_received;
    }
    gcc_large_loss_feed (self, packets, G_N_ELEMENTS (packets));
  }
}

static void
send (GccLargeLoss *self, guint n, PassesFunc passes)
{
  tell (self, n, passes, FALSE);
}

static gboolean
all (gsize size, guint i)
{
  (void) size;
  (void) i;
  return TRUE;
}

static gboolean
none (gsize size, guint i)
{
  return !all (size, i);
}

static gboolean
small_ones (gsize size, guint i)
{
  (void) i;
  return size == SMALL;
}

/* As where each large packet is two fragments. */
static gboolean
large_ones_half (gsize size, guint i)
{
  return size == SMALL || i % 4 == 1;
}

static gboolean
every_third (gsize size, guint i)
{
  (void) size;
  return i % 3 == 0;
}

static void
test_a_path_that_loses_large_packets_alone_is_known (void)
{
  GccLargeLoss loss;

  gcc_large_loss_init (&loss, &params, OVERHEAD);
  send (&loss, 96, small_ones);
  g_assert_cmpuint (gcc_large_loss_get_limit (&loss), ==, 0);
  send (&loss, 8, small_ones);
  g_assert_cmpuint (gcc_large_loss_get_limit (&loss), ==, 1200);
}

static void
test_no_other_loss_is_taken_for_it (void)
{
  static const PassesFunc others[] = { all, none, large_ones_half,
    every_third };

  for (guint i = 0; i < G_N_ELEMENTS (others); i++) {
    GccLargeLoss loss;

    gcc_large_loss_init (&loss, &params, OVERHEAD);
    send (&loss, 4000, others[i]);
    g_assert_cmpuint (gcc_large_loss_get_limit (&loss), ==, 0);
  }
}

static void
test_a_path_that_has_changed_is_known_soon (void)
{
  GccLargeLoss loss;

  gcc_large_loss_init (&loss, &params, OVERHEAD);
  send (&loss, 8000, all);
  send (&loss, 6000, small_ones);
  g_assert_cmpuint (gcc_large_loss_get_limit (&loss), ==, 1200);
  send (&loss, 1000, all);
  g_assert_cmpuint (gcc_large_loss_get_limit (&loss), ==, 0);
}

/* A packet that was late, or whose time becomes known, has two results. */
static void
test_a_packet_counts_once (void)
{
  GccLargeLoss loss;

  gcc_large_loss_init (&loss, &params, OVERHEAD);
  tell (&loss, 200, small_ones, TRUE);
  for (guint i = 0; i < GCC_LARGE_LOSS_N_STEPS; i++)
    g_assert_cmpuint (loss.n[i], ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/large-loss/" #name, test_##name)
  ADD (a_path_that_loses_large_packets_alone_is_known);
  ADD (no_other_loss_is_taken_for_it);
  ADD (a_path_that_has_changed_is_known_soon);
  ADD (a_packet_counts_once);
#undef ADD

  return g_test_run ();
}
