/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-column.h>
#include <gst/gcc/gcc-profile-private.h>
#include <gst/gcc/gcc-round-trip.h>
#include <gst/gst.h>

#include "gstgccmessages.h"
#include "gstgccsession.h"
#include "gstgcctrace.h"

G_BEGIN_DECLS

#define GST_TYPE_GCC_ELEMENT (gst_gcc_element_get_type ())
#define GST_GCC_ELEMENT(object) \
  (G_TYPE_CHECK_INSTANCE_CAST ((object), GST_TYPE_GCC_ELEMENT, GstGccElement))
#define GST_GCC_ELEMENT_CLASS(klass) \
  (G_TYPE_CHECK_CLASS_CAST ((klass), GST_TYPE_GCC_ELEMENT, GstGccElementClass))
#define GST_GCC_ELEMENT_GET_CLASS(object) \
  (G_TYPE_INSTANCE_GET_CLASS ( \
      (object), GST_TYPE_GCC_ELEMENT, GstGccElementClass))

typedef struct _GstGccElement GstGccElement;
typedef struct _GstGccElementClass GstGccElementClass;

GType gst_gcc_element_get_type (void);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGccElement, gst_object_unref)

/*
 * GstGccElement:
 * @sinkpad: where RTP comes in; its element private is @srcpad
 * @srcpad: where it goes out; its element private is @sinkpad
 * @lock: protects a subclass's controller, and what follows up to
 *   @messages. With it held, the clock may be read, @trace written and a bus
 *   message built, no more: no media is pushed, no file written, and neither
 *   another element nor the application called
 * @running: between READY and NULL the controller is not fed
 * @profile: the numbers in use: a copy, which the subclass may change in @start
 * @round_trip: of the reports that the session sends
 * @messages: about the rate, on the bus
 * @trace: has a lock of its own
 * @session: has a lock of its own. Joined and left by this class, and by nobody
 *   else: between a start and the next stop, whatever threads see media
 *
 * An element that lets RTP pass unchanged from one pad to the other and
 * controls something by what it sees there and in the RTCP of the session,
 * which it joins by itself.
 */
struct _GstGccElement {
  GstElement parent;

  GstPad *sinkpad;
  GstPad *srcpad;

  GMutex lock;
  gboolean running;
  GccProfile profile;
  GccRoundTrip round_trip;
  GstGccMessages messages;
  GstGccTrace trace;

  GstGccSession session;

  /*< private >*/
  /* protected by the object lock */
  guint profile_index;
  gboolean configure_session;
  gchar *trace_location;

  /* atomic */
  gint look_around;
  gint n_media;
};

/*
 * GstGccElementClass:
 * @columns: of the subclass's trace
 * @n_columns: how many
 * @session_funcs: what it wants to hear of the session
 * @get_report_interval: mean time between the reports its session should send
 * @start: on the way to PAUSED, before any media and RTCP: makes the controller
 * as new; %FALSE when an error was posted
 * @stop: back in READY
 * @caps: the format of what follows on a sink pad
 * @media: a packet on a sink pad, before it is passed on
 * @set_up_pads: a new way through the element, before its pads are added: for
 *   functions of its own
 * @looked_around: the pipeline was looked at, after a start or when it has
 *   changed. @warn is whether media flows, so that what is missing is not going
 * to come
 * @rtcp_pad: that of rtpsession without which no feedback gets through
 * @no_rtcp: media flows, and nothing is linked to @rtcp_pad: says so
 *
 * @stop, @caps, @media (with a chain function of its own), @set_up_pads and
 * @looked_around may be %NULL.
 */
struct _GstGccElementClass {
  GstElementClass parent_class;

  const GccColumn *columns;
  guint n_columns;
  GstGccSessionFuncs session_funcs;
  GccTime (*get_report_interval) (const GccProfile *profile);

  gboolean (*start) (GstGccElement *self);
  void (*stop) (GstGccElement *self);
  void (*caps) (GstGccElement *self, GstPad *sinkpad, GstCaps *caps);
  void (*media) (GstGccElement *self, GstPad *sinkpad, GstBuffer *buffer);
  void (*set_up_pads) (GstGccElement *self, GstPad *sinkpad, GstPad *srcpad);
  void (*looked_around) (
      GstGccElement *self, gboolean has_session, gboolean warn);
  const gchar *rtcp_pad;
  void (*no_rtcp) (GstGccElement *self);
};

/* Have the pipeline looked at again before the next packet. */
void gst_gcc_element_look_again (GstGccElement *self);

/* The pad across the element; %NULL once it was removed. (transfer full) */
GstPad *gst_gcc_element_get_other_pad (GstPad *pad);

/* Makes @sinkpad and @srcpad a way through the element and adds them to it. The
 * pads called "sink" and "src" are made and added by this class. */
void gst_gcc_element_add_pads (
    GstGccElement *self, GstPad *sinkpad, GstPad *srcpad);

/* Deactivates both and removes them. */
void gst_gcc_element_remove_pads (
    GstGccElement *self, GstPad *sinkpad, GstPad *srcpad);

/* The pads of one direction, or with %GST_PAD_UNKNOWN all, sources first.
 * (transfer container) (element-type GstPad) */
GPtrArray *gst_gcc_element_list_pads (
    GstGccElement *self, GstPadDirection direction);

/* Appends to a subclass's `stats` what this class counts. */
void gst_gcc_element_add_stats (GstGccElement *self, GstStructure *stats);

/* Looks at the pipeline if that is due: before a packet or list is passed on.
 */
void gst_gcc_element_before_media (GstGccElement *self);

/* What the source pads do. */
gboolean gst_gcc_element_src_event (
    GstPad *pad, GstObject *parent, GstEvent *event);

G_END_DECLS
