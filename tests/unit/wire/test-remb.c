/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/gcc-remb.h>

#include "conformance.h"
#include "wire/hex.h"

#include <string.h>

#define PR "PR receiver_estimated_maximum_bitrate_test"
#define AIO "AIO test_rtp"

typedef struct {
  const gchar *source;
  const gchar *fci;
  GccRate rate;
  guint32 ssrc;
} Vector;

static void
test_published_bytes_are_written_and_parsed (void)
{
  static const Vector vectors[] = {
    /* "REMB", 1 SSRC, exponent 6, mantissa 139487; SSRC 1215622422 */
    { PR, "52454d42011a20df4874ed16", 8927168, 1215622422 },
    /* the same FCI with other rates, SSRC 2529072847 */
    { AIO, "52454d420100000096be96cf", 0, 2529072847 },
    { AIO, "52454d420103ffff96be96cf", 0x3ffff, 2529072847 },
    { AIO, "52454d420106000096be96cf", 0x40000, 2529072847 },
    { AIO, "52454d420113f7a096be96cf", 4160000, 2529072847 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (vectors); i++) {
    const Vector *vector = &vectors[i];
    guint8 bytes[GCC_REMB_FCI_LENGTH (1)];
    GccRemb remb = {
      .rate = vector->rate, .ssrcs = { vector->ssrc }, .n_ssrcs = 1
    };
    GccRemb parsed;
    g_autofree gchar *written = NULL;
    g_autofree gchar *name = g_strdup_printf (
        "%" G_GINT64_FORMAT " bit/s", vector->rate);

    gcc_remb_write_fci (&remb, bytes);
    written = to_hex (bytes, sizeof bytes);
    conformance_check_string (vector->source, name, vector->fci, written);

    from_hex (vector->fci, bytes);
    g_assert_true (gcc_remb_parse_fci (&parsed, bytes, sizeof bytes));
    conformance_check_int (
        vector->source, vector->fci, vector->rate, parsed.rate);
    conformance_check_int (
        vector->source, "SSRC", vector->ssrc, parsed.ssrcs[0]);
    g_assert_cmpuint (parsed.n_ssrcs, ==, 1);
  }
}

static void
test_rate_is_truncated_not_rounded (void)
{
  guint8 bytes[GCC_REMB_FCI_LENGTH (0)];
  GccRemb remb = { .rate = 8927167 };

  gcc_remb_write_fci (&remb, bytes);
  g_assert_true (gcc_remb_parse_fci (&remb, bytes, sizeof bytes));
  conformance_check_int (PR, "8927167 bit/s", 8927104, remb.rate);
  conformance_not_applicable (PR, "a rate beyond what the exponent can say",
      "52454d4200ffffff", "a rate has 63 bits here, which it always can");
}

static void
test_a_rate_of_64_bits_is_the_greatest (void)
{
  guint8 bytes[GCC_REMB_FCI_LENGTH (0)];
  GccRemb remb;

  /* 0x3ffff << 46 */
  g_assert_cmpuint (from_hex ("52454d4200bbffff", bytes), ==, sizeof bytes);
  g_assert_true (gcc_remb_parse_fci (&remb, bytes, sizeof bytes));
  g_assert_cmpint (remb.rate, ==, G_MAXINT64);
}

static void
test_malformed_is_rejected (void)
{
  static const struct {
    const gchar *source;
    const gchar *what;
    const gchar *fci;
  } vectors[] = {
    { PR, "too short", "" },
    { PR, "too short by one byte", "52454d42000000" },
    { PR, "too short for its SSRC", "52454d4201000000" },
    { PR, "longer than its SSRCs", "52454d420000000096be96cf" },
    { PR, "SSRC count above the length", "52454d420203f7a096be96cf" },
    { PR, "wrong identifier", "52454d430113f7a096be96cf" },
    { AIO, "JUNK in place of REMB", "4a554e4b0113f7a096be96cf" },
    { PR, "exponent 63 with mantissa 2", "52454d4200fc0002" },
    { AIO, "0x3ffff << 63: beyond 64 bits (AIO: accepted)",
        "52454d4201ffffff96be96cf" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (vectors); i++) {
    guint8 bytes[64];
    gsize length = from_hex (vectors[i].fci, bytes);
    GccRemb remb = { .rate = 1, .n_ssrcs = 3 };

    conformance_check_boolean (vectors[i].source, vectors[i].what, FALSE,
        gcc_remb_parse_fci (&remb, bytes, length));
    g_assert_cmpint (remb.rate, ==, 1);
    g_assert_cmpuint (remb.n_ssrcs, ==, 3);
  }
}

static void
test_whatever_is_written_is_parsed (void)
{
  GRand *rand = g_rand_new_with_seed (1);

  for (guint i = 0; i < 100000; i++) {
    guint8 bytes[GCC_REMB_FCI_LENGTH (GCC_REMB_MAX_SSRCS)];
    GccRemb remb = {
      .n_ssrcs = i % 1000 == 0 ? GCC_REMB_MAX_SSRCS
                               : (guint) g_rand_int_range (rand, 0, 4),
      .rate = (GccRate) (((guint64) g_rand_int (rand) << 32 |
                             g_rand_int (rand)) >>
          g_rand_int_range (rand, 1, 64)),
    };
    GccRemb parsed;

    for (guint j = 0; j < remb.n_ssrcs; j++)
      remb.ssrcs[j] = g_rand_int (rand);
    gcc_remb_write_fci (&remb, bytes);
    g_assert_true (gcc_remb_parse_fci (
        &parsed, bytes, GCC_REMB_FCI_LENGTH (remb.n_ssrcs)));

    g_assert_cmpmem (parsed.ssrcs, parsed.n_ssrcs * sizeof *parsed.ssrcs,
        remb.ssrcs, remb.n_ssrcs * sizeof *remb.ssrcs);
    g_assert_cmpint (parsed.rate, <=, remb.rate);
    g_assert_cmpint (remb.rate - parsed.rate, <=, remb.rate >> 17);
  }
  g_rand_free (rand);
}

static void
test_random_bytes_do_no_harm (void)
{
  GRand *rand = g_rand_new_with_seed (2);

  for (guint i = 0; i < 100000; i++) {
    gsize length = (gsize) g_rand_int_range (rand, 0, 40);
    g_autofree guint8 *bytes = g_malloc (length);
    GccRemb remb;

    for (gsize j = 0; j < length; j++)
      bytes[j] = (guint8) g_rand_int (rand);
    if (length >= 5) {
      memcpy (bytes, "REMB", 4);
      bytes[4] &= 7;
    }
    gcc_remb_parse_fci (&remb, bytes, length);
  }
  g_rand_free (rand);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/remb/" #name, test_##name)
  ADD (published_bytes_are_written_and_parsed);
  ADD (rate_is_truncated_not_rounded);
  ADD (a_rate_of_64_bits_is_the_greatest);
  ADD (malformed_is_rejected);
  ADD (whatever_is_written_is_parsed);
  ADD (random_bytes_do_no_harm);
#undef ADD
  return g_test_run ();
}
