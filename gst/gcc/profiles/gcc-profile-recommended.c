/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/profiles/gcc-goog-2026.h>

#include <gst/gcc/profiles/gcc-profile-parts.h>

/* One number for each quantity of the path, whichever rule asks, and at both
 * ends. A queue is measured by the least delay of a round. */
#define ROUND (200 * GCC_MSECOND) /* ours: its least delay has little noise */
#define PATH_MEMORY (10 * GCC_SECOND) /* ours: others leave no queue for less */
#define LEAST_WINDOW (300 * GCC_SECOND) /* ours: clocks drift by 30 ms in it */
#define RATE_WINDOW (1 * GCC_SECOND)    /* C20: of R(t) */
#define EMPTY (10 * GCC_MSECOND)    /* ours: a quiet path steps by 1 to 9 ms */
#define LONG (50 * GCC_MSECOND)     /* ours: a queue worth a drain; a guess */
#define STANDING (80 * GCC_MSECOND) /* ours: LONG over REMB; a guess */
#define STILL (3 * GCC_MSECOND) /* ours: with 5 ms a probe of ten is wrong */
#define MEANS 16 /* ours: with 10 a drop leaves 135 ms of queue, not 100 */
#define DRAINED (20 * GCC_MSECOND)      /* ours: 10 are a token bucket's */
#define SILENCE (250 * GCC_MSECOND)     /* ours: longer than frames leave */
#define FIVE_FRAMES (150 * GCC_MSECOND) /* ours: 200 leave 112 ms of queue */

/* The capacity of the link, after a drain, and where a probe or over-use has shown it.
 * When less than TAKES of the sent rate arrives the link has become slower. */
#define AFTER_DRAIN 0.9 /* ours: beta of C13; 0.95 has 1.9 points less */
#define NEAR_LINK 0.97  /* ours: 0.94 loses twice as much beside TCP in CoDel */
#define SHOWN 0.945     /* ours: 0.955 has too little beside TCP, 0.935 alone */
#define TAKES 0.9  /* ours: 0.8 mistakes 8 of 160 falls of a link, 0.9 three */
#define RISES 1.1  /* ours: a guess */
#define DOUBLES 2. /* ours: 1.08 takes 18 s to 900 kbit/s */

/* The cause of loss. A queue that has lost packets counts as full for RATE_WINDOW. */
#define LITTLE_LOSS 0.02       /* p_low */
#define MUCH_LOSS 0.1          /* p_high */
#define LASTS (5 * GCC_SECOND) /* ours: with 1 s 4.1 % are lost, not 1.4 */

/* The holder of the queue. A change by more than a half makes encoders send a burst,
 * so a test sends 0.7. The share beside others is a guess until losses tell. */
#define SEND_LESS 0.7 /* ours: with 0.6 64 kbit/s has 1.8 points, not 24.5 */
#define BURST 1.5     /* ours: encoders send a burst at a larger change */
#define MAX_DRAIN (1 * GCC_SECOND)      /* ours: encoders need half of it */
#define OTHERS 0.5                      /* ours: two deviations of 30 losses */
#define TEST_INTERVAL (20 * GCC_SECOND) /* ours: 30 s has the same points */
#define ASKED_AGAIN (8 * GCC_SECOND)    /* ours: with 30 s Jain is 0.92 */

/* Janus repeats a limit each 5 s, mediasoup each 1.5 s, and receivers that measure each
 * second. */
#define REMB_LIFETIME (15 * GCC_SECOND) /* ours: three times Janus' interval */

/* No queue is so long. The cause is another clock, or the end of a silence. */
#define LONGEST_QUEUE (5 * GCC_SECOND) /* ours: a guess */

/* The bytes that a token bucket passes at once. */
#define BUCKET 1540 /* bytes, ours: one packet of Ethernet */

/* A cluster, or a frame, that shows the rate of the link. */
#define CLUSTER 5000 /* bytes, ours: 3000 leave no queue to measure */

/* On a slow link a packet takes its time, at both ends. */
#define PACKET_TIME \
  { \
    .link_memory = TEST_INTERVAL, \
    .empty = EMPTY, \
  }

