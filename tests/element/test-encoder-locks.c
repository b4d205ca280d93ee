/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* While gccsender sets an encoder, the encoder and the application do as they like. */

#include <gst/gst.h>

#include "element-test.h"
#include "encoder-stream.h"

/* --- what the tests do with it --- */

static gpointer
set_target_to_200000 (gpointer sender)
{
  encoder_stream_set_target (sender, 200000);

  return NULL;
}

static gboolean
is_being_set (gpointer encoder)
{
  return g_atomic_int_get (&((TestEncoder *) encoder)->n_begun) > 0;
}

/* Another thread that has a new target and waits for the encoder's stream lock,
 * which the caller holds. */
static GThread *
have_it_set_meanwhile (EncoderStream *self)
{
  GThread *thread;

  g_atomic_int_set (&self->encoder->n_begun, 0);
  thread = g_thread_new ("target", set_target_to_200000, self->sender);
  test_wait_until (is_being_set, self->encoder);

  return thread;
}

/* --- locks --- */

static void
read_the_encoder (GObject *encoder, GParamSpec *pspec, gpointer sender)
{
  (void) pspec;
  g_assert_true (encoder_stream_get_encoder (sender) == GST_ELEMENT (encoder));
}

/* Guards against: a lock held while encoders are set, which the property takes,
 * too. */
static void
test_a_handler_of_the_encoder_may_read_the_encoder (void)
{
  EncoderStream stream;

  encoder_stream_start (&stream);
  g_signal_connect (stream.encoder, "notify::bitrate",
      G_CALLBACK (read_the_encoder), stream.sender);
  encoder_stream_set_target (stream.sender, 200000);
  g_assert_cmpuint (stream.encoder->bitrate, ==, 200000);
  encoder_stream_stop (&stream);
}

static void
set_limits_once (GObject *encoder, GParamSpec *pspec, gpointer sender)
{
  (void) pspec;
  g_signal_handlers_disconnect_by_func (encoder, set_limits_once, sender);
  encoder_stream_set_target (sender, 100000);
}

/* Guards against the same; and what the handler wants comes last. */
static void
test_a_handler_of_the_encoder_may_set_the_limits (void)
{
  EncoderStream stream;

  encoder_stream_start (&stream);
  g_signal_connect (stream.encoder, "notify::bitrate",
      G_CALLBACK (set_limits_once), stream.sender);
  encoder_stream_set_target (stream.sender, 200000);
  g_assert_cmpuint (stream.encoder->bitrate, ==, 100000);
  encoder_stream_stop (&stream);
}

static GstPadProbeReturn
read_the_sender (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  EncoderStream *self = user_data;
  GThread *thread = have_it_set_meanwhile (self);

  (void) info;
  g_assert_true (
      encoder_stream_get_encoder (self->sender) == GST_ELEMENT (self->encoder));
  g_assert_cmpuint (test_stats_uint64 (self->sender, "reports"), ==, 0);
  g_assert_cmpuint (test_get_uint (self->sender, "target-bitrate"), ==, 200000);
  g_object_set_data (G_OBJECT (pad), "thread", thread);

  return GST_PAD_PROBE_REMOVE;
}

/* Guards against: one thread in the encoder's stream lock that waits for ours,
 * and one in ours that waits for the encoder's. */
static void
test_an_encoder_that_pushes_may_read_the_sender (void)
{
  EncoderStream stream;

  encoder_stream_start (&stream);
  encoder_stream_push (&stream);
  gst_pad_add_probe (stream.encoder->srcpad, GST_PAD_PROBE_TYPE_BUFFER,
      read_the_sender, &stream, NULL);
  encoder_stream_push (&stream);
  g_thread_join (
      g_object_get_data (G_OBJECT (stream.encoder->srcpad), "thread"));
  g_assert_cmpuint (stream.encoder->bitrate, ==, 200000);
  encoder_stream_stop (&stream);
}

static GstPadProbeReturn
have_it_look_again (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  EncoderStream *self = user_data;

  (void) info;
  g_object_set_data (G_OBJECT (pad), "thread", have_it_set_meanwhile (self));
  g_object_set (self->sender, "encoder", NULL, NULL);

  return GST_PAD_PROBE_REMOVE;
}

/* Guards against: the same, by a packet with which the pipeline is looked at.
 */
static void
test_an_encoder_may_push_while_it_is_set (void)
{
  EncoderStream stream;

  encoder_stream_start (&stream);
  encoder_stream_push (&stream);
  gst_pad_add_probe (stream.encoder->srcpad, GST_PAD_PROBE_TYPE_BUFFER,
      have_it_look_again, &stream, NULL);
  encoder_stream_push (&stream);
  g_thread_join (
      g_object_get_data (G_OBJECT (stream.encoder->srcpad), "thread"));
  g_assert_cmpuint (stream.encoder->bitrate, ==, 200000);
  encoder_stream_stop (&stream);
}

/* Guards against: a thread that waits for another to have set the encoder, and
 * an older target that is set after a newer one. */
static void
test_of_two_targets_the_later_wins_and_nobody_waits (void)
{
  EncoderStream stream;
  GThread *thread;

  encoder_stream_start (&stream);
  g_mutex_lock (&stream.encoder->stream_lock);
  thread = have_it_set_meanwhile (&stream);
  encoder_stream_set_target (stream.sender, 150000);
  g_mutex_unlock (&stream.encoder->stream_lock);
  g_thread_join (thread);
  g_assert_cmpuint (stream.encoder->bitrate, ==, 150000);
  encoder_stream_stop (&stream);
}

static void
read_at_the_end (gpointer sender, GObject *encoder)
{
  g_assert_true (encoder_stream_get_encoder (sender) != GST_ELEMENT (encoder));
  g_object_set_data (sender, "encoder-is-gone", sender);
}

/* Guards against: an encoder that is finalized with a lock held, and whose end
 * the application follows. */
static void
test_an_encoder_may_end_in_our_hands (void)
{
  EncoderStream stream;
  GstElement *given = test_make ("testencoder");

  encoder_stream_start (&stream);
  g_object_weak_ref (G_OBJECT (given), read_at_the_end, stream.sender);
  g_object_set (stream.sender, "encoder", given, NULL);
  gst_object_unref (given);
  encoder_stream_push (&stream);
  g_assert_true (encoder_stream_get_encoder (stream.sender) == given);
  g_object_set (stream.sender, "encoder", NULL, NULL);
  encoder_stream_push (&stream);
  g_assert_nonnull (
      g_object_get_data (G_OBJECT (stream.sender), "encoder-is-gone"));
  encoder_stream_stop (&stream);
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);
  test_encoder_register ();

#define ADD(name) g_test_add_func ("/encoder-locks/" #name, test_##name)
  ADD (a_handler_of_the_encoder_may_read_the_encoder);
  ADD (a_handler_of_the_encoder_may_set_the_limits);
  ADD (an_encoder_that_pushes_may_read_the_sender);
  ADD (an_encoder_may_push_while_it_is_set);
  ADD (of_two_targets_the_later_wins_and_nobody_waits);
  ADD (an_encoder_may_end_in_our_hands);
#undef ADD

  return g_test_run ();
}
