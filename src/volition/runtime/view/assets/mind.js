// Mental state of the agent at a moment: beliefs, plans, awaited feedbacks, and the latest choice.
"use strict";

class MindView {
  constructor(run, element) { Object.assign(this, { run, element }); }

  draw(at) {
    const run = this.run;
    const mind = run.mindAt(at);
    const before = run.mindAt(at - 1);
    const agents = run.header.agents || [""];
    const sections = run.header.language === "LISA" ? agents.flatMap((agent) => this.lisa(agent, mind, before, at)) : this.stateView(mind, before);
    const told = at >= 0 ? run.moments[at].told : [];
    const choices = told.filter((each) => each.kind === "choice").map((each) => this.choice(each));
    const others = told.filter((each) => each.kind !== "choice").map((each) => made("p", each.kind, [`${each.kind}: ${run.whose(each)}${eventText(each)}`]));
    this.element.replaceChildren(this.moment(at), ...sections, ...choices, ...others);
  }

  moment(at) {
    if (at < 0) return made("h3", "", ["before the first step"]);
    const [line] = this.run.moments[at].lines;
    const title = line.kind === "cycle" ? `cycle ${line.cycle}` : `step ${line.step}: ${line.agent ? `${line.agent}: ` : ""}${line.text}`;
    const place = line.file ? ` (${line.file}:${line.line})` : "";
    return made("h3", "", [title, made("small", "", [[...(line.rules || [])].join(", "), place].filter(Boolean).join(" "))]);
  }

  /** Returns the sections of one agent: beliefs as sentences, with the measurement behind each percept; plans with their current actions; awaited feedbacks. */
  lisa(agent, mind, before, at) {
    const run = this.run;
    const several = (run.header.agents || []).length > 1;
    const prefix = several ? `${agent}_` : "";
    const own = (part) => Object.entries((run.header.slot_descriptions || {})[part] || {}).filter(([name]) => !several || ownerOf(name, run.header.agents) === agent);
    const title = (text) => (several ? `${agent}: ${text}` : text);
    const line = at >= 0 ? run.moments[at].lines.find((each) => !several || each.agent === agent) || {} : {};
    const inbox = line.inbox || {};
    const beliefs = own("beliefs").filter(([name]) => run.slot(mind, name) === 1 || run.slot(before, name) === 1);
    const why = this.why(at);
    const rows = beliefs.map(([name, sentence]) => item(sentence, why[name], change(run.slot(mind, name) === 1, run.slot(before, name) === 1)));
    const plans = own("plans").filter(([name]) => run.slot(mind, name) > 0 || run.slot(before, name) > 0);
    const steps = plans.map(([name, texts]) => {
      const index = run.slot(mind, name);
      return item(name.slice(prefix.length).replace("plan_", "plan "), index ? `${texts[index - 1]} (${index} of ${texts.length})` : "ends", change(index > 0, run.slot(before, name) > 0));
    });
    const awaited = own("awaited").filter(([name]) => run.slot(mind, name) > 1);
    const waits = awaited.map(([name, each]) => item(each.feedbacks, `within ${run.slot(mind, name) - 1} more cycles; window ${each.earliest} to ${each.latest}`, ""));
    const calls = (line.calls || []).map((each) => item(each.action, each.plan, "new"));
    const came = (inbox.feedbacks || []).map((each) => item(each.feedback.slice(prefix.length), `from ${each.action}`, "new"));
    const parts = { beliefs: rows, plans: steps, awaited: waits, called: calls, received: came };
    return Object.entries(parts).map(([text, rows]) => section(title(text), rows));
  }

  /** Returns the last reported measurements behind percepts. */
  why(at) {
    const known = {};
    for (let k = Math.max(0, at - 60); k <= at; k++)
      for (const [name, numbers] of this.run.moments[k].lines.flatMap((line) => Object.entries(line.why || {})))
        known[name] = Object.entries(numbers).map(([key, value]) => `${key} ${typeof value === "number" ? short(value) : value}`).join(", ");
    return known;
  }

  stateView(mind, before) {
    const parts = new Map();
    for (const key of new Set([...before.keys(), ...mind.keys()])) {
      const [name, text] = JSON.parse(key);
      if (!parts.has(name)) parts.set(name, []);
      const [is, was] = [mind.get(key), before.get(key)];
      const mark = is === undefined ? "gone" : was === undefined ? "new" : is === was ? "" : "changed";
      parts.get(name).push(item(text, is ?? was, mark));
    }
    return [...parts].map(([name, rows]) => section(name, rows));
  }

  choice(line) {
    const names = [...new Set((line.options || []).flatMap((each) => Object.keys(each.q || {})))];
    const row = (cells, chosen) => made("tr", chosen ? "chosen" : "", cells.map((each) => made("td", "", [each])));
    const rows = (line.options || []).map((each) => {
      const name = each.plan ?? each.text;
      return row([name, ...names.map((query) => short(each.q && each.q[query]))], name === line.chosen);
    });
    return made("div", "choice", [made("h4", "", [`${this.run.whose(line)}chosen by ${line.by}: ${line.chosen}`]), made("table", "", [row(["", ...names], false), ...rows])]);
  }
}

/** Returns the agent that a slot belongs to: the one with the longest matching prefix. */
function ownerOf(slot, agents) {
  return agents.filter((each) => slot.startsWith(`${each}_`)).sort((one, other) => other.length - one.length)[0];
}

function change(is, was) { return is && !was ? "new" : was && !is ? "gone" : ""; }

function item(text, value, mark) {
  return made("li", mark, [text, ...(value ? [made("span", "value", [String(value)])] : [])]);
}

function section(title, rows) {
  return made("section", rows.length ? "" : "empty", [made("h4", "", [title]), made("ul", "", rows)]);
}
