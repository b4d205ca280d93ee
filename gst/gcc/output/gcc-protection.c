/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/output/gcc-protection.h>

/* The rate that FEC and retransmission may take together. */
static GccRate
get_max (const GccProtection *self)
{
  return (GccRate) ((gdouble) self->shared * self->params->max_share);
}

/* v = A_s - r_RTX - r_FEC, as in the papers, or A_s times the share of media in
 * what was sent, as in the 2013 generation, whichever is less. Subtracting
 * measured FEC alone oscillates, because FEC lags the media; the share
 * converges whatever the encoder sends. But the share alone assumes that the
 * encoder keeps to v, while the difference also holds when it sends more. */
static GccRate
get_taken (const GccProtection *self)
{
  GccRate sent = self->fec + self->repeated;
  gdouble share;

  if (sent == 0)
    return 0;
  share = MIN (
      (gdouble) sent / (gdouble) (self->video + sent), self->params->max_share);
  return MAX (sent, (GccRate) ((gdouble) self->shared * share + 0.5));
}

GccRate
gcc_protection_get_encoder_target (const GccProtection *self)
{
  return MAX (self->shared - MIN (get_taken (self), get_max (self)), 1);
}

GccRate
gcc_protection_get_max_retransmission (const GccProtection *self)
{
  return get_max (self) - self->fec - self->repeated;
}

gdouble
gcc_protection_get_max_fec_percentage (const GccProtection *self)
{
  GccRate room = MAX (get_max (self) - self->repeated, 0);
  GccRate video = MAX (gcc_protection_get_encoder_target (self), self->video);

  return 100. * (gdouble) room / (gdouble) video;
}
