/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* The guard and RTCP whose counts and lengths lead past its end. */

#include <gst/gst.h>
#include <gst/rtp/rtp.h>

#include "element-test.h"
#include "guarded-call.h"

/* --- bytes --- */

/* clang-format off */
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
    GuardedCall call;

    guarded_call_start (&call, guarded_elements[i], pad);
    for (guint j = 0; j < G_N_ELEMENTS (malformed); j++) {
      /* rtpsession takes this for RTP */
      if (g_str_equal (pad, "recv_rtp_sink") &&
          malformed[j].data == padding_past_the_start)
        continue;
      guarded_call_deliver (
          &call, test_guarded_buffer (malformed[j].data, malformed[j].size));
    }
    g_assert_true (guarded_call_is_media_known (&call));
    guarded_call_stop (&call);
  }
}

/* Each by itself, beside a report that arrives. */
static void
test_only_what_is_malformed_is_taken_out (void)
{
  static const guint8 report[] = { RECEIVER_REPORT };
  Passed passed;
  GuardedCall call;

  guarded_call_start (&call, "gccreceiver", "recv_rtcp_sink");
  passed_init (&passed, &call);
  for (guint i = 0; i < G_N_ELEMENTS (malformed); i++) {
    GstBuffer *buffer;

    if (malformed[i].data[0] & 0x20) /* only the last one may have padding */
      continue;
    buffer = gst_buffer_append (gst_buffer_new_memdup (report, sizeof report),
        gst_buffer_new_memdup (malformed[i].data, malformed[i].size));
    guarded_call_deliver (&call,
        gst_buffer_append (
            buffer, gst_buffer_new_memdup (report, sizeof report)));
    buffer = passed_get (&passed, passed.buffers->len - 1);
    g_test_message ("%s", malformed[i].name);
    g_assert_cmpuint (gst_buffer_get_size (buffer), ==, 2 * sizeof report);
    g_assert_cmpuint (test_stats_uint64 (call.element, "malformed-rtcp"), ==,
        passed.buffers->len);
  }
  passed_clear (&passed);
  guarded_call_stop (&call);
}

static void
test_what_fits_its_packet_arrives (void)
{
  Passed passed;
  GuardedCall call;

  guarded_call_start (&call, "gccreceiver", "recv_rtcp_sink");
  guarded_call_deliver (
      &call, test_guarded_buffer (sound_compound, sizeof sound_compound));
  guarded_call_deliver (&call,
      test_guarded_buffer (list_without_an_end, sizeof list_without_an_end));
  passed_init (&passed, &call);
  guarded_call_deliver (
      &call, gst_buffer_new_memdup (sound_compound, sizeof sound_compound));
  guarded_call_deliver (&call,
      gst_buffer_new_memdup (list_without_an_end, sizeof list_without_an_end));
  g_assert_cmpuint (passed.buffers->len, ==, 2);
  g_assert_cmpuint (
      gst_buffer_get_size (passed_get (&passed, 0)), ==, sizeof sound_compound);
  g_assert_cmpuint (gst_buffer_get_size (passed_get (&passed, 1)), ==,
      sizeof list_without_an_end);
  g_assert_cmpuint (test_stats_uint64 (call.element, "malformed-rtcp"), ==, 0);
  passed_clear (&passed);
  guarded_call_stop (&call);
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);

#define ADD(name) g_test_add_func ("/guard-lengths/" #name, test_##name)
#define ADD_FOR_PADS(name) \
  g_test_add_data_func ( \
      "/guard-lengths/" #name "/rtcp", guarded_pads[0], test_##name); \
  g_test_add_data_func ( \
      "/guard-lengths/" #name "/rtp", guarded_pads[1], test_##name)
  ADD_FOR_PADS (what_leads_past_the_end_is_taken_out);
  ADD (only_what_is_malformed_is_taken_out);
  ADD (what_fits_its_packet_arrives);

  return g_test_run ();
}
