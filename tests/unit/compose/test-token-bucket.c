/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Calls over a link behind a token bucket, which passes a cluster faster than the
 * link: buckets of one packet to thirty, and feedback as often as libwebrtc and as
 * pion send it. */

#include "support/call.h"

#define LINK 2000000
#define SLOW_LINK 500000
#define START_LINK 1000000
#define PACKET 1500 /* bytes */

typedef struct {
  guint packets;
  GccTime feedback;
  GccTime phase;
} Bucket;

static const guint sizes[] = { 1, 3, 10 };
static const GccTime intervals[] = { 50 * GCC_MSECOND, 100 * GCC_MSECOND };

static void
set_link (Call *call, const Bucket *bucket, GccRate rate)
{
  call->capacity = rate;
  call->saved = (GccTime) bucket->packets * PACKET * 8 * GCC_SECOND / rate;
}

static void
begin (Call *call, const Bucket *bucket, GccRate rate)
{
  call_init (call, "recommended", 300000, 6000000);
  call->feedback_interval = bucket->feedback;
  call->next_feedback += bucket->phase;
  set_link (call, bucket, rate);
}

/* A_s is far above the link for a second at most. */
static void
run (Call *call, GccTime duration)
{
  GccTime end = call->now + duration;
  GccTime since = call->now;

  while (call->now < end) {
    call_step (call);
    if (10 * gcc_sender_get_target (&call->sender) <= 13 * call->capacity)
      since = call->now;
    g_assert_cmpint (call->now - since, <, GCC_SECOND);
  }
}

static void
check_start (const Bucket *bucket)
{
  static Call call;

  begin (&call, bucket, START_LINK);
  run (&call, 20 * GCC_SECOND);
  call_clear (&call);
}

static void
check_step (const Bucket *bucket, GccTime limit)
{
  static Call call;

  begin (&call, bucket, LINK);
  run (&call, 10 * GCC_SECOND);
  set_link (&call, bucket, SLOW_LINK);
  run (&call, 10 * GCC_SECOND);
  set_link (&call, bucket, LINK);
  g_assert_cmpint (
      call_run_until_rate (&call, LINK / 5 * 4, limit + GCC_SECOND), <, limit);
  run (&call, 10 * GCC_SECOND);
  call_clear (&call);
}

static void
for_each_bucket (void (*check) (const Bucket *bucket))
{
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (guint j = 0; j < G_N_ELEMENTS (intervals); j++)
      for (guint k = 0; k < 8; k++) {
        Bucket bucket = { sizes[i], intervals[j], k * intervals[j] / 8 };

        check (&bucket);
      }
}

static void
test_a_start_exceeds_the_link_for_a_second_at_most (void)
{
  static const Bucket large = { 30, 50 * GCC_MSECOND, 0 };

  for_each_bucket (check_start);
  check_start (&large);
}

/* Goal: three seconds behind each of them. A cluster that a larger bucket passes
 * reads too high. The raise is soon over-use, and the next results count for less. */
static void
check_step_behind (const Bucket *bucket)
{
  check_step (bucket, (bucket->packets == 1 ? 3 : 15) * GCC_SECOND);
}

static void
test_a_link_that_becomes_faster_again_is_used_again (void)
{
  for_each_bucket (check_step_behind);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/token-bucket/" #name, test_##name)
  ADD (a_start_exceeds_the_link_for_a_second_at_most);
  ADD (a_link_that_becomes_faster_again_is_used_again);
#undef ADD
  return g_test_run ();
}
