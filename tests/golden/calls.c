/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "calls.h"

const gint64 golden_first_settings[GOLDEN_N_SETTINGS] = {
  [GOLDEN_CAPACITY] = 1000000,
  [GOLDEN_DELAY] = 25,
  [GOLDEN_QUEUE] = 300,
  [GOLDEN_APPLICATION] = G_MAXINT64,
  [GOLDEN_FLOWS] = 1,
  [GOLDEN_MAX_RATE] = 6000000,
};

/* A call may be added. The digests of published profiles say what the others
 * are: they stay as they are. */
const GoldenCall golden_calls[] = {
  { "capacity-150k", 30, { { 0, GOLDEN_CAPACITY, 150000 } } },
  { "capacity-500k", 30, { { 0, GOLDEN_CAPACITY, 500000 } } },
  { "capacity-1m", 30, { { 0, GOLDEN_CAPACITY, 1000000 } } },
  { "capacity-4m", 30, { { 0, GOLDEN_CAPACITY, 4000000 } } },
  { "capacity-above-max", 20, { { 0, GOLDEN_CAPACITY, 20000000 } } },
  { "steps-down", 30,
      {
          { 0, GOLDEN_CAPACITY, 2500000 },
          { 10, GOLDEN_CAPACITY, 1000000 },
          { 20, GOLDEN_CAPACITY, 400000 },
      } },
  { "steps-up", 40,
      {
          { 0, GOLDEN_CAPACITY, 400000 },
          { 10, GOLDEN_CAPACITY, 1000000 },
          { 22, GOLDEN_CAPACITY, 2500000 },
      } },
  { "steps-often", 30,
      {
          { 0, GOLDEN_CAPACITY, 1000000 },
          { 6, GOLDEN_CAPACITY, 2500000 },
          { 12, GOLDEN_CAPACITY, 600000 },
          { 18, GOLDEN_CAPACITY, 1500000 },
          { 24, GOLDEN_CAPACITY, 700000 },
      } },
  { "two-flows", 30,
      {
          { 0, GOLDEN_CAPACITY, 2000000 },
          { 10, GOLDEN_FLOWS, 2 },
      } },
  { "three-flows", 40,
      {
          { 0, GOLDEN_CAPACITY, 3000000 },
          { 0, GOLDEN_FLOWS, 2 },
          { 8, GOLDEN_FLOWS, 3 },
          { 28, GOLDEN_FLOWS, 1 },
      } },
  { "tcp", 40,
      {
          { 0, GOLDEN_CAPACITY, 2000000 },
          { 10, GOLDEN_TCP, 1 },
          { 28, GOLDEN_TCP, 0 },
      } },
  { "tcp-first-deep-queue", 40,
      {
          { 0, GOLDEN_CAPACITY, 3000000 },
          { 0, GOLDEN_QUEUE, 600 },
          { 0, GOLDEN_TCP, 1 },
      } },
  { "loss-2", 30, { { 0, GOLDEN_LOSS, 2 } } },
  { "loss-12", 30, { { 0, GOLDEN_LOSS, 12 } } },
  { "loss-for-a-while", 30,
      {
          { 10, GOLDEN_LOSS, 30 },
          { 14, GOLDEN_LOSS, 0 },
      } },
  { "jitter-30ms", 30, { { 0, GOLDEN_JITTER, 30 } } },
  { "jitter-100ms-loss-1", 30,
      {
          { 0, GOLDEN_JITTER, 100 },
          { 0, GOLDEN_LOSS, 1 },
      } },
  { "clumps-30ms", 30, { { 0, GOLDEN_CLUMP, 30 } } },
  { "outage-3s", 30,
      {
          { 12, GOLDEN_OUTAGE, 1 },
          { 15, GOLDEN_OUTAGE, 0 },
      } },
  { "outage-10s", 40,
      {
          { 12, GOLDEN_OUTAGE, 1 },
          { 22, GOLDEN_OUTAGE, 0 },
      } },
  { "feedback-loss-25", 30, { { 0, GOLDEN_FEEDBACK_LOSS, 25 } } },
  { "feedback-ends-for-8s", 30,
      {
          { 10, GOLDEN_FEEDBACK_LOSS, 100 },
          { 18, GOLDEN_FEEDBACK_LOSS, 0 },
      } },
  { "longer-route", 40,
      {
          { 12, GOLDEN_DELAY, 100 },
          { 28, GOLDEN_DELAY, 25 },
      } },
  { "longer-route-loss-1", 40,
      {
          { 0, GOLDEN_CAPACITY, 4000000 },
          { 0, GOLDEN_JITTER, 8 },
          { 0, GOLDEN_LOSS, 1 },
          { 12, GOLDEN_DELAY, 50 },
      } },
  { "long-path", 30, { { 0, GOLDEN_DELAY, 250 } } },
  { "short-queue", 30, { { 0, GOLDEN_QUEUE, 20 } } },
  { "deep-queue-step", 30,
      {
          { 0, GOLDEN_CAPACITY, 2000000 },
          { 0, GOLDEN_QUEUE, 1500 },
          { 12, GOLDEN_CAPACITY, 500000 },
      } },
  { "collapse", 30,
      {
          { 0, GOLDEN_CAPACITY, 3000000 },
          { 0, GOLDEN_QUEUE, 4000 },
          { 12, GOLDEN_CAPACITY, 80000 },
          { 20, GOLDEN_CAPACITY, 2000000 },
      } },
  { "application-limited", 30,
      {
          { 0, GOLDEN_CAPACITY, 2000000 },
          { 0, GOLDEN_APPLICATION, 200000 },
          { 18, GOLDEN_APPLICATION, G_MAXINT64 },
      } },
  { "pause", 30,
      {
          { 10, GOLDEN_PAUSE, 1 },
          { 17, GOLDEN_PAUSE, 0 },
      } },
  { "protection", 30,
      {
          { 0, GOLDEN_PROTECTION, 1 },
          { 8, GOLDEN_LOSS, 6 },
          { 20, GOLDEN_CAPACITY, 500000 },
      } },
  { "other-receiver", 30,
      {
          { 8, GOLDEN_OTHER_REMB, 450000 },
          { 20, GOLDEN_OTHER_REMB, 0 },
      } },
  { "another-receiver-takes-over", 40,
      {
          { 4, GOLDEN_OTHER_REMB, 700000 },
          { 10, GOLDEN_FEEDBACK_LOSS, 100 },
          { 28, GOLDEN_FEEDBACK_LOSS, 0 },
      } },
  { "limits", 30,
      {
          { 8, GOLDEN_MAX_RATE, 400000 },
          { 16, GOLDEN_MAX_RATE, 6000000 },
      } },
  { "abs-send-time", 30,
      {
          { 0, GOLDEN_ABS_SEND_TIME, 1 },
          { 15, GOLDEN_CAPACITY, 500000 },
      } },
};

const guint golden_n_calls = G_N_ELEMENTS (golden_calls);
