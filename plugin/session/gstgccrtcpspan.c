/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "session/gstgccrtcpspan.h"

/* Lengths in bytes (RFC 3550, section 6). */
#define WORD 4
#define SR_HEADER 28
#define RR_HEADER 8
#define REPORT_BLOCK 24
#define APP_HEADER 12
#define SDES_ITEM_HEADER 2

/* RFC 3611, section 3 */
#define XR_HEADER 8
#define XR_BLOCK_HEADER 4

/* RFC 4585 and 5104: a FIR, a TMMBR, ... */
#define LONG_ENTRY 8

#define PADDING_BIT 0x20

/* --- packets --- */

gboolean
gst_gcc_rtcp_span_next (
    GstGccRtcpSpan *self, const GstRTCPBuffer *rtcp, gsize *offset)
{
  gsize left = rtcp->map.size - *offset;
  gsize padding = 0;

  self->data = rtcp->map.data + *offset;
  if (left < GST_GCC_RTCP_HEADER)
    return FALSE;
  self->whole = WORD * ((gsize) GST_READ_UINT16_BE (self->data + 2) + 1);
  if (self->whole > left)
    return FALSE;

  *offset += self->whole;
  self->type = (GstRTCPType) self->data[1];
  self->count = self->data[0] & 0x1f;
  if (self->data[0] & PADDING_BIT)
    padding = self->data[self->whole - 1];
  self->length = self->whole - MIN (padding, self->whole - GST_GCC_RTCP_HEADER);

  return TRUE;
}

gboolean
gst_gcc_rtcp_span_is_feedback (const GstGccRtcpSpan *self, GstRTCPFBType format)
{
  return self->type == GST_RTCP_TYPE_RTPFB && self->count == format;
}

/* --- whether they are sound --- */

/* Returns whether the item at @offset, which is not the end of its list, fits
 * in before @end, and moves @offset past it. rtpsession takes the first byte of a
 * private item for the length of its name. */
static gboolean
skip_item (const GstGccRtcpSpan *self, gsize *offset, gsize end)
{
  const guint8 *item = self->data + *offset;
  gsize left = end - *offset;

  if (left < SDES_ITEM_HEADER || left - SDES_ITEM_HEADER < item[1])
    return FALSE;
  if (item[0] == GST_RTCP_SDES_PRIV && (item[1] == 0 || item[2] >= item[1]))
    return FALSE;
  *offset += SDES_ITEM_HEADER + item[1];

  return TRUE;
}

/* The source at @offset, and its items up to the end of their list. The end of
 * the packet is one, too, but padding is not: rtpsession reads on. */
static gboolean
skip_chunk (const GstGccRtcpSpan *self, gsize *offset, gsize end)
{
  if (end - *offset < WORD)
    return FALSE;
  *offset += WORD;
  while (*offset < end && self->data[*offset] != 0)
    if (!skip_item (self, offset, end))
      return FALSE;
  if (*offset == end)
    return end == self->whole;
  *offset = (*offset + WORD) & ~(gsize) (WORD - 1);

  return TRUE;
}

/* Where there is room behind the last source for another one, GStreamer reads
 * that, too (1.22 to 1.28). */
static gboolean
is_sound_description (const GstGccRtcpSpan *self)
{
  gsize offset = GST_GCC_RTCP_HEADER;

  for (guint i = 0; i < self->count; i++)
    if (!skip_chunk (self, &offset, self->length))
      return FALSE;

  return self->whole - offset < 2 * (gsize) WORD ||
      skip_chunk (self, &offset, self->whole);
}

/* The length of the reason comes after the sources. */
static gboolean
is_sound_bye (const GstGccRtcpSpan *self)
{
  gsize reason = GST_GCC_RTCP_HEADER + WORD * (gsize) self->count;

  return reason >= self->length
      ? reason == self->length
      : reason + 1 + self->data[reason] <= self->length;
}

static gboolean
is_sound_extended_report (const GstGccRtcpSpan *self)
{
  gsize offset = XR_HEADER;

  while (offset + XR_BLOCK_HEADER <= self->length)
    offset += XR_BLOCK_HEADER +
        WORD * (gsize) GST_READ_UINT16_BE (self->data + offset + 2);

  return offset == self->length;
}

/* Lists of entries of one word always are. */
static gboolean
has_whole_entries (const GstGccRtcpSpan *self)
{
  gsize fci = self->length - GST_GCC_RTCP_FEEDBACK_HEADER;

  if (self->type == GST_RTCP_TYPE_RTPFB)
    switch (self->count) {
      case GST_RTCP_RTPFB_TYPE_TMMBR:
      case GST_RTCP_RTPFB_TYPE_TMMBN:
        return fci % LONG_ENTRY == 0;
      default:
        return TRUE;
    }

  switch (self->count) {
    case GST_RTCP_PSFB_TYPE_FIR:
    case GST_RTCP_PSFB_TYPE_TSTR:
    case GST_RTCP_PSFB_TYPE_TSTN:
      return fci % LONG_ENTRY == 0;
    default:
      return TRUE;
  }
}

static gboolean
has_sound_padding (const GstGccRtcpSpan *self)
{
  guint8 n = self->data[self->whole - 1];

  return (self->data[0] & PADDING_BIT) == 0 ||
      (n != 0 && n % WORD == 0 && n <= self->whole - GST_GCC_RTCP_HEADER);
}

gboolean
gst_gcc_rtcp_span_is_sound (const GstGccRtcpSpan *self)
{
  if (!has_sound_padding (self))
    return FALSE;

  switch (self->type) {
    case GST_RTCP_TYPE_SR:
      return self->length >= SR_HEADER + REPORT_BLOCK * (gsize) self->count;
    case GST_RTCP_TYPE_RR:
      return self->length >= RR_HEADER + REPORT_BLOCK * (gsize) self->count;
    case GST_RTCP_TYPE_SDES:
      return is_sound_description (self);
    case GST_RTCP_TYPE_BYE:
      return is_sound_bye (self);
    case GST_RTCP_TYPE_APP:
      return self->length >= APP_HEADER;
    case GST_RTCP_TYPE_RTPFB:
    case GST_RTCP_TYPE_PSFB:
      return self->length >= GST_GCC_RTCP_FEEDBACK_HEADER &&
          has_whole_entries (self);
    case GST_RTCP_TYPE_XR:
      return is_sound_extended_report (self);
    default:
      return TRUE;
  }
}
