/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/rate/gcc-aimd.h>

#include <math.h>

/* --- near the known capacity --- */

/* Half a packet (draft: α · expected packet size) per response time. Frames and
 * packets have whole bytes: a frame of 3600.1 bytes takes three packets. */
gdouble
gcc_aimd_get_additive_rate (
    const GccAimdParams *params, GccRate rate, GccTime response_time)
{
  gdouble frame_bytes = round ((gdouble) rate / params->frame_rate / 8.);
  gdouble packets = MAX (ceil (frame_bytes / params->packet_size), 1.);
  gdouble packet_bits = round (frame_bytes / packets) * 8.;
  gdouble additive_rate = params->additive_packets * packet_bits /
      gcc_time_to_seconds (response_time);

  return MAX (additive_rate, params->min_additive_rate);
}

/* As CUBIC's window does (RFC 9438, section 4.1): slowly near the capacity where
 * over-use was, so that a queue is found while it is short; faster below, where
 * there is none, and above, where the path may take more. */
static gdouble
get_steepness (const GccPlateauParams *params, const GccAimdInput *input)
{
  gdouble distance = (gdouble) input->rate / MAX (input->capacity, 1.) - 1.;

  return MAX (
      distance < 0. ? -params->below * distance : params->above * distance,
      params->min_steepness);
}

/* Half a packet is much where the rate is low: 11 % a second at 150 kbit/s. */
static gdouble
get_plateau_rate (const GccPlateauParams *params, const GccAimdInput *input,
    gdouble additive_rate)
{
  return get_steepness (params, input) *
      MIN (additive_rate, params->max_growth * (gdouble) input->rate);
}

gdouble
gcc_aimd_get_additive_step (
    const GccAimdParams *params, const GccAimdInput *input, GccTime passed)
{
  gdouble rate = gcc_aimd_get_additive_rate (
      params, input->rate, input->response_time);
  gdouble seconds = gcc_time_to_seconds (passed);
  gdouble response_time = gcc_time_to_seconds (input->response_time);

  if (params->plateau != NULL)
    rate = get_plateau_rate (params->plateau, input, rate);
  if (params->max_additive_responses > 0.)
    seconds = MIN (seconds, params->max_additive_responses * response_time);
  return MAX (rate * seconds, params->min_additive_step);
}

/* --- where no capacity is known --- */

/* While no limit is known, only the received rate and the link bound A_r. */
static gboolean
is_starting (const GccAimdStartParams *params, const GccAimdInput *input)
{
  gboolean is_known = input->link > 0;
  gdouble ratio = is_known ? params->link_ratio : params->ratio;

  return !input->is_limited && !(is_known && input->rate >= input->link) &&
      (gdouble) input->rate < ratio * (gdouble) input->received_rate;
}

gdouble
gcc_aimd_get_multiplicative_step (
    const GccAimdParams *params, const GccAimdInput *input, GccTime passed)
{
  const GccAimdStartParams *start = params->start;
  gdouble seconds = gcc_time_to_seconds (MIN (passed, params->max_eta_time));
  gdouble eta = start != NULL && is_starting (start, input) ? start->eta
                                                            : params->eta;
  gdouble step = (gdouble) input->rate * (pow (eta, seconds) - 1.);

  return MAX (step, (gdouble) params->min_increase);
}

/* --- the bound --- */

GccRate
gcc_aimd_limit (
    const GccAimdParams *params, const GccAimdInput *input, GccRate rate)
{
  gdouble max = params->max_ratio * (gdouble) input->received_rate +
      params->max_ratio_offset;

  if (input->received_rate != GCC_RATE_NONE && rate > input->rate &&
      (gdouble) rate > max)
    return MAX (input->rate, gcc_rate_from_double (max));
  return rate;
}
