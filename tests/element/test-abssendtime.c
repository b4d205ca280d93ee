/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/gcc-abs-send-time.h>
#include <gst/gst.h>
#include <gst/rtp/rtp.h>

#include "element-test.h"

/* Four frames, each of several packets. */
#define PAYLOADER \
  "videotestsrc num-buffers=4 pattern=snow ! " \
  "video/x-raw,width=160,height=120 ! vp8enc deadline=1 ! rtpvp8pay mtu=500"
#define EXTMAP(id) "application/x-rtp,extmap-" #id "=(string)"
#define EXTMAP_ARRAY(id, direction) \
  EXTMAP (id) "<" direction ",\"" GCC_ABS_SEND_TIME_URI "\",\"\">"

#define STEPS_PER_SECOND (1u << 18)

static GstRTPHeaderExtension *
create_extension (void)
{
  GstRTPHeaderExtension *extension = gst_rtp_header_extension_create_from_uri (
      GCC_ABS_SEND_TIME_URI);

  g_assert_nonnull (extension);
  gst_rtp_header_extension_set_id (extension, 3);

  return extension;
}

static void
test_it_is_found_by_its_uri (void)
{
  GstRTPHeaderExtension *extension = create_extension ();
  GstElementFactory *factory = gst_element_get_factory (
      GST_ELEMENT (extension));

  g_assert_cmpstr (GST_OBJECT_NAME (factory), ==, "rtphdrextabssendtime");
  g_assert_cmpint (gst_rtp_header_extension_get_supported_flags (extension), ==,
      GST_RTP_HEADER_EXTENSION_ONE_BYTE | GST_RTP_HEADER_EXTENSION_TWO_BYTE);
  gst_object_unref (extension);
}

static void
test_it_takes_three_bytes (void)
{
  GstRTPHeaderExtension *extension = create_extension ();
  GstBuffer *buffer = gst_buffer_new ();
  guint8 data[4] = { 0xff, 0xff, 0xff, 0xff };

  g_assert_cmpuint (
      gst_rtp_header_extension_get_max_size (extension, buffer), ==, 3);
  g_assert_cmpint (gst_rtp_header_extension_write (extension, buffer,
                       GST_RTP_HEADER_EXTENSION_ONE_BYTE, buffer, data, 4),
      ==, 3);
  g_assert_cmphex (data[3], ==, 0xff);
  g_assert_cmpint (gst_rtp_header_extension_write (extension, buffer,
                       GST_RTP_HEADER_EXTENSION_ONE_BYTE, buffer, data, 2),
      ==, -1);

  for (gsize size = 1; size <= 4; size++)
    g_assert_cmpint (gst_rtp_header_extension_read (extension,
                         GST_RTP_HEADER_EXTENSION_ONE_BYTE, data, size, buffer),
        ==, size == 3);
  gst_buffer_unref (buffer);
  gst_object_unref (extension);
}

/* The value in an extension that has nothing else in it. */
static guint32
read_value (GstBuffer *buffer, guint8 id)
{
  gboolean one_byte = id <= 14;
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  gpointer data;
  const guint8 *bytes;
  guint16 form;
  guint words;
  guint32 value;

  g_assert_true (gst_rtp_buffer_map (buffer, GST_MAP_READ, &rtp));
  g_assert_true (
      gst_rtp_buffer_get_extension_data (&rtp, &form, &data, &words));
  bytes = data;
  if (one_byte) {
    g_assert_cmphex (form, ==, 0xbede);
    g_assert_cmpuint (words, ==, 1);
    g_assert_cmphex (bytes[0], ==, (guint) id << 4 | 2);
    value = GST_READ_UINT24_BE (bytes + 1);
  } else {
    g_assert_cmphex (form, ==, 0x1000);
    g_assert_cmpuint (words, ==, 2);
    g_assert_cmphex (bytes[0], ==, id);
    g_assert_cmphex (bytes[1], ==, 3);
    value = GST_READ_UINT24_BE (bytes + 2);
  }
  gst_rtp_buffer_unmap (&rtp);

  return value;
}

static guint32
present_value (void)
{
  return gcc_abs_send_time_from_time (g_get_real_time ());
}

/* From @earlier to @later, with all wraps. */
static guint32
steps_between (guint32 earlier, guint32 later)
{
  return (later - earlier) & 0xffffff;
}

typedef struct {
  const gchar *caps;
  guint8 id;
} PayloaderTest;

static const PayloaderTest payloader_tests[] = {
  { EXTMAP (3) GCC_ABS_SEND_TIME_URI, 3 },
  { EXTMAP (14) GCC_ABS_SEND_TIME_URI, 14 },
  { EXTMAP (20) GCC_ABS_SEND_TIME_URI, 20 },
  { EXTMAP_ARRAY (3, "sendrecv"), 3 },
  { EXTMAP_ARRAY (3, "sendonly"), 3 },
};

static void
check_payloader (const PayloaderTest *test)
{
  GstHarness *h = gst_harness_new_parse (PAYLOADER);
  /* a second for how far apart the two clocks were read, once */
  guint32 begin = present_value () - STEPS_PER_SECOND;
  guint32 last = 0;
  guint n_packets = 0;
  GstBuffer *buffer;

  gst_harness_set_sink_caps_str (h, test->caps);
  gst_harness_play (h);
  while (gst_harness_pull_until_eos (h, &buffer) && buffer != NULL) {
    guint32 elapsed = steps_between (begin, read_value (buffer, test->id));
    guint32 now = present_value () + STEPS_PER_SECOND;

    g_assert_cmpuint (elapsed, >=, last);
    g_assert_cmpuint (elapsed, <=, steps_between (begin, now));
    last = elapsed;
    gst_buffer_unref (buffer);
    n_packets++;
  }
  g_assert_cmpuint (n_packets, >, 8);
  gst_harness_teardown (h);
}

static void
test_payloaders_write_the_present_time (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (payloader_tests); i++)
    check_payloader (&payloader_tests[i]);
}

static void
test_payloaders_write_none_unless_caps_have_it (void)
{
  GstHarness *h = gst_harness_new_parse (PAYLOADER);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  GstBuffer *buffer;

  gst_harness_play (h);
  buffer = gst_harness_pull (h);
  g_assert_true (gst_rtp_buffer_map (buffer, GST_MAP_READ, &rtp));
  g_assert_false (gst_rtp_buffer_get_extension (&rtp));
  gst_rtp_buffer_unmap (&rtp);
  gst_buffer_unref (buffer);
  gst_harness_teardown (h);
}

static void
test_depayloaders_accept_it (void)
{
  GstHarness *h = gst_harness_new_parse (
      PAYLOADER " ! " EXTMAP (3) GCC_ABS_SEND_TIME_URI " ! rtpvp8depay");
  GstBuffer *buffer;
  guint n_frames = 0;

  gst_harness_play (h);
  while (gst_harness_pull_until_eos (h, &buffer) && buffer != NULL) {
    gst_buffer_unref (buffer);
    n_frames++;
  }
  g_assert_cmpuint (n_frames, ==, 4);
  gst_harness_teardown (h);
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);

#define TEST(name) g_test_add_func ("/abssendtime/" #name, test_##name)

  TEST (it_is_found_by_its_uri);
  TEST (it_takes_three_bytes);
  TEST (payloaders_write_the_present_time);
  TEST (payloaders_write_none_unless_caps_have_it);
  TEST (depayloaders_accept_it);

  return g_test_run ();
}
