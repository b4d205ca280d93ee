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

/* Packets of both sizes in turn, and a feedback for each eight. @first: the number of
 * the first */
static void
send_from (GccLargeLoss *self, guint16 first, guint n, PassesFunc passes)
{
  for (guint i = 0; i < n; i += 8) {
    guint16 base = (guint16) (first + i);
    guint8 fci[] = { (guint8) (base >> 8), (guint8) base, 0, 8, 0, 0, 0, 0,
      /* one-bit statuses, the first bit is the first packet */
      0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 };
    GccTransportFeedback feedback;
    guint bits = 0;

    for (guint j = 0; j < 8; j++) {
      gsize size = j % 2 ? LARGE : SMALL;

      gcc_large_loss_feed_sent (self, (guint16) (base + j), size);
      if (passes (size, i + j))
        bits |= 1u << (13 - j);
    }
    fci[8] = (guint8) (0x80 | bits >> 8);
    fci[9] = (guint8) bits;
    g_assert_true (
        gcc_transport_feedback_parse_fci (&feedback, fci, sizeof fci));
    gcc_large_loss_feed_feedback (self, &feedback);
  }
}

static void
send (GccLargeLoss *self, guint n, PassesFunc passes)
{
  send_from (self, 65000, n, passes);
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

  gcc_large_loss_init (&loss, &params);
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

    gcc_large_loss_init (&loss, &params);
    send (&loss, 4000, others[i]);
    g_assert_cmpuint (gcc_large_loss_get_limit (&loss), ==, 0);
  }
}

static void
test_a_path_that_has_changed_is_known_soon (void)
{
  GccLargeLoss loss;

  gcc_large_loss_init (&loss, &params);
  send (&loss, 8000, all);
  send (&loss, 6000, small_ones);
  g_assert_cmpuint (gcc_large_loss_get_limit (&loss), ==, 1200);
  send (&loss, 1000, all);
  g_assert_cmpuint (gcc_large_loss_get_limit (&loss), ==, 0);
}

static void
test_numbers_that_were_not_sent_do_not_count (void)
{
  GccLargeLoss loss;

  gcc_large_loss_init (&loss, &params);
  send (&loss, 200, small_ones);
  for (guint i = 0; i < GCC_LARGE_LOSS_N_STEPS; i++)
    loss.n[i] = loss.n_lost[i] = 0;
  for (guint i = 0; i < 100; i++) {
    guint8 fci[] = { 0, 0, 0, 8, 0, 0, 0, 0, 0x80, 0 };
    GccTransportFeedback feedback;

    g_assert_true (
        gcc_transport_feedback_parse_fci (&feedback, fci, sizeof fci));
    gcc_large_loss_feed_feedback (&loss, &feedback);
  }
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
  ADD (numbers_that_were_not_sent_do_not_count);
#undef ADD

  return g_test_run ();
}
