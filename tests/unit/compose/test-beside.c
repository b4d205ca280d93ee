/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* What the application sends beside the video at a constant rate, such as a file, which
 * this sender does not see: whole calls over either feedback. */

#include "support/any-call.h"

#define LINK 1000000
#define FILE_RATE 300000
#define FILE_PACKET 1200 /* bytes */

/* How long the video makes room by itself. */
#define RESERVED (2 * GCC_SECOND)

static AnyCall call;
/* of the file */
static GccTime next_packet;
static GccTime longest_queue;

static gint64
get_video_bytes (void)
{
  return ANY_CALL (&call, received_bytes) -
      (call.over_remb ? 0 : call.transport.padding_bytes);
}

static void
run_with_file (GccTime duration)
{
  GccTime *link_free = ANY_CALL (&call, link_free);
  GccTime now = any_call_get_now (&call);

  for (GccTime end = now + duration; now < end;) {
    any_call_step (&call);
    now = any_call_get_now (&call);
    if (now >= next_packet) {
      next_packet += FILE_PACKET * 8 * GCC_SECOND / FILE_RATE;
      *link_free = MAX (*link_free, now) + FILE_PACKET * 8 * GCC_SECOND / LINK;
    }
    longest_queue = MAX (longest_queue, *link_free - now);
  }
}

static void
test_neither_starves (gconstpointer over_remb)
{
  gint64 video;

  any_call_init (&call, over_remb != NULL, "recommended", 300000, 10000000);
  any_call_add_reports (&call);
  any_call_run (&call, 15 * GCC_SECOND);
  video = -get_video_bytes ();
  longest_queue = 0;
  next_packet = any_call_get_now (&call);
  gcc_sender_set_reserved (call.sender, FILE_RATE);
  run_with_file (RESERVED);
  gcc_sender_set_reserved (call.sender, 0);
  run_with_file (60 * GCC_SECOND - RESERVED);
  video += get_video_bytes ();

  g_test_message ("video has %.2f, the longest queue is %" G_GINT64_FORMAT
                  " ms",
      (gdouble) video * 8. / 60. / LINK, longest_queue / GCC_MSECOND);
  g_assert_cmpfloat ((gdouble) video * 8. / 60. / LINK, >=, 0.6);
  /* of 240 and 300 ms: nothing is lost */
  g_assert_cmpint (longest_queue, <, 200 * GCC_MSECOND);
  any_call_clear (&call);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func (
      "/beside/neither_starves/transport-cc", NULL, test_neither_starves);
  g_test_add_data_func ("/beside/neither_starves/remb", GINT_TO_POINTER (1),
      test_neither_starves);
  return g_test_run ();
}
