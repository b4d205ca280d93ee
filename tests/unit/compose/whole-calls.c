/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Whole calls, and what has to hold in each. One that fails says that something is
 * broken: which of two ways is better is for the judge to say (tests/judge). */

#include "whole-calls.h"

/* What a row leaves out is 0. clang warns of it where the first members have no name. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

#define S GCC_SECOND
#define MS GCC_MSECOND
#define KBIT 1000
#define MBIT 1000000
#define PACKET 1500 /* bytes */

/* Of packets: a range of 0 does not bound. */
#define NONE 1e-9
#define SOME NONE

/* A call is a row, and reads as a table. */
/* clang-format off */
const WholeCall whole_calls[] = {
  /* --- the link is found, and used --- */
  { "most of the link is used in two seconds", .as_peer = TRUE,
    .parts = { { 2 * S, .reaches = .9 } } },
  { "a steady link is used without loss",
    .parts = { { 30 * S },
               { 60 * S, .use = { .9 }, .lost = { 0, NONE }, .most_queue = 60 * MS } } },
  { "five frames a second are enough", .as_peer = TRUE,
    .paths = { { .frame_rate = 5 } },
    .parts = { { 20 * S }, { 20 * S, .use = { .4 } } } },
  /* libwebrtc takes about 20 s: it does not probe while the encoder uses all of the
   * estimate. */
  { "a step is found in three seconds",
    .paths = { { 400 * KBIT } },
    .parts = { { 30 * S }, { 3 * S, { 3 * MBIT }, .reaches = .95 } } },
  { "a rate grows when no more probes are wanted",
    .paths = { { 500 * KBIT } },
    .parts = { { 30 * S }, { 30 * S, { 3 * MBIT }, .without_probes = TRUE, .reaches = .95 } } },

  /* --- probes --- */
  /* Guards: a probe finds what has become free, the queue that it leaves is over-use, and
   * that lowered the rate to a part of what had arrived before the probe. */
  { "a rate that a probe has found stays",
    .paths = { { 400 * KBIT }, { 600 * KBIT }, { 700 * KBIT } },
    .parts = { { 30 * S }, { 3 * S, { 1 * MBIT }, .reaches = .9 }, { 20 * S, .stays = { .9 } } } },
  /* Guards: at 150 kbit/s a probe came each four seconds. A_s grew to 179 kbit/s
   * meanwhile, and was drained again and again. */
  { "a rate that a probe has shown is not exceeded", .start = 150 * KBIT,
    .paths = { { 150 * KBIT }, { 200 * KBIT }, { 300 * KBIT }, { 500 * KBIT } },
    .parts = { { 30 * S }, { 60 * S, .stays = { 0, 1. } } } },
  /* Guards: the queue of a probe was over-use, and lowered A_s to what the application
   * sends, 0.8 of the link. */
  { "the queue of a probe does not lower a rate that is not used",
    .paths = { { 500 * KBIT, .application = 350 * KBIT, .frame_rate = 45 },
               { 500 * KBIT, .application = 350 * KBIT, .frame_rate = 50 },
               { 500 * KBIT, .application = 350 * KBIT, .frame_rate = 60 } },
    .parts = { { 30 * S }, { 60 * S, .stays = { .9 } } } },
  /* Guards: probes each second lost 0.9 % in a queue of 15 ms. */
  { "a queue that loses packets is probed seldom", .max = 6 * MBIT,
    .paths = { { .max_queue = 15 * MS },
               { .max_queue = 15 * MS, .delay = 75 * MS, .feedback_delay = 75 * MS },
               { .max_queue = 15 * MS, .delay = 150 * MS, .feedback_delay = 150 * MS } },
    .parts = { { 20 * S }, { 60 * S, .use = { .95 }, .lost = { 0, .005 } } } },
  /* Guards: a probe of 40 ms that fell into one clump told the rate of that clump, and
   * lowered A_s to it: 0.6 of 20 Mbit/s, without a queue or a loss. */
  { "clumps do not hold the rate down", .max = 25 * MBIT,
    .paths = { { 20 * MBIT, .clump = 33 * MS },
               { 20 * MBIT, .clump = 50 * MS },
               { 20 * MBIT, .clump = 100 * MS } },
    .parts = { { 30 * S }, { 30 * S, .use = { .25 } } } },
  /* Guards: after a fall that had lost packets, A_s stayed for ever where the encoder sent
   * a third of it. The second probe is not bound by the losses any more, and while the
   * application is the limit they are five seconds apart. */
  { "after losses a rate that is not used is found again", .max = 5 * MBIT,
    .paths = { { 5 * MBIT, .application = 1750 * KBIT } },
    .parts = { { 20 * S },
               { 2 * S, { 500 * KBIT }, .lost = { SOME } },
               { 8 * S, { .application = 160 * KBIT }, .ends = { 0, 1. } },
               { 12 * S, { 5 * MBIT }, .reaches = .9 } } },
  /* Guards: a probe that was right, and a link that became slower just then. */
  { "a link that slows after a raise is used again", .max = 8 * MBIT,
    .parts = { { 20 * S },
               { 60 * S, { 4 * MBIT }, .reaches = .75 },
               { 3 * S, { 1 * MBIT } },
               { 30 * S, { 4 * MBIT }, .ends = { .75 } } } },

  /* --- a bucket passes a cluster faster than the link --- */
  { "a start behind a token bucket exceeds the link for a second at most",
    .max = 6 * MBIT, .n_draws = 8,
    .paths = { { .bucket = PACKET }, { .bucket = PACKET, .feedback_interval = 100 * MS },
               { .bucket = 3 * PACKET }, { .bucket = 3 * PACKET, .feedback_interval = 100 * MS },
               { .bucket = 10 * PACKET }, { .bucket = 10 * PACKET, .feedback_interval = 100 * MS },
               { .bucket = 30 * PACKET } },
    .parts = { { 20 * S, .most_excess = 1 * S } } },
  { "a link behind a bucket of a packet that becomes faster again is used again",
    .max = 6 * MBIT, .n_draws = 8,
    .paths = { { 2 * MBIT, .bucket = PACKET },
               { 2 * MBIT, .bucket = PACKET, .feedback_interval = 100 * MS } },
    .parts = { { 10 * S, .most_excess = 1 * S },
               { 10 * S, { 500 * KBIT }, .most_excess = 1 * S },
               { 3 * S, { 2 * MBIT }, .reaches = .8 },
               { 10 * S, .most_excess = 1 * S } } },
  /* Goal: three seconds here, too. A cluster that a larger bucket passes reads too high.
   * The raise is soon over-use, and the next results count for less. */
  { "a link behind a larger bucket that becomes faster again is used again",
    .max = 6 * MBIT, .n_draws = 8,
    .paths = { { 2 * MBIT, .bucket = 3 * PACKET },
               { 2 * MBIT, .bucket = 3 * PACKET, .feedback_interval = 100 * MS },
               { 2 * MBIT, .bucket = 10 * PACKET },
               { 2 * MBIT, .bucket = 10 * PACKET, .feedback_interval = 100 * MS } },
    .parts = { { 10 * S, .most_excess = 1 * S },
               { 10 * S, { 500 * KBIT }, .most_excess = 1 * S },
               { 15 * S, { 2 * MBIT }, .reaches = .8 },
               { 10 * S, .most_excess = 1 * S } } },

  /* --- packets are lost --- */
  { "random loss is not congestion",
    .paths = { { .loss = .05 } },
    .parts = { { 20 * S }, { 20 * S, .use = { .7 } } } },
  /* Guards: where each feedback begins with a packet that has arrived the losses between
   * two were taken for a feedback that is lost. R(t) stayed where it was at the start, and
   * 67 % were lost for good. */
  { "a policer of a third of the start is found", .max = 1 * MBIT,
    .paths = { { 250 * KBIT, .max_queue = NO_QUEUE, .bucket = 5000 } },
    .parts = { { 15 * S }, { 45 * S, .lost = { 0, .15 } } } },
  /* The rate stays where the policer begins: loss that lasts is no loss of the path unless
   * a lower rate loses as much. Guards: 17 % lost. */
  { "a policer is not taken for a path that loses",
    .paths = { { .max_queue = NO_QUEUE, .bucket = 20000 } },
    .parts = { { 15 * S }, { 45 * S, .lost = { 0, .05 } } } },

  /* --- feedback --- */
  { "feedback that is lost costs little", .as_peer = TRUE,
    .paths = { { .feedback_loss = .1 }, { .feedback_loss = .3 }, { .feedback_loss = .5 } },
    .parts = { { 20 * S, .lost = { 0, .02 } },
               { 20 * S, .use = { .5 }, .lost = { 0, .02 } } } },
  { "feedback that is late does not end the call", .as_peer = TRUE,
    .paths = { { .feedback_delay = 2 * S } },
    .parts = { { 40 * S }, { 20 * S, .use = { .2 } } } },
  /* Guards: a call that goes on sending without any feedback. */
  { "silence of all feedback lowers the rate", .as_peer = TRUE,
    .parts = { { 10 * S }, { 30 * S, .is_mute = TRUE, .ends = { 0, .1 } } } },

  /* --- the path changes --- */
  /* Guards: half of the link, for the rest of the call. A path that is longer than it was
   * looked like one whose queue others hold. */
  { "a path that becomes longer by 50 ms is used",
    .parts = { { 30 * S }, { 40 * S, { .delay = 75 * MS }, .ends = { .9, 1. } } } },
  { "a path that becomes longer by 100 ms is used",
    .parts = { { 30 * S }, { 40 * S, { .delay = 125 * MS }, .ends = { .9, 1. } } } },
  { "a path that becomes longer by 200 ms is used",
    .parts = { { 30 * S }, { 40 * S, { .delay = 225 * MS }, .ends = { .9, 1. } } } },
  /* Guards: any loss since the last test said that others fill the queue. The path loses
   * 0.3 % by itself and becomes longer: one of twelve calls kept half of it for good,
   * another was late. */
  { "a longer path that loses is used", .max = 6 * MBIT, .n_draws = 12,
    .paths = { { 4 * MBIT, .max_queue = 240 * MS, .loss = .003 } },
    .parts = { { 30 * S }, { 30 * S, { .delay = 65 * MS } }, { 60 * S, .use = { .9 } } } },
  /* A longer route is taken for a queue of others, and that is found out 20 s later. */
  { "another route each 15 s is used", .max = 10 * MBIT,
    .paths = { { .loss = .003 } },
    .parts = { { 15 * S, { 6 * MBIT, .delay = 20 * MS } },
               { 15 * S, { 4 * MBIT, .delay = 42 * MS } },
               { 15 * S, { 8 * MBIT, .delay = 28 * MS } },
               { 15 * S, { 3 * MBIT, .delay = 55 * MS } },
               { 15 * S, { 5 * MBIT, .delay = 35 * MS } },
               { 15 * S, { 7 * MBIT, .delay = 60 * MS } } },
    .least_mean_use = .85 },
  /* What was known of the path is tried, and found to be wrong. */
  { "a path that comes back slower is followed", .has_reports = TRUE,
    .parts = { { 20 * S }, { 10 * S, .is_cut = TRUE },
               { 5 * S, { 300 * KBIT }, .ends = { 0, 1.3 } } } },
  { "a path that comes back slower is followed over REMB", .over_remb = TRUE,
    .parts = { { 20 * S }, { 10 * S, .is_cut = TRUE },
               { 5 * S, { 300 * KBIT }, .ends = { 0, 1.3 } } } },

  /* --- others share the link --- */
  /* The share changes by a third from minute to minute. */
  { "one TCP flow leaves a fair share", .max = 6 * MBIT,
    .paths = { { 1 * MBIT, .max_queue = 240 * MS },
               { 2 * MBIT, .max_queue = 240 * MS },
               { 4 * MBIT, .max_queue = 240 * MS } },
    .parts = { { 20 * S }, { 20 * S, .tcp = TRUE },
               { 600 * S, .tcp = TRUE, .use = { .2, .7 }, .lost = { 0, .05 } } } },
  /* Guards: two calls that each take the other for TCP, and hold a full queue for ever.
   * While the first gap of a probe counted, one had .28. */
  { "two calls share a short queue", .max = 6 * MBIT, .n_flows = 2,
    .paths = { { .max_queue = 240 * MS } },
    .parts = { { 30 * S, .lost = { 0, NONE } },
               { 600 * S, .use = { .35, .65 }, .lost = { 0, NONE } },
               { 30 * S, .lost = { 0, NONE }, .most_queue = 190 * MS } } },

  /* --- as short a queue, as few losses and as much use as with the peer --- */
  /* Kinds of path that people have reported trouble with: testbed/data/scorecard/card.toml
   * has the calls. One call is luck. */
  /* A scheduler's grants. Guards: 26 % lost. */
  { "a path of clumps of 200 ms costs no more than with the peer", .max = 2 * MBIT,
    .is_beside_peer = TRUE, .n_draws = 5,
    .paths = { { 600 * KBIT, .max_queue = 1 * S, .clump = 200 * MS } },
    .parts = { { 15 * S }, { 45 * S } } },
  /* A radio that sends in half of each 100 ms. Guards: 10 % lost. */
  { "a path of clumps of 100 ms costs no more than with the peer", .max = 4500 * KBIT,
    .is_beside_peer = TRUE, .n_draws = 5,
    .paths = { { 2300 * KBIT, .max_queue = 1 * S, .clump = 100 * MS } },
    .parts = { { 15 * S }, { 45 * S } } },
  { "a path of 64 kbit costs no more than with the peer", .start = 64 * KBIT, .max = 300 * KBIT,
    .is_beside_peer = TRUE, .n_draws = 5,
    .paths = { { 64 * KBIT, .max_queue = 600 * MS } },
    .parts = { { 15 * S }, { 45 * S } },
    .longer_queue = "probes of five packets take 180 ms there" },
  { "a satellite costs no more than with the peer", .max = 3 * MBIT,
    .is_beside_peer = TRUE, .n_draws = 5,
    .paths = { { 2 * MBIT, .delay = 300 * MS, .feedback_delay = 300 * MS, .noise = 8 * MS } },
    .parts = { { 15 * S }, { 45 * S } },
    .longer_queue = "probes under jitter raise the rate above what the link takes" },
  { "a busy receiver costs no more than with the peer", .max = 3 * MBIT,
    .is_beside_peer = TRUE, .n_draws = 5,
    .paths = { { 2 * MBIT, .noise = 30 * MS } },
    .parts = { { 15 * S }, { 45 * S } },
    .longer_queue = "a queue has to be longer than 50 ms to be noticed under noise" },
  { "a policer costs no more than with the peer", .is_beside_peer = TRUE,
    .paths = { { .max_queue = NO_QUEUE, .bucket = 20000 } },
    .parts = { { 15 * S }, { 45 * S } } },
};
/* clang-format on */

const guint n_whole_calls = G_N_ELEMENTS (whole_calls);
