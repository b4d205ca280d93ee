/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* What must not reach an RTP session, by any of its pads: docs/security.md. */

#include <gst/gcc/wire/gcc-transport-feedback.h>
#include <gst/gst.h>
#include <gst/rtp/rtp.h>
#include <string.h>

#include "element-test.h"

#define NUMBER_EXTMAP ",extmap-5=" GCC_TRANSPORT_FEEDBACK_URI
#define MEDIA_SSRC 5u
#define CAPS \
  "application/x-rtp,media=video,encoding-name=VP8,clock-rate=90000," \
  "payload=96,ssrc=(uint)5"

/* --- bytes --- */

/* clang-format off */
#define REQUEST \
  0x85, 0xcd, 0x00, 0x02,  /* V=2, FMT 5: request for a sender report; RTPFB */ \
  0x00, 0x00, 0x00, 0xaa,  /* from this one */ \
  0x00, 0x00, 0x00, 0x05   /* of MEDIA_SSRC */

#define RECEIVER_REPORT \
  0x80, 0xc9, 0x00, 0x01,  /* V=2, RR without blocks */ \
  0x00, 0x00, 0x00, 0xaa

static const guint8 request[] = { REQUEST };

static const guint8 request_among_others[] = {
  RECEIVER_REPORT,
  REQUEST,
  REQUEST,
  0x8f, 0xce, 0x00, 0x05,  /* PSFB with FMT 15 */
  0x00, 0x00, 0x00, 0xaa,
  0x00, 0x00, 0x00, 0x00,
  'R', 'E', 'M', 'B',
  0x01, 0x0b, 0xd0, 0x90,  /* one SSRC; 250000 * 2^2 bit/s */
  0x00, 0x00, 0x00, 0x05,
};

static const guint8 request_at_the_end[] = { RECEIVER_REPORT, REQUEST };

/* Transport-wide feedback that tells of 65535 packets, and of the time of none.
 * Before rtpsession looks whether it is still inside it reads a delta. */
static const guint8 claims_too_much[] = {
  0x8f, 0xcd, 0x00, 0x05,  /* RTPFB with FMT 15 */
  0x00, 0x00, 0x00, 0xaa,
  0x00, 0x00, 0x00, 0x05,
  0x00, 0x00, 0xff, 0xff,  /* from 0 on, 65535 packets */
  0x00, 0x00, 0x01, 0x00,  /* reference time, count */
  0x3f, 0xff, 0x3f, 0xff,  /* twice 8191 that arrived, with small deltas */
};

/* All statuses are there; of the deltas of two bytes the second is cut. */
static const guint8 lacks_a_delta[] = {
  0x8f, 0xcd, 0x00, 0x05,
  0x00, 0x00, 0x00, 0xaa,
  0x00, 0x00, 0x00, 0x05,
  0x00, 0x00, 0x00, 0x02,  /* from 0 on, two packets */
  0x00, 0x00, 0x01, 0x00,
  0x40, 0x02, 0x00, 0x04,  /* two that arrived, with large deltas; one delta */
};

/* Forty bytes: 65535 packets that have not arrived. */
static const guint8 claims_losses[] = {
  RECEIVER_REPORT,
  0x8f, 0xcd, 0x00, 0x07,
  0x00, 0x00, 0x00, 0xaa,
  0x00, 0x00, 0x00, 0x00,
  0x00, 0x00, 0xff, 0xff,  /* from 0 on, 65535 packets */
  0x00, 0x00, 0x01, 0x00,
  0x1f, 0xff, 0x1f, 0xff,  /* eight times 8191 that have not arrived, ... */
  0x1f, 0xff, 0x1f, 0xff,
  0x1f, 0xff, 0x1f, 0xff,
};

/* ... and one number far from the last message's, whose count comes next. */
static const guint8 leaves_out_many[] = {
  0x8f, 0xcd, 0x00, 0x05,
  0x00, 0x00, 0x00, 0xaa,
  0x00, 0x00, 0x00, 0x05,
  0xff, 0xf0, 0x00, 0x01,
  0x00, 0x00, 0x01, 0x01,
  0x20, 0x01, 0x04, 0x00,
};

/* The first packet that is numbered has arrived. */
static const guint8 tells_of_one[] = {
  0x8f, 0xcd, 0x00, 0x05,
  0x00, 0x00, 0x00, 0xaa,
  0x00, 0x00, 0x00, 0x05,
  0x00, 0x00, 0x00, 0x01,  /* 0, one packet */
  0x00, 0x00, 0x01, 0x00,
  0x20, 0x01, 0x04, 0x00,  /* one that arrived, 1 ms; a byte that fills up */
};

/* Twenty bytes: the second item is as long as an item can be. rtpsession has
 * read 255 bytes past the end (1.22). */
