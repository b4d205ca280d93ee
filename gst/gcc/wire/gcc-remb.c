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
gcc_remb_write_fci (
    guint8 *fci, guint64 bitrate, const guint32 *ssrcs, guint n_ssrcs)
{
  guint32 exponent = 0;

  g_return_if_fail (fci != NULL);
  g_return_if_fail (n_ssrcs <= GCC_REMB_MAX_SSRCS);
  g_return_if_fail (ssrcs != NULL || n_ssrcs == 0);

  while ((bitrate >> exponent) > MANTISSA_MAX)
    exponent++;

  memcpy (fci, identifier, sizeof identifier);
  write_uint32 (fci + 4,
      (guint32) n_ssrcs << 24 | exponent << MANTISSA_BITS |
          (guint32) (bitrate >> exponent));
  for (guint i = 0; i < n_ssrcs; i++)
    write_uint32 (fci + GCC_REMB_FCI_LENGTH (i), ssrcs[i]);
}

gboolean
gcc_remb_parse_fci (const guint8 *fci, gsize length, guint64 *bitrate,
    guint32 *ssrcs, guint *n_ssrcs)
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

  *bitrate = mantissa << exponent;
  if (ssrcs != NULL) {
    for (guint i = 0; i < n; i++)
      ssrcs[i] = read_uint32 (fci + GCC_REMB_FCI_LENGTH (i));
  }
  if (n_ssrcs != NULL)
    *n_ssrcs = n;
  return TRUE;
}