/* The drain of a queue, which shows its holder, at both ends. */
#define DRAIN(less) \
  { \
    .share = (less), \
    .response = 600 * GCC_MSECOND, /* ours: a guess */ \
    .max_duration = MAX_DRAIN, \
    .drained = 0.25, /* ours: 0.5 costs a CUBIC row 4 points */ \
    .still = STILL, \
    .follows = TAKES, \
    .again = LASTS, \
    .takes = TAKES, \
  }

/* Over transport-wide feedback: goog-2026, with these changes.
 *
 *  - The arrival filter and the over-use detector are the receiver's. The
 *    delay of Wi-Fi jumps by 20 to 60 ms for 30 to 200 ms, whatever is sent. A
 *    trendline follows each jump, and a detector that waits for 10 ms takes it for
 *    over-use. The arrival filter learns the jumps as noise.
 *  - Probes do not wait until the application leaves some of the path unused.
 *    An encoder that follows A_s never does so, and only a probe finds a path
 *    that has grown in less than 20 s. While a queue loses packets they come as
 *    seldom as after a raise that leads to over-use again and again: a short or
 *    managed queue loses theirs, too.
 *  - A cluster at twice the rate queues for half of its time at most. It has
 *    5000 bytes, or lasts 40 ms with 3080 bytes at least: a token bucket passes
 *    1540 bytes at once, and as many while the cluster leaves.
 *  - The rate of a cluster is measured from the begin of its queue. Each raise
 *    that leads to over-use doubles the time to the next probe, because beside
 *    other flows there is no free rate.
 *  - A queue of this call alone is drained at once, at a fraction of R(t).
 *  - A queue that does not drain is held by loss-based traffic: the rate beside
 *    such traffic is CUBIC's.
 *  - There is no padding but that of probes: an encoder that follows A_s uses
 *    the rate that the path passes again after loss.
 *  - Media does not wait until the pacing rate has paid for a probe.
 *  - Media does not wait for feedback. On a path that has become slow, media
 *    held here would be as late as in the queue of the path, and as much of it
 *    would be lost. While only feedback is late, it would be late without need. */
static const GccProbeControllerParams probe_controller = {
  GOOG_2026_PROBE_CONTROLLER,
  .busy_interval = 1 * GCC_SECOND, /* ours: a step is found in three */
  .busy_max_interval = ASKED_AGAIN,
  .busy_max_time = ROUND,
  .waiting_interval = 500 * GCC_MSECOND, /* ours: 1 s takes 0.5 s more */
  .waiting_scale = 1. / SHOWN,
  .min_bytes = CLUSTER,
  .max_duration = 40 * GCC_MSECOND, /* ours: reaches the next frame */
  .least_bytes = 2 * BUCKET,
};

static const GccProbeEstimatorParams probes = {
  .min_share = 0.8,               /* C26 */
  .max_interval = 1 * GCC_SECOND, /* C26 */
  .max_ratio = 2.,                /* C26 */
  .link_ratio = 0.9,              /* C26 */
  .clear_delay = STILL,
  .min_queued = 3, /* packets, ours: two gaps to measure by */
  .bucket = BUCKET,
  .delay_window = PATH_MEMORY,
  .unnumbered_weight = 1., /* ours: with 0 A_s is 0.88 of a link, for audio */
  .utilization = SHOWN,
  .pause = 3.,               /* ours: without clumps there is no such pause */
  .pause_share = 0.2,        /* ours: without clumps there is no such pause */
  .max_age = 1 * GCC_SECOND, /* C26 */
};

/* Probes show the rate of the link, and a queue that grows all the same is drained.
 * So over-use need not lower the rate by much. */
static const GccRateControlParams rate_control = {
  GOOG_2026_RATE_CONTROL,
  .beta = NEAR_LINK,
  .beta_near_max = NEAR_LINK,
};

/* Feedback of single packets shows losses of others in short queues, too, and a test
 * costs a share of them: it is worth that where the rate falls for loss. */
static const GccLossTestParams loss_test = {
  .trigger = {
    .min_loss = MUCH_LOSS,
    .min_losses = 30,             /* packets, ours: fewer tell nothing */
    .after = LASTS,
    .growth = RISES,
    .interval = TEST_INTERVAL,
    .max_interval = LEAST_WINDOW,
  },
  .share = SEND_LESS,
  .duration = LASTS,
  .same = OTHERS,
  .max_loss = 0.3,                /* ours: a link of a third looks alike */
  .own_share = NEAR_LINK,
  .own_duration = 30 * GCC_SECOND, /* ours: 20 s cost a call 25 points */
};

