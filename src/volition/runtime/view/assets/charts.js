// Charts of numeric values over a common time axis. A click goes to that time.
"use strict";

const DEGREES = 180 / Math.PI;

/** Returns the charts of a run for which it has recorded data. */
function chartsOf(run) {
  const pose = (read) => run.poses.map((each) => [each.t, read(each)]);
  const sea = (read) => run.seas.map((each) => [each.t, read(each)]);
  const charts = [
    { title: "sea: significant height", unit: "m", lines: { true: sea((each) => each.hs), estimated: sea((each) => each.hs_estimated) } },
    { title: "roll, pitch", unit: "°", lines: { roll: pose((each) => each.eta[3] * DEGREES), pitch: pose((each) => each.eta[4] * DEGREES) } },
    { title: "speed", unit: "m/s", lines: { speed: pose((each) => Math.hypot(each.nu[0], each.nu[1])), set: pose((each) => each.set_speed) } },
    { title: "thrust", unit: "N", lines: { thrust: pose((each) => each.thrust) } },
    { title: "rudder", unit: "°", lines: { rudder: pose((each) => each.rudder * DEGREES) } },
    { title: "coverage", unit: "%", lines: { seen: run.coverage.map((each) => [each.t, 100 * each.share]) } },
    ...valueCharts(run),
  ];
  for (const chart of charts)
    for (const [name, points] of Object.entries(chart.lines))
      if (!(chart.lines[name] = points.filter(([, value]) => Number.isFinite(value))).length) delete chart.lines[name];
  return charts.filter((chart) => Object.keys(chart.lines).length);
}

/** Returns charts of the values of queries in the state of each cycle. */
function valueCharts(run) {
  const lines = {};
  for (const { t, values } of run.values) for (const [query, value] of Object.entries(values)) (lines[query] ||= []).push([t, value ?? NaN]);
  return Object.entries(lines).map(([query, points]) => ({ title: query, unit: "", lines: { value: points } }));
}

class Charts {
  constructor(run, element, go) {
    Object.assign(this, { run, element, go, drawn: [] });
  }

  /** Rebuilds all charts, because more may have been recorded. */
  build() {
    this.element.replaceChildren();
    this.drawn = chartsOf(this.run).map((chart) => {
      const canvas = made("canvas", "chart");
      const legend = Object.keys(chart.lines).map((name, k) => made("span", "legend", [Object.assign(made("i"), { style: `background:${PLAN_COLOURS[k]}` }), name]));
      this.element.append(made("figure", "", [made("figcaption", "", [chart.title, ...(legend.length > 1 ? legend : []), made("output")]), canvas]));
      canvas.addEventListener("click", (event) => this.go((event.offsetX / canvas.clientWidth) * this.run.duration));
      return { ...chart, canvas, output: this.element.lastChild.querySelector("output") };
    });
  }

  draw(t) {
    for (const chart of this.drawn) this.drawOne(chart, t);
  }

  drawOne(chart, t) {
    const { context, width, height } = prepared(chart.canvas);
    const all = Object.values(chart.lines).flat().map(([, value]) => value);
    let [least, most] = all.reduce(([a, b], value) => [Math.min(a, value), Math.max(b, value)], [Infinity, -Infinity]);
    if (most - least < 1e-9) [least, most] = [least - 0.5, most + 0.5];
    const place = ([time, value]) => [(time / (this.run.duration || 1)) * width, height - 4 - ((value - least) / (most - least)) * (height - 8)];
    for (const event of this.run.events.filter((each) => each.kind === "surprise")) line(context, [[place([event.t, 0])[0], 0], [place([event.t, 0])[0], height]], colour("--danger"));
    Object.values(chart.lines).forEach((points, k) => line(context, points.map(place), PLAN_COLOURS[k]));
    const now = (t / (this.run.duration || 1)) * width;
    line(context, [[now, 0], [now, height]], colour("--text"));
    [context.fillStyle, context.font] = [colour("--quiet"), "10px system-ui"];
    context.fillText(short(most), 2, 10);
    context.fillText(short(least), 2, height - 3);
    chart.output.textContent = Object.values(chart.lines).map((points) => short((points[Math.max(0, lastBefore(points.map(([time]) => ({ t: time })), t))] || [0, NaN])[1])).join(", ") + ` ${chart.unit}`;
  }
}

function line(context, points, ink) {
  context.beginPath();
  points.forEach((point, k) => (k ? context.lineTo(...point) : context.moveTo(...point)));
  [context.strokeStyle, context.lineWidth] = [ink, 1.2];
  context.stroke();
}

function short(number) {
  return Number.isFinite(number) ? String(Math.abs(number) >= 100 ? Math.round(number) : Number(number.toPrecision(3))) : "–";
}

/** Returns an element with a class and children. Texts are never parsed as HTML. */
function made(tag, name = "", children = []) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  element.append(...children);
  return element;
}
