/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* How an element finds its RTP session, joins it and leaves it. */

#include <gst/gst.h>
#include <gst/rtp/rtp.h>

#include "element-test.h"
#include "fake-session.h"

/* --- joining --- */

typedef struct {
  GstElement *sender;
  GstPad *sinkpad;
  GstPad *source;
} Joiner;

static void
joiner_init (Joiner *self, GstElement *sender, GstElement *funnel)
{
  GstPad *srcpad;
  gchar *name;

  self->sender = sender;
  self->sinkpad = gst_element_request_pad_simple (sender, "sink_%u");
  self->source = gst_pad_new (NULL, GST_PAD_SRC);
  g_assert_cmpint (
      gst_pad_link (self->source, self->sinkpad), ==, GST_PAD_LINK_OK);
  name = g_strdup_printf ("src%s", GST_OBJECT_NAME (self->sinkpad) + 4);
  srcpad = gst_element_get_static_pad (sender, name);
  g_assert_true (gst_element_link_pads (sender, name, funnel, NULL));
  gst_object_unref (srcpad);
  g_free (name);
}

static void
joiner_clear (Joiner *self)
{
  gst_object_unref (self->source);
  gst_object_unref (self->sinkpad);
}

/* Media that makes the element look for the session. */
static gpointer
join_by_media (gpointer data)
{
  Joiner *self = data;
  GstPad *srcpad = gst_pad_get_element_private (self->sinkpad);
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_set_active (self->source, TRUE);
  gst_pad_push_event (self->source, gst_event_new_stream_start ("test"));
  gst_pad_push_event (self->source, gst_event_new_segment (&segment));
  for (guint i = 0; i < 20; i++) {
    gst_pad_send_event (srcpad, gst_event_new_reconfigure ());
    gst_pad_push (self->source, test_rtp_packet ((guint16) i, 0, 100));
  }

  return NULL;
}

/* Guards against handlers that stay connected after NULL: two streaming threads
 * that looked for the session at the same time both connected theirs, and only
 * one set was ever disconnected. */
static void
test_nothing_is_connected_after_null_whatever_races (void)
{
  GstElement *sender = test_make ("gccsender");
  GstElement *funnel = test_make ("funnel");
  FakeHolder *holder = fake_holder_new ();
  Joiner joiners[4];

  gst_element_set_state (GST_ELEMENT (holder), GST_STATE_PLAYING);
  gst_element_set_state (funnel, GST_STATE_PLAYING);
  for (guint i = 0; i < G_N_ELEMENTS (joiners); i++)
    joiner_init (&joiners[i], sender, funnel);
  gst_element_link (funnel, GST_ELEMENT (holder));
  holder->is_restless = TRUE;

  for (guint round = 0; round < 100; round++) {
    GThread *threads[G_N_ELEMENTS (joiners)];

    gst_element_set_state (sender, GST_STATE_PLAYING);
    for (guint i = 0; i < G_N_ELEMENTS (joiners); i++)
      threads[i] = g_thread_new ("joiner", join_by_media, &joiners[i]);

    /* NULL after they have joined, and while they do */
    if (round % 2 == 0)
      for (guint i = 0; i < G_N_ELEMENTS (joiners); i++)
        g_thread_join (threads[i]);
    gst_element_set_state (sender, GST_STATE_NULL);
    g_assert_false (fake_holder_has_handlers (holder));
    if (round % 2 == 1)
      for (guint i = 0; i < G_N_ELEMENTS (joiners); i++)
        g_thread_join (threads[i]);
    g_assert_false (fake_holder_has_handlers (holder));
    g_ptr_array_set_size (holder->sessions, 0);
  }

  for (guint i = 0; i < G_N_ELEMENTS (joiners); i++)
    joiner_clear (&joiners[i]);
  gst_element_set_state (funnel, GST_STATE_NULL);
  gst_object_unref (sender);
  gst_object_unref (funnel);
  fake_holder_free (holder);
}

typedef struct {
  GstElement *element;
  gint n_read; /* atomic */
} Mourner;

static void
read_stats (gpointer data, GObject *where_it_was)
{
  Mourner *self = data;
  GstStructure *stats;

  (void) where_it_was;
  g_object_get (self->element, "stats", &stats, NULL);
  gst_structure_free (stats);
  g_atomic_int_inc (&self->n_read);
}

static gboolean
has_mourned (gpointer data)
{
  return g_atomic_int_get (&((Mourner *) data)->n_read) == 2;
}

static gpointer
stop_element (gpointer data)
{
  gst_element_set_state (data, GST_STATE_NULL);

  return NULL;
}

