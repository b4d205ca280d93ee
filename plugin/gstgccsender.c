/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/**
 * SECTION:element-gccsender
 * @title: gccsender
 * @short_description: Sets an encoder's bitrate by Google Congestion Control
 * @see_also: gccreceiver, rtpbin, rtpgccbwe
 *
 * The sending side of Google Congestion Control. It stands behind an RTP
 * payloader and lets all media pass unchanged. By itself it finds
 *
 *  - the RTP session downstream (in rtpbin, rtpsink or webrtcbin), whose
 *    incoming RTCP it follows: receiver reports tell the fraction lost and the
 *    round-trip time, REMB messages tell the rate A_r that the receiver, for
 *    example #gccreceiver or a browser, measured from the growth of queueing
 *    delay;
 *  - the encoder upstream, whose bitrate it sets.
 *
 * The loss-based controller raises the sending rate A_s while less than 2 % of
 * the packets are lost, holds it up to 10 % and lowers it in proportion to the
 * loss beyond that; REMB and the limits #GccSender:min-bitrate and
 * #GccSender:max-bitrate bound the result.
 *
 * Unlike rtpgccbwe it needs no transport-wide feedback and leaves nothing for
 * the application to do. An application that applies the rate in another way,
 * such as a lower frame rate, watches `notify::target-bitrate`. Every change is
 * also posted as an element message `gccsender`, with the fields of
 * #GccSender:stats.
 *
 * An RTP session sends reports once in five seconds unless told otherwise; the
 * element asks it for feedback (AVPF) and more frequent reports.
 *
 * ## Send a camera
 *
 * |[
 * gst-launch-1.0 rtpbin name=rtp rtp-profile=avpf \
 *   v4l2src ! videoconvert ! vp8enc deadline=1 end-usage=cbr ! rtpvp8pay ! \
 *     gccsender max-bitrate=3000000 ! rtp.send_rtp_sink_0 \
 *   rtp.send_rtp_src_0 ! udpsink host=192.0.2.2 port=5000 \
 *   rtp.send_rtcp_src_0 ! udpsink host=192.0.2.2 port=5001 sync=false
 * async=false \ udpsrc port=5005 ! rtp.recv_rtcp_sink_0
 * ]| #gccreceiver has the line of the other end. With `gst-launch-1.0 -m` the
 * changes of the rate are printed as they happen.
 *
 * ## Write what the controller sees and does into a file
 *
 * |[
 * gst-launch-1.0 ... ! gccsender trace-location=sender.csv ! ...
 * ]|
 */

#include "gstgccsender.h"

#include <gst/gcc/gcc-sender.h>
#include <gst/rtp/rtp.h>

#include "gstgcccolumns.h"
#include "gstgccencoder.h"
#include "gstgccprofile.h"
#include "gstgccrtcp.h"
#include "gstgccsession.h"
#include "gstgcctime.h"
#include "gstgcctrace.h"

GST_DEBUG_CATEGORY_STATIC (gst_gcc_sender_debug);
#define GST_CAT_DEFAULT gst_gcc_sender_debug

#define DEFAULT_MIN_BITRATE 50000
#define DEFAULT_START_BITRATE 300000
#define DEFAULT_MAX_BITRATE 2000000
#define DEFAULT_ENCODER_BITRATE_UNIT 0
#define DEFAULT_CONFIGURE_SESSION TRUE

/* Streams whose report blocks are recognised. */
#define MAX_SSRCS 64

enum {
  PROP_0,
  PROP_PROFILE,
  PROP_MIN_BITRATE,
  PROP_START_BITRATE,
  PROP_MAX_BITRATE,
  PROP_TARGET_BITRATE,
  PROP_ENCODER,
  PROP_ENCODER_BITRATE_UNIT,
  PROP_CONFIGURE_SESSION,
  PROP_STATS,
  PROP_TRACE_LOCATION,
  N_PROPERTIES,
};

static GParamSpec *properties[N_PROPERTIES];

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS ("application/x-rtp"));

