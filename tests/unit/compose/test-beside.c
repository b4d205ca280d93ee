/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* What the application sends beside the video at a constant rate, such as a file, which
 * this sender does not see: whole calls over either feedback. */

#include "support/call.h"
#include "support/remb-call.h"

#define LINK 1000000
#define FILE_RATE 300000
#define FILE_PACKET 1200 /* bytes */

/* How long the video makes room by itself. */
#define RESERVED (2 * GCC_SECOND)

typedef struct {
  Call *call;
  RembCall *remb_call;
  GccSender *sender;
  GccTime *link_free;
  /* of the file, when the next one is due */
  GccTime next_packet;
  GccTime longest_queue;
} Beside;

static Beside
begin (gboolean over_transport)
{
  static Call call;
  static RembCall remb_call;
  static GccTime link_free;

  if (over_transport) {
    call_init (&call, "recommended", 300000, 10000000);
    call.has_reports = call.covers_all = TRUE;
    return (Beside){
      .call = &call, .sender = &call.sender, .link_free = call.link_free
    };
  }
  link_free = 0;
  remb_call_init (
      &remb_call, gcc_profile_find ("recommended"), 300000, 10000000);
  remb_call.link_free = &link_free;
  return (Beside){
    .remb_call = &remb_call,
    .sender = &remb_call.sender,
    .link_free = &link_free,
  };
}

static void
end (Beside *self)
{
  if (self->call != NULL)
    call_clear (self->call);
  else
    remb_call_clear (self->remb_call);
}

static GccTime
get_now (const Beside *self)
{
  return self->call != NULL ? self->call->now : self->remb_call->now;
}

static gint64
get_video_bytes (const Beside *self)
{
  return self->call != NULL
      ? self->call->received_bytes - self->call->padding_bytes
      : self->remb_call->received_bytes;
}

static void
send_file (Beside *self)
{
  if (get_now (self) < self->next_packet)
    return;
  self->next_packet += FILE_PACKET * 8 * GCC_SECOND / FILE_RATE;
  *self->link_free = MAX (*self->link_free, get_now (self)) +
      FILE_PACKET * 8 * GCC_SECOND / LINK;
}

/* Returns the part of the link that the video had. */
static gdouble
run (Beside *self, GccTime duration, gboolean with_file)
{
  GccTime until = get_now (self) + duration;
  gint64 before = get_video_bytes (self);

  while (get_now (self) < until) {
    if (self->call != NULL)
      call_step (self->call);
    else
      remb_call_step (self->remb_call);
    if (with_file)
      send_file (self);
    self->longest_queue = MAX (
        self->longest_queue, *self->link_free - get_now (self));
  }

  return (gdouble) (get_video_bytes (self) - before) * 8. /
      gcc_time_to_seconds (duration) / LINK;
}

/* Returns the longest queue since the file began. */
static GccTime
send_beside (gboolean over_transport, GccTime reserved, gdouble *video)
{
  Beside call = begin (over_transport);
  const GccTime minute = 60 * GCC_SECOND;

  run (&call, 15 * GCC_SECOND, FALSE);
  call.longest_queue = 0;
  call.next_packet = get_now (&call);
  gcc_sender_set_reserved (call.sender, FILE_RATE);
  *video = run (&call, reserved, TRUE) * gcc_time_to_seconds (reserved);
  gcc_sender_set_reserved (call.sender, 0);
  *video += run (&call, minute - reserved, TRUE) *
      gcc_time_to_seconds (minute - reserved);
  *video /= gcc_time_to_seconds (minute);
  end (&call);

  return call.longest_queue;
}

static void
test_neither_starves (gconstpointer over_transport)
{
  gdouble video;
  GccTime queue = send_beside (over_transport != NULL, RESERVED, &video);

  g_test_message ("video has %.2f, the longest queue is %" G_GINT64_FORMAT
                  " ms",
      video, queue / GCC_MSECOND);
  g_assert_cmpfloat (video, >=, 0.6);
  /* of 240 and 300 ms: nothing is lost */
  g_assert_cmpint (queue, <, 200 * GCC_MSECOND);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/beside/neither_starves/transport-cc",
      GINT_TO_POINTER (1), test_neither_starves);
  g_test_add_data_func (
      "/beside/neither_starves/remb", NULL, test_neither_starves);
  return g_test_run ();
}
