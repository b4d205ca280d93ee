/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/gcc-remb.h>

#include <string.h>

#define MANTISSA_BITS 18
#define MANTISSA_MAX ((G_GUINT64_CONSTANT (1) << MANTISSA_BITS) - 1)

static const guint8 identifier[4] = { 'R', 'E', 'M', 'B' };

static void
write_uint32 (guint8 *bytes, guint32 value)
{
  value = GUINT32_TO_BE (value);
  memcpy (bytes, &value, sizeof value);
}

static guint32
read_uint32 (const guint8 *bytes)
{
  guint32 value;

  memcpy (&value, bytes, sizeof value);
  return GUINT32_FROM_BE (value);
}

void
gcc_remb_write_fci (const GccRemb *self, guint8 *fci)
{
  guint64 rate;
  guint32 exponent = 0;

  g_return_if_fail (self->rate >= 0);
  g_return_if_fail (self->n_ssrcs <= GCC_REMB_MAX_SSRCS);
  g_return_if_fail (fci != NULL);

  rate = (guint64) self->rate;
  while ((rate >> exponent) > MANTISSA_MAX)
    exponent++;

  memcpy (fci, identifier, sizeof identifier);
  write_uint32 (fci + 4,
      (guint32) self->n_ssrcs << 24 | exponent << MANTISSA_BITS |
          (guint32) (rate >> exponent));
  for (guint i = 0; i < self->n_ssrcs; i++)
    write_uint32 (fci + GCC_REMB_FCI_LENGTH (i), self->ssrcs[i]);
}

gboolean
gcc_remb_parse_fci (GccRemb *self, const guint8 *fci, gsize length)
{
  guint32 word, exponent;
  guint64 mantissa;
  guint n;

  if (fci == NULL || length < GCC_REMB_FCI_LENGTH (0))
    return FALSE;
  if (memcmp (fci, identifier, sizeof identifier) != 0)
    return FALSE;

  word = read_uint32 (fci + 4);
  n = word >> 24;
  if (length != GCC_REMB_FCI_LENGTH (n))
    return FALSE;

  exponent = word >> MANTISSA_BITS & 0x3f;
  mantissa = word & MANTISSA_MAX;
  if (mantissa > G_MAXUINT64 >> exponent)
    return FALSE;

  self->rate = (GccRate) MIN (mantissa << exponent, (guint64) G_MAXINT64);
  self->n_ssrcs = n;
  for (guint i = 0; i < n; i++)
    self->ssrcs[i] = read_uint32 (fci + GCC_REMB_FCI_LENGTH (i));
  return TRUE;
}