static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE (
    "src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS ("application/x-rtp"));

struct _GstGccSender {
  GstElement parent;

  GstPad *sinkpad;
  GstPad *srcpad;

  /* protected by the object lock */
  guint profile;
  guint min_bitrate;
  guint start_bitrate;
  guint max_bitrate;
  guint encoder_bitrate_unit;
  gboolean configure_session;
  gchar *trace_location;
  GstElement *given_encoder;

  /* Protects the controller and its trace. It is held neither while media is
   * pushed nor while another element is called. */
  GMutex lock;
  gboolean running;
  GccSender controller;
  GccRoundTrip round_trip;
  GstGccReference reference;
  GstGccTrace trace;
  guint32 ssrcs[MAX_SSRCS];
  guint n_ssrcs;
  guint64 malformed_rtcp;
  guint64 malformed_remb;

  /* Held while the encoder is set, so that of two threads with a new target
   * the later one wins. */
  GMutex encoder_lock;
  GstGccEncoder encoder;
  GccRate applied;

  GstGccSession session;
  gint look_around;
};

G_DEFINE_TYPE (GstGccSender, gst_gcc_sender, GST_TYPE_ELEMENT)
GST_ELEMENT_REGISTER_DEFINE_WITH_CODE (gccsender, "gccsender", GST_RANK_NONE,
    GST_TYPE_GCC_SENDER,
    GST_DEBUG_CATEGORY_INIT (gst_gcc_sender_debug, "gccsender", 0,
        "Google Congestion Control, sending side"));

/* --- the rate and who is told --- */

static GstStructure *
gst_gcc_sender_create_stats (GstGccSender *self)
{
  GstStructure *stats;

  g_mutex_lock (&self->lock);
  stats = gst_gcc_columns_to_structure ("gccsender", gcc_sender_columns,
      gcc_sender_n_columns, gcc_sender_get_stats (&self->controller));
  gst_structure_set (stats, "malformed-rtcp", G_TYPE_UINT64,
      self->malformed_rtcp, "malformed-remb", G_TYPE_UINT64,
      self->malformed_remb, NULL);
  g_mutex_unlock (&self->lock);

  return stats;
}

/* Brings the encoder, the application and the bus up to date. Never called in
 * the thread that pushes media: an encoder may hold a lock there. */
static void
gst_gcc_sender_apply_target (GstGccSender *self)
{
  gboolean changed;
  GccRate rate;

  g_mutex_lock (&self->encoder_lock);

  g_mutex_lock (&self->lock);
  rate = gcc_sender_get_stats (&self->controller)->encoder_target;
  g_mutex_unlock (&self->lock);

  changed = rate != self->applied;
  if (changed) {
    GST_DEBUG_OBJECT (self, "target bitrate %" G_GINT64_FORMAT " bit/s", rate);
    self->applied = rate;
    if (self->encoder.element != NULL)
      gst_gcc_encoder_set_bitrate (&self->encoder, rate);
  }

  g_mutex_unlock (&self->encoder_lock);

  if (changed) {
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_TARGET_BITRATE]);
    gst_element_post_message (GST_ELEMENT (self),
        gst_message_new_element (
            GST_OBJECT (self), gst_gcc_sender_create_stats (self)));
  }
}

/* With the lock held. */
static void
gst_gcc_sender_trace (GstGccSender *self, GccSenderEvent event)
{
  if (event != GCC_SENDER_EVENT_NONE)
    gst_gcc_trace_write (&self->trace, gcc_sender_event_to_string (event),
        gcc_sender_get_stats (&self->controller));
}

/* With the lock held. */
static void
gst_gcc_sender_check_timeout (GstGccSender *self, GccTime now)
{
  GccTime timeout = gcc_sender_next_timeout (&self->controller);

  if (timeout != GCC_TIME_NONE && now >= timeout)
    gst_gcc_sender_trace (
        self, gcc_sender_handle_timeout (&self->controller, now));
}

/* --- what the RTP session tells --- */

/* With the lock held. */
static gboolean
gst_gcc_sender_knows_ssrc (GstGccSender *self, guint32 ssrc)
{
  for (guint i = 0; i < self->n_ssrcs; i++)
    if (self->ssrcs[i] == ssrc)
      return TRUE;

  return FALSE;
}

/* With the lock held. A session can carry streams that do not pass here, whose
 * loss is not ours to react to. Returns how many blocks are left. */
