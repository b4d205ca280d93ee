// A chart of the last two minutes: lines over time, one scale for all of them.

const SPAN_S = 120;
const MARGIN = { left: 40, right: 8, top: 20, bottom: 20 };

export class Chart {
  // series: [{ key, label, color, scale }]; a value is shown times its scale, in `unit`.
  constructor(canvas, legend, unit, series) {
    this.canvas = canvas;
    this.unit = unit;
    this.series = series;
    this.samples = [];
    this.values = new Map();
    for (const { key, label, color } of series) {
      const item = document.createElement("li");
      const value = document.createElement("output");
      item.style.setProperty("--color", color);
      item.append(`${label} `, value);
      legend.append(item);
      this.values.set(key, value);
    }
  }

  add(time_s, sample) {
    this.samples.push({ time_s, ...sample });
    this.samples = this.samples.filter((one) => one.time_s > time_s - SPAN_S);
    for (const { key, scale = 1, digits = 0 } of this.series) {
      const value = sample[key];
      this.values.get(key).textContent = value == null ? "–" : (value * scale).toFixed(digits);
    }
    this.draw();
  }

  draw() {
    const ratio = window.devicePixelRatio;
    const width = this.canvas.clientWidth, height = this.canvas.clientHeight;
    this.canvas.width = width * ratio;
    this.canvas.height = height * ratio;
    const pen = this.canvas.getContext("2d");
    pen.scale(ratio, ratio);

    const end = this.samples.at(-1).time_s;
    const begin = Math.max(end - SPAN_S, Math.min(this.samples[0].time_s, end - 1));
    const top = roundUp(this.max());
    const x = (time) =>
      MARGIN.left + ((time - begin) / (end - begin)) * (width - MARGIN.left - MARGIN.right);
    const y = (value) =>
      height - MARGIN.bottom - (value / top) * (height - MARGIN.top - MARGIN.bottom);

    this.drawGrid(pen, width, height, top, x, y, begin, end);
    pen.lineWidth = 2;
    for (const { key, color, scale = 1 } of this.series) {
      pen.strokeStyle = color;
      pen.beginPath();
      for (const sample of this.samples)
        if (sample[key] != null) pen.lineTo(x(sample.time_s), y(sample[key] * scale));
      pen.stroke();
    }
  }

  drawGrid(pen, width, height, top, x, y, begin, end) {
    pen.font = "12px system-ui";
    pen.fillStyle = "#555";
    pen.strokeStyle = "#ddd";
    pen.textAlign = "right";
    for (let part = 0; part <= 4; part++) {
      const value = (top * part) / 4;
      pen.beginPath();
      pen.moveTo(MARGIN.left, y(value));
      pen.lineTo(width - MARGIN.right, y(value));
      pen.stroke();
      pen.fillText(`${value}`, MARGIN.left - 6, y(value) + 4);
    }
    pen.textAlign = "left";
    pen.fillText(this.unit, 0, 10);
    pen.textAlign = "center";
    for (let ago = 30; ago < end - begin; ago += 30)
      pen.fillText(`−${ago} s`, x(end - ago), height - 4);
  }

  max() {
    const values = this.samples.flatMap((sample) =>
      this.series.map(({ key, scale = 1 }) => (sample[key] ?? 0) * scale));
    return Math.max(1, ...values);
  }
}

// To 1, 2, 4 or 8 times a power of ten, so that quarters are round.
function roundUp(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 4, 8, 10].map((digit) => digit * power).find((step) => step >= value);
}
