// A recorded run, parsed line by line, and the agent's mental state at each moment.
"use strict";

/** Moments between two full copies of the mental state. Other moments are computed from the previous copy. */
const COPY_EVERY = 64;

class Run {
  constructor(name) {
    this.name = name;
    this.header = {};
    this.moments = []; // one for each cycle or step, in order
    this.poses = [];
    this.routes = [];
    this.seas = [];
    this.coverage = [];
    this.waves = [];
    this.values = []; // values of queries in the state after each cycle
    this.events = []; // events to jump to: {at, t, kind, text}
    this.world = null;
    this.end = null;
    this.copies = [];
    this.mind = new Map();
    this.pending = [];
  }

  /** Adds one line of the record. */
  add(line) {
    if (line.format === "volition-run") return this.begin(line);
    switch (line.kind) {
      case "cycle": return this.addMoment(line, cycleChanges(line));
      case "step": return this.addMoment(line, stepChanges(line));
      case "pose": this.poses.push(line); break;
      case "route": this.routes.push(line); break;
      case "sea": this.seas.push(line); break;
      case "coverage": this.coverage.push(line); break;
      case "waves": this.waves.push(line); break;
      case "values": this.values.push(line); break;
      case "world": this.world = line; break;
      case "end": this.end = line; this.note(line, "end", `the run ends: ${line.reason}`); break;
      default: this.pending.push(line);
    }
  }

  begin(header) {
    this.header = header;
    const initial = header.initial || {};
    if (header.language === "LISA") this.write(Object.entries(initial).map(([slot, value]) => [["slots", slot], value]));
    else for (const [section, items] of Object.entries(header.initial_view || {}))
      this.write(Object.entries(items).map(([item, value]) => [[section, item], value]));
    this.copies.push(new Map(this.mind));
  }

  /** Adds a moment with its changes and the events since the previous one, such as choices and surprises. Agents with a common cycle share a moment. */
  addMoment(line, changes) {
    const last = this.moments[this.moments.length - 1];
    const shared = last && line.kind === "cycle" && last.lines[0].cycle === line.cycle && !last.lines.some((each) => each.agent === line.agent);
    if (!shared) this.moments.push({ t: line.t ?? this.moments.length, lines: [], changes: [], told: [] });
    const at = this.moments.length - 1;
    const told = this.pending;
    this.pending = [];
    this.write(changes);
    this.moments[at].lines.push(line);
    this.moments[at].changes.push(...changes);
    this.moments[at].told.push(...told);
    if (this.moments.length % COPY_EVERY === 0) this.copies[this.moments.length / COPY_EVERY] = new Map(this.mind);
    for (const each of told) this.note({ ...each, t: line.t ?? at }, each.kind, this.whose(each) + eventText(each), at);
    for (const message of (line.inbox && line.inbox.messages) || []) this.note({ t: line.t }, "message", `${message.from}: ${message.text}`, at);
  }

  /** Returns the agent that a line is about as a prefix, if there are several agents. */
  whose(line) { return (this.header.agents || []).length > 1 && line.agent ? `${line.agent}: ` : ""; }

  note(line, kind, text, at = Math.max(0, this.moments.length - 1)) {
    this.events.push({ at, t: line.t ?? at, kind, text });
  }

  write(changes, mind = this.mind) {
    for (const [[section, item], value] of changes) {
      const key = JSON.stringify([section, item]);
      if (value === null || value === undefined) mind.delete(key);
      else mind.set(key, value);
    }
  }

  /** Returns the mental state after a moment; -1 is the initial state. */
  mindAt(at) {
    const copy = Math.min(Math.floor((at + 1) / COPY_EVERY), this.copies.length - 1);
    const mind = new Map(this.copies[Math.max(0, copy)]);
    for (let k = copy * COPY_EVERY; k <= at; k++) this.write(this.moments[k].changes, mind);
    return mind;
  }

  slot(mind, name) { return mind.get(JSON.stringify(["slots", name])) ?? 0; }

  /** Returns the index of the last moment at or before a time. */
  momentAt(t) { return lastBefore(this.moments, t); }

  get duration() {
    const last = (list) => (list.length ? list[list.length - 1].t : 0);
    return Math.max(last(this.moments), last(this.poses));
  }
}

function cycleChanges(line) {
  const changes = [];
  for (const half of [line.beliefs, line.plans])
    for (const [slot, value] of Object.entries(half || {})) changes.push([["slots", slot], value]);
  return changes;
}

function stepChanges(line) {
  return (line.changes || []).map((each) => [[each.section, each.item], each.after]);
}

function eventText(line) {
  switch (line.kind) {
    case "choice": return `${line.chosen} of ${(line.options || []).map((each) => each.plan ?? each.text).join(", ")} (${line.by})`;
    case "surprise": return line.text || `${line.what} ${line.name}`;
    case "generated": return line.text || `${line.belief} ${line.held ? "begins" : "ends"}`;
    default: return line.text || line.why || line.name || line.skill || line.kind;
  }
}

/** Returns the index of the last item whose time is not after t, or -1. */
function lastBefore(items, t) {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (items[middle].t <= t + 1e-9) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Returns the first moment in which two runs differ, or -1. */
function firstDifference(one, other) {
  const most = Math.max(one.moments.length, other.moments.length);
  for (let k = 0; k < most; k++) {
    const [a, b] = [one.moments[k], other.moments[k]];
    if (!a || !b || JSON.stringify(a.lines.map(essence)) !== JSON.stringify(b.lines.map(essence))) return k;
  }
  return -1;
}

function essence(line) {
  return line.kind === "cycle" ? [line.inbox, line.beliefs, line.plans, line.calls] : [line.agent, line.text, line.changes];
}
