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
#include "gstgccrtcp.h"
#include "gstgcctime.h"

GST_DEBUG_CATEGORY_STATIC (gst_gcc_sender_debug);
#define GST_CAT_DEFAULT gst_gcc_sender_debug

#define DEFAULT_MIN_BITRATE 50000
#define DEFAULT_START_BITRATE 300000
#define DEFAULT_MAX_BITRATE 2000000
#define DEFAULT_ENCODER_BITRATE_UNIT 0

/* Streams whose report blocks are recognised. */
#define MAX_SSRCS 64

enum {
  PROP_0,
  PROP_MIN_BITRATE,
  PROP_START_BITRATE,
  PROP_MAX_BITRATE,
  PROP_TARGET_BITRATE,
  PROP_ENCODER,
  PROP_ENCODER_BITRATE_UNIT,
  PROP_STATS,
  N_PROPERTIES,
};

static GParamSpec *properties[N_PROPERTIES];

struct _GstGccSender {
  GstGccElement parent;

  /* protected by the object lock */
  guint min_bitrate;
  guint start_bitrate;
  guint max_bitrate;
  guint encoder_bitrate_unit;
  GstElement *given_encoder;

  /* protected by the lock of GstGccElement */
  GccSender controller;
  GstGccReference reference;
  guint32 ssrcs[MAX_SSRCS];
  guint n_ssrcs;
  guint64 malformed_rtcp;
  guint64 malformed_remb;

  /* Held while the encoder is set, so that of two threads with a new target
   * the later one wins. */
  GMutex encoder_lock;
  GstGccEncoder encoder;
  GccRate applied;
};

G_DEFINE_TYPE (GstGccSender, gst_gcc_sender, GST_TYPE_GCC_ELEMENT)

#define BASE(self) GST_GCC_ELEMENT (self)

GST_ELEMENT_REGISTER_DEFINE_WITH_CODE (gccsender, "gccsender", GST_RANK_NONE,
    GST_TYPE_GCC_SENDER,
    GST_DEBUG_CATEGORY_INIT (gst_gcc_sender_debug, "gccsender", 0,
        "Google Congestion Control, sending side"));

/* --- the rate and who is told --- */

