/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/gcc-receiver.h>
#include <gst/gcc/gcc-sender.h>
#include <gst/gcc/path/gcc-reason.h>
#include <string.h>

/* There with "-", and one row may have several. */
static void
check_is_in_stats (const GccColumn *columns, guint n_columns)
{
  gchar *page;

  g_assert_true (g_file_get_contents (STATS_PAGE, &page, NULL, NULL));
  for (guint i = 0; i < n_columns; i++) {
    gchar *name = g_strdup_printf ("`%s`", columns[i].name);

    g_strdelimit (name, "_", '-');
    if (strstr (page, name) == NULL)
      g_error ("docs/stats.md lacks %s", name);
    g_free (name);
  }
  g_free (page);
}

static void
test_every_column_and_field_is_documented (void)
{
  check_is_in_stats (gcc_receiver_columns, gcc_receiver_n_columns);
  check_is_in_stats (gcc_sender_columns, gcc_sender_n_columns);
}

static void
test_every_reason_is_documented (void)
{
  gchar *page;

  g_assert_true (g_file_get_contents (STATS_PAGE, &page, NULL, NULL));
  for (GccReason reason = GCC_REASON_START; reason <= GCC_REASON_ECN;
       reason++) {
    gchar *row = g_strdup_printf ("\n| `%s` | ", gcc_reason_to_string (reason));

    if (strstr (page, row) == NULL)
      g_error ("docs/stats.md lacks %s", row);
    g_free (row);
  }
  g_free (page);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/columns/every_column_and_field_is_documented",
      test_every_column_and_field_is_documented);
  g_test_add_func (
      "/columns/every_reason_is_documented", test_every_reason_is_documented);

  return g_test_run ();
}