/* Guards against a session that is dropped with a lock held, which whoever
 * follows it may need. The element has its last reference where the session has
 * left the pipeline before. */
static void
test_who_sees_the_session_go_may_read_stats (gconstpointer factory)
{
  Mourner mourner = { NULL, 0 };
  GThread *thread;
  SessionEnd end;

  session_end_start (&end, factory);
  session_end_deliver_many (&end, 2);
  g_assert_true (fake_holder_has_handlers (end.holder));
  mourner.element = end.element;
  g_object_weak_ref (G_OBJECT (end.holder), read_stats, &mourner);
  g_object_weak_ref (G_OBJECT (end.holder->session), read_stats, &mourner);
  fake_holder_free (end.holder);
  g_assert_cmpint (g_atomic_int_get (&mourner.n_read), ==, 0);

  thread = g_thread_new ("stop", stop_element, end.element);
  test_wait_until (has_mourned, &mourner);
  g_thread_join (thread);
  gst_object_unref (end.element);
  gst_object_unref (end.source);
  gst_object_unref (end.clock);
}

/* Guards against an element that goes on in a session that it never entered:
 * what GstElement itself does on the way to PAUSED may fail. */
static void
test_a_start_that_fails_leaves_the_session (gconstpointer factory)
{
  GstElement *element = test_make (factory);
  FakeHolder *holder = fake_holder_new ();
  GstPad *sinkpad = gst_element_get_static_pad (element, "sink");

  gst_element_link (element, GST_ELEMENT (holder));
  test_refuse_activation (sinkpad);
  g_assert_cmpint (gst_element_set_state (element, GST_STATE_PAUSED), ==,
      GST_STATE_CHANGE_FAILURE);
  g_assert_false (fake_holder_has_handlers (holder));

  gst_element_set_state (element, GST_STATE_NULL);
  gst_object_unref (sinkpad);
  gst_object_unref (element);
  fake_holder_free (holder);
}

/* --- walking --- */

typedef struct {
  GstIterator parent;
  GstPad *link;
  guint n_resyncs;
  guint n_given;
} Links;

static GstIteratorResult
links_next (GstIterator *iterator, GValue *item)
{
  Links *self = (Links *) iterator;

  /* As when the element's pads have changed, before the first and after it. */
  if (self->n_resyncs < 2 && self->n_given == self->n_resyncs)
    return GST_ITERATOR_RESYNC;
  if (self->n_given++ > 1)
    return GST_ITERATOR_DONE;
  g_value_set_object (item, self->link);
  return GST_ITERATOR_OK;
}

static void
links_resync (GstIterator *iterator)
{
  Links *self = (Links *) iterator;

  self->n_resyncs++;
  self->n_given = self->n_resyncs > 1 ? 1 : 0;
}

static void
links_free (GstIterator *iterator)
{
  gst_object_unref (((Links *) iterator)->link);
}

static GstIterator *
iterate_and_resync (GstPad *pad, GstObject *parent)
{
  static guint32 cookie;
  Links *links = (Links *) gst_iterator_new (sizeof (Links), GST_TYPE_PAD, NULL,
      &cookie, NULL, links_next, NULL, links_resync, links_free);

  (void) pad;
  links->link = gst_element_get_static_pad (GST_ELEMENT (parent), "src");
  links->n_resyncs = 0;
  links->n_given = 0;

  return &links->parent;
}

/* Guards against an element on the way whose pads change while it is walked
 * through: what lies downstream of it was not found. */
static void
test_the_session_is_found_while_pads_change (void)
{
  GstElement *sender = test_make ("gccsender");
  GstElement *between = test_make ("identity");
  FakeHolder *holder = fake_holder_new ();
  GstPad *pad = gst_element_get_static_pad (between, "sink");

  gst_pad_set_iterate_internal_links_function (pad, iterate_and_resync);
  g_assert_true (gst_element_link (sender, between));
  g_assert_true (gst_element_link (between, GST_ELEMENT (holder)));
  gst_element_set_state (sender, GST_STATE_PAUSED);
  g_assert_true (fake_holder_has_handlers (holder));

  gst_element_set_state (sender, GST_STATE_NULL);
  gst_object_unref (pad);
  gst_object_unref (between);
  gst_object_unref (sender);
  fake_holder_free (holder);
}

/* What an application finds that connects to "pad-added". */
typedef struct {
  GstPadChainFunction chain;
  gboolean is_active;
  gboolean has_way_out;
  GstFlowReturn flow;
} Added;