static guint
gst_gcc_sender_keep_own_blocks (
    GstGccSender *self, GccReportBlock *blocks, guint n_blocks)
{
  guint n = 0;

  for (guint i = 0; i < n_blocks; i++)
    if (gst_gcc_sender_knows_ssrc (self, blocks[i].ssrc))
      blocks[n++] = blocks[i];

  return n;
}

/* With the lock held. */
static void
gst_gcc_sender_count_malformed (GstGccSender *self, const GstGccRtcp *rtcp)
{
  if (!rtcp->valid && self->malformed_rtcp++ == 0)
    GST_WARNING_OBJECT (self, "ignoring malformed RTCP packets");
  if (rtcp->malformed_remb && self->malformed_remb++ == 0)
    GST_WARNING_OBJECT (self, "ignoring malformed REMB messages");
}

static void
gst_gcc_sender_receiving_rtcp (
    GObject *session, GstBuffer *buffer, gpointer element)
{
  GstGccSender *self = GST_GCC_SENDER (element);
  GccTime now = gst_gcc_time_now (GST_ELEMENT (self));
  GstGccRtcp rtcp;

  (void) session;

  g_mutex_lock (&self->lock);
  gst_gcc_rtcp_read (&rtcp, buffer, &self->round_trip, now);
  gst_gcc_sender_count_malformed (self, &rtcp);
  if (rtcp.reference.reference != 0)
    self->reference = rtcp.reference;
  if (self->running) {
    rtcp.n_blocks = gst_gcc_sender_keep_own_blocks (
        self, rtcp.blocks, rtcp.n_blocks);
    gst_gcc_sender_check_timeout (self, now);
    if (rtcp.n_blocks > 0)
      gst_gcc_sender_trace (self,
          gcc_sender_feed_reports (
              &self->controller, rtcp.blocks, rtcp.n_blocks, now));
    if (rtcp.remb != GCC_RATE_NONE)
      gst_gcc_sender_trace (
          self, gcc_sender_feed_remb (&self->controller, rtcp.remb, now));
  }
  g_mutex_unlock (&self->lock);

  gst_gcc_sender_apply_target (self);
}

static gboolean
gst_gcc_sender_sending_rtcp (
    GObject *session, GstBuffer *buffer, gboolean early, gpointer element)
{
  GstGccSender *self = GST_GCC_SENDER (element);
  GccTime now = gst_gcc_time_now (GST_ELEMENT (self));

  guint32 ssrc;

  (void) session;
  (void) early;

  g_mutex_lock (&self->lock);
  gst_gcc_rtcp_note_sender_reports (buffer, &self->round_trip, now);
  if (self->reference.reference != 0 &&
      gst_gcc_rtcp_is_report (buffer, &ssrc) &&
      gst_gcc_rtcp_add_echo (buffer, ssrc, &self->reference, now))
    self->reference.reference = 0;
  /* The session's own reports are also the clock that notices when those of
   * the receiver have stopped coming. */
  if (self->running)
    gst_gcc_sender_check_timeout (self, now);
  g_mutex_unlock (&self->lock);

  gst_gcc_sender_apply_target (self);

  return FALSE;
}

static const GstGccSessionFuncs session_funcs = {
  .receiving = gst_gcc_sender_receiving_rtcp,
  .sending = gst_gcc_sender_sending_rtcp,
};

/* --- the neighbours --- */

static gboolean
gst_gcc_sender_join_session (GstGccSender *self)
{
  GstPad *const pads[] = { self->srcpad, self->sinkpad, NULL };

  if (!gst_gcc_session_join (
          &self->session, GST_ELEMENT (self), pads, &session_funcs))
    return FALSE;

  if (self->configure_session)
    gst_gcc_session_configure (&self->session,
        self->controller.profile->loss.report_interval * GST_USECOND);

  return TRUE;
}

