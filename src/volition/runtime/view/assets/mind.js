// What the agent has in mind at a moment: beliefs, plans, what it waits for, and what it has just chosen.
"use strict";

class MindView {
  constructor(run, element) { Object.assign(this, { run, element }); }

  draw(at) {
    const run = this.run;
    const mind = run.mindAt(at);
    const before = run.mindAt(at - 1);
    const sections = run.header.language === "LISA" ? this.lisa(mind, before, at) : this.portrait(mind, before);
    const told = at >= 0 ? run.moments[at].told : [];
    const choices = told.filter((each) => each.kind === "choice").map((each) => this.choice(each));
    const others = told.filter((each) => each.kind !== "choice").map((each) => made("p", each.kind, [`${each.kind}: ${eventText(each)}`]));
    this.element.replaceChildren(this.moment(at), ...sections, ...choices, ...others);
  }

  moment(at) {
    if (at < 0) return made("h3", "", ["before the first step"]);
    const { line } = this.run.moments[at];
    const title = line.kind === "cycle" ? `cycle ${line.cycle}` : `step ${line.step}: ${line.agent ? `${line.agent}: ` : ""}${line.text}`;
    const place = line.file ? ` (${line.file}:${line.line})` : "";
    return made("h3", "", [title, made("small", "", [[...(line.rules || [])].join(", "), place].filter(Boolean).join(" "))]);
  }

  /** Beliefs as sentences, with the number behind each percept; plans with their current actions; awaited feedbacks. */
  lisa(mind, before, at) {
    const run = this.run;
    const words = run.header.vocabulary || {};
    const line = at >= 0 ? run.moments[at].line : {};
    const inbox = line.inbox || {};
    const beliefs = Object.entries(words.beliefs || {}).filter(([name]) => run.slot(mind, name) === 1 || run.slot(before, name) === 1);
    const why = this.why(at);
    const rows = beliefs.map(([name, sentence]) => item(sentence, why[name], change(run.slot(mind, name) === 1, run.slot(before, name) === 1)));
    const plans = Object.entries(words.plans || {}).filter(([name]) => run.slot(mind, name) > 0 || run.slot(before, name) > 0);
    const steps = plans.map(([name, texts]) => {
      const index = run.slot(mind, name);
      return item(name.replace("plan_", "plan "), index ? `${texts[index - 1]} (${index} of ${texts.length})` : "ends", change(index > 0, run.slot(before, name) > 0));
    });
    const awaited = Object.entries(words.awaited || {}).filter(([name]) => run.slot(mind, name) > 1);
    const waits = awaited.map(([name, each]) => item(each.feedbacks, `within ${run.slot(mind, name) - 1} more cycles; window ${each.earliest} to ${each.latest}`, ""));
    const calls = (line.calls || []).map((each) => item(each.action, each.plan, "new"));
    const came = (inbox.feedbacks || []).map((each) => item(each.feedback, `from ${each.action}`, "new"));
    return [section("beliefs", rows), section("plans", steps), section("awaited", waits), section("called", calls), section("came in", came)];
  }

  /** The numbers behind percepts, as last told. */
  why(at) {
    const known = {};
    for (let k = Math.max(0, at - 60); k <= at; k++)
      for (const [name, numbers] of Object.entries(this.run.moments[k].line.why || {}))
        known[name] = Object.entries(numbers).map(([key, value]) => `${key} ${typeof value === "number" ? short(value) : value}`).join(", ");
    return known;
  }

  portrait(mind, before) {
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
    return made("div", "choice", [made("h4", "", [`chosen by ${line.by}: ${line.chosen}`]), made("table", "", [row(["", ...names], false), ...rows])]);
  }
}

function change(is, was) { return is && !was ? "new" : was && !is ? "gone" : ""; }

function item(text, value, mark) {
  return made("li", mark, [text, ...(value ? [made("span", "value", [String(value)])] : [])]);
}

function section(title, rows) {
  return made("section", rows.length ? "" : "empty", [made("h4", "", [title]), made("ul", "", rows)]);
}
