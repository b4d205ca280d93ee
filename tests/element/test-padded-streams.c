/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* The numbers of streams that are padded one after the other: each goes on from
 * where a receiver saw it last. */

#include <gst/rtp/rtp.h>

#include "exit/gstgccpadding.h"

#define PACKET 100u
#define SILENCE (2 * GCC_SECOND)

/* More than most calls ever have. */
#define MANY 50u

/* What gccsender's pads are to padding: its fields, and a reference. */
static GType
get_pad_type (void)
{
  static gsize type = 0;

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_type_register_static_simple (GST_TYPE_PAD, "TestSenderPad",
            sizeof (GstPadClass), NULL, sizeof (GstGccSenderPad), NULL, 0));

  return type;
}

typedef struct {
  GstGccPadding padding;
  GstGccSenderPad *pad;
  GccTime now;
} Sender;

static void
sender_init (Sender *self)
{
  *self = (Sender){ .pad = gst_object_ref_sink (
                        g_object_new (get_pad_type (), NULL)) };
  self->pad->is_open = TRUE;
  self->pad->flow = GST_FLOW_OK;
  self->pad->padding = GST_GCC_PADDING_PACKETS;
  gst_gcc_padding_init (&self->padding);
}

static void
sender_clear (Sender *self)
{
  gst_gcc_padding_clear (&self->padding);
  gst_object_unref (self->pad);
}

/* The only packet of a frame. Returns its number on the wire. */
static guint16
send (Sender *self, guint32 ssrc, guint16 seq)
{
  GstBuffer *buffer = gst_rtp_buffer_new_allocate (PACKET, 0, 0);
  GstGccPacerItem item = {
    .pad = self->pad,
    .object = GST_MINI_OBJECT (buffer),
    .arrival = self->now,
    .is_video = TRUE,
    .packet = { .kind = GCC_SENT_VIDEO,
        .ssrc = ssrc,
        .seq = seq,
        .payload_size = PACKET,
        .size = gst_buffer_get_size (buffer),
        .ends_frame = TRUE },
  };

  gst_gcc_padding_note_packet (&self->padding, &item, TRUE);
  gst_buffer_unref (buffer);

  return item.packet.seq;
}

static gboolean
can_pad (Sender *self)
{
  return gst_gcc_padding_can_make (&self->padding, PACKET);
}

static void
pad (Sender *self)
{
  GstGccPacerItem item;

  g_assert_true (can_pad (self));
  item = gst_gcc_padding_make (&self->padding, PACKET);
  gst_mini_object_unref (item.object);
  gst_object_unref (item.pad);
}

/* The stream that was padded before is silent for long enough. */
static void
send_and_pad (Sender *self, guint32 ssrc, guint16 seq)
{
  self->now += SILENCE;
  send (self, ssrc, seq);
  pad (self);
}

/* --- tests --- */

/* Guards against: padding that a tunnel takes apart, or loses, where the packets of
 * small pictures pass. */
static void
test_padding_is_no_larger_than_the_media (void)
{
  GstGccPacerItem item;
  Sender sender;

  sender_init (&sender);
  send (&sender, 1, 1);
  g_assert_true (gst_gcc_padding_can_make (&sender.padding, 1400));
  item = gst_gcc_padding_make (&sender.padding, 1400);
  g_assert_cmpuint (
      gst_buffer_get_size (GST_BUFFER (item.object)), ==, PACKET + 12);
  gst_mini_object_unref (item.object);
  gst_object_unref (item.pad);
  sender_clear (&sender);
}

static void
test_a_stream_that_was_padded_goes_on_after_many_others (void)
{
  Sender sender;

  sender_init (&sender);
  for (guint ssrc = 1; ssrc <= MANY; ssrc++)
    send_and_pad (&sender, ssrc, 10);

  for (guint ssrc = 1; ssrc <= MANY; ssrc++)
    g_assert_cmpuint (send (&sender, ssrc, 11), ==, 12);
  sender_clear (&sender);
}

static void
test_an_old_stream_still_gets_what_a_receiver_asks_for (void)
{
  guint16 media = 10, padding = 11;
  Sender sender;

  sender_init (&sender);
  for (guint ssrc = 1; ssrc <= MANY; ssrc++)
    send_and_pad (&sender, ssrc, 10);

  g_assert_true (
      gst_gcc_padding_translate_request (&sender.padding, 1, &media));
  g_assert_cmpuint (media, ==, 10);
  g_assert_false (
      gst_gcc_padding_translate_request (&sender.padding, 1, &padding));
  sender_clear (&sender);
}

static void
test_streams_that_were_never_padded_take_no_place (void)
{
  Sender sender;

  sender_init (&sender);
  for (guint ssrc = 1; ssrc <= 2 * GST_GCC_PADDING_STREAMS; ssrc++) {
    sender.now += SILENCE;
    send (&sender, ssrc, 10);
  }
  g_assert_false (gst_gcc_padding_is_translating (&sender.padding));

  pad (&sender);
  g_assert_true (gst_gcc_padding_is_translating (&sender.padding));
  sender_clear (&sender);
}

static void
test_where_there_is_no_place_a_stream_is_not_padded (void)
{
  const guint32 another = GST_GCC_PADDING_STREAMS + 1;
  Sender sender;

  sender_init (&sender);
  for (guint ssrc = 1; ssrc < another; ssrc++)
    send_and_pad (&sender, ssrc, 10);

  sender.now += SILENCE;
  g_assert_cmpuint (send (&sender, another, 10), ==, 10);
  pad (&sender); /* the one before */
  g_assert_cmpuint (send (&sender, another, 11), ==, 11);
  g_assert_cmpuint (send (&sender, another - 1, 11), ==, 13);
  send_and_pad (&sender, 1, 11);
  g_assert_cmpuint (send (&sender, 1, 12), ==, 14);
  sender_clear (&sender);
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);

#define ADD(name) g_test_add_func ("/padded-streams/" #name, test_##name)
  ADD (padding_is_no_larger_than_the_media);
  ADD (a_stream_that_was_padded_goes_on_after_many_others);
  ADD (an_old_stream_still_gets_what_a_receiver_asks_for);
  ADD (streams_that_were_never_padded_take_no_place);
  ADD (where_there_is_no_place_a_stream_is_not_padded);

  return g_test_run ();
}