static GstStructure *
gst_gcc_sender_create_stats (GstGccSender *self)
{
  GstStructure *stats;

  g_mutex_lock (&BASE (self)->lock);
  stats = gst_gcc_columns_to_structure ("gccsender", gcc_sender_columns,
      gcc_sender_n_columns, gcc_sender_get_stats (&self->controller));
  gst_structure_set (stats, "malformed-rtcp", G_TYPE_UINT64,
      self->malformed_rtcp, "malformed-remb", G_TYPE_UINT64,
      self->malformed_remb, NULL);
  g_mutex_unlock (&BASE (self)->lock);

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

  g_mutex_lock (&BASE (self)->lock);
  rate = gcc_sender_get_stats (&self->controller)->encoder_target;
  g_mutex_unlock (&BASE (self)->lock);

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
    gst_gcc_trace_write (&BASE (self)->trace,
        gcc_sender_event_to_string (event),
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

  g_mutex_lock (&BASE (self)->lock);
  gst_gcc_rtcp_read (&rtcp, buffer, &BASE (self)->round_trip, now);
  gst_gcc_sender_count_malformed (self, &rtcp);
  if (rtcp.reference.reference != 0)
    self->reference = rtcp.reference;
  if (BASE (self)->running) {
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
  g_mutex_unlock (&BASE (self)->lock);

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

  g_mutex_lock (&BASE (self)->lock);
  gst_gcc_rtcp_note_sender_reports (buffer, &BASE (self)->round_trip, now);
  if (self->reference.reference != 0 &&
      gst_gcc_rtcp_is_report (buffer, &ssrc) &&
      gst_gcc_rtcp_add_echo (buffer, ssrc, &self->reference, now))
    self->reference.reference = 0;
  /* The session's own reports are also the clock that notices when those of
   * the receiver have stopped coming. */
  if (BASE (self)->running)
    gst_gcc_sender_check_timeout (self, now);
  g_mutex_unlock (&BASE (self)->lock);

  gst_gcc_sender_apply_target (self);

  return FALSE;
}

/* --- the neighbours --- */

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
    encoder = gst_gcc_encoder_find (BASE (self)->sinkpad);
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

static void
gst_gcc_sender_looked_around (
    GstGccElement *element, gboolean has_session, gboolean warn)
{
  GstGccSender *self = GST_GCC_SENDER (element);
  gboolean has_encoder = gst_gcc_sender_use_encoder (self);

  /* With media flowing it is the thread that pushes it which is here: the
   * session's next report brings a new encoder up to date. */
  if (!warn)
    gst_gcc_sender_apply_target (self);

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
gst_gcc_sender_media (GstGccElement *element, GstBuffer *buffer)
{
  GstGccSender *self = GST_GCC_SENDER (element);
  guint8 ssrc[4];

  /* RFC 3550, section 5.1 */
  if (gst_buffer_extract (buffer, 8, ssrc, sizeof (ssrc)) < sizeof (ssrc))
    return;

  g_mutex_lock (&BASE (self)->lock);
  if (self->n_ssrcs < MAX_SSRCS &&
      !gst_gcc_sender_knows_ssrc (self, GST_READ_UINT32_BE (ssrc)))
    self->ssrcs[self->n_ssrcs++] = GST_READ_UINT32_BE (ssrc);
  g_mutex_unlock (&BASE (self)->lock);
}

/* --- states --- */

static gboolean
gst_gcc_sender_start (GstGccElement *element)
{
  GstGccSender *self = GST_GCC_SENDER (element);
  GccRate min, start, max;

  GST_OBJECT_LOCK (self);
  min = self->min_bitrate;
  start = self->start_bitrate;
  max = self->max_bitrate;
  GST_OBJECT_UNLOCK (self);

  if (min > max) {
    GST_ELEMENT_ERROR (self, LIBRARY, SETTINGS,
        ("min-bitrate (%" G_GINT64_FORMAT
         ") is above max-bitrate (%" G_GINT64_FORMAT ").",
            min, max),
        (NULL));
    return FALSE;
  }

  g_mutex_lock (&element->lock);
  self->reference = (GstGccReference){ 0 };
  self->n_ssrcs = 0;
  self->malformed_rtcp = 0;
  self->malformed_remb = 0;
  gcc_sender_clear (&self->controller);
  gcc_sender_init (&self->controller, &element->profile, min, start, max);
  gst_gcc_trace_write (
      &element->trace, "start", gcc_sender_get_stats (&self->controller));
  g_mutex_unlock (&element->lock);

  self->applied = GCC_RATE_NONE;

  return TRUE;
}

static void
gst_gcc_sender_stop (GstGccElement *element)
{
  GstGccSender *self = GST_GCC_SENDER (element);

  g_mutex_lock (&self->encoder_lock);
  gst_gcc_encoder_release (&self->encoder);
  g_mutex_unlock (&self->encoder_lock);
}

static GccTime
gst_gcc_sender_get_report_interval (const GccProfile *profile)
{
  return profile->loss.report_interval;
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

  g_mutex_lock (&BASE (self)->lock);
  running = BASE (self)->running;
  if (running)
    gcc_sender_set_limits (&self->controller, MIN (min, max), max);
  g_mutex_unlock (&BASE (self)->lock);

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
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);

  if (id == PROP_MIN_BITRATE || id == PROP_MAX_BITRATE)
    gst_gcc_sender_limits_changed (self);
  if (encoder_changed)
    gst_gcc_element_look_again (BASE (self));
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

    g_mutex_lock (&BASE (self)->lock);
    target = gcc_sender_get_target (&self->controller);
    g_mutex_unlock (&BASE (self)->lock);
    g_value_set_uint (value, (guint) CLAMP (target, 0, G_MAXUINT));
    return;
  }

  GST_OBJECT_LOCK (self);
  switch (id) {
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

  gst_gcc_encoder_release (&self->encoder);
  gst_clear_object (&self->given_encoder);
  gcc_sender_clear (&self->controller);
  g_mutex_clear (&self->encoder_lock);

  G_OBJECT_CLASS (gst_gcc_sender_parent_class)->finalize (object);
}

static void
gst_gcc_sender_class_init (GstGccSenderClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstGccElementClass *gcc_class = GST_GCC_ELEMENT_CLASS (klass);
  const GParamFlags ready = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
      GST_PARAM_MUTABLE_READY;
  const GParamFlags playing = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
      GST_PARAM_MUTABLE_PLAYING;
  const GParamFlags readable = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->set_property = gst_gcc_sender_set_property;
  object_class->get_property = gst_gcc_sender_get_property;
  object_class->finalize = gst_gcc_sender_finalize;
  gcc_class->columns = gcc_sender_columns;
  gcc_class->n_columns = gcc_sender_n_columns;
  gcc_class->session_funcs.receiving = gst_gcc_sender_receiving_rtcp;
  gcc_class->session_funcs.sending = gst_gcc_sender_sending_rtcp;
  gcc_class->get_report_interval = gst_gcc_sender_get_report_interval;
  gcc_class->start = gst_gcc_sender_start;
  gcc_class->stop = gst_gcc_sender_stop;
  gcc_class->media = gst_gcc_sender_media;
  gcc_class->looked_around = gst_gcc_sender_looked_around;

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

  properties[PROP_STATS] = g_param_spec_boxed ("stats", "Statistics",
      "State of the controller: fraction-lost (0 to 1), rtt-ms, and in bit/s "
      "remb-bps (A_r), loss-based-bps, a-s-bps (A_s), r-fec-bps, r-rtx-bps and "
      "v-bps (for the encoder); n-dd, reports, rembs, malformed-rtcp and "
      "malformed-remb are counts. A field that is not known yet is absent",
      GST_TYPE_STRUCTURE, readable);

  g_object_class_install_properties (object_class, N_PROPERTIES, properties);

  gst_element_class_set_static_metadata (element_class, "GCC sender",
      "Filter/Network/RTP",
      "Sets an encoder's bitrate from RTCP receiver reports and REMB by Google "
      "Congestion Control",
      "The gst-gcc authors");
}

static void
gst_gcc_sender_init (GstGccSender *self)
{
  g_mutex_init (&self->encoder_lock);

  self->min_bitrate = DEFAULT_MIN_BITRATE;
  self->start_bitrate = DEFAULT_START_BITRATE;
  self->max_bitrate = DEFAULT_MAX_BITRATE;
  self->encoder_bitrate_unit = DEFAULT_ENCODER_BITRATE_UNIT;
  gcc_sender_init (&self->controller, &BASE (self)->profile, self->min_bitrate,
      self->start_bitrate, self->max_bitrate);
}
