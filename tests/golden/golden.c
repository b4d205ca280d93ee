/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Golden digests: every profile behaves as it did. Each call of calls.c is made
 * with each profile, over REMB and, where the profile has it, over transport-wide
 * feedback, and the digest of its stats is the one of digests.txt:
 *
 *     golden -r /golden/recommended          those of a profile
 *     golden --write                         writes digests.txt anew
 *     golden --trace PROFILE FEEDBACK CALL   all columns, each 100 ms
 *
 * To find the cause of a difference, compare the traces of two builds. Lines of
 * a published profile never change, those of the default by a commit that says
 * so (CONTRIBUTING.md); tests/test_golden.py holds both. The simulators of
 * tests/unit are a part of each digest: what is new in them is off at first. */

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include <gst/gcc/profiles/gcc-profile-private.h>

#include "file.h"
#include "run.h"
#include "trace.h"

typedef struct {
  const GccProfile *profile;
  GoldenFeedback feedback;
  const GoldenCall *call;
} Case;

typedef void (*CaseFunc) (gpointer data, const Case *each);

static GoldenFile file;

/* --- the cases --- */

static gboolean
has_feedback (const GccProfile *profile, GoldenFeedback feedback)
{
  return feedback == GOLDEN_REMB || profile->send_side != NULL;
}

static void
for_each_call (CaseFunc func, gpointer data, const GccProfile *profile,
    GoldenFeedback feedback)
{
  for (guint i = 0; i < golden_n_calls; i++) {
    Case each = { profile, feedback, &golden_calls[i] };

    func (data, &each);
  }
}

static void
for_each_case (CaseFunc func, gpointer data)
{
  for (guint i = 0; i < gcc_n_profiles; i++) {
    for (guint j = 0; j < GOLDEN_N_FEEDBACKS; j++) {
      if (has_feedback (gcc_profiles[i], j))
        for_each_call (func, data, gcc_profiles[i], j);
    }
  }
}

static gchar *
case_join (const Case *self, const gchar *separator)
{
  return g_strjoin (separator, self->profile->name,
      golden_feedbacks[self->feedback], self->call->name, NULL);
}

static gchar *
case_make_digest (const Case *self)
{
  GoldenDigest digest;

  golden_digest_init (&digest, &file.stats);
  golden_run (
      self->call, self->profile, self->feedback, golden_digest_add, &digest);
  return golden_digest_to_string (&digest);
}

/* --- as tests --- */

static void
fail_at (const gchar *key, guint second)
{
  g_test_fail_printf (
      "%s: differs first between %u s and %u s: golden --trace %s", key, second,
      second + 1, key);
}

static void
test_the_digest_is_as_it_was (gconstpointer data)
{
  g_autofree gchar *key = case_join (data, " ");
  g_autofree gchar *digest = case_make_digest (data);
  const gchar *kept = golden_file_find (&file, key);

  if (kept == NULL)
    g_test_fail_printf ("%s: has no digest yet: golden --write", key);
  else if (strcmp (kept, digest) != 0)
    fail_at (key, golden_digest_compare (kept, digest));
}

static void
find_line (gpointer line, const Case *each)
{
  const gchar **searched = line;
  g_autofree gchar *key = case_join (each, " ");

  if (*searched != NULL && g_str_has_prefix (*searched, key) &&
      (*searched)[strlen (key)] == ' ')
    *searched = NULL;
}

static void
test_every_digest_is_of_a_call (void)
{
  gchar **lines = golden_file_get_digests (&file);

  g_assert_cmpuint (g_strv_length (lines), >, 0);
  for (guint i = 0; lines[i] != NULL; i++) {
    const gchar *line = lines[i];

    for_each_case (find_line, &line);
    if (line != NULL)
      g_test_fail_printf ("no call has this digest: %.60s...", line);
  }
}

static void
check_columns_are_there (const GoldenColumns *columns)
{
  for (guint i = 0; i < columns->n; i++)
    g_assert_nonnull (columns->columns[i]);
}

static void
test_every_column_of_the_digests_is_there (void)
{
  check_columns_are_there (&file.stats.sender);
  check_columns_are_there (&file.stats.receiver);
}

static void
add_test (gpointer data, const Case *each)
{
  g_autofree gchar *words = case_join (each, "/");
  g_autofree gchar *path = g_strconcat ("/golden/", words, NULL);

  /* GTest frees no data of a test that it leaves out: this is reachable still. */
  static Case cases[4096];
  static guint n;

  (void) data;
  g_assert_cmpuint (n, <, G_N_ELEMENTS (cases));
  cases[n] = *each;
  g_test_add_data_func (path, &cases[n++], test_the_digest_is_as_it_was);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/golden/digests/every_digest_is_of_a_call",
      test_every_digest_is_of_a_call);
  g_test_add_func ("/golden/digests/every_column_of_the_digests_is_there",
      test_every_column_of_the_digests_is_there);
  for_each_case (add_test, NULL);
  return g_test_run ();
}

/* --- as a tool --- */

static void
append_line (gpointer text, const Case *each)
{
  g_autofree gchar *key = case_join (each, " ");
  g_autofree gchar *digest = case_make_digest (each);

  g_string_append_printf (text, "%s %s\n", key, digest);
}

static int
write_digests (void)
{
  g_autofree gchar *head = golden_file_get_head (&file);
  GString *text = g_string_new (head);
  g_autoptr (GError) error = NULL;

  for_each_case (append_line, text);
  if (!g_file_set_contents (DIGESTS, text->str, (gssize) text->len, &error))
    g_printerr ("%s\n", error->message);
  g_string_free (text, TRUE);
  return error == NULL ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* The case of the words PROFILE FEEDBACK CALL becomes that of @data. */
typedef struct {
  const gchar *key;
  gboolean is_found;
  Case found;
} Search;

static void
search (gpointer data, const Case *each)
{
  Search *self = data;
  g_autofree gchar *key = case_join (each, " ");

  if (strcmp (self->key, key) != 0)
    return;
  self->is_found = TRUE;
  self->found = *each;
}

static int
trace (char **words)
{
  g_autofree gchar *key = g_strjoinv (" ", words);
  Search searched = { .key = key };

  for_each_case (search, &searched);
  if (!searched.is_found) {
    g_printerr ("no such call: %s\n", key);
    return EXIT_FAILURE;
  }
  golden_run (searched.found.call, searched.found.profile,
      searched.found.feedback, golden_trace_print, NULL);
  return EXIT_SUCCESS;
}

int
main (int argc, char **argv)
{
  int status;

  /* meson takes this for a skipped test; 1 (s390x) is about floats, which come out the same */
  if (FLT_EVAL_METHOD < 0 || FLT_EVAL_METHOD > 1) {
    g_print ("1..0 # SKIP doubles are kept with more bits than they have\n");
    return EXIT_SUCCESS;
  }
  golden_file_load (&file, DIGESTS);
  if (argc == 2 && strcmp (argv[1], "--write") == 0)
    status = write_digests ();
  else if (argc > 2 && strcmp (argv[1], "--trace") == 0)
    status = trace (argv + 2);
  else
    status = run_tests (argc, argv);
  golden_file_clear (&file);
  return status;
}