static gboolean
gst_gcc_sender_use_encoder (GstGccSender *self)
{
  GstElement *encoder;
  gboolean used = FALSE;
  guint unit;

  GST_OBJECT_LOCK (self);
  encoder = self->given_encoder != NULL ? gst_object_ref (self->given_encoder)
                                        : NULL;
  unit = self->encoder_bitrate_unit;
  GST_OBJECT_UNLOCK (self);

  if (encoder == NULL)
    encoder = gst_gcc_encoder_find (self->sinkpad);
  if (encoder == NULL)
    return FALSE;

  g_mutex_lock (&self->encoder_lock);
  if (encoder != self->encoder.element)
    self->applied = GCC_RATE_NONE;
  used = gst_gcc_encoder_use (&self->encoder, encoder, unit);
  g_mutex_unlock (&self->encoder_lock);

  if (used)
    GST_INFO_OBJECT (self, "controlling %" GST_PTR_FORMAT, encoder);
  gst_object_unref (encoder);

  return used;
}

/* Looks for the session and the encoder, and warns of one that is missing only
 * once media flows: until then the pipeline may still be under construction. */
static void
gst_gcc_sender_look_around (GstGccSender *self, gboolean warn)
{
  gboolean has_session = gst_gcc_sender_join_session (self);
  gboolean has_encoder = gst_gcc_sender_use_encoder (self);

  if (!has_session && warn)
    GST_ELEMENT_WARNING (self, RESOURCE, NOT_FOUND,
        ("No RTP session found: the bitrate stays as it is."),
        ("gccsender follows the RTCP of the rtpsession downstream of it: put "
         "it between the payloader and rtpbin, rtpsink or webrtcbin."));
  if (!has_encoder && warn)
    GST_ELEMENT_WARNING (self, RESOURCE, NOT_FOUND,
        ("No encoder found whose bitrate can be set."),
        ("gccsender knows none upstream of it: set the property \"encoder\", "
         "with \"encoder-bitrate-unit\" for one it has no table entry for, or "
         "apply \"target-bitrate\" yourself."));
}

/* --- data flow --- */

static void
gst_gcc_sender_before_media (GstGccSender *self)
{
  if (g_atomic_int_compare_and_exchange (&self->look_around, TRUE, FALSE))
    gst_gcc_sender_look_around (self, TRUE);
}

static void
gst_gcc_sender_note_ssrc (GstGccSender *self, GstBuffer *buffer)
{
  guint8 ssrc[4];

  /* RFC 3550, section 5.1 */
  if (gst_buffer_extract (buffer, 8, ssrc, sizeof (ssrc)) < sizeof (ssrc))
    return;

  g_mutex_lock (&self->lock);
  if (self->n_ssrcs < MAX_SSRCS &&
      !gst_gcc_sender_knows_ssrc (self, GST_READ_UINT32_BE (ssrc)))
    self->ssrcs[self->n_ssrcs++] = GST_READ_UINT32_BE (ssrc);
  g_mutex_unlock (&self->lock);
}

static gboolean
note_one (GstBuffer **buffer, guint index, gpointer element)
{
  (void) index;
  gst_gcc_sender_note_ssrc (GST_GCC_SENDER (element), *buffer);

  return TRUE;
}

static GstFlowReturn
gst_gcc_sender_chain (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  GstGccSender *self = GST_GCC_SENDER (parent);

  (void) pad;
  gst_gcc_sender_before_media (self);
  gst_gcc_sender_note_ssrc (self, buffer);

  return gst_pad_push (self->srcpad, buffer);
}

static GstFlowReturn
gst_gcc_sender_chain_list (GstPad *pad, GstObject *parent, GstBufferList *list)
{
  GstGccSender *self = GST_GCC_SENDER (parent);

  (void) pad;
  gst_gcc_sender_before_media (self);
  gst_buffer_list_foreach (list, note_one, self);

  return gst_pad_push_list (self->srcpad, list);
}

static gboolean
gst_gcc_sender_src_event (GstPad *pad, GstObject *parent, GstEvent *event)
{
  /* Sent by a new downstream peer: the session may be another one. */
  if (GST_EVENT_TYPE (event) == GST_EVENT_RECONFIGURE)
    g_atomic_int_set (&GST_GCC_SENDER (parent)->look_around, TRUE);

  return gst_pad_event_default (pad, parent, event);
}

/* --- states --- */

