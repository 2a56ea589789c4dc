// The vessel on its waves, in perspective (Izzo, Fig. 6.4): the surface is the sum of the recorded wave components, the hull has its recorded pose.
"use strict";

const REACH = 9; // metres of sea around the vessel
const CELLS = 28;

class SeaView {
  constructor(run, canvas) {
    this.run = run;
    this.canvas = canvas;
    this.turn = 0.6;
    canvas.addEventListener("pointermove", (event) => {
      if (event.buttons) this.turn += event.movementX / 150, window.dispatchEvent(new Event("resize"));
    });
  }

  draw(t) {
    const { context, width, height } = prepared(this.canvas);
    const pose = this.run.poses[lastBefore(this.run.poses, t)];
    if (!pose) return;
    const eye = camera(this.turn, width, height);
    const elevation = this.elevation(t);
    const depth = (face) => average(face.points.map((point) => eye.depth(point)));
    // Painter's algorithm: the farthest faces first. The hull comes last, without its part under water.
    const sorted = (faces) => [...faces].map((each) => ({ ...each, depth: depth(each) })).sort((a, b) => b.depth - a.depth);
    for (const face of [...sorted(this.surface(pose, elevation)), ...sorted(this.hull(pose, elevation))]) {
      context.beginPath();
      face.points.map((point) => eye.project(point)).forEach((each, k) => (k ? context.lineTo(...each) : context.moveTo(...each)));
      context.closePath();
      [context.fillStyle, context.strokeStyle, context.lineWidth] = [face.colour, face.edge || face.colour, 1];
      context.fill();
      context.stroke();
    }
  }

  /** Returns the function for the elevation of the sea at a position. */
  elevation(t) {
    const [waves] = this.run.waves;
    const sea = this.run.seas[Math.max(0, lastBefore(this.run.seas, t))];
    if (!waves || !sea) return () => 0;
    // Components are recorded for one metre of significant wave height.
    return (north, east) =>
      sea.hs * waves.components.reduce((sum, [a, kn, ke, omega, phase]) => sum + a * Math.cos(kn * north + ke * east - omega * t + phase), 0);
  }

  *surface(pose, elevation) {
    const step = (2 * REACH) / CELLS;
    const at = (i, j) => {
      const [north, east] = [-REACH + i * step, -REACH + j * step];
      return [north, east, elevation(pose.eta[0] + north, pose.eta[1] + east)];
    };
    for (let i = 0; i < CELLS; i++)
      for (let j = 0; j < CELLS; j++) {
        const points = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
        const slope = (points[2][2] - points[0][2]) / step;
        yield { points, colour: `hsl(205 45% ${Math.max(22, Math.min(70, 42 + 60 * slope))}%)` };
      }
  }

  /** Yields the faces of the hull: two pontoons, a deck and a mast, with the recorded roll, pitch and yaw. */
  *hull(pose, elevation) {
    const { length = 2, beam = 1.08, draft: still = 0.2 } = (this.run.world || {}).hull || {};
    const [, , draft, roll, pitch, yaw] = pose.eta;
    // The draft is relative to still water and points down.
    const height = still - draft;
    const place = ([x, y, z]) => {
      const [y1, z1] = [y * Math.cos(roll) - z * Math.sin(roll), y * Math.sin(roll) + z * Math.cos(roll)];
      const [x2, z2] = [x * Math.cos(pitch) + z1 * Math.sin(pitch), -x * Math.sin(pitch) + z1 * Math.cos(pitch)];
      const [north, east] = [x2 * Math.cos(yaw) - y1 * Math.sin(yaw), x2 * Math.sin(yaw) + y1 * Math.cos(yaw)];
      return [north, east, Math.max(height - z2, elevation(pose.eta[0] + north, pose.eta[1] + east))];
    };
    const box = (x0, x1, y0, y1, z0, z1) => [
      [[x0, y0, z0], [x1, y0, z0], [x1, y1, z0], [x0, y1, z0]],
      [[x0, y0, z1], [x1, y0, z1], [x1, y1, z1], [x0, y1, z1]],
      [[x0, y0, z0], [x1, y0, z0], [x1, y0, z1], [x0, y0, z1]],
      [[x0, y1, z0], [x1, y1, z0], [x1, y1, z1], [x0, y1, z1]],
      [[x1, y0, z0], [x1, y1, z0], [x1, y1, z1], [x1, y0, z1]],
      [[x0, y0, z0], [x0, y1, z0], [x0, y1, z1], [x0, y0, z1]],
    ];
    const [l, b] = [length / 2, beam / 2];
    const parts = [
      ["#d9822b", box(-l, l, -b, -b + 0.25, -0.2, 0.2)],
      ["#d9822b", box(-l, l, b - 0.25, b, -0.2, 0.2)],
      ["#e8e8e8", box(-0.6 * l, 0.7 * l, -b, b, -0.32, -0.2)],
      ["#888888", box(-0.1, 0, -0.05, 0.05, -1.1, -0.32)],
    ];
    for (const [paint, faces] of parts) for (const points of faces) yield { points: points.map(place), colour: paint, edge: "#333333" };
  }
}

function camera(turn, width, height) {
  const [distance, tilt] = [11, 0.42];
  const seen = ([north, east, up]) => {
    const [across, along] = [east * Math.cos(turn) - north * Math.sin(turn), east * Math.sin(turn) + north * Math.cos(turn)];
    return [across, up * Math.cos(tilt) - along * -Math.sin(tilt), along * Math.cos(tilt) - up * Math.sin(tilt) + distance];
  };
  const zoom = Math.min(width * 0.75, height * 1.1);
  return {
    depth: (point) => seen(point)[2],
    project: (point) => {
      const [x, y, depth] = seen(point);
      return [width / 2 + (zoom * x) / Math.max(depth, 1), height / 2 - (zoom * y) / Math.max(depth, 1)];
    },
  };
}

function average(numbers) { return numbers.reduce((a, b) => a + b, 0) / numbers.length; }
