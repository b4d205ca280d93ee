/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/**
 * SECTION:element-deviceclock
 * @title: deviceclock
 * @short_description: The clock of an audio sink, without audio
 *
 * Provides a clock, as an audio sink does, and has no pads. A pipeline that has
 * it keeps the time of that clock instead of the system's, and loses it with
 * the element. gst_clock_set_calibration() makes the clock fast, slow or stand
 * still.
 */

#include "gstdeviceclock.h"

struct _GstDeviceClock {
  GstElement parent;

  GstClock *clock;
};

G_DEFINE_TYPE (GstDeviceClock, gst_device_clock, GST_TYPE_ELEMENT)
GST_ELEMENT_REGISTER_DEFINE (
    deviceclock, "deviceclock", GST_RANK_NONE, GST_TYPE_DEVICE_CLOCK)

static GstClock *
provide_clock (GstElement *element)
{
  return gst_object_ref (GST_DEVICE_CLOCK (element)->clock);
}

static void
finalize (GObject *object)
{
  gst_object_unref (GST_DEVICE_CLOCK (object)->clock);
  G_OBJECT_CLASS (gst_device_clock_parent_class)->finalize (object);
}

static void
gst_device_clock_class_init (GstDeviceClockClass *klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = finalize;
  element_class->provide_clock = provide_clock;
  gst_element_class_set_static_metadata (element_class, "Device clock",
      "Generic", "Provides the clock of an audio sink, without audio",
      "The GStreamer Google Congestion Control authors");
}

static void
gst_device_clock_init (GstDeviceClock *self)
{
  self->clock = gst_object_ref_sink (
      g_object_new (GST_TYPE_SYSTEM_CLOCK, "name", "device", NULL));
  GST_OBJECT_FLAG_SET (self, GST_ELEMENT_FLAG_PROVIDE_CLOCK);
}
