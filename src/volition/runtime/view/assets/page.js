// The page: runs side by side with a common time, and the controls.
"use strict";

class Pane {
  constructor(run, element, go) {
    this.run = run;
    this.element = element;
    const canvases = { map: made("canvas", "picture"), sea: made("canvas", "picture") };
    this.tabs = { map: new MapView(run, canvases.map), sea: new SeaView(run, canvases.sea) };
    this.tab = "map";
    this.title = made("h2");
    this.end = made("p", "quiet");
    this.buttons = made("nav", "tabs", Object.entries({ map: "Map", sea: "Sea" }).map(([name, text]) => button(text, () => this.show(name))));
    this.pictures = made("div", "pictures", [this.buttons, ...Object.values(canvases)]);
    this.canvases = canvases;
    const mind = made("div", "mind");
    this.mind = new MindView(run, mind);
    const charts = made("div", "charts");
    this.charts = new Charts(run, charts, go);
    this.log = made("ol", "log");
    this.go = go;
    element.append(made("header", "", [this.title, this.end]), made("div", "upper", [this.pictures, mind]), charts, made("h4", "", ["events"]), this.log);
    this.build();
  }

  /** Builds the parts that depend on how much was recorded. */
  build() {
    const { header, end, poses } = this.run;
    const facts = [header.language, header.world && `world: ${header.world}`, header.seed !== undefined && `seed ${header.seed}`, header.select && `choices: ${header.select}`];
    this.title.textContent = `${header.program || this.run.name}`;
    this.end.textContent = [...facts, end ? `ended: ${end.reason}` : "not ended"].filter(Boolean).join(" · ");
    this.pictures.hidden = !poses.length;
    this.element.classList.toggle("without-vessel", !poses.length);
    this.charts.build();
    this.log.replaceChildren(...this.run.events.slice(0, 2000).map((event) => {
      const entry = made("li", event.kind, [button(`${clock(event.t)}  ${event.kind}: ${event.text}`, () => this.go(event.t))]);
      return entry;
    }));
    this.show(this.tab);
  }

  show(tab) {
    this.tab = tab;
    for (const [name, canvas] of Object.entries(this.canvases)) canvas.hidden = name !== tab;
    [...this.buttons.children].forEach((each, k) => each.setAttribute("aria-pressed", String(Object.keys(this.canvases)[k] === tab)));
    if (this.t !== undefined) this.draw(this.t);
  }

  draw(t) {
    this.t = t;
    const at = this.run.momentAt(t);
    this.mind.draw(at);
    if (!this.pictures.hidden) this.tabs[this.tab].draw(t);
    this.charts.draw(t);
    const entries = [...this.log.children];
    entries.forEach((each, k) => each.classList.toggle("now", this.run.events[k].at === at));
  }
}

class Page {
  constructor(runs) {
    this.runs = runs;
    this.t = 0;
    this.playing = null;
    this.panes = runs.map((run) => {
      const element = made("article");
      document.querySelector("main").append(element);
      return new Pane(run, element, (t) => this.go(t));
    });
    this.slider = document.querySelector("#time");
    this.clock = document.querySelector("#clock");
    this.speed = document.querySelector("#speed");
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    document.querySelector("#play").addEventListener("click", () => this.toggle());
    document.querySelector("#back").addEventListener("click", () => this.step(-1));
    document.querySelector("#forth").addEventListener("click", () => this.step(1));
    document.querySelector("#next").addEventListener("click", () => this.jump());
    document.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("resize", () => this.draw());
    this.build();
    // A URL may contain a time and a picture: run.html#t=300&picture=sea
    const asked = new URLSearchParams(location.hash.slice(1));
    if (asked.get("picture") === "sea") this.panes.forEach((pane) => pane.show("sea"));
    this.go(Number(asked.get("t")) || 0);
  }

  build() {
    this.slider.max = String(Math.max(...this.runs.map((run) => run.duration)));
    this.panes.forEach((pane) => pane.build());
    if (this.runs.length > 1) this.compare();
  }

  compare() {
    const at = firstDifference(this.runs[0], this.runs[1]);
    const note = document.querySelector("#difference");
    const t = at < 0 ? 0 : (this.runs[0].moments[at] || this.runs[1].moments[at]).t;
    note.replaceChildren(at < 0 ? made("span", "", ["the two runs do not differ"]) : button(`first difference at ${clock(t)}`, () => this.go(t)));
  }

  go(t) {
    this.t = Math.max(0, Math.min(Number(this.slider.max), t));
    this.slider.value = String(this.t);
    this.draw();
  }

  draw() {
    this.clock.textContent = clock(this.t);
    this.panes.forEach((pane) => pane.draw(this.t));
  }

  /** Goes to the previous or next moment. */
  step(by) {
    const run = this.runs[0];
    const moment = run.moments[Math.max(0, Math.min(run.moments.length - 1, run.momentAt(this.t) + by))];
    if (moment) this.go(moment.t);
  }

  /** Goes to the next event: a choice, a surprise, a message. */
  jump() {
    const next = this.runs.flatMap((run) => run.events).filter((event) => event.t > this.t + 1e-9).sort((a, b) => a.t - b.t)[0];
    if (next) this.go(next.t);
  }

  toggle() {
    const begin = this.playing === null;
    clearInterval(this.playing);
    this.playing = begin ? setInterval(() => (this.t >= Number(this.slider.max) ? this.toggle() : this.go(this.t + Number(this.speed.value) / 10)), 100) : null;
    document.querySelector("#play").textContent = begin ? "Pause" : "Play";
  }

  key(event) {
    if (["INPUT", "SELECT"].includes(event.target.tagName) && event.key !== " ") return;
    const act = { " ": () => this.toggle(), ArrowLeft: () => this.step(-1), ArrowRight: () => this.step(1), Home: () => this.go(0), End: () => this.go(Infinity), n: () => this.jump() }[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  }
}

function button(text, act) {
  const element = made("button", "", [text]);
  element.type = "button";
  element.addEventListener("click", act);
  return element;
}

function clock(t) {
  const whole = Math.floor(t + 1e-9);
  return `${String(Math.floor(whole / 60)).padStart(2, "0")}:${String(whole % 60).padStart(2, "0")}`;
}

/** Shows the embedded runs, or one that is still being recorded. */
function begin() {
  const runs = [...document.querySelectorAll("script[type='application/x-ndjson']")].map((element) => {
    const run = new Run(element.dataset.name);
    for (const text of element.textContent.split("\n")) if (text.trim()) run.add(JSON.parse(text));
    return run;
  });
  const source = document.body.dataset.live;
  if (source) follow(runs, source);
  else window.page = new Page(runs);
}

function follow(runs, source) {
  const run = new Run("live");
  let page = null;
  let waiting = false;
  const events = new EventSource(source);
  events.onmessage = (event) => {
    run.add(JSON.parse(event.data));
    if (waiting) return;
    waiting = true;
    // Many lines arrive at once, so the page updates twice a second.
    setTimeout(() => {
      waiting = false;
      const atEnd = page === null || page.t >= Number(page.slider.max) - 1e-9;
      if (page === null) window.page = page = new Page([run]);
      else page.build();
      page.go(atEnd ? run.duration : page.t);
    }, 500);
  };
  events.addEventListener("end", () => events.close());
}

begin();