static const guint8 item_past_the_end[] = {
  0x81, 0xca, 0x00, 0x04,  /* SDES of one source */
  0x00, 0x00, 0x00, 0xaa,
  0x01, 0x02, 'a', 'b',    /* CNAME */
  0x02, 0xff, 'c', 'd',    /* NAME */
  'e', 'f', 'g', 'h',
};

/* A private item whose name is longer than itself: rtpsession reads 255 bytes
 * past the end (1.22 to 1.28). */
static const guint8 name_past_the_end[] = {
  0x81, 0xca, 0x00, 0x03,
  0x00, 0x00, 0x00, 0xaa,
  0x08, 0x04, 0xff, 'a',   /* PRIV of four bytes, with a name of 255 */
  'b', 'c', 0x00, 0x00,
};

static const guint8 private_item_of_nothing[] = {
  0x81, 0xca, 0x00, 0x02,
  0x00, 0x00, 0x00, 0xaa,
  0x08, 0x00, 0x00, 0x00,
};

static const guint8 source_that_is_missing[] = {
  0x81, 0xca, 0x00, 0x00,
};

/* GStreamer reads one source more than is claimed (1.22 to 1.28). */
static const guint8 source_that_is_not_claimed[] = {
  0x81, 0xca, 0x00, 0x05,
  0x00, 0x00, 0x00, 0xaa,
  0x00, 0x00, 0x00, 0x00,
  0x00, 0x00, 0x00, 0xab,
  0x01, 0x02, 'a', 'b',
  0x02, 0xff, 'c', 'd',
};

static const guint8 list_that_ends_in_padding[] = {
  0xa1, 0xca, 0x00, 0x03,  /* padding */
  0x00, 0x00, 0x00, 0xaa,
  0x01, 0x02, 'a', 'b',
  0xff, 0xff, 0xff, 0x04,  /* reads as an item of 255 bytes */
};

static const guint8 block_past_the_end[] = {
  0x82, 0xc9, 0x00, 0x07,  /* RR that claims two blocks */
  0x00, 0x00, 0x00, 0xaa,
  0x00, 0x00, 0x00, 0x05, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
};

static const guint8 block_of_sender_past_the_end[] = {
  0x81, 0xc8, 0x00, 0x06,  /* SR that claims a block */
  0x00, 0x00, 0x00, 0xaa,
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
};

static const guint8 reason_past_the_end[] = {
  0x81, 0xcb, 0x00, 0x02,  /* BYE of one source */
  0x00, 0x00, 0x00, 0xaa,
  0xff, 'a', 'b', 'c',
};

static const guint8 source_past_the_end[] = {
  0x82, 0xcb, 0x00, 0x01,
  0x00, 0x00, 0x00, 0xaa,
};

static const guint8 name_that_is_missing[] = {
  0x80, 0xcc, 0x00, 0x01,  /* APP */
  0x00, 0x00, 0x00, 0xaa,
};

static const guint8 feedback_about_nobody[] = {
  0x81, 0xcd, 0x00, 0x01,  /* NACK without the SSRC of media */
  0x00, 0x00, 0x00, 0xaa,
};

static const guint8 half_an_intra_request[] = {
  0x84, 0xce, 0x00, 0x03,  /* PSFB with FMT 4: FIR */
  0x00, 0x00, 0x00, 0xaa,
  0x00, 0x00, 0x00, 0x00,
  0x00, 0x00, 0x00, 0x05,  /* its number is missing */
};

static const guint8 half_a_rate_request[] = {
  0x83, 0xcd, 0x00, 0x03,  /* RTPFB with FMT 3: TMMBR */
  0x00, 0x00, 0x00, 0xaa,
  0x00, 0x00, 0x00, 0x00,
  0x00, 0x00, 0x00, 0x05,
};

static const guint8 extended_block_past_the_end[] = {
  0x80, 0xcf, 0x00, 0x02,  /* XR */
  0x00, 0x00, 0x00, 0xaa,
  0x05, 0x00, 0x00, 0x01,  /* DLRR of one word that is missing */
};

static const guint8 padding_past_the_start[] = {
  0xa0, 0xc9, 0x00, 0x01,
  0x00, 0x00, 0x00, 0xaa,  /* 170 bytes */
};