static const GccSendSideRulesParams send_side_rules = {
  .recent = {
  .window_packets = 10,             /* packets, ours: 20 leave 109 ms of queue */
  .min_window = FIVE_FRAMES,
  .max_packets = 500,               /* packets, C26 */
  .max_window = RATE_WINDOW,
  .required_packets = 10,           /* packets, C26 */
  .max_reordering = 1 * GCC_SECOND, /* C26 */
  .unnumbered_weight = 1.,          /* C26 */
},
  .burst = {
    .max_gap = EMPTY,
    .min_bytes = CLUSTER,
    .takes = TAKES,
    .memory = PATH_MEMORY,
    .raise = DOUBLES,
  },
  .competition = {
  .queue = {
    .max_way_back = LONG,
    .max_jump = LONGEST_QUEUE,
    .max_round_trip = LONGEST_QUEUE,
    .mean_steps = MEANS,
    .quiet = EMPTY,
    .loud = 40 * GCC_MSECOND, /* ours: 50 costs a noisy call 8 points */
    .base_window = PATH_MEMORY,
    .round = ROUND,
    .packet = 1000, /* bytes, ours: 1540 costs a call 18 points */
    .packet_time = PACKET_TIME,
    .empty = EMPTY,
  },
  .holder = {
    .window = ROUND,
    .min_queueing = LONG,
    .empty_queueing = DRAINED,
    .drain = DRAIN (SEND_LESS),
    .own = {
      .share = AFTER_DRAIN,
      .least = 1.,
    },
    .others = {
      .first_share = OTHERS,
      .first_interval = ASKED_AGAIN,
      .test_interval = TEST_INTERVAL,
    },
  },
  .share = {
    .max_step = 0.1, /* ours: a guess */
    .cubic = {
      .packet = 1500., /* bytes, RFC 894 */
      .beta = 0.7,     /* RFC 9438, section 4.6 */
      .C = 0.4,        /* segments per s³, RFC 9438, section 5 */
      .timeout = 5.,   /* ours: with 4, of RFC 5348, above 0.3 */
    },
  },
  .longer_path = {
    .steady = LONG,
    .steady_time = LASTS,
    .full_at = 0.7,               /* ours: a guess */
    .max_loss = LITTLE_LOSS,
    .undrained = TAKES,
    .still = STILL,
    .still_time = MAX_DRAIN,
  },
  .starved = RATE_WINDOW,
  .lossy_time = PATH_MEMORY,
  },
  .loss_test = &loss_test,
  .held = NEAR_LINK / SHOWN,
  .max_gap = SILENCE,
  .raise = RISES,
  .judged_after = 1500 * GCC_MSECOND, /* ours: a guess */
};

/* CE marks, while the application has switched ECN on: nothing depends on them
 * otherwise. */
static const GccSendSideEcnParams ecn = {
  .check = {
    .n_packets = 10,              /* RFC 9000, appendix A.4 */
    .report = 100 * GCC_MSECOND,  /* RFC 9392, section 4 */
    .patience = 3,                /* RFC 9000, appendix A.4 */
    .retest = PATH_MEMORY,
  },
  .l4s = {
    .first = 1.,                  /* RFC 8257, section 3.3 */
    .gain = 1. / 16.,             /* RFC 8257, section 4.2 */
    .reduction = 0.5,             /* RFC 8257, section 3.3 */
    .queueing = LONG,
    .classic = 0.2,               /* RFC 8511, section 3.1 */
    .quiet = LASTS,
    .approach = PATH_MEMORY,      /* ours: of LASTS a slow call has p95 3 ms longer */
    .packets = 1.,                /* Prague */
    .min_round = 25 * GCC_MSECOND, /* Prague */
    .flat = 0.03,                 /* ours: 0.02 has 6 ms of queue, not 4.5 */
    .least = 0.02,                /* 1/s, ours: 0.03 has 5.5 ms of queue */
    .episode = RATE_WINDOW,
  },
  .own = {
    .window = PATH_MEMORY,
    .resolution = GCC_SECOND / GCC_CCFB_TICKS_PER_SECOND,
    .min_gaps = 2,                /* ours: with 4 a step leaves four times more */
    .min_time = 20 * GCC_MSECOND, /* ours: 40 have twice the queue of a step */
  },
  .drain = FIVE_FRAMES,
  .least_share = 0.3, /* ours: 0.1 loses use, 0.5 takes longer */
  .most_share = AFTER_DRAIN,
  .held = RISES,
  .pacing_factor = 1.02, /* ours: of 1.05 a frame's packets queue */
  .usual = LONG,
  .release = MAX_DRAIN,
  .most_release = OTHERS,
  .others = OTHERS,
  .useless = LASTS,
  .max_loss = LITTLE_LOSS,
};

