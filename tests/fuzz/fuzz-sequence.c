/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Sequence numbers of a stream into which padding is put, beside all numbers
 * that were ever given. */

#include "exit/gstgccsequence.h"
#include "fuzz.h"

/* So few, and steps so short, that no number comes round. */
#define MAX_STEPS 400
#define MAX_STEP 64

/* No more places are remembered that a late packet may come after. */
#define MAX_LATE (GST_GCC_SEQUENCE_GAPS - 1)

typedef enum {
  UNKNOWN,
  MEDIA,
  PADDING
} Kind;

/* What a number on the wire stands for. */
static struct {
  Kind kind;
  guint16 seq;
} wire[G_MAXUINT16 + 1];

static guint16 given[MAX_STEPS];
static guint n_given;

void
fuzz_init (void)
{
}

static void
note (guint16 number, Kind kind, guint16 seq)
{
  wire[number].kind = kind;
  wire[number].seq = seq;
  given[n_given++] = number;
}

/* A number that padding has is none of media's. */
static void
send (GstGccSequence *self, guint16 seq)
{
  guint16 number = gst_gcc_sequence_translate (self, seq);

  g_assert_cmpint (wire[number].kind, !=, PADDING);
  g_assert_true (wire[number].kind == UNKNOWN || wire[number].seq == seq);
  note (number, MEDIA, seq);
}

static void
pad (GstGccSequence *self)
{
  guint16 number = gst_gcc_sequence_pad (self);

  g_assert_cmpint (wire[number].kind, ==, UNKNOWN);
  note (number, PADDING, 0);
  g_assert_true (gst_gcc_sequence_is_highest (self, number));
  g_assert_true (gst_gcc_sequence_is_shifted (self));
}

/* What is told of a number is true, and padding is told to nobody. */
static void
ask (const GstGccSequence *self, guint16 number)
{
  guint16 seq;

  if (!gst_gcc_sequence_translate_back (self, number, &seq))
    return;
  g_assert_cmpint (wire[number].kind, ==, MEDIA);
  g_assert_cmpuint (seq, ==, wire[number].seq);
}

/* ... and then forgotten. */
static void
ask_all (const GstGccSequence *self)
{
  for (guint i = 0; i < n_given; i++)
    ask (self, given[i]);
  for (guint i = 0; i < n_given; i++)
    wire[given[i]].kind = UNKNOWN;
  n_given = 0;
}

/* Forward, at times over a gap; late, but not so late that it is a restart. */
static void
go_on (GstGccSequence *self, guint16 *highest, Fuzz *input)
{
  guint8 what = fuzz_uint8 (input);

  switch (what % 4) {
    case 0:
      if (self->has_packets)
        pad (self);
      break;
    case 1:
      if (self->has_packets)
        send (self, (guint16) (*highest - (what >> 2) % (MAX_LATE + 1)));
      break;
    case 2:
      *highest = (guint16) (*highest + 1 + (what >> 2) % MAX_STEP);
      send (self, *highest);
      break;
    default:
      send (self, ++*highest);
      break;
  }
}

/* Whatever comes, it does not stop: numbers of a stream that restarts may be
 * any. */
static void
go_wild (GstGccSequence *self, Fuzz *input)
{
  guint16 seq = 0;

  while (fuzz_has_more (input))
    switch (fuzz_uint8 (input) % 4) {
      case 0:
        if (self->has_packets)
          gst_gcc_sequence_pad (self);
        break;
      case 1:
        seq = fuzz_uint16 (input);
        break;
      case 2:
        gst_gcc_sequence_translate_back (self, fuzz_uint16 (input), &seq);
        break;
      default:
        gst_gcc_sequence_translate (self, seq++);
        break;
    }
}

void
fuzz_one (Fuzz *input)
{
  gboolean is_wild = fuzz_once_in (input, 8);
  guint16 highest = fuzz_uint16 (input);
  GstGccSequence self;

  gst_gcc_sequence_init (&self);
  if (is_wild) {
    go_wild (&self, input);
    return;
  }
  for (guint i = 0; i < MAX_STEPS && fuzz_has_more (input); i++)
    go_on (&self, &highest, input);
  ask_all (&self);
}
