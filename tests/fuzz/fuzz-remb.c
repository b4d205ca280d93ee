/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* REMB: the parser returns what the writer wrote. */

#include <gst/gcc/gcc-remb.h>
#include <string.h>

#include "fuzz.h"

void
fuzz_init (void)
{
}

void
fuzz_one (Fuzz *input)
{
  guint8 written[GCC_REMB_FCI_LENGTH (GCC_REMB_MAX_SSRCS)];
  GccRemb remb, again;
  gsize length;
  const guint8 *fci = fuzz_bytes (input, G_MAXSIZE, &length);

  if (!gcc_remb_parse_fci (&remb, fci, length))
    return;
  g_assert_cmpuint (length, ==, GCC_REMB_FCI_LENGTH (remb.n_ssrcs));

  gcc_remb_write_fci (&remb, written);
  g_assert_true (gcc_remb_parse_fci (&again, written, length));
  if (remb.rate == G_MAXINT64) /* it was truncated to that, and is written so */
    g_assert_cmpint (again.rate, ==, G_MAXINT64 >> 45 << 45);
  else
    g_assert_cmpint (again.rate, ==, remb.rate);
  g_assert_cmpmem (
      remb.ssrcs, 4 * remb.n_ssrcs, again.ssrcs, 4 * again.n_ssrcs);
}