static void
note_added (GstElement *element, GstPad *pad, gpointer user_data)
{
  Added *added = user_data;
  GstPad *srcpad;

  if (!GST_PAD_IS_SINK (pad))
    return;
  srcpad = gst_pad_get_element_private (pad);
  added->chain = GST_PAD_CHAINFUNC (pad);
  added->is_active = gst_pad_is_active (pad) && gst_pad_is_active (srcpad);
  added->has_way_out = GST_OBJECT_PARENT (srcpad) == GST_OBJECT (element);
}

/* Guards against media that comes in through a half-made stream. */
static void
test_a_pad_works_when_it_is_told_of (void)
{
  GstElement *sender = test_make ("gccsender");
  Added added = { 0 };
  GstPad *pad;

  gst_element_set_state (sender, GST_STATE_PLAYING);
  g_signal_connect (sender, "pad-added", G_CALLBACK (note_added), &added);
  pad = gst_element_request_pad_simple (sender, "sink_%u");
  g_assert_true (added.chain == GST_PAD_CHAINFUNC (pad));
  g_assert_true (added.is_active);
  g_assert_true (added.has_way_out);

  gst_element_set_state (sender, GST_STATE_NULL);
  gst_element_release_request_pad (sender, pad);
  gst_object_unref (pad);
  gst_object_unref (sender);
}

static gpointer
list_links (gpointer data)
{
  for (guint i = 0; i < 20000; i++) {
    GstIterator *links = gst_pad_iterate_internal_links (data);
    GValue item = G_VALUE_INIT;

    if (links == NULL)
      break;
    if (gst_iterator_next (links, &item) == GST_ITERATOR_OK) {
      /* the pad's name is read: it has to be there */
      g_free (gst_pad_get_name (GST_PAD (g_value_get_object (&item))));
      g_value_unset (&item);
    }
    gst_iterator_free (links);
  }

  return NULL;
}

/* Guards against a pad that is used after it was freed: whoever walks the
 * pipeline holds the one and asks for the other while both are released. */
static void
test_links_are_listed_while_pads_are_released (void)
{
  GstElement *sender = test_make ("gccsender");

  for (guint i = 0; i < 50; i++) {
    GstPad *sinkpad = gst_element_request_pad_simple (sender, "sink_%u");
    GstPad *srcpad = gst_object_ref (gst_pad_get_element_private (sinkpad));
    GThread *threads[2];

    threads[0] = g_thread_new ("lister", list_links, gst_object_ref (sinkpad));
    threads[1] = g_thread_new ("lister", list_links, srcpad);
    g_usleep (i * 20);
    gst_element_release_request_pad (sender, sinkpad);
    gst_object_unref (sinkpad);
    g_thread_join (threads[1]);
    gst_object_unref (srcpad);
    g_thread_join (threads[0]);
    gst_object_unref (sinkpad);
  }
  gst_object_unref (sender);
}

/* --- when packets arrived --- */

/* Guards against GStreamer 1.22's udpsrc, which writes the time of the clock as
 * DTS in place of the running time where the kernel's timestamp is not older
 * than its own: the estimate fell to a tenth on an empty link. */
static void
test_arrivals_of_the_future_do_not_lower_the_estimate (void)
{
  const guint rate = 1000 * 8 * 1000 / 33;
  SessionEnd end;

  session_end_start (&end, "gccreceiver");
  /* base time 1 s: what is right is a second less */
  for (guint i = 0; i < 3000; i++)
    session_end_deliver (&end,
        i * 7919 % 10 == 4 || i * 104729 % 11 == 3
            ? session_end_time_of_frame (&end)
            : session_end_time_of_frame (&end) - GST_SECOND);
  g_assert_cmpuint (test_get_uint (end.element, "estimated-bitrate"), >, rate);
  g_assert_cmpuint (test_stats_uint64 (end.element, "overuses"), ==, 0);
  session_end_stop (&end);
}

/* --- an element that is restarted --- */

static gint is_over; /* atomic */

static gpointer
read_for_ever (gpointer element)
{
  while (!g_atomic_int_get (&is_over)) {
    GstStructure *stats;

    g_object_get (element, "stats", &stats, NULL);
    gst_structure_free (stats);
  }

  return NULL;
}

/* For ThreadSanitizer. Before: the parameters were overwritten while they were
 * read. */
static void
test_stats_may_be_read_while_it_is_restarted (gconstpointer factory)
{
  static const gchar *profiles[] = { "goog-2020", "recommended" };
  GstElement *element = test_make (factory);
  GThread *thread;

  g_atomic_int_set (&is_over, FALSE);
  thread = g_thread_new ("stats", read_for_ever, element);
  for (guint i = 0; i < 100; i++) {
    gst_util_set_object_arg (G_OBJECT (element), "profile", profiles[i % 2]);
    gst_element_set_state (element, GST_STATE_PAUSED);
    gst_element_set_state (element, GST_STATE_READY);
  }
  g_atomic_int_set (&is_over, TRUE);
  g_thread_join (thread);
  test_stop (element);
}

