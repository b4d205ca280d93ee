/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/output/gcc-media-budget.h>

void
gcc_media_budget_init (GccMediaBudget *self, const GccMediaBudgetParams *params)
{
  self->params = params->protection;
  gcc_sent_rates_init (&self->sent, params->sent_rates);
  gcc_fec_control_init (&self->fec, params->fec);
  gcc_retransmission_init (&self->retransmission, params->retransmission);
  self->rates = (GccMediaRates){ 0 };
  self->reserved = 0;
  self->pixels = 0;
  self->repairs = FALSE;
}

void
gcc_media_budget_set_pixels (GccMediaBudget *self, guint pixels)
{
  self->pixels = pixels;
}

void
gcc_media_budget_set_reserved (GccMediaBudget *self, GccRate reserved)
{
  self->reserved = reserved;
}

/* --- what was sent --- */

void
gcc_media_budget_feed_sent (
    GccMediaBudget *self, const GccSentPacket *packet, GccTime now)
{
  if (packet->is_padding) {
    gcc_sent_rates_feed_padding (&self->sent, packet->size, now);
    return;
  }
  if (packet->payload_size == 0)
    return;

  gcc_sent_rates_feed (
      &self->sent, packet->kind, packet->payload_size, packet->ends_frame, now);
  if (packet->kind == GCC_SENT_VIDEO)
    gcc_retransmission_feed_sent (&self->retransmission, packet->ssrc,
        packet->seq, packet->payload_size, now);
}

void
gcc_media_budget_feed_loss (
    GccMediaBudget *self, gdouble fraction_lost, GccTime now)
{
  gcc_fec_control_feed_loss (&self->fec, fraction_lost, now);
}

const GccMediaRates *
gcc_media_budget_measure (GccMediaBudget *self, GccTime now)
{
  GccSentRates *sent = &self->sent;
  GccRate padding = gcc_sent_rates_get_padding (sent, now);

  self->rates = (GccMediaRates){
    .video = gcc_sent_rates_get (sent, GCC_SENT_VIDEO, now),
    .audio = gcc_sent_rates_get (sent, GCC_SENT_AUDIO, now),
    .fec = gcc_sent_rates_get (sent, GCC_SENT_FEC, now),
    .rtx = gcc_sent_rates_get (sent, GCC_SENT_RTX, now) - padding,
    .padding = padding,
  };
  return &self->rates;
}

/* --- what may be sent --- */

static GccRate
get_left (const GccMediaBudget *self, GccRate payload)
{
  return MAX (payload - self->reserved, 0);
}

static GccProtection
get_protection (const GccMediaBudget *self, GccRate payload)
{
  const GccMediaRates *rates = &self->rates;

  return (GccProtection){
    .params = self->params,
    .shared = MAX (get_left (self, payload) - rates->audio, 0),
    .video = rates->video,
    .fec = rates->fec,
    .repeated = rates->rtx + rates->padding,
  };
}

GccRate
gcc_media_budget_get_encoder_target (
    const GccMediaBudget *self, GccRate payload)
{
  GccProtection protection = get_protection (self, payload);

  return gcc_protection_get_encoder_target (&protection);
}

static GccProtection
get_lasting_protection (const GccMediaBudget *self, GccRate payload)
{
  GccProtection protection = get_protection (self, payload);

  protection.repeated = self->rates.rtx;
  return protection;
}

GccRate
gcc_media_budget_get_lasting_target (
    const GccMediaBudget *self, GccRate payload)
{
  GccProtection protection = get_lasting_protection (self, payload);

  return gcc_protection_get_encoder_target (&protection);
}

/* Protection takes its share of more, too. */
GccRate
gcc_media_budget_get_payload_for (
    const GccMediaBudget *self, GccRate payload, GccRate v)
{
  GccProtection protection = get_lasting_protection (self, payload);
  GccRate present = gcc_protection_get_encoder_target (&protection);
  gdouble more = (gdouble) MAX (v - present, 0) *
      (gdouble) MAX (protection.shared, present) / (gdouble) present;

  return gcc_rate_add (payload, gcc_rate_from_double (more));
}

/* Audio and FEC count as parts of the video here. Padding fills the rest, and
 * probes are to exceed A_s. */
GccRate
gcc_media_budget_get_media_target (const GccMediaBudget *self, GccRate payload)
{
  const GccMediaRates *rates = &self->rates;
  GccProtection protection = {
    .params = self->params,
    .shared = get_left (self, payload),
    .video = rates->video + rates->audio + rates->fec,
    .repeated = rates->rtx,
  };

  return gcc_protection_get_encoder_target (&protection);
}

guint64
gcc_media_budget_get_fec_percentage (
    GccMediaBudget *self, GccRate payload, GccTime rtt, GccTime now)
{
  GccSentFrames frames = gcc_sent_rates_get_frames (&self->sent, now);
  GccProtection protection = get_protection (self, payload);
  guint needed = gcc_fec_control_get_percentage (
      &self->fec, &frames, self->pixels, rtt, self->repairs, now);
  gdouble possible = gcc_protection_get_max_fec_percentage (&protection);

  return (guint64) MIN (needed, possible);
}

/* --- what is sent again --- */

void
gcc_media_budget_begin_request (GccMediaBudget *self, GccRate target,
    GccRate payload, GccTime rtt, GccTime now)
{
  GccProtection protection = get_protection (self, payload);

  gcc_retransmission_begin (&self->retransmission, target,
      gcc_protection_get_max_retransmission (&protection), rtt, now);
}

gboolean
gcc_media_budget_allow_retransmission (
    GccMediaBudget *self, guint32 ssrc, guint16 seq, GccTime rtt, GccTime now)
{
  gboolean allowed = gcc_retransmission_allow (
      &self->retransmission, ssrc, seq, rtt, now);

  self->repairs |= allowed;
  return allowed;
}