static gboolean
gst_gcc_sender_start (GstGccSender *self)
{
  GccRate min, start, max;
  gchar *trace_location;
  gboolean ready = TRUE;
  guint profile;

  GST_OBJECT_LOCK (self);
  profile = self->profile;
  min = self->min_bitrate;
  start = self->start_bitrate;
  max = self->max_bitrate;
  trace_location = g_strdup (self->trace_location);
  GST_OBJECT_UNLOCK (self);

  if (min > max) {
    GST_ELEMENT_ERROR (self, LIBRARY, SETTINGS,
        ("min-bitrate (%" G_GINT64_FORMAT
         ") is above max-bitrate (%" G_GINT64_FORMAT ").",
            min, max),
        (NULL));
    ready = FALSE;
  }

  if (ready && trace_location != NULL)
    ready = gst_gcc_trace_open (&self->trace, GST_ELEMENT (self),
        trace_location, gcc_sender_columns, gcc_sender_n_columns);
  g_free (trace_location);
  if (!ready)
    return FALSE;

  g_mutex_lock (&self->lock);
  gcc_round_trip_init (&self->round_trip);
  self->reference = (GstGccReference){ 0 };
  self->n_ssrcs = 0;
  self->malformed_rtcp = 0;
  self->malformed_remb = 0;
  gcc_sender_clear (&self->controller);
  gcc_sender_init (&self->controller, &gcc_profiles[profile], min, start, max);
  gst_gcc_trace_write (
      &self->trace, "start", gcc_sender_get_stats (&self->controller));
  self->running = TRUE;
  g_mutex_unlock (&self->lock);

  self->applied = GCC_RATE_NONE;
  g_atomic_int_set (&self->look_around, TRUE);
  gst_gcc_sender_look_around (self, FALSE);
  gst_gcc_sender_apply_target (self);

  return TRUE;
}

static void
gst_gcc_sender_stop (GstGccSender *self)
{
  gst_gcc_session_leave (&self->session);

  g_mutex_lock (&self->lock);
  self->running = FALSE;
  gst_gcc_trace_close (&self->trace);
  g_mutex_unlock (&self->lock);

  g_mutex_lock (&self->encoder_lock);
  gst_gcc_encoder_release (&self->encoder);
  g_mutex_unlock (&self->encoder_lock);
}

static GstStateChangeReturn
gst_gcc_sender_change_state (GstElement *element, GstStateChange transition)
{
  GstGccSender *self = GST_GCC_SENDER (element);
  GstStateChangeReturn result;

  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED &&
      !gst_gcc_sender_start (self))
    return GST_STATE_CHANGE_FAILURE;

  result = GST_ELEMENT_CLASS (gst_gcc_sender_parent_class)
               ->change_state (element, transition);

  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    gst_gcc_sender_stop (self);

  return result;
}

/* --- properties --- */

static void
gst_gcc_sender_limits_changed (GstGccSender *self)
{
  GccRate min, max;
  gboolean running;

  GST_OBJECT_LOCK (self);
  min = self->min_bitrate;
  max = self->max_bitrate;
  GST_OBJECT_UNLOCK (self);

  g_mutex_lock (&self->lock);
  running = self->running;
  if (running)
    gcc_sender_set_limits (&self->controller, MIN (min, max), max);
  g_mutex_unlock (&self->lock);

  if (running)
    gst_gcc_sender_apply_target (self);
}

