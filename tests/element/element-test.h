/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/check/gstharness.h>
#include <gst/gcc/gcc-types.h>
#include <gst/gst.h>

G_BEGIN_DECLS

#define TEST_SSRC 0x11223344u
#define TEST_RTP_CAPS \
  "application/x-rtp,media=video,encoding-name=VP8,clock-rate=90000," \
  "payload=96,ssrc=(uint)287454020"

/* The unit of the bitrate of an encoder that gccsender does not know, bit/s. Not in
 * a line: gst_parse_launch() of GStreamer 1.22 keeps a pad whose property it sets. */
void test_set_unit (GstElement *sender, guint unit);

/* An RTP packet of TEST_SSRC with @payload_size bytes of payload. */
GstBuffer *test_rtp_packet (
    guint16 seqnum, guint32 timestamp, guint payload_size);
/* The sequence number of a packet. */
guint16 test_read_seqnum (GstBuffer *buffer);

/* A receiver report with one block about @ssrc, ... */
GstBuffer *test_receiver_report (
    guint32 ssrc, guint8 fraction_lost, guint32 ext_highest_seq);
/* ... the same, by an end that has got the sender report @lsr and had it for @dlsr,
 * in 1/65536 s (RFC 3550, section 6.4.1), ... */
GstBuffer *test_timed_report (guint32 ssrc, guint8 fraction_lost,
    guint32 ext_highest_seq, guint32 lsr, guint32 dlsr);
/* ... and one without a block but with a REMB of @bitrate. @n_ssrcs is what the
 * message claims: it names one SSRC. */
GstBuffer *test_remb (GccRate rate, guint n_ssrcs);
/* A NACK (RFC 4585, section 6.2.1) for a packet of TEST_SSRC and those of the
 * 16 after it whose bits are set in @following. */
GstBuffer *test_nack (guint16 seqnum, guint16 following);
/* A buffer of @bytes right before a page that must not be touched: whoever
 * reads past its end dies. */
GstBuffer *test_guarded_buffer (const guint8 *bytes, gsize length);
/* For a test with several streams in a session of GStreamer's: while
 * rtp_session_on_timeout() walks the table of sources it releases its lock, and
 * a new source makes GLib complain (1.22 to 1.28, without gst-gcc as well). It
 * is not fatal until the end of this test. */
void test_tolerate_race_of_rtpsession (void);
/* GStreamer, and its tests. */
void test_init (int *argc, char ***argv);
/* For a call in virtual time: the intervals of RTCP are random, and the same in each
 * run. */
void test_init_virtual (int *argc, char ***argv);
/* Waits until @condition holds; fails the test after a minute: rtpsession
 * keeps a source that said BYE for several seconds, and is deaf to its return. */
void test_wait_until (
    gboolean (*condition) (gpointer user_data), gpointer user_data);
/* Fails the test where @call does not return: by then a test that called it hangs. */
void test_check_returns (void (*call) (gpointer data), gpointer data);
/* Whether @flag, a #gint, is set: for test_wait_until(). */
gboolean test_is_set (gpointer flag);
/* The pipeline of @line, which has to be right. (transfer floating) */
GstElement *test_parse (const gchar *line);
/* An element of @factory, which has to be there. (transfer full) */
GstElement *test_make (const gchar *factory);
/* @bin, with a pad each way, plays in the test's time; what leaves it is dropped.
 * (transfer full) */
GstHarness *test_play (GstElement *bin);
/* @element is NULL, and gone. (transfer full) */
void test_stop (GstElement *element);
/* The element @name of @pipeline, which has to be there. (transfer none) */
GstElement *test_get_element (GstElement *pipeline, const gchar *name);
/* The elements take the time from GStreamer's system clock where that is no
 * #GstSystemClock: from now on it is @clock, until @owner is finalized. Elements of GStreamer's that exist already,
 * such as rtpsession, keep the one they have. */
void test_use_clock (gpointer owner, GstClock *clock);
/* ... for a harness, whose element uses it, too. */
void test_use_testclock (GstHarness *harness);
/* Whether anything waits for the clock of @harness to go on. */
gboolean test_has_timer (GstHarness *harness);
/* How many WARNING messages are on @bus, taking them off, ... */
guint test_count_warnings (GstBus *bus);
/* ... and how many of them say @text. */
guint test_count_warnings_with (GstBus *bus, const gchar *text);
/* From now on what @category logs at INFO and above is kept. */
void test_log_start (const gchar *category);
/* Whether @text has been logged since test_log_start(). */
gboolean test_log_has (gpointer text);
/* What has been logged since, line by line, and no more. (transfer full) */
gchar *test_log_stop (void);
/* The property `stats`. (transfer full) */
GstStructure *test_get_stats (GstElement *element);
guint64 test_stats_uint64 (GstElement *element, const gchar *field);
/* Whether @field is the string @value. */
gboolean test_stats_say (
    GstElement *element, const gchar *field, const gchar *value);
guint test_get_uint (gpointer object, const gchar *property);
/* Adds the tests both elements have to pass: what goes in comes out. */
void test_add_for_both (const gchar *factory);
/* The pad, and so its element, does not start from here on. */
void test_refuse_activation (GstPad *pad);
/* Whether no plugin has the element. */
gboolean test_is_missing (const gchar *factory);

/* What comes before buffers: stream-start, @caps, and a segment of time. @pad is made
 * active; it sends the events if it is a source pad, and else gets them. */
void test_begin_stream (GstPad *pad, const gchar *caps);
/* A pad from which a stream of @caps comes into @sink. (transfer full) */
GstPad *test_open_source (GstPad *sink, const gchar *caps);
/* A pad from which RTCP comes into @pad, which is requested of @session, an
 * rtpsession or rtpbin. (transfer full) */
GstPad *test_open_rtcp (GstElement *session, const gchar *pad);
/* Probe of a pad: what arrives there goes to the pad @user_data instead. RTCP makes a
 * loop of a call, of which a pipeline would warn, so it goes from pad to pad. */
GstPadProbeReturn test_send_back (
    GstPad *pad, GstPadProbeInfo *info, gpointer user_data);
/* libnice asks the network for UPnP routers. The candidates of a call on loopback need
 * none, the search takes longer than the call, and its thread may outlive the test.
 * @webrtc is a webrtcbin. */
void test_leave_upnp_out (GstElement *webrtc);
guint test_count_files (const gchar *directory);

G_END_DECLS