/* All of it fits. */
static const guint8 sound_compound[] = {
  RECEIVER_REPORT,
  0x82, 0xca, 0x00, 0x08,  /* SDES of two sources */
  0x00, 0x00, 0x00, 0xaa,
  0x01, 0x02, 'a', 'b',
  0x08, 0x03, 0x01, 'p',   /* PRIV: a name, and one byte */
  'v', 0x00, 0x00, 0x00,   /* the end, up to the word */
  0x00, 0x00, 0x00, 0xab,
  0x01, 0x05, 'c', 'd',
  'e', 'f', 'g', 0x00,
  0x00, 0x00, 0x00, 0x00,  /* more than is claimed */
  0x80, 0xcc, 0x00, 0x02,  /* APP without data */
  0x00, 0x00, 0x00, 0xaa,
  't', 'e', 's', 't',
  0x84, 0xce, 0x00, 0x04,  /* FIR */
  0x00, 0x00, 0x00, 0xaa,
  0x00, 0x00, 0x00, 0x00,
  0x00, 0x00, 0x00, 0x05,
  0x01, 0x00, 0x00, 0x00,
  0x87, 0xcd, 0x00, 0x03,  /* RTPFB with FMT 7: TLLEI */
  0x00, 0x00, 0x00, 0xaa,
  0x00, 0x00, 0x00, 0x05,
  0x00, 0x01, 0x00, 0x00,
  0x80, 0xcf, 0x00, 0x04,  /* XR with a reference time */
  0x00, 0x00, 0x00, 0xaa,
  0x04, 0x00, 0x00, 0x02,
  0, 0, 0, 1, 0, 0, 0, 1,
  0x81, 0xcb, 0x00, 0x02,  /* BYE of another source, with a reason */
  0x00, 0x00, 0x00, 0xac,
  0x03, 'e', 'n', 'd',
};

/* The last item ends with the packet, and nothing ends its list. */
static const guint8 list_without_an_end[] = {
  0x81, 0xca, 0x00, 0x02,
  0x00, 0x00, 0x00, 0xaa,
  0x01, 0x02, 'a', 'b',
};
/* clang-format on */

static GstBuffer *
make_buffer (const guint8 *data, gsize size)
{
  return gst_buffer_new_memdup (data, size);
}

static GstBuffer *
media_packet (guint16 seqnum)
{
  GstBuffer *buffer = test_rtp_packet (seqnum, 0, 100);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  gst_rtp_buffer_map (buffer, GST_MAP_WRITE, &rtp);
  gst_rtp_buffer_set_ssrc (&rtp, MEDIA_SSRC);
  gst_rtp_buffer_unmap (&rtp);

  return buffer;
}

/* Marked, with a payload type that RFC 5761 tells not to use: its first two
 * bytes are those of feedback. With four contributing sources, which are there,
 * it is RTP to rtpsession. */
static GstBuffer *
odd_media_packet (guint16 seqnum)
{
  GstBuffer *buffer = gst_rtp_buffer_new_allocate (100, 0, 4);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  gst_rtp_buffer_map (buffer, GST_MAP_WRITE, &rtp);
  gst_rtp_buffer_set_ssrc (&rtp, TEST_SSRC);
  gst_rtp_buffer_set_seq (&rtp, seqnum);
  gst_rtp_buffer_set_marker (&rtp, TRUE);
  gst_rtp_buffer_set_payload_type (&rtp, 0xcd & 0x7f);
  gst_rtp_buffer_unmap (&rtp);

  return buffer;
}

/* --- a session with feedback that is MEDIA_SSRC --- */

typedef struct {
  GstElement *pipeline;
  GstElement *element;
  GstElement *session;
  GstElement *media;
  GstPad *source; /* of what comes from the network, */
  GstPad *sink;   /* and where it enters */
} Call;

static GstPad *
open_source (GstPad *sink, const gchar *text)
{
  GstPad *pad = gst_pad_new ("src", GST_PAD_SRC);
  GstCaps *caps = gst_caps_from_string (text);
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  g_assert_cmpint (gst_pad_link (pad, sink), ==, GST_PAD_LINK_OK);
  gst_pad_set_active (pad, TRUE);
  gst_pad_push_event (pad, gst_event_new_stream_start ("network"));
  gst_pad_push_event (pad, gst_event_new_caps (caps));
  gst_pad_push_event (pad, gst_event_new_segment (&segment));
  gst_caps_unref (caps);

  return pad;
}

/* After the element has joined, as where a transport is linked late. */
static void
open_pad (Call *self, const gchar *name)
{
  self->sink = gst_element_request_pad_simple (self->session, name);
  self->source = open_source (self->sink,
      g_str_equal (name, "recv_rtp_sink") ? CAPS : "application/x-rtcp");
}

static void
close_pad (Call *self)
{
  gst_pad_set_active (self->source, FALSE);
  gst_pad_unlink (self->source, self->sink);
  gst_clear_object (&self->source);
  gst_element_release_request_pad (self->session, self->sink);
  gst_clear_object (&self->sink);
}