static void
gst_gcc_sender_set_property (
    GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  GstGccSender *self = GST_GCC_SENDER (object);
  gboolean encoder_changed = FALSE;

  GST_OBJECT_LOCK (self);
  switch (id) {
    case PROP_PROFILE:
      self->profile = (guint) g_value_get_enum (value);
      break;
    case PROP_MIN_BITRATE:
      self->min_bitrate = g_value_get_uint (value);
      break;
    case PROP_START_BITRATE:
      self->start_bitrate = g_value_get_uint (value);
      break;
    case PROP_MAX_BITRATE:
      self->max_bitrate = g_value_get_uint (value);
      break;
    case PROP_ENCODER:
      gst_object_replace (
          (GstObject **) &self->given_encoder, g_value_get_object (value));
      encoder_changed = TRUE;
      break;
    case PROP_ENCODER_BITRATE_UNIT:
      self->encoder_bitrate_unit = g_value_get_uint (value);
      break;
    case PROP_CONFIGURE_SESSION:
      self->configure_session = g_value_get_boolean (value);
      break;
    case PROP_TRACE_LOCATION:
      g_free (self->trace_location);
      self->trace_location = g_value_dup_string (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);

  if (id == PROP_MIN_BITRATE || id == PROP_MAX_BITRATE)
    gst_gcc_sender_limits_changed (self);
  if (encoder_changed)
    g_atomic_int_set (&self->look_around, TRUE);
}

static void
gst_gcc_sender_get_property (
    GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  GstGccSender *self = GST_GCC_SENDER (object);

  if (id == PROP_ENCODER) {
    g_mutex_lock (&self->encoder_lock);
    g_value_set_object (value, self->encoder.element);
    g_mutex_unlock (&self->encoder_lock);
    if (g_value_get_object (value) != NULL)
      return;
  }

  if (id == PROP_STATS) {
    g_value_take_boxed (value, gst_gcc_sender_create_stats (self));
    return;
  }

  if (id == PROP_TARGET_BITRATE) {
    GccRate target;

    g_mutex_lock (&self->lock);
    target = gcc_sender_get_target (&self->controller);
    g_mutex_unlock (&self->lock);
    g_value_set_uint (value, (guint) CLAMP (target, 0, G_MAXUINT));
    return;
  }

  GST_OBJECT_LOCK (self);
  switch (id) {
    case PROP_PROFILE:
      g_value_set_enum (value, (gint) self->profile);
      break;
    case PROP_MIN_BITRATE:
      g_value_set_uint (value, self->min_bitrate);
      break;
    case PROP_START_BITRATE:
      g_value_set_uint (value, self->start_bitrate);
      break;
    case PROP_MAX_BITRATE:
      g_value_set_uint (value, self->max_bitrate);
      break;
    case PROP_ENCODER:
      g_value_set_object (value, self->given_encoder);
      break;
    case PROP_ENCODER_BITRATE_UNIT:
      g_value_set_uint (value, self->encoder_bitrate_unit);
      break;
    case PROP_CONFIGURE_SESSION:
      g_value_set_boolean (value, self->configure_session);
      break;
    case PROP_TRACE_LOCATION:
      g_value_set_string (value, self->trace_location);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_gcc_sender_finalize (GObject *object)
{
  GstGccSender *self = GST_GCC_SENDER (object);

  gst_gcc_session_leave (&self->session);
  gst_gcc_trace_close (&self->trace);
  gst_gcc_encoder_release (&self->encoder);
  gst_clear_object (&self->given_encoder);
  g_free (self->trace_location);
  gcc_sender_clear (&self->controller);
  g_mutex_clear (&self->encoder_lock);
  g_mutex_clear (&self->lock);

  G_OBJECT_CLASS (gst_gcc_sender_parent_class)->finalize (object);
}

static void
gst_gcc_sender_class_init (GstGccSenderClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  const GParamFlags ready = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
      GST_PARAM_MUTABLE_READY;
  const GParamFlags playing = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
      GST_PARAM_MUTABLE_PLAYING;
  const GParamFlags readable = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->set_property = gst_gcc_sender_set_property;
  object_class->get_property = gst_gcc_sender_get_property;
  object_class->finalize = gst_gcc_sender_finalize;
  element_class->change_state = GST_DEBUG_FUNCPTR (gst_gcc_sender_change_state);

  properties[PROP_PROFILE] = gst_gcc_profile_param_spec ();

  properties[PROP_MIN_BITRATE] = g_param_spec_uint ("min-bitrate",
      "Minimum bitrate",
      "Lowest target bitrate in bit/s, whatever the network "
      "says",
      1, G_MAXUINT, DEFAULT_MIN_BITRATE, playing);

  properties[PROP_START_BITRATE] = g_param_spec_uint ("start-bitrate",
      "Start bitrate",
      "Target bitrate in bit/s before the first feedback; "
      "brought within the limits",
      1, G_MAXUINT, DEFAULT_START_BITRATE, ready);

  properties[PROP_MAX_BITRATE] = g_param_spec_uint ("max-bitrate",
      "Maximum bitrate",
      "Highest target bitrate in bit/s, however good the "
      "network",
      1, G_MAXUINT, DEFAULT_MAX_BITRATE, playing);

  properties[PROP_TARGET_BITRATE] = g_param_spec_uint ("target-bitrate",
      "Target bitrate",
      "The rate A_s in bit/s at which to send now, without "
      "packet headers. Watch notify::target-bitrate for changes, which come "
      "from a thread of the RTP session",
      0, G_MAXUINT, DEFAULT_START_BITRATE, readable);

  properties[PROP_ENCODER] = g_param_spec_object ("encoder", "Encoder",
      "The encoder whose bitrate is set; unset: the nearest one upstream. "
      "Reads "
      "as the encoder in use",
      GST_TYPE_ELEMENT, playing);

  properties[PROP_ENCODER_BITRATE_UNIT] = g_param_spec_uint (
      "encoder-bitrate-unit", "Encoder bitrate unit",
      "For an encoder that "
      "gccsender does not know: the unit of its \"bitrate\" property in bit/s, "
      "1 or 1000 as a rule. 0: leave such an encoder alone, since a guess can "
      "be wrong by a factor of 1000",
      0, 1000000, DEFAULT_ENCODER_BITRATE_UNIT, ready);

  properties[PROP_CONFIGURE_SESSION] = g_param_spec_boolean (
      "configure-session", "Configure session",
      "Set the RTP session up for "
      "feedback: its profile to AVPF where it is AVP, and its "
      "rtcp-min-interval to what the profile wants",
      DEFAULT_CONFIGURE_SESSION, ready);

  properties[PROP_STATS] = g_param_spec_boxed ("stats", "Statistics",
      "State of the controller: fraction-lost (0 to 1), rtt-ms, and in bit/s "
      "remb-bps (A_r), loss-based-bps, a-s-bps (A_s), r-fec-bps, r-rtx-bps and "
      "v-bps (for the encoder); n-dd, reports, rembs, malformed-rtcp and "
      "malformed-remb are counts. A field that is not known yet is absent",
      GST_TYPE_STRUCTURE, readable);

  properties[PROP_TRACE_LOCATION] = g_param_spec_string ("trace-location",
      "Trace location",
      "File to write a line of comma-separated values to for "
      "every report and REMB: time_s, event and the fields of \"stats\"; "
      "unset: "
      "none",
      NULL, ready);

  g_object_class_install_properties (object_class, N_PROPERTIES, properties);

  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "GCC sender",
      "Filter/Network/RTP",
      "Sets an encoder's bitrate from RTCP receiver reports and REMB by Google "
      "Congestion Control",
      "The gst-gcc authors");
}

static void
gst_gcc_sender_init (GstGccSender *self)
{
  g_mutex_init (&self->lock);
  g_mutex_init (&self->encoder_lock);

  self->min_bitrate = DEFAULT_MIN_BITRATE;
  self->start_bitrate = DEFAULT_START_BITRATE;
  self->max_bitrate = DEFAULT_MAX_BITRATE;
  self->encoder_bitrate_unit = DEFAULT_ENCODER_BITRATE_UNIT;
  self->configure_session = DEFAULT_CONFIGURE_SESSION;
  gcc_sender_init (&self->controller, &gcc_profiles[self->profile],
      self->min_bitrate, self->start_bitrate, self->max_bitrate);

  self->sinkpad = gst_pad_new_from_static_template (&sink_template, "sink");
  gst_pad_set_chain_function (
      self->sinkpad, GST_DEBUG_FUNCPTR (gst_gcc_sender_chain));
  gst_pad_set_chain_list_function (
      self->sinkpad, GST_DEBUG_FUNCPTR (gst_gcc_sender_chain_list));
  GST_PAD_SET_PROXY_CAPS (self->sinkpad);
  GST_PAD_SET_PROXY_ALLOCATION (self->sinkpad);
  gst_element_add_pad (GST_ELEMENT (self), self->sinkpad);

  self->srcpad = gst_pad_new_from_static_template (&src_template, "src");
  gst_pad_set_event_function (
      self->srcpad, GST_DEBUG_FUNCPTR (gst_gcc_sender_src_event));
  GST_PAD_SET_PROXY_CAPS (self->srcpad);
  gst_element_add_pad (GST_ELEMENT (self), self->srcpad);
}