/* --- a session that is linked while it is looked for --- */

/* The pad of @gate is asked where it leads: at the @n_left-th time the session is
 * linked behind it, as webrtcbin does in a thread of its own. */
typedef struct {
  GstElement *pipeline;
  GstElement *sender;
  GstPad *gate;
  GstPad *session;
  GstPad *src;
  guint n_left;
} Late;

static GstIterator *
link_in_time (GstPad *pad, GstObject *parent)
{
  Late *self = gst_pad_get_element_private (pad);

  if (self->n_left > 0 && --self->n_left == 0)
    g_assert_cmpint (
        gst_pad_link (self->gate, self->session), ==, GST_PAD_LINK_OK);

  return gst_pad_iterate_internal_links_default (pad, parent);
}

static void
late_start (Late *self)
{
  GstElement *gate = gst_element_factory_make ("identity", NULL);
  GstElement *session = gst_element_factory_make ("rtpsession", NULL);
  GstElement *sink = gst_element_factory_make ("fakesink", NULL);
  GstPad *pad;

  self->pipeline = gst_pipeline_new (NULL);
  self->sender = gst_element_factory_make ("gccsender", NULL);
  gst_util_set_object_arg (
      G_OBJECT (self->sender), "manage", "sink+session+fec");
  g_object_set (sink, "async", FALSE, NULL);
  gst_bin_add_many (
      GST_BIN (self->pipeline), self->sender, gate, session, sink, NULL);
  g_assert_true (gst_element_link (self->sender, gate));
  self->gate = gst_element_get_static_pad (gate, "src");
  self->session = gst_element_request_pad_simple (session, "send_rtp_sink");
  g_assert_true (gst_element_link_pads (session, "send_rtp_src", sink, "sink"));
  pad = gst_element_get_static_pad (gate, "sink");
  gst_pad_set_element_private (pad, self);
  gst_pad_set_iterate_internal_links_function (pad, link_in_time);
  gst_object_unref (pad);

  gst_element_set_state (self->pipeline, GST_STATE_PLAYING);
  pad = gst_element_get_static_pad (self->sender, "sink");
  self->src = test_open_source (pad, TEST_RTP_CAPS);
  gst_object_unref (pad);
}

static void
late_stop (Late *self)
{
  gst_element_set_state (self->pipeline, GST_STATE_NULL);
  gst_pad_set_active (self->src, FALSE);
  gst_object_unref (self->src);
  gst_object_unref (self->session);
  gst_object_unref (self->gate);
  gst_object_unref (self->pipeline);
}

/* Before: a warning that there is no session, where it came between the search
 * for it and the question whether it may still come. */
static void
test_a_session_may_come_while_it_is_looked_for (void)
{
  for (guint i = 1; i <= 12; i++) {
    Late late = { 0 };
    GstBus *bus;

    late_start (&late);
    bus = gst_element_get_bus (late.pipeline);
    late.n_left = i;
    for (guint16 j = 0; j < 3; j++)
      gst_pad_push (late.src, test_rtp_packet (j, 0, 100));
    g_assert_cmpuint (test_count_warnings (bus), ==, 0);
    gst_object_unref (bus);
    late_stop (&late);
  }
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);

#define ADD(name) g_test_add_func ("/session/" #name, test_##name)
#define ADD_FOR(name, factory) \
  g_test_add_data_func ("/session/" #name "/" factory, factory, test_##name)
  ADD (nothing_is_connected_after_null_whatever_races);
  ADD_FOR (a_start_that_fails_leaves_the_session, "gccsender");
  ADD_FOR (a_start_that_fails_leaves_the_session, "gccreceiver");
  ADD_FOR (who_sees_the_session_go_may_read_stats, "gccsender");
  ADD_FOR (who_sees_the_session_go_may_read_stats, "gccreceiver");
  ADD (the_session_is_found_while_pads_change);
  ADD (a_pad_works_when_it_is_told_of);
  ADD (links_are_listed_while_pads_are_released);
  ADD_FOR (stats_may_be_read_while_it_is_restarted, "gccsender");
  ADD_FOR (stats_may_be_read_while_it_is_restarted, "gccreceiver");
  ADD (a_session_may_come_while_it_is_looked_for);
  ADD (arrivals_of_the_future_do_not_lower_the_estimate);

  return g_test_run ();
}
