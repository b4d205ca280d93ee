/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "file.h"

#include <gst/gcc/gcc-receiver.h>
#include <gst/gcc/gcc-sender.h>
#include <string.h>

#define N_HEAD_LINES 2

static const GccColumn *
find_column (const GccColumn *columns, guint n, const gchar *name)
{
  for (guint i = 0; i < n; i++) {
    if (strcmp (columns[i].name, name) == 0)
      return &columns[i];
  }
  return NULL;
}

static void
choose_all (GoldenColumns *self, const GccColumn *columns, guint n)
{
  g_assert_cmpuint (n, <=, GOLDEN_MAX_COLUMNS);
  for (self->n = 0; self->n < n; self->n++)
    self->columns[self->n] = &columns[self->n];
}

/* The first word says whose columns they are. */
static void
choose (
    GoldenColumns *self, const gchar *line, const GccColumn *columns, guint n)
{
  g_auto (GStrv) words = g_strsplit (line, " ", -1);

  g_assert_cmpuint (g_strv_length (words), <=, GOLDEN_MAX_COLUMNS);
  for (self->n = 0; words[self->n + 1] != NULL; self->n++)
    self->columns[self->n] = find_column (columns, n, words[self->n + 1]);
}

void
golden_file_load (GoldenFile *self, const gchar *path)
{
  g_autofree gchar *text = NULL;

  if (!g_file_get_contents (path, &text, NULL, NULL)) {
    self->lines = g_new0 (gchar *, 1);
    choose_all (&self->stats.sender, gcc_sender_columns, gcc_sender_n_columns);
    choose_all (
        &self->stats.receiver, gcc_receiver_columns, gcc_receiver_n_columns);
    return;
  }
  self->lines = g_strsplit (g_strchomp (text), "\n", -1);
  g_assert_cmpuint (g_strv_length (self->lines), >=, N_HEAD_LINES);
  choose (&self->stats.sender, self->lines[0], gcc_sender_columns,
      gcc_sender_n_columns);
  choose (&self->stats.receiver, self->lines[1], gcc_receiver_columns,
      gcc_receiver_n_columns);
}

void
golden_file_clear (GoldenFile *self)
{
  g_strfreev (self->lines);
}

const gchar *
golden_file_find (const GoldenFile *self, const gchar *key)
{
  gsize length = strlen (key);

  for (guint i = 0; self->lines[i] != NULL; i++) {
    if (g_str_has_prefix (self->lines[i], key) && self->lines[i][length] == ' ')
      return self->lines[i] + length + 1;
  }
  return NULL;
}

static void
append_columns (GString *text, const gchar *side, const GoldenColumns *columns)
{
  g_string_append (text, side);
  for (guint i = 0; i < columns->n; i++) {
    if (columns->columns[i] != NULL)
      g_string_append_printf (text, " %s", columns->columns[i]->name);
  }
  g_string_append_c (text, '\n');
}

gchar *
golden_file_get_head (const GoldenFile *self)
{
  GString *text = g_string_new (NULL);

  append_columns (text, "sender", &self->stats.sender);
  append_columns (text, "receiver", &self->stats.receiver);
  return g_string_free (text, FALSE);
}

gchar **
golden_file_get_digests (const GoldenFile *self)
{
  guint n = g_strv_length (self->lines);

  return self->lines + MIN (n, N_HEAD_LINES);
}