/* The arrival filter and the over-use detector of the receiver. Here a queue that
 * stands is not seen as soon, so over-use need not last as long. */
static const GccDelayDetectorParams delay = {
  GOOG_2020_FILTER,
  GOOG_2020_DETECTOR (
      50. /* ms, ours: 100 has 0.9 points less on drawn calls */),
};

static const GccSendSideParams send_side = {
  GOOG_2026_SEND_SIDE, .delay.filter = &delay.filter,
  .delay.detector = &delay.detector, .rate_control = &rate_control,
  .probes = &probes, .probe_controller = &probe_controller,
  .rules = &send_side_rules, .ecn = &ecn, .probes_lower = TRUE, /* C26 */
  .holds_media = FALSE, /* unlike C26: media that is held is lost as much */
  .pads = FALSE,        /* unlike C26: an encoder follows A_s */
  .first_pacing_factor = 2.5, /* C26 */
  .pacing_factor = 1.1,       /* C26 */
};

static const GccAimdStartParams start = {
  .eta = DOUBLES, /* per s */
  .after = 2 * RATE_WINDOW,
  .ratio = 1.5, /* C20: A_r is at most 1.5 R */
  .link_ratio = DOUBLES,
};

static const GccPlateauParams plateau = {
  .below = 15., /* ours: growth triples at 0.9 of it */
  .above = 2. * 15.,
  .min_steepness = 0.4, /* ours: 0.25 has two goals less */
  .max_growth = 0.08,   /* 1/s, that of C20's eta */
};

const GccReceiverRulesParams gcc_recommended_receiver_rules = {
  .packet_time = PACKET_TIME,
  .least_window = LEAST_WINDOW,
  .holder = {
    .window = ROUND,
    .min_queueing = STANDING,
    .empty_queueing = DRAINED,
    .drain = DRAIN (0.6 /* ours: 0.7 costs RFC 8867 5.3 19 points */),
    .own = {
      .share = AFTER_DRAIN,
      .least = SEND_LESS,
    },
    .others = {
      .first_share = OTHERS,
      .first_interval = ASKED_AGAIN,
      .test_interval = TEST_INTERVAL,
    },
  },
  .trains = {
    .train = {
      .overhead = 40, /* bytes: RFC 768, 791 and 3550 */
      .bucket = BUCKET,
    },
    .max_age = 2 * RATE_WINDOW,
    .share = 0.8, /* ours: 0.9 costs two calls 11 points each */
    .raise = DOUBLES,
  },
  .losses = {
    .window = RATE_WINDOW,
    .min_loss = LITTLE_LOSS,
    .min_queueing = EMPTY,
  },
  .headroom = DOUBLES,
};

const GccArrivalWatchParams gcc_recommended_arrival_watch = {
  .after = 500 * GCC_MSECOND, /* ours: two reports, 0.4 to 1.2 s apart */
  .min_packets = 5,           /* packets, ours: 10 % lose five in 100,000 */
  .max_gap = ROUND,
  .decrease = 0.5,                        /* RFC 5348, section 4.4 */
  .decrease_interval = 400 * GCC_MSECOND, /* RFC 5348: 4 R of 100 ms */
};

static const GccEncoderRatioParams encoder_ratio = {
  .window = 2500 * GCC_MSECOND, /* ours: a key frame is a fifth of it at most */
  .steady = 1.25,               /* ours: growth within a window */
  .over = 1.2,              /* ours: encoders with a constant rate keep 3 % */
  .under = 0.7,             /* ours: frames that are dropped are less */
  .least = 0.3,             /* ours: less is a picture that needs no more */
  .most = 3.,               /* ours: more is an encoder that is deaf */
  .step = 1.25,             /* ours: below what a pacer lets through */
  .doubt = 30 * GCC_SECOND, /* ours: a picture may have changed by then */
  .relapse = 500 * GCC_MSECOND, /* ours: a queue of that takes no loss */
};

