/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Runs a target once with each file of the directories or files given, where
 * libFuzzer is not there to do it: each file of a corpus is a test. */

#include <glib.h>
#include <stdlib.h>

int LLVMFuzzerInitialize (int *argc, char ***argv);
int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static guint
replay_file (const gchar *path)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *text = NULL;
  g_autofree guint8 *data = NULL;
  gsize size;

  if (!g_file_get_contents (path, &text, &size, &error))
    g_error ("%s", error->message);
  /* without the zero at its end, so that a reader past it is seen */
  data = g_memdup2 (text, size);
  LLVMFuzzerTestOneInput (data, size);
  return 1;
}

static guint
replay (const gchar *path)
{
  g_autoptr (GDir) directory = g_dir_open (path, 0, NULL);
  const gchar *name;
  guint n = 0;

  if (directory == NULL)
    return replay_file (path);
  while ((name = g_dir_read_name (directory)) != NULL) {
    g_autofree gchar *file = g_build_filename (path, name, NULL);

    n += replay (file);
  }
  return n;
}

int
main (int argc, char **argv)
{
  guint n = 0;

  LLVMFuzzerInitialize (&argc, &argv);
  LLVMFuzzerTestOneInput ((const guint8 *) "", 0);
  for (int i = 1; i < argc; i++)
    n += replay (argv[i]);
  g_print ("%u inputs\n", n);
  return n > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
