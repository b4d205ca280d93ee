/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Makes described calls in the simulators of tests/unit, in the time in which
 * the testbed starts one: a help for development, whose verdicts the testbed has
 * to confirm.
 *
 *     judge [--profile NAME] [--remb] [FILE]
 *
 * A line of measures is written for each call, as CSV. */

#include <stdlib.h>
#include <unistd.h>

#include <gst/gcc/profiles/gcc-profile-private.h>

#include "run.h"

typedef struct {
  const gchar *name;
  gsize offset;
} Column;

#define COLUMN(name, member) { name, G_STRUCT_OFFSET (JudgeMeasures, member) }

static const Column columns[] = {
  COLUMN ("use", use),
  COLUMN ("utilisation", utilisation),
  COLUMN ("share", share),
  COLUMN ("jain", jain),
  COLUMN ("lost_percent", lost_percent),
  COLUMN ("false_back_off_percent", false_back_off_percent),
  COLUMN ("delay_p50_ms", seen.delay_p50_ms),
  COLUMN ("delay_p95_ms", seen.delay_p95_ms),
  COLUMN ("delay_p99_ms", seen.delay_p99_ms),
  COLUMN ("incomplete_percent", seen.incomplete_percent),
  COLUMN ("frozen_percent", seen.frozen_percent),
};

#undef COLUMN

static void
print_head (void)
{
  g_print ("call");
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    g_print (",%s", columns[i].name);
  g_print ("\n");
}

static void
print_measures (const gchar *call, const JudgeMeasures *measures)
{
  g_print ("%s", call);
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    g_print (
        ",%.6g", G_STRUCT_MEMBER (const gdouble, measures, columns[i].offset));
  g_print ("\n");
}

/* Of a FILE, or of the standard input. */
static gchar *
read_text (const gchar *file)
{
  GIOChannel *channel;
  g_autoptr (GError) error = NULL;
  gchar *text = NULL;

  channel = file != NULL ? g_io_channel_new_file (file, "r", &error)
                         : g_io_channel_unix_new (STDIN_FILENO);
  if (channel != NULL) {
    g_io_channel_read_to_end (channel, &text, NULL, &error);
    g_io_channel_unref (channel);
  }
  if (error != NULL)
    g_printerr ("%s\n", error->message);
  return text;
}

static gboolean
judge_line (
    JudgeCall *call, const gchar *line, const JudgeSubject *subject, guint n)
{
  gboolean is_complete;
  const gchar *problem = judge_call_take (call, line, &is_complete);

  if (problem != NULL) {
    g_printerr ("line %u: %s: %.60s\n", n, problem, line);
    return FALSE;
  }
  if (is_complete) {
    JudgeMeasures measures = judge_run (call, subject);

    print_measures (call->name, &measures);
    judge_call_clear (call);
    judge_call_init (call);
  }
  return TRUE;
}

static gboolean
judge_text (const gchar *text, const JudgeSubject *subject)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  JudgeCall call;
  gboolean is_good = TRUE;

  print_head ();
  judge_call_init (&call);
  for (guint i = 0; is_good && lines[i] != NULL; i++)
    is_good = lines[i][0] == '\0' ||
        judge_line (&call, lines[i], subject, i + 1);
  judge_call_clear (&call);
  return is_good;
}

static const GccProfile *
find_profile (const gchar *name, JudgeFeedback feedback)
{
  const GccProfile *profile = gcc_profile_find (name);

  if (profile == NULL)
    g_printerr ("%s: no such profile\n", name);
  else if (feedback == JUDGE_REMB || profile->send_side != NULL)
    return profile;
  else
    g_printerr ("%s: it has no transport-wide feedback: --remb\n", name);
  return NULL;
}

int
main (int argc, char **argv)
{
  g_autofree gchar *name = g_strdup ("recommended");
  gboolean is_remb = FALSE;
  GOptionEntry entries[] = {
    { "profile", 'p', 0, G_OPTION_ARG_STRING, &name, "which is judged",
        "NAME" },
    { "remb", 'r', 0, G_OPTION_ARG_NONE, &is_remb, "over REMB", NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GOptionContext) context = g_option_context_new ("[FILE]");
  g_autoptr (GError) error = NULL;
  g_autofree gchar *text = NULL;
  JudgeSubject subject;

  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error)) {
    g_printerr ("%s\n", error->message);
    return 2;
  }
  subject.feedback = is_remb ? JUDGE_REMB : JUDGE_TRANSPORT_CC;
  subject.profile = find_profile (name, subject.feedback);
  if (subject.profile == NULL)
    return 2;
  text = read_text (argc > 1 ? argv[1] : NULL);
  return text != NULL && judge_text (text, &subject) ? EXIT_SUCCESS : 2;
}
