/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Sequence numbers of a stream with padding in it: plugin/exit/gstgccsequence.h. */

#include "exit/gstgccsequence.h"

/* Packets that a test sends at most. */
#define N 200000u

static GstGccSequence
make (guint16 first)
{
  GstGccSequence self;

  gst_gcc_sequence_init (&self);
  g_assert_cmpuint (gst_gcc_sequence_translate (&self, first), ==, first);

  return self;
}

#define assert_back(self, wire, expected) \
  G_STMT_START \
  { \
    guint16 seq_; \
    g_assert_true ( \
        gst_gcc_sequence_translate_back (self, (guint16) (wire), &seq_)); \
    g_assert_cmpuint (seq_, ==, (guint16) (expected)); \
  } \
  G_STMT_END

#define assert_no_way_back(self, wire) \
  G_STMT_START \
  { \
    guint16 seq_ = 4711; \
    g_assert_false ( \
        gst_gcc_sequence_translate_back (self, (guint16) (wire), &seq_)); \
    g_assert_cmpuint (seq_, ==, 4711); \
  } \
  G_STMT_END

static void
test_without_padding_numbers_stay (void)
{
  GstGccSequence self = make (65530);

  for (guint16 seq = 65531; seq != 10; seq++) {
    g_assert_cmpuint (gst_gcc_sequence_translate (&self, seq), ==, seq);
    assert_back (&self, seq, seq);
  }
  g_assert_false (gst_gcc_sequence_is_shifted (&self));
}

static void
test_packets_after_padding_make_room_for_it (void)
{
  GstGccSequence self = make (100);

  g_assert_cmpuint (gst_gcc_sequence_pad (&self), ==, 101);
  g_assert_cmpuint (gst_gcc_sequence_pad (&self), ==, 102);
  g_assert_cmpuint (gst_gcc_sequence_translate (&self, 101), ==, 103);
  g_assert_cmpuint (gst_gcc_sequence_pad (&self), ==, 104);
  g_assert_cmpuint (gst_gcc_sequence_translate (&self, 102), ==, 105);

  assert_back (&self, 100, 100);
  assert_no_way_back (&self, 101);
  assert_no_way_back (&self, 102);
  assert_back (&self, 103, 101);
  assert_no_way_back (&self, 104);
  assert_back (&self, 105, 102);
  g_assert_true (gst_gcc_sequence_is_shifted (&self));
}

/* Two packets that change places around the padding would have one number. */
static void
test_a_packet_that_is_late_keeps_its_place (void)
{
  GstGccSequence self = make (10);

  gst_gcc_sequence_translate (&self, 12);
  g_assert_cmpuint (gst_gcc_sequence_pad (&self), ==, 13);
  g_assert_cmpuint (gst_gcc_sequence_translate (&self, 11), ==, 11);
  g_assert_cmpuint (gst_gcc_sequence_translate (&self, 13), ==, 14);
  g_assert_cmpuint (gst_gcc_sequence_pad (&self), ==, 15);
  g_assert_cmpuint (gst_gcc_sequence_translate (&self, 13), ==, 14);
  g_assert_cmpuint (gst_gcc_sequence_translate (&self, 12), ==, 12);
  g_assert_cmpuint (gst_gcc_sequence_translate (&self, 9), ==, 9);
}

/* Against a table of all that was sent, through several wraps: the shift wraps,
 * too. */
static void
test_both_directions_agree_through_wraps (void)
{
  GstGccSequence self;
  guint16 *seqs = g_new0 (guint16, N);
  gboolean *is_padding = g_new0 (gboolean, N);
  GRand *rand = g_rand_new_with_seed (1);
  guint16 seq = 65000;

  gst_gcc_sequence_init (&self);
  for (guint i = 0; i < N; i++) {
    guint wire;

    is_padding[i] = i > 0 && (i / 10) % 5 != 0;
    if (is_padding[i]) {
      wire = gst_gcc_sequence_pad (&self);
    } else {
      seqs[i] = seq++;
      wire = gst_gcc_sequence_translate (&self, seqs[i]);
    }
    g_assert_cmpuint (wire, ==, (guint16) (65000 + i));

    for (guint k = 0; k < 3; k++) {
      guint j = i - (guint) g_rand_int_range (rand, 0, (gint) MIN (i + 1, 500));

      if (is_padding[j])
        assert_no_way_back (&self, 65000 + j);
      else
        assert_back (&self, 65000 + j, seqs[j]);
    }
  }

  g_rand_free (rand);
  g_free (is_padding);
  g_free (seqs);
}

/* A wrong packet is worse than none. */
static void
test_what_is_too_long_ago_is_not_known (void)
{
  GstGccSequence self = make (0);
  guint16 seq = 0;

  for (guint i = 0; i < GST_GCC_SEQUENCE_GAPS + 1; i++) {
    gst_gcc_sequence_pad (&self);
    gst_gcc_sequence_translate (&self, ++seq);
  }
  assert_no_way_back (&self, 0);
  assert_no_way_back (&self, 1);
  assert_back (&self, 2, 1);
  assert_no_way_back (&self, 3);
  assert_back (&self, 4, 2);
}

/* A payloader was replaced: its numbers are others, and nothing of before comes
 * again. */
static void
test_a_restart_of_the_stream_goes_on_shifted (void)
{
  GstGccSequence self = make (1000);

  gst_gcc_sequence_pad (&self);
  gst_gcc_sequence_translate (&self, 1001);
  g_assert_cmpuint (gst_gcc_sequence_translate (&self, 40000), ==, 40001);
  g_assert_cmpuint (gst_gcc_sequence_translate (&self, 40001), ==, 40002);
  g_assert_cmpuint (gst_gcc_sequence_translate (&self, 500), ==, 501);
  assert_back (&self, 501, 500);
  g_assert_cmpuint (gst_gcc_sequence_pad (&self), ==, 502);
  g_assert_cmpuint (gst_gcc_sequence_translate (&self, 501), ==, 503);
  g_assert_cmpuint (gst_gcc_sequence_translate (&self, 0), ==, 2);
}

static void
test_a_lost_packet_leaves_its_number (void)
{
  GstGccSequence self = make (7);

  gst_gcc_sequence_pad (&self);
  g_assert_cmpuint (gst_gcc_sequence_translate (&self, 10), ==, 11);
  assert_back (&self, 10, 9);
  assert_back (&self, 9, 8);
  assert_no_way_back (&self, 8);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name) g_test_add_func ("/sequence/" #name, test_##name)
  ADD (without_padding_numbers_stay);
  ADD (packets_after_padding_make_room_for_it);
  ADD (a_packet_that_is_late_keeps_its_place);
  ADD (both_directions_agree_through_wraps);
  ADD (what_is_too_long_ago_is_not_known);
  ADD (a_restart_of_the_stream_goes_on_shifted);
  ADD (a_lost_packet_leaves_its_number);
#undef ADD

  return g_test_run ();
}