/* Whether the session has a source MEDIA_SSRC that has sent as much. */
static gboolean
has_sent (Call *self, guint64 n_packets)
{
  GstStructure *stats;
  GValueArray *sources;
  gboolean found = FALSE;

  g_object_get (self->session, "stats", &stats, NULL);
  G_GNUC_BEGIN_IGNORE_DEPRECATIONS
  sources = g_value_get_boxed (gst_structure_get_value (stats, "source-stats"));
  for (guint i = 0; i < sources->n_values; i++) {
    const GstStructure *source = g_value_get_boxed (
        g_value_array_get_nth (sources, i));
    guint64 n = 0;
    guint ssrc = 0;

    gst_structure_get_uint64 (source, "packets-sent", &n);
    found |= gst_structure_get_uint (source, "ssrc", &ssrc) &&
        ssrc == MEDIA_SSRC && n >= n_packets;
  }
  G_GNUC_END_IGNORE_DEPRECATIONS
  gst_structure_free (stats);

  return found;
}

/* By the caps, before a packet has come. */
static gboolean
is_media_known (gpointer data)
{
  return has_sent (data, 0);
}

static gboolean
has_media_left (gpointer data)
{
  return has_sent (data, 1);
}

static void
send_media (Call *self)
{
  for (guint16 i = 0; i < 3; i++) {
    GstBuffer *buffer = media_packet (i);
    GstFlowReturn flow;

    g_signal_emit_by_name (self->media, "push-buffer", buffer, &flow);
    gst_buffer_unref (buffer);
  }
  test_wait_until (is_media_known, self);
}

/* @element is one of ours, with properties; it joins before @pad is there.
 * @extmap: of the caps of media */
static void
call_start_with (
    Call *self, const gchar *element, const gchar *extmap, const gchar *pad)
{
  gchar *line = g_strdup_printf (
      "appsrc name=media is-live=true format=time caps=\"" CAPS "%s\" "
      "! %s name=element ! session.send_rtp_sink "
      "rtpsession name=session rtp-profile=avpf "
      "session.send_rtp_src ! fakesink async=false "
      "session.send_rtcp_src ! fakesink async=false sync=false",
      extmap, element);

  self->pipeline = gst_parse_launch (line, NULL);
  g_assert_nonnull (self->pipeline);
  self->element = gst_bin_get_by_name (GST_BIN (self->pipeline), "element");
  self->session = gst_bin_get_by_name (GST_BIN (self->pipeline), "session");
  self->media = gst_bin_get_by_name (GST_BIN (self->pipeline), "media");
  gst_element_set_state (self->pipeline, GST_STATE_PLAYING);
  open_pad (self, pad);
  send_media (self);
  g_free (line);
}

static void
call_start (Call *self, const gchar *element, const gchar *pad)
{
  call_start_with (self, element, "", pad);
}

static void
call_stop (Call *self)
{
  gst_element_set_state (self->pipeline, GST_STATE_NULL);
  gst_clear_object (&self->source);
  gst_clear_object (&self->sink);
  gst_object_unref (self->media);
  gst_object_unref (self->session);
  gst_object_unref (self->element);
  gst_object_unref (self->pipeline);
}

static guint
count (GstElement *element, const gchar *field)
{
  GstStructure *stats;
  guint n = G_MAXUINT;

  g_object_get (element, "stats", &stats, NULL);
  g_assert_true (gst_structure_get_uint (stats, field, &n));
  gst_structure_free (stats);

  return n;
}

/* --- by a thread that may not come back --- */

typedef struct {
  GstPad *source;
  GstBufferList *list; /* all at once, */
  GstBuffer *buffer;   /* or one by itself */
  gint is_done;        /* atomic */
} Delivery;

static gpointer
push (gpointer data)
{
  Delivery *self = data;

  if (self->list != NULL)
    gst_pad_push_list (self->source, self->list);
  else
    gst_pad_push (self->source, self->buffer);
  g_atomic_int_set (&self->is_done, TRUE);

  return NULL;
}

static gboolean
is_done (gpointer data)
{
  return g_atomic_int_get (&((Delivery *) data)->is_done);
}

static void
deliver_in_time (Delivery *delivery)
{
  GThread *thread = g_thread_new ("network", push, delivery);

  test_wait_until (is_done, delivery);
  g_thread_join (thread);
}

static void
deliver (Call *self, GstBuffer *buffer)
{
  Delivery delivery = { self->source, NULL, buffer, FALSE };

  deliver_in_time (&delivery);
}

