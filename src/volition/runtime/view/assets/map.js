// Map of the vessel: north is up, or to the right if the map is larger that way.
"use strict";

const PLAN_COLOURS = ["#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#997700", "#994455", "#117733", "#882255", "#44aa99", "#777777"];

class MapView {
  constructor(run, canvas) {
    this.run = run;
    this.canvas = canvas;
    this.seen = null; // the covered cells as an image, up to the coverage line `painted`
    this.painted = 0;
  }

  draw(t) {
    const run = this.run;
    const { context, width, height } = prepared(this.canvas);
    const world = run.world;
    const box = bounds(world ? [world.area, ...run.poses.slice(0, 1).map((each) => [each.eta])] : [run.poses.map((each) => each.eta)]);
    const [tall, wide] = [box.north - box.south, box.east - box.west];
    const fitting = (across, up) => Math.min(width / across, height / up);
    const turned = fitting(tall, wide) > fitting(wide, tall);
    const scale = turned ? fitting(tall, wide) : fitting(wide, tall);
    const middle = [(box.north + box.south) / 2, (box.east + box.west) / 2];
    const place = ([north, east]) => {
      const [up, right] = [(north - middle[0]) * scale, (east - middle[1]) * scale];
      return turned ? [width / 2 + up, height / 2 + right] : [width / 2 + right, height / 2 - up];
    };
    const pen = new Pen(context, place, scale);
    if (world) this.drawWorld(pen, world, t);
    this.drawRoute(pen, world, t);
    this.drawTrack(pen, t);
    this.drawVessel(pen, world, t);
    pen.scaleBar(width, height, turned ? "N →" : "N ↑");
  }

  drawWorld(pen, world, t) {
    pen.polygon(world.area, { fill: colour("--water"), line: colour("--edge") });
    this.drawCoverage(pen, world, t);
    for (const strip of world.strips || []) pen.polygon(strip, { line: colour("--faint"), dash: [4, 4] });
    for (const each of world.inflated || []) pen.polygon(each, { line: colour("--danger"), dash: [3, 3] });
    for (const each of world.obstacles || []) pen.polygon(each, { fill: colour("--land"), line: colour("--edge") });
  }

  /** Draws the cells seen so far: incrementally, or from the beginning if time went back. */
  drawCoverage(pen, world, t) {
    if (!world.columns) return;
    if (!this.seen || this.painted > lastBefore(this.run.coverage, t) + 1) {
      this.seen = document.createElement("canvas");
      [this.seen.width, this.seen.height] = [world.columns, world.rows]; // rows go north, columns east
      this.painted = 0;
    }
    const context = this.seen.getContext("2d");
    context.fillStyle = colour("--seen");
    for (; this.painted <= lastBefore(this.run.coverage, t); this.painted++)
      for (const [row, first, behind] of this.run.coverage[this.painted].runs) context.fillRect(first, row, behind - first, 1);
    // The positions of a cell to the east and a cell to the north give the orientation of the image on the map.
    const [zero, east, north] = [[0, 0], [0, 1], [1, 0]].map(([up, right]) => pen.place([world.origin[0] + up, world.origin[1] + right]));
    pen.context.save();
    pen.context.imageSmoothingEnabled = false;
    pen.context.transform(east[0] - zero[0], east[1] - zero[1], north[0] - zero[0], north[1] - zero[1], ...zero);
    pen.context.drawImage(this.seen, 0, 0);
    pen.context.restore();
  }

  drawRoute(pen, world, t) {
    const route = this.run.routes[lastBefore(this.run.routes, t)];
    if (!route) return;
    for (const leg of route.legs) pen.path(leg.points, { line: colour("--route"), dash: [6, 4], width: 1.5 });
    const pose = this.run.poses[lastBefore(this.run.poses, t)];
    const target = pose && pose.target;
    if (!target || !world) return;
    pen.circle(target, world.acceptance, { line: colour("--route") });
    pen.circle(target, world.release, { line: colour("--faint"), dash: [3, 3] });
  }

  /** Draws the path so far, in the colour of the plan that was running. */
  drawTrack(pen, t) {
    const last = lastBefore(this.run.poses, t);
    for (let k = 0; k < last; k++)
      pen.path([this.run.poses[k].eta, this.run.poses[k + 1].eta], { line: planColour(this.run, this.run.poses[k].t), width: 2 });
  }