static const GccKeyRequestsParams key_requests = {
  .share = 0.19, /* ours: a fifth, with the first one, which nobody requests */
  .max_wait = 900 * GCC_MSECOND, /* ours: who joins has a picture in a second */
};

/* goog-2020, with some numbers of its own, and with rules beside TCP, and for the
 * start, growth and fall of A_r. The source of each number is beside it.
 *
 * Over-use is m times min (n, 60) above γ, where m is the growth of the queue per
 * packet group. The γ of goog-2020 suits groups of 5 ms, about a hundred a second.
 * Without abs-send-time a group is a frame, and there are thirty a second: the same
 * γ stands for a third of the growth per second, and two large frames in a row are
 * over-use. The groups of 2013 were frames, so over-use has to last as long as in
 * 2013, three or four frames, and lowers A_r by little.
 *
 * A_r may be 2.5 R instead of 1.5 R: a browser whose encoder drops frames at its
 * coarsest sends less than half of A_s, and sends more only with a higher A_r.
 * Silence of feedback lowers A_s, as in libwebrtc where that is switched on.
 *
 * A REMB cannot probe. Instead, the start phase doubles A_r each second while no
 * limit is known, and begins again when R has exceeded the known limit. Near that
 * limit A_r grows slowly, because flows that share a path overshoot together before
 * one of them notices. */
const GccProfile gcc_profile_recommended = {
  .name = "recommended",
  .description = "The default, this project's own: goog-2020 that also works "
      "without abs-send-time and beside TCP",
  .delay = {
    GOOG_2020_GROUP,
    GOOG_2020_FILTER,
    GOOG_2020_DETECTOR (100. /* ms, C13 */),
  },
  GOOG_2020_REMB_PROBE,
  .received_rate = {
    .window = RATE_WINDOW,
    .grows = TRUE,                /* C20 */
  },
  .rate_control = {
    GOOG_2020_RATE_CONTROL_NUMBERS (NEAR_LINK),
    .initial_time = 300 * GCC_MSECOND, /* ours: A_r after 0.65 s, not 1 s */
    .aimd = {
      GOOG_2020_AIMD (2.5 /* ours: a browser may send 0.42 of it */),
      .start = &start,
      .plateau = &plateau,
    },
  },
  .receiver_rules = &gcc_recommended_receiver_rules,
  .receiver = {
    GOOG_2020_RECEIVER_NUMBERS,
    .first_interval = ROUND,
  },
  .remb = {
    GOOG_2020_REMB_NUMBERS,
    .rise = BURST,
  },
  GOOG_2020_LOSS_REPORTER,
  .loss = {
    GOOG_2020_LOSS_NUMBERS,
    .reports.remb_lifetime = REMB_LIFETIME,
  },
  .arrival_watch = &gcc_recommended_arrival_watch,
  .target = {
    .start_phase = 2 * GCC_SECOND, /* C20 */
    .follow_near = BURST,
    .follow_ratio = 2.2,           /* ours: 1.5 is late on 400 to 3000 kbit/s */
    .follow_after = LASTS,
    .freed_step = BURST,
    .freed_interval = RATE_WINDOW,
  },
  GOOG_FEEDBACK_WATCH (0.8 /* C20, where it is on */),
  GOOG_TRANSPORT_WATCH,
  GOOG_SHARE (500 * GCC_MSECOND /* ours: no jitter buffer is longer */),
  .fec = {
    GOOG_FEC_NUMBERS,
    .max_incomplete = 0.02, /* ours: a picture that stands each 2 s */
    .max_percentage = 100,  /* ours: what rtpulpfecenc takes */
    .buffer = 200 * GCC_MSECOND, /* ours: that of rtpjitterbuffer */
  },
  .encoder_rate = {
    ENCODER_RATE_PARTS (FIVE_FRAMES),
    .rise_cost = 4., /* ours: six changes a minute on a constant link */
  },
  .encoder_ratio = &encoder_ratio,
  .key_requests = &key_requests,
  GOOG_TRANSPORT_FEEDBACK,
  GOOG_PACER (0. /* no pacing: it hides a faster link */),
  .send_side = &send_side,
};