/* Between packets of media, where the pad is that of RTP. */
static void
deliver_in_list (Call *self, GstBuffer *buffer)
{
  gboolean is_rtp = g_str_equal (GST_OBJECT_NAME (self->sink), "recv_rtp_sink");
  Delivery delivery = { self->source, gst_buffer_list_new (), NULL, FALSE };

  if (is_rtp)
    gst_buffer_list_add (delivery.list, test_rtp_packet (0, 0, 100));
  gst_buffer_list_add (delivery.list, buffer);
  if (is_rtp)
    gst_buffer_list_add (delivery.list, test_rtp_packet (1, 0, 100));
  deliver_in_time (&delivery);
}

/* --- what passes the guard --- */

typedef struct {
  GPtrArray *buffers;
} Passed;

static GstPadProbeReturn
note (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Passed *self = user_data;
  GstBufferList *list;

  (void) pad;
  if (!(info->type & GST_PAD_PROBE_TYPE_BUFFER_LIST)) {
    g_ptr_array_add (
        self->buffers, gst_buffer_ref (GST_PAD_PROBE_INFO_BUFFER (info)));
    return GST_PAD_PROBE_DROP;
  }
  list = GST_PAD_PROBE_INFO_BUFFER_LIST (info);
  for (guint i = 0; i < gst_buffer_list_length (list); i++)
    g_ptr_array_add (
        self->buffers, gst_buffer_ref (gst_buffer_list_get (list, i)));

  return GST_PAD_PROBE_DROP;
}

/* From now on the session gets nothing by this pad. */
static void
passed_init (Passed *self, Call *call)
{
  self->buffers = g_ptr_array_new_with_free_func (
      (GDestroyNotify) gst_buffer_unref);
  gst_pad_add_probe (call->sink,
      GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_BUFFER_LIST, note, self,
      NULL);
}

static void
passed_clear (Passed *self)
{
  g_ptr_array_unref (self->buffers);
}

static gpointer
passed_get (Passed *self, guint i)
{
  g_assert_cmpuint (i, <, self->buffers->len);

  return g_ptr_array_index (self->buffers, i);
}

/* --- requests for a sender report --- */

static const gchar *const elements[] = { "gccsender", "gccreceiver",
  "gccsender manage=none", "gccreceiver manage=none" };
static const gchar *const pads[] = { "recv_rtcp_sink", "recv_rtp_sink" };

/* Guards against 12 bytes from anybody that freeze rtpsession: it takes its
 * lock twice. See docs/security.md. */
static void
test_a_request_for_a_report_does_not_freeze_the_session (gconstpointer pad)
{
  for (guint i = 0; i < G_N_ELEMENTS (elements); i++) {
    Call call;

    call_start (&call, elements[i], pad);
    deliver (&call, make_buffer (request, sizeof request));
    deliver_in_list (&call, make_buffer (request, sizeof request));
    g_assert_true (is_media_known (&call));
    g_assert_cmpuint (count (call.element, "dropped-sr-requests"), ==, 2);
    call_stop (&call);
  }
}

/* Its reports are those of an SSRC of its own. What comes passes gccreceiver,
 * which tells that it is no RTP. */
static void
test_a_session_that_only_receives_is_not_frozen (void)
{
  GstElement *pipeline = gst_parse_launch (
      "gccreceiver name=element ! session.recv_rtp_sink "
      "rtpsession name=session rtp-profile=avpf "
      "session.send_rtcp_src ! fakesink async=false sync=false "
      "session.recv_rtp_src ! fakesink async=false sync=false",
      NULL);
  Call call = {
    .element = gst_bin_get_by_name (GST_BIN (pipeline), "element"),
    .session = gst_bin_get_by_name (GST_BIN (pipeline), "session"),
  };
  GObject *internal;

  g_object_get (call.session, "internal-session", &internal, NULL);
  g_object_set (internal, "internal-ssrc", MEDIA_SSRC, NULL);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  call.sink = gst_element_get_static_pad (call.element, "sink");
  call.source = open_source (call.sink, TEST_RTP_CAPS);
  deliver (&call, test_rtp_packet (0, 0, 100));
  test_wait_until (is_media_known, &call);
  deliver (&call, make_buffer (request, sizeof request));
  deliver_in_list (&call, make_buffer (request, sizeof request));
  g_assert_true (is_media_known (&call));
  g_assert_cmpuint (count (call.element, "dropped-sr-requests"), ==, 2);

  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (call.source);
  gst_object_unref (call.sink);
  gst_object_unref (internal);
  gst_object_unref (call.session);
  gst_object_unref (call.element);
  gst_object_unref (pipeline);
}

