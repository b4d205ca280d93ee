/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "exit/gstgccsequence.h"

/* RFC 3550, appendix A.1: a larger step is a restart of the stream, for example
 * because its payloader was replaced. */
#define MAX_DROPOUT 3000
#define MAX_MISORDER 100

void
gst_gcc_sequence_init (GstGccSequence *self)
{
  *self = (GstGccSequence){ .has_packets = FALSE };
}

/* The newest is 0. */
static const GstGccSequenceGap *
get_gap (const GstGccSequence *self, guint age)
{
  return &self->gaps[(self->newest + GST_GCC_SEQUENCE_GAPS - age) %
      GST_GCC_SEQUENCE_GAPS];
}

/* No number before @wire is looked at again, as if the stream began there. */
static void
restart (GstGccSequence *self, guint64 wire)
{
  self->has_packets = TRUE;
  self->highest = wire;
  self->n_gaps = 0;
  self->forgotten = wire;
}

/* @wire: the number if no padding had left since. */
static guint64
move_before_gaps (const GstGccSequence *self, guint64 wire)
{
  for (guint i = 0; i < self->n_gaps; i++) {
    const GstGccSequenceGap *gap = get_gap (self, i);

    if (wire >= gap->first + gap->n)
      break;
    wire -= gap->n;
  }

  return wire;
}

guint16
gst_gcc_sequence_translate (GstGccSequence *self, guint16 seq)
{
  guint16 wire = (guint16) (seq + self->shift);
  gint16 step = (gint16) (guint16) (wire - (guint16) self->highest);

  /* Far enough from 0 to count back from. */
  if (!self->has_packets)
    restart (self, G_GUINT64_CONSTANT (1) << 32 | wire);
  else if (step > MAX_DROPOUT || step < -MAX_MISORDER)
    restart (self, (self->highest | G_MAXUINT16) + 1 + wire);
  else if (step > 0)
    self->highest += (guint64) step;
  else
    return (guint16) move_before_gaps (self, self->highest - (guint64) -step);

  return wire;
}

static void
add_gap (GstGccSequence *self, guint64 first)
{
  self->newest = (self->newest + 1) % GST_GCC_SEQUENCE_GAPS;
  if (self->n_gaps == GST_GCC_SEQUENCE_GAPS)
    self->forgotten = self->gaps[self->newest].first +
        self->gaps[self->newest].n;
  else
    self->n_gaps++;
  self->gaps[self->newest] = (GstGccSequenceGap){ .first = first };
}

guint16
gst_gcc_sequence_pad (GstGccSequence *self)
{
  const GstGccSequenceGap *last = get_gap (self, 0);

  g_return_val_if_fail (self->has_packets, 0);

  self->highest++;
  self->shift++;
  if (self->n_gaps == 0 || last->first + last->n != self->highest)
    add_gap (self, self->highest);
  self->gaps[self->newest].n++;

  return (guint16) self->highest;
}

gboolean
gst_gcc_sequence_is_highest (const GstGccSequence *self, guint16 seq)
{
  return self->has_packets && (guint16) self->highest == seq;
}

gboolean
gst_gcc_sequence_translate_back (
    const GstGccSequence *self, guint16 wire, guint16 *seq)
{
  gint16 behind = (gint16) (guint16) ((guint16) self->highest - wire);
  guint64 extended = self->highest - (guint64) (gint64) behind;
  guint16 shift = self->shift;

  if (self->has_packets && extended < self->forgotten)
    return FALSE;

  for (guint i = 0; i < self->n_gaps; i++) {
    const GstGccSequenceGap *gap = get_gap (self, i);

    if (extended >= gap->first + gap->n)
      break;
    if (extended >= gap->first)
      return FALSE;
    shift = (guint16) (shift - gap->n);
  }
  *seq = (guint16) (wire - shift);

  return TRUE;
}

gboolean
gst_gcc_sequence_is_shifted (const GstGccSequence *self)
{
  return self->shift != 0 || self->n_gaps > 0;
}
