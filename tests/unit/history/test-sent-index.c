/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/history/gcc-sent-index.h>

#define LAST (GCC_SENT_INDEX_SIZE - 1)

static GccSentIndex sent;

static void
start (void)
{
  sent = (GccSentIndex){ 0 };
}

static void
test_a_packet_is_found_by_stream_and_number (void)
{
  start ();
  gcc_sent_index_add (&sent, 0, 7, 100);
  gcc_sent_index_add (&sent, LAST, 8, 100);
  g_assert_cmpint (gcc_sent_index_find (&sent, 7, 100), ==, 0);
  g_assert_cmpint (gcc_sent_index_find (&sent, 8, 100), ==, LAST);
  g_assert_cmpint (
      gcc_sent_index_find (&sent, 7, 101), ==, GCC_SENT_INDEX_NONE);
  g_assert_cmpint (
      gcc_sent_index_find (&sent, 9, 100), ==, GCC_SENT_INDEX_NONE);
}

static void
test_packets_of_equal_hash_are_told_apart (void)
{
  start ();
  for (guint i = 0; i < 4; i++)
    gcc_sent_index_add (&sent, i, 7, (guint16) (i * GCC_SENT_INDEX_SIZE));
  gcc_sent_index_remove (&sent, 2);
  for (guint i = 0; i < 4; i++)
    g_assert_cmpint (
        gcc_sent_index_find (&sent, 7, (guint16) (i * GCC_SENT_INDEX_SIZE)), ==,
        i == 2 ? GCC_SENT_INDEX_NONE : (gint) i);
}

static void
test_of_two_equal_packets_the_newer_is_found (void)
{
  start ();
  gcc_sent_index_add (&sent, 3, 7, 100);
  gcc_sent_index_add (&sent, 1, 7, 100);
  g_assert_cmpint (gcc_sent_index_find (&sent, 7, 100), ==, 1);
  gcc_sent_index_remove (&sent, 1);
  g_assert_cmpint (gcc_sent_index_find (&sent, 7, 100), ==, 3);
}

static void
test_all_places_are_used_again_and_again (void)
{
  start ();
  for (guint i = 0; i < 5 * GCC_SENT_INDEX_SIZE; i++) {
    guint place = i % GCC_SENT_INDEX_SIZE;

    if (i >= GCC_SENT_INDEX_SIZE)
      gcc_sent_index_remove (&sent, place);
    gcc_sent_index_add (&sent, place, i % 3, (guint16) (i / 3));
    g_assert_cmpint (
        gcc_sent_index_find (&sent, i % 3, (guint16) (i / 3)), ==, place);
  }
  for (guint place = 0; place < GCC_SENT_INDEX_SIZE; place++)
    gcc_sent_index_remove (&sent, place);
  for (guint i = 0; i < GCC_SENT_INDEX_SIZE; i++)
    g_assert_cmpuint (sent.heads[i], ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/sent-index/" #name, test_##name)
  ADD (a_packet_is_found_by_stream_and_number);
  ADD (packets_of_equal_hash_are_told_apart);
  ADD (of_two_equal_packets_the_newer_is_found);
  ADD (all_places_are_used_again_and_again);
#undef ADD
  return g_test_run ();
}
