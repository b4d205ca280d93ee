/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "digest.h"

#include "run.h"

#include <math.h>
#include <string.h>

/* FNV-1a, 64 bits. */
#define FNV_OFFSET G_GUINT64_CONSTANT (0xcbf29ce484222325)
#define FNV_PRIME G_GUINT64_CONSTANT (0x100000001b3)

#define DOUBLE_BITS 16
/* That no double is. */
#define UNKNOWN_DOUBLE G_MAXINT64

static guint64
hash_byte (guint64 hash, guint8 byte)
{
  return (hash ^ byte) * FNV_PRIME;
}

static guint64
hash_integer (guint64 hash, guint64 value)
{
  for (guint shift = 0; shift < 64; shift += 8)
    hash = hash_byte (hash, (guint8) (value >> shift));
  return hash;
}

/* With the zero at its end; %NULL is another text than "". */
static guint64
hash_string (guint64 hash, const gchar *text)
{
  if (text == NULL)
    return hash_byte (hash, 0xff);
  for (; *text != '\0'; text++)
    hash = hash_byte (hash, (guint8) *text);
  return hash_byte (hash, 0);
}

static gint64
quantise (gdouble value)
{
  return isnan (value) ? UNKNOWN_DOUBLE
                       : (gint64) llrint (ldexp (value, DOUBLE_BITS));
}

static guint64
hash_column (guint64 hash, const GccColumn *column, gconstpointer stats)
{
  gconstpointer member = G_STRUCT_MEMBER_P (stats, column->offset);

  switch (column->type) {
    case GCC_COLUMN_TIME:
    case GCC_COLUMN_RATE:
    case GCC_COLUMN_UINT64:
      return hash_integer (hash, *(const guint64 *) member);
    case GCC_COLUMN_DOUBLE:
      return hash_integer (
          hash, (guint64) quantise (*(const gdouble *) member));
    case GCC_COLUMN_BOOLEAN:
    case GCC_COLUMN_UINT:
      return hash_integer (hash, *(const guint32 *) member);
    default:
      return hash_string (hash, gcc_column_get_word (column, stats));
  }
}

static guint64
hash_columns (guint64 hash, const GoldenColumns *columns, gconstpointer stats)
{
  for (guint i = 0; stats != NULL && i < columns->n; i++) {
    if (columns->columns[i] != NULL)
      hash = hash_column (hash, columns->columns[i], stats);
  }
  return hash;
}

void
golden_digest_init (GoldenDigest *self, const GoldenStats *stats)
{
  *self = (GoldenDigest){ .stats = stats, .hash = FNV_OFFSET };
}

void
golden_digest_add (
    gpointer data, guint n_samples, const GoldenFlow *flows, guint n_flows)
{
  GoldenDigest *self = data;

  for (guint i = 0; i < n_flows; i++) {
    self->hash = hash_columns (self->hash, &self->stats->sender,
        golden_flow_get_sender_stats (&flows[i]));
    self->hash = hash_columns (self->hash, &self->stats->receiver,
        golden_flow_get_receiver_stats (&flows[i]));
  }
  if (n_samples % GOLDEN_SAMPLES_PER_SECOND == GOLDEN_SAMPLES_PER_SECOND - 1)
    self->seconds[self->n_seconds++] = (guint16) (self->hash >> 48);
}

gchar *
golden_digest_to_string (const GoldenDigest *self)
{
  GString *text = g_string_new (NULL);

  g_string_printf (text, "%016" G_GINT64_MODIFIER "x", self->hash);
  for (guint i = 0; i < self->n_seconds; i++)
    g_string_append_printf (text, " %04x", self->seconds[i]);
  return g_string_free (text, FALSE);
}

guint
golden_digest_compare (const gchar *a, const gchar *b)
{
  g_auto (GStrv) words_a = g_strsplit (a, " ", -1);
  g_auto (GStrv) words_b = g_strsplit (b, " ", -1);
  guint second = 1;

  while (words_a[second] != NULL && words_b[second] != NULL &&
      strcmp (words_a[second], words_b[second]) == 0)
    second++;
  return second - 1;
}
