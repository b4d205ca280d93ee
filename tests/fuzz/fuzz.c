/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* for dladdr () */
#define _GNU_SOURCE

#include "fuzz.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DAY (24 * 3600 * GCC_SECOND)

gboolean
fuzz_has_more (const Fuzz *self)
{
  return self->length > 0;
}

static guint64
read_bytes (Fuzz *self, guint n)
{
  guint64 value = 0;

  for (; n > 0 && self->length > 0; n--, self->data++, self->length--)
    value = value << 8 | *self->data;
  return value;
}

guint8
fuzz_uint8 (Fuzz *self)
{
  return (guint8) read_bytes (self, 1);
}

guint16
fuzz_uint16 (Fuzz *self)
{
  return (guint16) read_bytes (self, 2);
}

guint32
fuzz_uint32 (Fuzz *self)
{
  return (guint32) read_bytes (self, 4);
}

guint64
fuzz_uint64 (Fuzz *self)
{
  return read_bytes (self, 8);
}

guint
fuzz_up_to (Fuzz *self, guint max)
{
  return (max > G_MAXUINT8 ? fuzz_uint16 (self) : fuzz_uint8 (self)) %
      (max + 1);
}

gboolean
fuzz_once_in (Fuzz *self, guint n)
{
  return fuzz_up_to (self, n - 1) == n - 1;
}

const guint8 *
fuzz_bytes (Fuzz *self, gsize max, gsize *length)
{
  const guint8 *bytes = self->data;

  *length = MIN (max, self->length);
  self->data += *length;
  self->length -= *length;
  return bytes;
}

GccTime
fuzz_step (Fuzz *self)
{
  guint8 kind = fuzz_uint8 (self);
  GccTime value = kind % 2 == 0 ? fuzz_uint8 (self) : fuzz_uint16 (self);
  GccTime step;

  switch (kind >> 1 & 7) {
    case 0:
      step = value;
      break;
    case 1:
    case 2:
      step = value * 100;
      break;
    case 3:
    case 4:
      step = value * GCC_MSECOND;
      break;
    case 5:
      step = value * GCC_SECOND;
      break;
    case 6:
      step = value * DAY;
      break;
    default:
      step = 0;
      break;
  }
  return (kind >> 4) % 8 == 7 ? -step : step;
}

GccTime
fuzz_duration (Fuzz *self)
{
  GccTime step = fuzz_step (self);

  return ABS (step);
}

GccRate
fuzz_rate (Fuzz *self)
{
  guint16 value = fuzz_uint16 (self);

  if (value == G_MAXUINT16)
    return (GccRate) (fuzz_uint64 (self) >> 1 | 1);
  if (value == G_MAXUINT16 - 1)
    return 1 + fuzz_uint8 (self);
  return (1 + (GccRate) value) * 1000;
}

const GccProfile *
fuzz_profile (Fuzz *self)
{
  guint n = 0;

  while (gcc_profile_get_nth (n) != NULL)
    n++;
  return gcc_profile_get_nth (fuzz_up_to (self, n - 1));
}

static void
check_column (gconstpointer member, const GccColumn *column,
    const gchar *const *may_be_nan)
{
  switch (column->type) {
    case GCC_COLUMN_RATE:
      g_assert_cmpint (*(const GccRate *) member, >=, GCC_RATE_NONE);
      break;
    case GCC_COLUMN_DOUBLE:
      g_assert_false (isinf (*(const gdouble *) member));
      if (isnan (*(const gdouble *) member) &&
          !g_strv_contains (may_be_nan, column->name))
        g_error ("%s is not a number", column->name);
      break;
    case GCC_COLUMN_BOOLEAN:
      g_assert_cmpint (*(const gboolean *) member & ~1, ==, 0);
      break;
    default:
      break;
  }
}

void
fuzz_check_stats (gconstpointer stats, const GccColumn *columns,
    guint n_columns, const gchar *const *may_be_nan)
{
  for (guint i = 0; i < n_columns; i++)
    check_column (
        (const guint8 *) stats + columns[i].offset, &columns[i], may_be_nan);
}

/* --- libFuzzer's side --- */

int LLVMFuzzerInitialize (int *argc, char ***argv);
int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

/* What GLib and GStreamer say of rtpsession, without gst-gcc as well (1.22 to
 * 1.28). Both depend on when its thread runs. */
static const gchar *const faults_of_rtpsession[] = {
  /* While rtp_session_on_timeout() walks the table of sources it releases its
   * lock, and a new source comes. */
  "version == hash_table->version",
  /* It ends the stream of RTCP with the number that it forgot when the RTP that
   * comes was flushed. */
  "seqnum != GST_SEQNUM_INVALID",
};

static gboolean
is_known (const gchar *message)
{
  for (guint i = 0; i < G_N_ELEMENTS (faults_of_rtpsession); i++)
    if (strstr (message, faults_of_rtpsession[i]) != NULL)
      return TRUE;
  return FALSE;
}

static const gchar *
get_module (void *address)
{
  Dl_info info;

  return dladdr (address, &info) != 0 && info.dli_fname != NULL ? info.dli_fname
                                                                : "";
}

static gboolean
is_of_library (const gchar *module)
{
  return strstr (module, "/libglib-") != NULL ||
      strstr (module, "/libgstreamer-") != NULL;
}

/* Whether rtpsession called what complains: above the handler, and what a
 * sanitizer has put there, are the libraries that complain, and then who called
 * them. */
static gboolean
is_called_by_rtpsession (void)
{
  void *frames[32];
  int n = backtrace (frames, G_N_ELEMENTS (frames));
  int i = 0;

  while (i < n && !is_of_library (get_module (frames[i])))
    i++;
  while (i < n && is_of_library (get_module (frames[i])))
    i++;
  return i < n && strstr (get_module (frames[i]), "/libgstrtpmanager") != NULL;
}

/* g_return_if_fail () is a finding, too. GLib's own fatal messages end in a
 * signal that libFuzzer does not know. */
static void
log_message (const gchar *domain, GLogLevelFlags level, const gchar *message,
    gpointer user_data)
{
  (void) user_data;
  if (!(level &
          (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING)) ||
      (is_known (message) && is_called_by_rtpsession ()))
    return;
  g_printerr ("%s: %s\n", domain != NULL ? domain : "fuzz", message);
  abort ();
}

int
LLVMFuzzerInitialize (int *argc, char ***argv)
{
  (void) argc;
  (void) argv;
  g_log_set_default_handler (log_message, NULL);
  fuzz_init ();
  return 0;
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  Fuzz input = { data, size };

  fuzz_one (&input);
  return 0;
}
