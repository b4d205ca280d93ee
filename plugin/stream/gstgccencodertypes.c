/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "stream/gstgccencodertypes.h"

/* Without these a bitrate that changes is not followed: GStreamer's default is a
 * variable rate, which keeps what it had, over a buffer of 6 s. */
#define VPX_RATE_SETTINGS \
  "end-usage=cbr " \
  "buffer-size=300 buffer-initial-size=150 buffer-optimal-size=200"

/* Settings of an encoder for conversational video: constant bitrate over a
 * third of a second (over a whole second it takes seconds to follow a target
 * that halves), no look-ahead, key frames only on request, frames dropped
 * rather than sent late, and each of them encoded in a fraction of the time
 * that it is shown, on one core. docs/encoder.md has the measurements. */
#define VPX_SETTINGS \
  VPX_RATE_SETTINGS \
  " deadline=1 lag-in-frames=0 keyframe-max-dist=3000 " \
  "undershoot=100 overshoot=15 max-quantizer=56 min-quantizer=2 " \
  "dropframe-threshold=30 resize-allowed=false"

/* libvpx watches the clock: VP8 takes at most (16 - cpu-used) / 16 of the time
 * of a frame, whatever the picture and the machine. With the default of 0 it
 * may take the whole time. */
#define VP8_SETTINGS VPX_SETTINGS " max-intra-bitrate=900 cpu-used=8"

/* VP9's effort does not follow the clock. A picture less than 512 pixels wide
 * is one tile: only row-mt lets it have more than one thread. */
#define VP9_SETTINGS VPX_SETTINGS " cpu-used=7 row-mt=true"

#define X264_SETTINGS \
  "tune=zerolatency speed-preset=veryfast bframes=0 key-int-max=3000 " \
  "vbv-buf-capacity=300"

#define X265_SETTINGS "tune=zerolatency speed-preset=ultrafast key-int-max=3000"

#define OPENH264_SETTINGS \
  "rate-control=bitrate usage-type=camera enable-frame-skip=true " \
  "gop-size=3000"

/* The default of max-quantizer in av1enc is 0: the encoder follows no bitrate,
 * and libaom's CBR aborts the process when it tries to. */
#define AV1_SETTINGS \
  "usage-profile=realtime cpu-used=9 end-usage=cbr lag-in-frames=0 " \
  "max-quantizer=63 keyframe-max-dist=3000 buf-sz=300 buf-initial-sz=150 " \
  "buf-optimal-sz=200 drop-frame=30"

#define KEEPS_ON TRUE
#define STARTS_OVER FALSE

/* Encoders without settings of their own, by the unit of their bitrate: GStreamer's
 * encoders do not agree on one. */
#define BITS(factory, property, keeps_on) \
  { factory, property, NULL, 1, keeps_on, 0, NULL, NULL }
#define KILOBITS(factory, property, keeps_on) \
  { factory, property, NULL, 1000, keeps_on, 0, NULL, NULL }

/* Those of Video4Linux have a property for the bitrate from GStreamer 1.29.2 on. The
 * driver of the Raspberry Pi takes 25 kbit/s and more. */
#define V4L2(factory) \
  { factory, "bitrate", "video_bitrate", 1, KEEPS_ON, 25000, NULL, NULL }

/* Encoders whose bitrate takes effect while they run. Least values above the property's
 * minimum were measured (GStreamer 1.22, libvpx 1.12, x264 164, OpenH264 2.3):
 *
 *  - vp8enc, vp9enc: libvpx counts in kbit/s, so less is 0: vp8enc keeps its
 *    bitrate, vp9enc sends nothing, and a property of 0 means "automatic";
 *  - x264enc: a change that leaves the VBV buffer below 1 kbit is refused: the
 *    least is 4 kbit/s with a vbv-buf-capacity of 300 ms, 10 with 100 ms;
 *  - openh264enc: 10 bit/s and less is refused, below 1000 nothing is sent.
 *
 * x265enc makes another encoder at each change (measured). Those of VA, VAAPI, MSDK,
 * AMF, Direct3D 12 and Media Foundation drain theirs and configure it anew
 * (GStreamer's source). tests/encoder_table.py says how each was tried. */