  drawVessel(pen, world, t) {
    const pose = this.run.poses[lastBefore(this.run.poses, t)];
    if (!pose) return;
    const heading = pose.eta[5];
    // Drawn larger than life, so that it is visible.
    const size = Math.max((world && world.hull.length) || 2, 14 / pen.scale);
    const at = (along, across) => [
      pose.eta[0] + size * (along * Math.cos(heading) - across * Math.sin(heading)),
      pose.eta[1] + size * (along * Math.sin(heading) + across * Math.cos(heading)),
    ];
    if (world) pen.circle(pose.eta, world.reach, { line: colour("--accent"), dash: [2, 3] });
    pen.polygon([at(0.7, 0), at(0.2, 0.3), at(-0.5, 0.3), at(-0.5, -0.3), at(0.2, -0.3)], { fill: colour("--accent"), line: colour("--text") });
    const rudder = pose.rudder || 0;
    pen.path([at(-0.5, 0), at(-0.5 - 0.35 * Math.cos(rudder), 0.35 * Math.sin(rudder))], { line: colour("--text"), width: 2 });
    if (pose.anchor) pen.path([pose.eta, pose.anchor], { line: colour("--danger"), width: 1.5 }), pen.circle(pose.anchor, 3 / pen.scale, { fill: colour("--danger") });
  }
}

/** Draws on the map in metres. */
class Pen {
  constructor(context, place, scale) { Object.assign(this, { context, place, scale }); }

  path(points, style, closed = false) {
    const context = this.context;
    context.beginPath();
    points.forEach((point, k) => (k ? context.lineTo(...this.place(point)) : context.moveTo(...this.place(point))));
    if (closed) context.closePath();
    this.ink(style);
  }

  polygon(points, style) { this.path(points, style, true); }

  circle(centre, radius, style) {
    this.context.beginPath();
    this.context.arc(...this.place(centre), radius * this.scale, 0, 2 * Math.PI);
    this.ink(style);
  }

  ink({ fill, line, width = 1, dash = [] }) {
    const context = this.context;
    if (fill) [context.fillStyle] = [fill], context.fill();
    if (line) {
      [context.strokeStyle, context.lineWidth] = [line, width];
      context.setLineDash(dash);
      context.stroke();
      context.setLineDash([]);
    }
  }

  scaleBar(width, height, north) {
    const metres = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((each) => each * this.scale > 60) || 1000;
    const context = this.context;
    [context.strokeStyle, context.fillStyle, context.lineWidth, context.font] = [colour("--text"), colour("--text"), 1.5, "11px system-ui"];
    context.beginPath();
    context.moveTo(14, height - 14);
    context.lineTo(14 + metres * this.scale, height - 14);
    context.stroke();
    context.fillText(`${metres} m`, 14, height - 20);
    context.fillText(north, width - 34, height - 14);
  }
}

function planColour(run, t) {
  const running = run.header.slot_descriptions ? Object.keys(run.header.slot_descriptions.plans || {}) : [];
  const mind = run.colourMind || (run.colourMind = new Map());
  const at = run.momentAt(t);
  if (!mind.has(at)) {
    const slots = run.mindAt(at);
    mind.set(at, running.findIndex((plan) => run.slot(slots, plan) > 0));
  }
  const plan = mind.get(at);
  return plan < 0 ? colour("--track") : PLAN_COLOURS[plan % PLAN_COLOURS.length];
}

/** Resizes a canvas to its size on the screen, clears it, and returns its context. */
function prepared(canvas) {
  const ratio = window.devicePixelRatio || 1;
  const { width, height } = canvas.getBoundingClientRect();
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio))
    [canvas.width, canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return { context, width, height };
}

function bounds(groups) {
  const points = groups.flat().filter(Boolean);
  const margin = 15;
  if (!points.length) return { north: 50, south: -50, east: 50, west: -50 };
  const span = (k) => points.reduce(([least, most], each) => [Math.min(least, each[k]), Math.max(most, each[k])], [Infinity, -Infinity]);
  const [[south, north], [west, east]] = [span(0), span(1)];
  return { north: north + margin, south: south - margin, east: east + margin, west: west - margin };
}

const COLOURS = new Map();
function colour(name) {
  if (!COLOURS.has(name)) COLOURS.set(name, getComputedStyle(document.documentElement).getPropertyValue(name).trim());
  return COLOURS.get(name);
}
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => (COLOURS.clear(), window.dispatchEvent(new Event("resize"))));
