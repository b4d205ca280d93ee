/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/report/gcc-remb-release.h>

#include <gst/gcc/gcc-remb.h>

static guint
count_releases (GccRembRelease *release)
{
  guint n = 0;

  for (; gcc_remb_release_is_due (release); n++)
    gcc_remb_release_note_sent (release);

  return n;
}

static void
test_nothing_is_released_where_no_remb_was_sent (void)
{
  GccRembRelease release = { 0 };

  gcc_remb_release_note_feedback (&release);
  g_assert_false (gcc_remb_release_is_due (&release));
  gcc_remb_release_note_sent (&release);
  g_assert_false (gcc_remb_release_is_due (&release));
}

/* Guards against a report that is lost. */
static void
test_three_reports_release_what_was_bound (void)
{
  GccRembRelease release = { 0 };

  gcc_remb_release_note_bound (&release);
  g_assert_false (gcc_remb_release_is_due (&release));
  gcc_remb_release_note_feedback (&release);
  gcc_remb_release_note_feedback (&release);
  g_assert_cmpuint (count_releases (&release), ==, 3);
  gcc_remb_release_note_feedback (&release);
  g_assert_false (gcc_remb_release_is_due (&release));
}

static void
test_a_remb_of_later_binds_again (void)
{
  GccRembRelease release = { 0 };

  gcc_remb_release_note_bound (&release);
  gcc_remb_release_note_feedback (&release);
  gcc_remb_release_note_bound (&release);
  g_assert_false (gcc_remb_release_is_due (&release));
  gcc_remb_release_note_feedback (&release);
  g_assert_cmpuint (count_releases (&release), ==, 3);
}

/* The mantissa on the wire has 18 bits. */
static void
test_no_bound_is_none_on_the_wire (void)
{
  GccRemb remb = { .rate = GCC_REMB_NO_BOUND };
  guint8 fci[GCC_REMB_FCI_LENGTH (0)];

  gcc_remb_write_fci (&remb, fci);
  g_assert_true (gcc_remb_parse_fci (&remb, fci, sizeof fci));
  g_assert_cmpint (remb.rate, >, 999990000);
  g_assert_cmpint (remb.rate, <=, G_MAXINT32);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define TEST(name) g_test_add_func ("/remb-release/" #name, test_##name)
  TEST (nothing_is_released_where_no_remb_was_sent);
  TEST (three_reports_release_what_was_bound);
  TEST (a_remb_of_later_binds_again);
  TEST (no_bound_is_none_on_the_wire);

  return g_test_run ();
}
