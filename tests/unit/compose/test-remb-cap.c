/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* An SFU bounds what it takes by a REMB of its own, for a while, in whole calls over
 * either feedback. */

#include "support/call.h"
#include "support/remb-call.h"

#define LINK 3000000
#define CAP 1000000
#define NO_CAP 10000000
#define SFU 0x5f005f00u
#define SFU_INTERVAL (1 * GCC_SECOND)

/* A fall takes so long at most, and a rise. */
#define PATIENCE (3 * GCC_SECOND)

/* A call over one of the two feedbacks. */
typedef struct {
  Call *call;
  RembCall *remb_call;
  GccRate cap;
} CappedCall;

static GccSender *
get_sender (const CappedCall *self)
{
  return self->call != NULL ? &self->call->sender : &self->remb_call->sender;
}

static GccTime
get_now (const CappedCall *self)
{
  return self->call != NULL ? self->call->now : self->remb_call->now;
}

static CappedCall
start (gboolean over_transport)
{
  static Call call;
  static RembCall remb_call;
  static GccTime link_free;

  if (over_transport) {
    call_init (&call, "recommended", 300000, NO_CAP);
    call.capacity = LINK;
    call.has_reports = call.covers_all = TRUE;
    return (CappedCall){ .call = &call };
  }
  link_free = 0;
  remb_call_init (&remb_call, gcc_profile_find ("recommended"), 300000, NO_CAP);
  remb_call.link_free = &link_free;
  remb_call.capacity = LINK;
  return (CappedCall){ .remb_call = &remb_call };
}

static void
stop (CappedCall *self)
{
  if (self->call != NULL)
    call_clear (self->call);
  else
    remb_call_clear (self->remb_call);
}

/* Over transport-wide feedback reports do not count. */
static guint32
get_highest (const CappedCall *self)
{
  return self->call != NULL ? 0 : self->remb_call->highest;
}

/* The SFU gets the stream, whose SSRC is that of either call, and says so. */
static void
feed_cap (CappedCall *self)
{
  GccReportBlock block = { .reporter = SFU,
    .ssrc = REMB_CALL_SSRC,
    .ext_highest_seq = get_highest (self),
    .rtt = GCC_TIME_NONE };
  GccRemb remb = {
    .sender = SFU,
    .reporter = SFU,
    .rate = self->cap,
    .ssrcs = { REMB_CALL_SSRC },
    .n_ssrcs = 1,
  };

  if (self->cap == 0)
    return;
  gcc_sender_feed_reports (get_sender (self), &block, 1, get_now (self));
  gcc_sender_feed_remb (get_sender (self), &remb, get_now (self));
}

static void
run_without_cap (CappedCall *self, GccTime duration)
{
  if (self->call != NULL) {
    call_run (self->call, duration);
    return;
  }
  for (GccTime end = get_now (self) + duration; get_now (self) < end;)
    remb_call_step (self->remb_call);
}

/* Returns the least and the greatest A_s, each quarter of a second. */
static void
run (CappedCall *self, GccTime duration, GccRate *least, GccRate *most)
{
  GccTime end = get_now (self) + duration;
  guint n = 0;

  *least = G_MAXINT64;
  *most = 0;
  while (get_now (self) < end) {
    GccRate rate;

    if (n++ % 4 == 0)
      feed_cap (self);
    run_without_cap (self, SFU_INTERVAL / 4);
    rate = gcc_sender_get_target (get_sender (self));
    *least = MIN (*least, rate);
    *most = MAX (*most, rate);
  }
}

/* In time A_s is at nine tenths of @rate, and never above a cap. Over REMB a rise ends
 * with over-use, as each of a receiver does. */
static void
check_reaches (CappedCall *self, GccRate rate, GccTime duration)
{
  GccRate least, most;

  run (self, PATIENCE, &least, &most);
  g_assert_cmpint (most, >=, rate * 9 / 10);
  if (self->call != NULL)
    g_assert_cmpint (
        gcc_sender_get_target (get_sender (self)), >=, rate * 9 / 10);
  run (self, duration - PATIENCE, &least, &most);
  g_test_message ("%.2f to %.2f of %" G_GINT64_FORMAT,
      (gdouble) least / (gdouble) rate, (gdouble) most / (gdouble) rate, rate);
  if (self->cap == CAP)
    g_assert_cmpint (most, <=, CAP);
  g_assert_cmpint (least, >=, rate * 7 / 10);
}

static void
test_a_cap_comes_and_goes (gconstpointer over_transport)
{
  CappedCall call = start (over_transport != NULL);
  GccRate least, most;

  run (&call, 20 * GCC_SECOND, &least, &most);
  call.cap = CAP;
  check_reaches (&call, CAP, 30 * GCC_SECOND);
  call.cap = NO_CAP;
  check_reaches (&call, LINK, 20 * GCC_SECOND);
  call.cap = 0;
  gcc_sender_feed_bye (get_sender (&call), SFU, get_now (&call));
  check_reaches (&call, LINK, 20 * GCC_SECOND);
  stop (&call);
}

static void
test_an_end_that_leaves_takes_its_cap_along (gconstpointer over_transport)
{
  CappedCall call = start (over_transport != NULL);
  GccRate least, most;

  run (&call, 20 * GCC_SECOND, &least, &most);
  call.cap = CAP;
  check_reaches (&call, CAP, 30 * GCC_SECOND);
  call.cap = 0;
  gcc_sender_feed_bye (get_sender (&call), SFU, get_now (&call));
  check_reaches (&call, LINK, 20 * GCC_SECOND);
  stop (&call);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) \
  g_test_add_data_func ( \
      "/remb-cap/" #name "/transport-cc", GINT_TO_POINTER (1), test_##name); \
  g_test_add_data_func ("/remb-cap/" #name "/remb", NULL, test_##name)
  ADD (a_cap_comes_and_goes);
  ADD (an_end_that_leaves_takes_its_cap_along);
#undef ADD
  return g_test_run ();
}