static const GstGccEncoderType encoder_types[] = {
  { "vp8enc", "target-bitrate", NULL, 1, KEEPS_ON, 1000, VP8_SETTINGS,
      VPX_RATE_SETTINGS },
  { "vp9enc", "target-bitrate", NULL, 1, KEEPS_ON, 1000, VP9_SETTINGS,
      VPX_RATE_SETTINGS },
  { "x264enc", "bitrate", NULL, 1000, KEEPS_ON, 10, X264_SETTINGS, NULL },
  { "x265enc", "bitrate", NULL, 1000, STARTS_OVER, 0, X265_SETTINGS, NULL },
  { "openh264enc", "bitrate", NULL, 1, KEEPS_ON, 1000, OPENH264_SETTINGS,
      NULL },
  { "av1enc", "target-bitrate", NULL, 1000, KEEPS_ON, 0, AV1_SETTINGS, NULL },
  BITS ("rav1enc", "bitrate", KEEPS_ON),
  V4L2 ("v4l2h264enc"),
  V4L2 ("v4l2h265enc"),
  V4L2 ("v4l2vp8enc"),
  V4L2 ("v4l2vp9enc"),
  KILOBITS ("vah264enc", "bitrate", STARTS_OVER),
  KILOBITS ("vah264lpenc", "bitrate", STARTS_OVER),
  KILOBITS ("vah265enc", "bitrate", STARTS_OVER),
  KILOBITS ("vah265lpenc", "bitrate", STARTS_OVER),
  KILOBITS ("vavp8enc", "bitrate", STARTS_OVER),
  KILOBITS ("vavp8lpenc", "bitrate", STARTS_OVER),
  KILOBITS ("vavp9enc", "bitrate", STARTS_OVER),
  KILOBITS ("vavp9lpenc", "bitrate", STARTS_OVER),
  KILOBITS ("vaav1enc", "bitrate", STARTS_OVER),
  KILOBITS ("vaav1lpenc", "bitrate", STARTS_OVER),
  KILOBITS ("vaapih264enc", "bitrate", STARTS_OVER),
  KILOBITS ("vaapih265enc", "bitrate", STARTS_OVER),
  KILOBITS ("vaapivp8enc", "bitrate", STARTS_OVER),
  KILOBITS ("vaapivp9enc", "bitrate", STARTS_OVER),
  KILOBITS ("nvh264enc", "bitrate", KEEPS_ON),
  KILOBITS ("nvh265enc", "bitrate", KEEPS_ON),
  KILOBITS ("nvav1enc", "bitrate", KEEPS_ON),
  KILOBITS ("nvcudah264enc", "bitrate", KEEPS_ON),
  KILOBITS ("nvcudah265enc", "bitrate", KEEPS_ON),
  KILOBITS ("nvautogpuh264enc", "bitrate", KEEPS_ON),
  KILOBITS ("nvautogpuh265enc", "bitrate", KEEPS_ON),
  KILOBITS ("nvautogpuav1enc", "bitrate", KEEPS_ON),
  KILOBITS ("nvd3d11h264enc", "bitrate", KEEPS_ON),
  KILOBITS ("nvd3d11h265enc", "bitrate", KEEPS_ON),
  KILOBITS ("nvd3d11av1enc", "bitrate", KEEPS_ON),
  BITS ("nvv4l2h264enc", "bitrate", KEEPS_ON),
  BITS ("nvv4l2h265enc", "bitrate", KEEPS_ON),
  BITS ("nvv4l2vp8enc", "bitrate", KEEPS_ON),
  BITS ("nvv4l2vp9enc", "bitrate", KEEPS_ON),
  BITS ("nvv4l2av1enc", "bitrate", KEEPS_ON),
  KILOBITS ("qsvh264enc", "bitrate", KEEPS_ON),
  KILOBITS ("qsvh265enc", "bitrate", KEEPS_ON),
  KILOBITS ("qsvvp9enc", "bitrate", KEEPS_ON),
  KILOBITS ("qsvav1enc", "bitrate", KEEPS_ON),
  KILOBITS ("msdkh264enc", "bitrate", STARTS_OVER),
  KILOBITS ("msdkh265enc", "bitrate", STARTS_OVER),
  KILOBITS ("msdkvp9enc", "bitrate", STARTS_OVER),
  KILOBITS ("msdkav1enc", "bitrate", STARTS_OVER),
  KILOBITS ("amfh264enc", "bitrate", STARTS_OVER),
  KILOBITS ("amfh265enc", "bitrate", STARTS_OVER),
  KILOBITS ("amfav1enc", "bitrate", STARTS_OVER),
  KILOBITS ("vulkanh264enc", "bitrate", STARTS_OVER),
  KILOBITS ("d3d12h264enc", "bitrate", STARTS_OVER),
  KILOBITS ("mfh264enc", "bitrate", STARTS_OVER),
  KILOBITS ("mfh265enc", "bitrate", STARTS_OVER),
  KILOBITS ("mfvp9enc", "bitrate", STARTS_OVER),
  KILOBITS ("vtenc_h264", "bitrate", KEEPS_ON),
  KILOBITS ("vtenc_h264_hw", "bitrate", KEEPS_ON),
  KILOBITS ("vtenc_h265", "bitrate", KEEPS_ON),
  KILOBITS ("vtenc_h265_hw", "bitrate", KEEPS_ON),
  KILOBITS ("vpuenc_h264", "bitrate", KEEPS_ON),
  KILOBITS ("vpuenc_hevc", "bitrate", KEEPS_ON),
  KILOBITS ("imxvpuenc_h264", "bitrate", KEEPS_ON),
  BITS ("mpph264enc", "bps", KEEPS_ON),
  BITS ("mpph265enc", "bps", KEEPS_ON),
  BITS ("mppvp8enc", "bps", KEEPS_ON),
  BITS ("omxh264enc", "target-bitrate", KEEPS_ON),
  BITS ("omxh265enc", "target-bitrate", KEEPS_ON),
  BITS ("qtic2venc", "target-bitrate", KEEPS_ON),
};

const GstGccEncoderType *
gst_gcc_encoder_types_find (GstElement *element)
{
  GstElementFactory *factory = gst_element_get_factory (element);

  if (factory == NULL)
    return NULL;

  for (guint i = 0; i < G_N_ELEMENTS (encoder_types); i++)
    if (g_str_equal (GST_OBJECT_NAME (factory), encoder_types[i].factory))
      return &encoder_types[i];

  return NULL;
}
