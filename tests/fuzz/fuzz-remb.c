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
  guint32 ssrcs[GCC_REMB_MAX_SSRCS], ssrcs_again[GCC_REMB_MAX_SSRCS];
  guint8 again[GCC_REMB_FCI_LENGTH (GCC_REMB_MAX_SSRCS)];
  guint64 rate, rate_again;
  guint n_ssrcs, n_again;
  gsize length;
  const guint8 *fci = fuzz_bytes (input, G_MAXSIZE, &length);

  if (!gcc_remb_parse_fci (fci, length, &rate, ssrcs, &n_ssrcs))
    return;
  g_assert_cmpuint (length, ==, GCC_REMB_FCI_LENGTH (n_ssrcs));
  g_assert_true (gcc_remb_parse_fci (fci, length, &rate_again, NULL, NULL));
  g_assert_cmpuint (rate_again, ==, rate);

  gcc_remb_write_fci (again, rate, ssrcs, n_ssrcs);
  g_assert_true (
      gcc_remb_parse_fci (again, length, &rate_again, ssrcs_again, &n_again));
  g_assert_cmpuint (rate_again, ==, rate);
  g_assert_cmpmem (ssrcs, 4 * n_ssrcs, ssrcs_again, 4 * n_again);
}
