/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "stream/gstgccdriven.h"

void
gst_gcc_driven_leave (GstGccDriven *self)
{
  if (self->owner != NULL)
    gst_gcc_claims_drop (
        gst_gcc_claims_of (self->encoder.element), self->owner);
  self->owner = NULL;
  self->is_configured = FALSE;
  self->is_low = FALSE;
}

static void
clear (gpointer data)
{
  GstGccDriven *self = data;

  gst_gcc_driven_leave (self);
  if (self->was_paused)
    gst_gcc_claims_tell (
        gst_gcc_claims_of (self->encoder.element), self->encoder.element);
  gst_gcc_encoder_clear (&self->encoder);
  gst_gcc_stream_names_clear (&self->names);
  gst_clear_event (&self->key_request);
}

GArray *
gst_gcc_driven_list_new (void)
{
  GArray *list = g_array_new (FALSE, TRUE, sizeof (GstGccDriven));

  g_array_set_clear_func (list, clear);

  return list;
}

gboolean
gst_gcc_driven_list_add (GArray *list, GstElement *element,
    const GPtrArray *pads, guint fallback_unit)
{
  GstGccDriven driven = { .frame_at = GCC_TIME_NONE };

  if (!gst_gcc_encoder_init (&driven.encoder, element, fallback_unit))
    return FALSE;
  gcc_pause_init (&driven.pause);
  if (pads != NULL)
    gst_gcc_stream_names_read (&driven.names, pads);
  g_array_append_val (list, driven);

  return TRUE;
}

static GstGccDriven *
find (const GArray *list, const GstElement *element)
{
  for (guint i = 0; i < list->len; i++)
    if (gst_gcc_driven_list_get (list, i)->encoder.element == element)
      return gst_gcc_driven_list_get (list, i);

  return NULL;
}

/* Both have a reference to the element. */
void
gst_gcc_driven_list_inherit (GArray *list, GArray *old)
{
  for (guint i = 0; i < old->len; i++) {
    GstGccDriven *before = gst_gcc_driven_list_get (old, i);
    GstGccDriven *after = find (list, before->encoder.element);

    if (after == NULL)
      continue;
    after->owner = before->owner;
    after->pause = before->pause;
    after->was_paused = before->was_paused;
    after->is_configured = before->is_configured;
    after->is_low = before->is_low;
    before->owner = NULL;
    before->was_paused = FALSE;
    after->share = before->share;
    after->key_cost = before->key_cost;
    after->frame_at = before->frame_at;
    after->key_request = g_steal_pointer (&before->key_request);
    after->key_asked_at = before->key_asked_at;
  }
}

gboolean
gst_gcc_driven_list_has_new (const GArray *list)
{
  for (guint i = 0; i < list->len; i++)
    if (gst_gcc_driven_list_get (list, i)->owner == NULL)
      return TRUE;

  return FALSE;
}

GstGccDriven *
gst_gcc_driven_list_find_stream (GArray *list, guint32 ssrc)
{
  for (guint i = 0; i < list->len; i++) {
    const GstGccStreamNames *names = &gst_gcc_driven_list_get (list, i)->names;

    if (list->len == 1 || (names->ssrc != NULL && names->ssrc_number == ssrc))
      return gst_gcc_driven_list_get (list, i);
  }

  return NULL;
}

static void
clear_encoder (gpointer encoder)
{
  gst_gcc_encoder_clear (encoder);
}

GArray *
gst_gcc_driven_list_copy (const GArray *list)
{
  GArray *copy = g_array_new (FALSE, FALSE, sizeof (GstGccEncoder));

  g_array_set_clear_func (copy, clear_encoder);
  for (guint i = 0; i < list->len; i++) {
    GstGccEncoder encoder = gst_gcc_encoder_copy (
        &gst_gcc_driven_list_get (list, i)->encoder);

    g_array_append_val (copy, encoder);
  }

  return copy;
}