static void
test_what_comes_with_a_request_arrives (gconstpointer pad)
{
  Call call;

  call_start (&call, "gccsender", pad);
  deliver (
      &call, make_buffer (request_among_others, sizeof request_among_others));
  g_assert_cmpuint (count (call.element, "dropped-sr-requests"), ==, 2);
  g_assert_cmpuint (test_stats_uint64 (call.element, "malformed-rtcp"), ==, 0);
  g_assert_cmpuint (test_stats_uint64 (call.element, "malformed-remb"), ==, 0);
  g_assert_cmpuint (test_stats_uint64 (call.element, "rembs") +
          test_stats_uint64 (call.element, "rembs-ignored"),
      ==, 1);
  deliver_in_list (
      &call, make_buffer (request_at_the_end, sizeof request_at_the_end));
  g_assert_cmpuint (count (call.element, "dropped-sr-requests"), ==, 3);
  call_stop (&call);
}

/* Byte by byte, as the session gets it. */
static void
test_only_the_request_is_taken_out (gconstpointer pad)
{
  const gsize rest = sizeof request_among_others - 8 - 2 * sizeof request;
  GstBuffer *buffer;
  Passed passed;
  Call call;

  call_start (&call, "gccsender", pad);
  passed_init (&passed, &call);
  deliver (
      &call, make_buffer (request_among_others, sizeof request_among_others));
  buffer = passed_get (&passed, 0);
  g_assert_cmpuint (gst_buffer_get_size (buffer), ==, 8 + rest);
  g_assert_cmpint (
      gst_buffer_memcmp (buffer, 0, request_among_others, 8), ==, 0);
  g_assert_cmpint (gst_buffer_memcmp (buffer, 8,
                       request_among_others + 8 + 2 * sizeof request, rest),
      ==, 0);

  passed_clear (&passed);
  call_stop (&call);
}

/* --- what passes --- */

/* No copy is made of it, whatever else is in its list. */
static void
test_media_passes_as_it_is (void)
{
  GstBuffer *odd = odd_media_packet (0);
  GstBuffer *plain = test_rtp_packet (1, 0, 100);
  GstBufferList *list = gst_buffer_list_new ();
  Delivery delivery = { .list = list };
  Passed passed;
  Call call;

  call_start (&call, "gccsender", "recv_rtp_sink");
  passed_init (&passed, &call);
  delivery.source = call.source;
  deliver (&call, gst_buffer_ref (odd));
  deliver (&call, gst_buffer_ref (plain));
  gst_buffer_list_add (list, gst_buffer_ref (odd));
  gst_buffer_list_add (list, make_buffer (request, sizeof request));
  gst_buffer_list_add (list, gst_buffer_ref (plain));
  gst_buffer_list_add (list, make_buffer (request, sizeof request));
  deliver_in_time (&delivery);
  g_assert_cmpuint (passed.buffers->len, ==, 4);
  for (guint i = 0; i < 4; i++)
    g_assert_true (passed_get (&passed, i) == (i % 2 ? plain : odd));
  g_assert_cmpuint (count (call.element, "dropped-sr-requests"), ==, 2);

  passed_clear (&passed);
  gst_buffer_unref (odd);
  gst_buffer_unref (plain);
  call_stop (&call);
}

static void
test_a_list_of_nothing_but_requests_does_not_arrive (void)
{
  Delivery delivery = { .list = gst_buffer_list_new () };
  Passed passed;
  Call call;

  call_start (&call, "gccsender", "recv_rtp_sink");
  passed_init (&passed, &call);
  delivery.source = call.source;
  gst_buffer_list_add (delivery.list, make_buffer (request, sizeof request));
  gst_buffer_list_add (delivery.list, make_buffer (request, sizeof request));
  deliver_in_time (&delivery);
  g_assert_cmpuint (passed.buffers->len, ==, 0);
  passed_clear (&passed);
  call_stop (&call);
}

/* --- transport-wide feedback --- */

static const gchar *const unnumbered[] = { "gccsender feedback=remb",
  "gccreceiver" };

/* Guards against rtpsession, which reads past the end: before a page that must
 * not be touched it dies. */
static void
test_feedback_that_claims_too_much_is_taken_out (gconstpointer pad)
{
  for (guint i = 0; i < G_N_ELEMENTS (unnumbered); i++) {
    Call call;

    call_start (&call, unnumbered[i], pad);
    deliver (
        &call, test_guarded_buffer (claims_too_much, sizeof claims_too_much));
    deliver_in_list (
        &call, test_guarded_buffer (claims_too_much, sizeof claims_too_much));
    deliver (&call, test_guarded_buffer (lacks_a_delta, sizeof lacks_a_delta));
    g_assert_true (is_media_known (&call));
    g_assert_cmpuint (count (call.element, "dropped-transport-cc"), ==, 3);
    call_stop (&call);
  }
}

/* Guards against 40 bytes that take rtpsession 73 to 246 ms, whether or not it
 * numbers: for each number that is claimed it makes a structure. */
