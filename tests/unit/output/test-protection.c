/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/output/gcc-protection.h>

/* bit/s */
#define A_S 1000000

static const GccProtectionParams params = { .max_share = 0.5 };

static GccProtection
share (GccRate video, GccRate fec, GccRate repeated)
{
  return (GccProtection){ &params, A_S, video, fec, repeated };
}

static GccRate
get_v (GccRate video, GccRate fec, GccRate repeated)
{
  GccProtection protection = share (video, fec, repeated);

  return gcc_protection_get_encoder_target (&protection);
}

static void
test_without_protection_encoders_have_all (void)
{
  g_assert_cmpint (get_v (A_S, 0, 0), ==, A_S);
  g_assert_cmpint (get_v (0, 0, 0), ==, A_S);
}

/* A fifth of what is sent is a fifth of A_s, whatever the encoder sends. */
static void
test_protection_keeps_its_share (void)
{
  g_assert_cmpint (get_v (800000, 150000, 50000), ==, 800000);
  g_assert_cmpint (get_v (400000, 75000, 25000), ==, 800000);
}

/* Guards: an encoder that sends more than v, whose protection is a smaller share. */
static void
test_what_protection_takes_is_not_there_for_video (void)
{
  g_assert_cmpint (get_v (1800000, 200000, 0), ==, 800000);
}

static void
test_protection_takes_half_at_most (void)
{
  g_assert_cmpint (get_v (100000, 900000, 900000), ==, A_S / 2);
}

static void
test_encoders_always_have_something (void)
{
  GccProtection protection = share (0, 900000, 900000);

  protection.shared = 0;
  g_assert_cmpint (gcc_protection_get_encoder_target (&protection), ==, 1);
}

static void
test_retransmission_has_what_fec_leaves (void)
{
  GccProtection protection = share (500000, 100000, 50000);

  g_assert_cmpint (
      gcc_protection_get_max_retransmission (&protection), ==, 350000);
  protection.fec = A_S;
  g_assert_cmpint (gcc_protection_get_max_retransmission (&protection), <, 0);
}

static void
test_fec_has_what_retransmission_leaves (void)
{
  GccProtection protection = share (800000, 0, 300000);

  g_assert_cmpfloat (
      gcc_protection_get_max_fec_percentage (&protection), ==, 25.);
  protection.repeated = A_S;
  g_assert_cmpfloat (
      gcc_protection_get_max_fec_percentage (&protection), ==, 0.);
}

#define ADD(test) g_test_add_func ("/protection/" #test, test_##test)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD (without_protection_encoders_have_all);
  ADD (protection_keeps_its_share);
  ADD (what_protection_takes_is_not_there_for_video);
  ADD (protection_takes_half_at_most);
  ADD (encoders_always_have_something);
  ADD (retransmission_has_what_fec_leaves);
  ADD (fec_has_what_retransmission_leaves);
  return g_test_run ();
}
