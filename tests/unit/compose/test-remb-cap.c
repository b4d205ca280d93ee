/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* An SFU bounds what it takes by a REMB of its own, for a while, in whole calls over
 * either feedback. */

#include "support/any-call.h"

#define LINK 3000000
#define CAP 1000000
#define NO_CAP 10000000
#define SFU 0x5f005f00u
#define SFU_INTERVAL (1 * GCC_SECOND)

/* A fall takes so long at most, and a rise. */
#define PATIENCE (3 * GCC_SECOND)

static AnyCall call;
/* of the SFU; 0: it is not there */
static GccRate cap;

/* The SFU gets the stream, whose SSRC is that of either call, and says so. Over
 * transport-wide feedback reports do not count. */
static void
feed_cap (GccTime now)
{
  GccReportBlock block = {
    .reporter = SFU,
    .ssrc = REMB_CALL_SSRC,
    .ext_highest_seq = call.over_remb ? call.remb.highest : 0,
    .rtt = GCC_TIME_NONE,
  };
  GccRemb remb = {
    .sender = SFU,
    .reporter = SFU,
    .rate = cap,
    .ssrcs = { REMB_CALL_SSRC },
    .n_ssrcs = 1,
  };

  gcc_sender_feed_reports (call.sender, &block, 1, now);
  gcc_sender_feed_remb (call.sender, &remb, now);
}

/* Returns the least and the greatest A_s, each quarter of a second. */
static void
run (GccTime duration, GccRate *least, GccRate *most)
{
  GccTime end = any_call_get_now (&call) + duration;

  *least = G_MAXINT64;
  *most = 0;
  for (guint n = 0; any_call_get_now (&call) < end; n++) {
    GccRate rate;

    if (n % 4 == 0 && cap != 0)
      feed_cap (any_call_get_now (&call));
    any_call_run (&call, SFU_INTERVAL / 4);
    rate = any_call_get_rate (&call);
    *least = MIN (*least, rate);
    *most = MAX (*most, rate);
  }
}

/* In time A_s is at nine tenths of @rate, and never above a cap. Over REMB a rise ends
 * with over-use, as each of a receiver does. */
static void
check_reaches (GccRate rate, GccTime duration)
{
  GccRate least, most;

  run (PATIENCE, &least, &most);
  g_assert_cmpint (most, >=, rate * 9 / 10);
  if (!call.over_remb)
    g_assert_cmpint (any_call_get_rate (&call), >=, rate * 9 / 10);
  run (duration - PATIENCE, &least, &most);
  g_test_message ("%.2f to %.2f of %" G_GINT64_FORMAT,
      (gdouble) least / (gdouble) rate, (gdouble) most / (gdouble) rate, rate);
  if (cap == CAP)
    g_assert_cmpint (most, <=, CAP);
  g_assert_cmpint (least, >=, rate * 7 / 10);
}

static void
begin_with_cap (gboolean over_remb)
{
  any_call_init (&call, over_remb, "recommended", 300000, NO_CAP);
  any_call_set_path (&call, &(Path){ .capacity = LINK });
  any_call_add_reports (&call);
  any_call_run (&call, 20 * GCC_SECOND);
  cap = CAP;
  check_reaches (CAP, 30 * GCC_SECOND);
}

static void
end_without_cap (void)
{
  cap = 0;
  gcc_sender_feed_bye (call.sender, SFU, any_call_get_now (&call));
  check_reaches (LINK, 20 * GCC_SECOND);
  any_call_clear (&call);
}

static void
test_a_cap_comes_and_goes (gconstpointer over_remb)
{
  begin_with_cap (over_remb != NULL);
  cap = NO_CAP;
  check_reaches (LINK, 20 * GCC_SECOND);
  end_without_cap ();
}

static void
test_an_end_that_leaves_takes_its_cap_along (gconstpointer over_remb)
{
  begin_with_cap (over_remb != NULL);
  end_without_cap ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) \
  g_test_add_data_func ( \
      "/remb-cap/" #name "/transport-cc", NULL, test_##name); \
  g_test_add_data_func ( \
      "/remb-cap/" #name "/remb", GINT_TO_POINTER (1), test_##name)
  ADD (a_cap_comes_and_goes);
  ADD (an_end_that_leaves_takes_its_cap_along);
#undef ADD
  return g_test_run ();
}