static void
test_where_nothing_is_numbered_no_feedback_arrives (gconstpointer pad)
{
  for (guint i = 0; i < G_N_ELEMENTS (unnumbered); i++) {
    Passed passed;
    Call call;

    call_start (&call, unnumbered[i], pad);
    passed_init (&passed, &call);
    for (guint j = 0; j < 10; j++)
      deliver (&call, make_buffer (claims_losses, sizeof claims_losses));
    deliver (&call, make_buffer (tells_of_one, sizeof tells_of_one));
    g_assert_cmpuint (passed.buffers->len, ==, 10);
    for (guint j = 0; j < 10; j++) /* the report */
      g_assert_cmpuint (gst_buffer_get_size (passed_get (&passed, j)), ==, 8);
    g_assert_cmpuint (count (call.element, "dropped-transport-cc"), ==, 11);
    passed_clear (&passed);
    call_stop (&call);
  }
}

/* Of the session's own numbers, as applications follow them that control the
 * rate by themselves: gccreceiver alone leaves the extension in the caps. */
static void
test_feedback_about_numbers_of_the_session_arrives (gconstpointer pad)
{
  Passed passed;
  Call call;

  call_start_with (&call, "gccreceiver", NUMBER_EXTMAP, pad);
  test_wait_until (has_media_left, &call);
  deliver (&call, make_buffer (tells_of_one, sizeof tells_of_one));
  passed_init (&passed, &call);
  deliver (&call, make_buffer (tells_of_one, sizeof tells_of_one));
  g_assert_cmpuint (passed.buffers->len, ==, 1);
  g_assert_cmpuint (count (call.element, "dropped-transport-cc"), ==, 0);

  /* three packets have left */
  deliver (&call, make_buffer (claims_losses, sizeof claims_losses));
  deliver (&call, make_buffer (leaves_out_many, sizeof leaves_out_many));
  deliver (&call, make_buffer (leaves_out_many, sizeof leaves_out_many));
  g_assert_cmpuint (passed.buffers->len, ==, 2);
  g_assert_cmpuint (count (call.element, "dropped-transport-cc"), ==, 3);
  for (guint i = 0; i < 10; i++)
    deliver (&call, make_buffer (tells_of_one, sizeof tells_of_one));
  g_assert_cmpuint (passed.buffers->len, <=, 2 + 3 * 2);
  passed_clear (&passed);
  call_stop (&call);
}

/* ... and none at all, where gccsender numbers. */
static void
test_feedback_goes_to_who_numbers (gconstpointer pad)
{
  Passed passed;
  Call call;

  call_start (&call, "gccsender feedback=transport-cc", pad);
  test_wait_until (has_media_left, &call);
  passed_init (&passed, &call);
  deliver (&call, make_buffer (tells_of_one, sizeof tells_of_one));
  deliver (&call, make_buffer (claims_too_much, sizeof claims_too_much));
  g_assert_cmpuint (passed.buffers->len, ==, 0);
  g_assert_cmpuint (test_stats_uint64 (call.element, "feedbacks"), ==, 1);
  g_assert_cmpuint (
      test_stats_uint64 (call.element, "malformed-transport-cc"), ==, 1);
  g_assert_cmpuint (count (call.element, "dropped-transport-cc"), ==, 0);
  passed_clear (&passed);
  call_stop (&call);
}

/* --- counts and lengths --- */

static const struct {
  const gchar *name;
  const guint8 *data;
  gsize size;
} malformed[] = {
#define MALFORMED(name) { #name, name, sizeof name }
  MALFORMED (item_past_the_end),
  MALFORMED (name_past_the_end),
  MALFORMED (private_item_of_nothing),
  MALFORMED (source_that_is_missing),
  MALFORMED (source_that_is_not_claimed),
  MALFORMED (list_that_ends_in_padding),
  MALFORMED (block_past_the_end),
  MALFORMED (block_of_sender_past_the_end),
  MALFORMED (reason_past_the_end),
  MALFORMED (source_past_the_end),
  MALFORMED (name_that_is_missing),
  MALFORMED (feedback_about_nobody),
  MALFORMED (half_an_intra_request),
  MALFORMED (half_a_rate_request),
  MALFORMED (extended_block_past_the_end),
  MALFORMED (padding_past_the_start),
};

/* Guards against rtpsession, which reads past the end of source descriptions:
 * before a page that must not be touched it dies. */
static void
test_what_leads_past_the_end_is_taken_out (gconstpointer pad)
{
  for (guint i = 0; i < 2; i++) {
    Call call;

    call_start (&call, elements[i], pad);
    for (guint j = 0; j < G_N_ELEMENTS (malformed); j++) {
      /* rtpsession takes this for RTP */
      if (g_str_equal (pad, "recv_rtp_sink") &&
          malformed[j].data == padding_past_the_start)
        continue;
      deliver (
          &call, test_guarded_buffer (malformed[j].data, malformed[j].size));
    }
    g_assert_true (is_media_known (&call));
    call_stop (&call);
  }
}

