// The browser's end of the call: an ordinary RTCPeerConnection. What is under test is its own
// congestion control; nothing here takes part in it.

import { Chart } from "./chart.js";

const INTERVAL_MS = 500;

const at = (id) => document.getElementById(id);
const start = at("start");
const status = at("status");

const KBPS = 1 / 1000;
const rates = new Chart(at("rates"), at("rates-legend"), "kbit/s", [
  { key: "a_s_bps", label: "A_s (gccsender)", color: "#1565c0", scale: KBPS },
  { key: "received_bps", label: "received here", color: "#64b5f6", scale: KBPS },
  { key: "a_r_bps", label: "A_r (gccreceiver)", color: "#c62828", scale: KBPS },
  { key: "target_bps", label: "browser's target", color: "#ef6c00", scale: KBPS },
  { key: "sent_bps", label: "sent from here", color: "#ffb74d", scale: KBPS },
]);
const network = new Chart(at("network"), at("network-legend"), "ms and ‰", [
  { key: "our_rtt_ms", label: "RTT, gccsender, ms", color: "#1565c0" },
  { key: "rtt_ms", label: "RTT, browser, ms", color: "#ef6c00" },
  { key: "our_fraction_lost", label: "lost of ours, ‰", color: "#6a1b9a", scale: 1000 },
  { key: "fraction_lost", label: "lost of the browser's, ‰", color: "#2e7d32", scale: 1000 },
]);

async function post(path, type, body) {
  const response = await fetch(path, { method: "POST", headers: { "Content-Type": type }, body });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}

// What getStats() says of the one video stream in each direction.
async function measure(connection, before) {
  const now = { time_ms: performance.now() };
  for (const entry of (await connection.getStats()).values()) {
    if (entry.type === "outbound-rtp") {
      now.sent_bytes = entry.bytesSent;
      now.target_bps = entry.targetBitrate;
    } else if (entry.type === "inbound-rtp") {
      now.received_bytes = entry.bytesReceived;
    } else if (entry.type === "remote-inbound-rtp") {
      now.rtt_ms = entry.roundTripTime == null ? null : entry.roundTripTime * 1000;
      now.fraction_lost = entry.fractionLost;
    } else if (entry.type === "candidate-pair" && entry.nominated) {
      now.available_bps = entry.availableOutgoingBitrate;
    }
  }
  const seconds = (now.time_ms - before.time_ms) / 1000;
  const rate = (key) => ((now[key] - before[key]) * 8) / seconds;
  now.sent_bps = before.sent_bytes == null ? null : rate("sent_bytes");
  now.received_bps = before.received_bytes == null ? null : rate("received_bytes");
  return now;
}

async function call() {
  const camera = await navigator.mediaDevices.getUserMedia({
    video: { width: 640, height: 480, frameRate: 30 },
  });
  at("mine").srcObject = camera;

  const connection = new RTCPeerConnection();
  connection.ontrack = ({ track }) => (at("theirs").srcObject = new MediaStream([track]));
  connection.onconnectionstatechange = () => (status.textContent = connection.connectionState);
  const transceiver = connection.addTransceiver(camera.getVideoTracks()[0], {
    sendEncodings: [{ maxBitrate: 2_500_000 }],
  });
  // A small picture would hide what the rate does.
  const parameters = transceiver.sender.getParameters();
  parameters.degradationPreference = "maintain-resolution";
  await transceiver.sender.setParameters(parameters);

  await connection.setLocalDescription();
  const answer = await post("/offer", "application/sdp", connection.localDescription.sdp);
  await connection.setRemoteDescription({ type: "answer", sdp: answer });
  return connection;
}

async function exchange(connection, before) {
  const now = await measure(connection, before);
  const ours = JSON.parse(await post("/stats", "application/json", JSON.stringify(now)));
  const time_s = now.time_ms / 1000;
  status.textContent = `${connection.connectionState}; A_s follows ${ours.feedback}`;
  rates.add(time_s, { ...now, a_s_bps: ours.a_s_bps, a_r_bps: ours.a_r_bps });
  network.add(time_s, { ...now, our_rtt_ms: ours.rtt_ms, our_fraction_lost: ours.fraction_lost });
  return now;
}

start.onclick = async () => {
  start.disabled = true;
  try {
    const connection = await call();
    let before = { time_ms: performance.now() };
    while (connection.connectionState !== "failed" && connection.connectionState !== "closed") {
      await new Promise((resume) => setTimeout(resume, INTERVAL_MS));
      before = await exchange(connection, before);
    }
  } catch (error) {
    status.textContent = error.message;
  }
  start.disabled = false;
};

// For tests: a page opened as /#call begins by itself.
if (location.hash === "#call") start.click();