/* Each by itself, beside a report that arrives. */
static void
test_only_what_is_malformed_is_taken_out (void)
{
  static const guint8 report[] = { RECEIVER_REPORT };
  Passed passed;
  Call call;

  call_start (&call, "gccreceiver", "recv_rtcp_sink");
  passed_init (&passed, &call);
  for (guint i = 0; i < G_N_ELEMENTS (malformed); i++) {
    GstBuffer *buffer;

    if (malformed[i].data[0] & 0x20) /* only the last one may have padding */
      continue;
    buffer = gst_buffer_append (make_buffer (report, sizeof report),
        make_buffer (malformed[i].data, malformed[i].size));
    deliver (
        &call, gst_buffer_append (buffer, make_buffer (report, sizeof report)));
    buffer = passed_get (&passed, passed.buffers->len - 1);
    g_test_message ("%s", malformed[i].name);
    g_assert_cmpuint (gst_buffer_get_size (buffer), ==, 2 * sizeof report);
    g_assert_cmpuint (test_stats_uint64 (call.element, "malformed-rtcp"), ==,
        passed.buffers->len);
  }
  passed_clear (&passed);
  call_stop (&call);
}

static void
test_what_fits_its_packet_arrives (void)
{
  Passed passed;
  Call call;

  call_start (&call, "gccreceiver", "recv_rtcp_sink");
  deliver (&call, test_guarded_buffer (sound_compound, sizeof sound_compound));
  deliver (&call,
      test_guarded_buffer (list_without_an_end, sizeof list_without_an_end));
  passed_init (&passed, &call);
  deliver (&call, make_buffer (sound_compound, sizeof sound_compound));
  deliver (
      &call, make_buffer (list_without_an_end, sizeof list_without_an_end));
  g_assert_cmpuint (passed.buffers->len, ==, 2);
  g_assert_cmpuint (
      gst_buffer_get_size (passed_get (&passed, 0)), ==, sizeof sound_compound);
  g_assert_cmpuint (gst_buffer_get_size (passed_get (&passed, 1)), ==,
      sizeof list_without_an_end);
  g_assert_cmpuint (test_stats_uint64 (call.element, "malformed-rtcp"), ==, 0);
  passed_clear (&passed);
  call_stop (&call);
}

/* --- pads that come and go --- */

static void
test_a_pad_that_is_requested_anew_is_guarded (gconstpointer pad)
{
  Call call;

  call_start (&call, "gccsender", pad);
  for (guint i = 1; i <= 3; i++) {
    close_pad (&call);
    open_pad (&call, pad);
    deliver (&call, make_buffer (request, sizeof request));
    g_assert_cmpuint (count (call.element, "dropped-sr-requests"), ==, i);
  }
  call_stop (&call);
}

static void
test_the_guard_leaves_with_the_element (gconstpointer pad)
{
  Call call;

  call_start (&call, "gccsender", pad);
  g_assert_cmpint (call.sink->num_probes, ==, 1);
  gst_element_set_state (call.pipeline, GST_STATE_NULL);
  g_assert_cmpint (call.sink->num_probes, ==, 0);
  call_stop (&call);
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);

#define ADD(name) g_test_add_func ("/guard/" #name, test_##name)
#define ADD_FOR_PADS(name) \
  g_test_add_data_func ("/guard/" #name "/rtcp", pads[0], test_##name); \
  g_test_add_data_func ("/guard/" #name "/rtp", pads[1], test_##name)
  ADD_FOR_PADS (a_request_for_a_report_does_not_freeze_the_session);
  ADD (a_session_that_only_receives_is_not_frozen);
  ADD_FOR_PADS (what_comes_with_a_request_arrives);
  ADD_FOR_PADS (only_the_request_is_taken_out);
  ADD (media_passes_as_it_is);
  ADD (a_list_of_nothing_but_requests_does_not_arrive);
  ADD_FOR_PADS (feedback_that_claims_too_much_is_taken_out);
  ADD_FOR_PADS (where_nothing_is_numbered_no_feedback_arrives);
  ADD_FOR_PADS (feedback_about_numbers_of_the_session_arrives);
  ADD_FOR_PADS (feedback_goes_to_who_numbers);
  ADD_FOR_PADS (what_leads_past_the_end_is_taken_out);
  ADD (only_what_is_malformed_is_taken_out);
  ADD (what_fits_its_packet_arrives);
  ADD_FOR_PADS (a_pad_that_is_requested_anew_is_guarded);
  ADD_FOR_PADS (the_guard_leaves_with_the_element);

  return g_test_run ();
}
