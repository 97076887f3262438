// --- One system, one topic, two systems --------------------------------------------------------------------------------
const factsView = (at) => {
  const facts = data.facts[at];
  if (!facts) return [];
  const [team, type, description] = facts;
  const line = [team && `team ${team}`, type && `type ${type}`].filter(Boolean).join(" · ");
  return [...(line ? [make("p", { class: "quiet" }, line)] : []), ...(description ? [make("p", {}, description)] : [])];
};
const board = () => data.sections.flatMap((section) => section.tables).find((table) => table.id === "leaderboard");
const back = (id, text) => make("p", { class: "back" }, make("a", { href: `#${id}` }, `← ${text}`));
const inOrder = () => board().rows.map((row) => row[1]);
const neighbours = (kind, at, order) => {
  const index = order.indexOf(at);
  const step = (to, text) => (to >= 0 && to < order.length ? [make("a", { href: makeAddress(kind, order[to]), "aria-label": `${text} ${getNoun(kind)}` }, text === "previous" ? "←" : "→")] : []);
  return make("span", { class: "steps" }, ...step(index - 1, "previous"), ...step(index + 1, "next"));
};
const picker = (label, kind, chosen, order, go) => {
  const select = make("select", { "aria-label": label, on: { change: (event) => go(Number(event.target.value)) } },
    ...order.map((at) => make("option", { value: at }, getName(kind, at))));
  select.value = String(chosen);
  return select;
};

const systemView = (at, all) => {
  const block = all.scores[0], smaller = data.smaller[0], measure = shown(data.measures[0]);
  const facts = inOrderByTopic(all).map((sorted, topic) => {
    const [worst, best] = sorted.length ? (smaller ? [sorted.at(-1), sorted[0]] : [sorted[0], sorted.at(-1)]) : [null, null];
    const own = block[at][topic];
    return { topic, own, best, middle: takeMiddle(sorted), worst, rank: computeRank(own, sorted, smaller), equal: sorted.filter((value) => value === own).length };
  });
  const ordered = [...facts].sort((a, b) => compare(a.middle, b.middle) * (a.middle === null || b.middle === null || smaller ? 1 : -1));
  const above = facts.filter((fact) => fact.own !== null && better(fact.own, fact.middle, smaller)).length;
  // Where all have the same score, none is the best.
  const first = facts.filter((fact) => fact.rank === 1 && fact.best !== fact.worst), shared = first.filter((fact) => fact.equal > 1).length;
  const level = facts.filter((fact) => fact.equal > 1 && fact.best === fact.worst).length;
  // What the chart says is the page's: the same words as in other drawings of it.
  const named = { measure, unit, noun: "system", system: getName("system", at), units: counted(facts.length, unit), above: number(above), best: first.length ? number(first.length) : "none", level: counted(level, unit), shared: number(shared) };
  named.tied = shared ? say("tied", named) : "";
  const seen = say("above", named) + (level ? say("level", named) : "");
  const summary = { id: "means", title: "Means and ranks", columns: [{ name: "measure", kind: "text" }, { name: "mean", kind: "number" }, { name: `rank of ${number(data.systems.length)}`, kind: "whole" }, { name: "best system", kind: "number" }, { name: "median system", kind: "number" }],
    rows: data.measures.map((name, which) => {
      const means = getMeans(all)[which], own = means[at], sorted = defined(means).sort((a, b) => a - b);
      return [shown(name), own, computeRank(own === null ? null : Number(own.toFixed(9)), means.map((value) => value === null ? null : Number(value.toFixed(9))), data.smaller[which]), (data.smaller[which] ? sorted[0] : sorted.at(-1)) ?? null, median(means)];
    }) };
  const table = { id: "scores-of-system", title: `Scores of ${getName("system", at)} by ${unit}`,
    columns: [{ name: unit, kind: "topic" }, ...data.measures.map((name) => ({ name, kind: "number" })), { name: "best", kind: "number" }, { name: "median", kind: "number" }, { name: "from median", kind: "signed" }, { name: "rank", kind: "whole" }],
    rows: facts.map((fact) => [fact.topic, ...all.scores.map((block_) => block_[at][fact.topic]), fact.best, fact.middle, fact.own === null || fact.middle === null ? null : fact.own - fact.middle, fact.rank]) };
  const order = inOrder(), opponent = order.find((system) => system !== at);
  return [back("leaderboard", data.sections[0].title), heading(getName("system", at), neighbours("system", at, order)), ...factsView(at),
    ...(data.alike[at] ? [make("p", { class: "notice" }, data.alike[at])] : []),
    ...(opponent === undefined ? [] : [make("p", { class: "with" }, "Compare with ", picker("Compare with", "system", opponent, order.filter((system) => system !== at), (system) => { location.hash = makeAddress("compare", at, system); }), " ", make("a", { href: makeAddress("compare", at, opponent) }, "compare"))]),
    figureView({ id: "ranges", form: "ranges", title: say("ranges", named), seen,
      notes: capital(say("order", named)), act: `Click a ${unit}.`, y: measure, smaller, kinds: ["own", "under", "median", "span"].map((kind) => say(kind, named)), ranges: ordered.map((fact) => [fact.topic, fact.own, fact.best, fact.middle, fact.worst]) }),
    tableView(summary), tableView(table), ...leftOut()];
};

const leftOut = () => (data.without_scores.length ? [make("p", { class: "quiet" }, `Scores on single ${unit}s by ${data.without_scores.map((name) => shown(name)).join(", ")} would make this page too large, and are left out; the leaderboard has their means.`)] : []);
const listView = (all, topic, system, against) => {
  const retrieved = all.retrieved, index = retrieved ? retrieved.systems.indexOf(system) : -1;
  if (index < 0) return [make("p", { class: "quiet" }, `The page holds the lists of the best ${counted(retrieved ? retrieved.systems.length : 0, "system")} alone.`)];
  const own = retrieved.lists[topic][index], theirs = against === null ? null : retrieved.lists[topic][retrieved.systems.indexOf(against)] || [];
  if (!own.length) return [make("p", { class: "quiet" }, "Nothing was retrieved.")];
  const item = (document_, rank) => {
    const label = retrieved.labels[topic][document_], before = theirs ? theirs.indexOf(document_) : -1;
    const moved = theirs === null ? "" : before < 0 ? `not in its first ${theirs.length}` : before === rank ? "same rank" : `${rank + 1 < before + 1 ? "▲" : "▼"} ${before + 1} there`;
    return make("li", { class: theirs !== null && before < 0 ? "alone" : "" }, make("span", { class: "rank" }, String(rank + 1)),
      make("span", { class: label === null ? "label none" : label > 0 ? "label yes" : "label no", title: label === null ? "unjudged" : `label ${label}` }, label === null ? "?" : String(label)),
      make("span", { class: "document" }, make("bdi", {}, retrieved.documents[topic][document_]), ...describeIntents(retrieved.intents?.[topic][document_] ?? [])), make("span", { class: "moved" }, moved));
  };
  return [make("ol", { class: "list" }, ...own.map(item))];
};
const describeIntents = (covered) => (covered.length ? [make("small", { class: "covers" }, `${covered.length === 1 ? "intent" : "intents"} `, make("bdi", {}, covered.join(", ")))] : []);
const saysIntents = (all) => (all.retrieved.intents ? " Below a document are the intents that it covers." : "");
const textView = (all, topic) => (all.texts[topic] ? [make("div", { class: "asked" }, ...all.texts[topic].map((part) => make("p", {}, part)))] : []);

const topicView = (at, all) => {
  const measure = shown(data.measures[0]), column = all.scores[0].map((row) => row[at]), smaller = data.smaller[0];
  const order = column.map((_, system) => system).filter((system) => column[system] !== null).sort((a, b) => (smaller ? 1 : -1) * (column[a] - column[b]));
  const ranks = new Map([...order.entries()].reverse().map(([index, system]) => [column[system], index + 1]));
  const topics = board() ? data.sections.flatMap((section) => section.tables).find((table) => table.id === "topics") : null;
  const table = { id: "scores-of-topic", title: `Systems on ${unit} ${getName("topic", at)}`, columns: [{ name: "rank", kind: "whole" }, { name: "system", kind: "system" }, ...data.measures.map((name) => ({ name, kind: "number" }))],
    rows: (order.length ? order : column.map((_, system) => system)).map((system) => [ranks.get(column[system]) ?? null, system, ...all.scores.map((block) => block[system][at])]) };
  // Where all have the same score, none is the best.
  const level = order.length > 1 && column[order[0]] === column[order.at(-1)];
  const picked = level ? [["tied", order[0]]] : order.length ? [["best", order[0]], ["median", order[order.length >> 1]], ["worst", order.at(-1)]] : [];
  const held = all.retrieved ? picked.map(([what, system]) => [what, all.retrieved.systems.includes(system) ? system : null]).filter(([, system], index, rows) => system !== null && rows.findIndex((row) => row[1] === system) === index) : [];
  const equal = (system) => order.filter((opponent) => column[opponent] === column[system]);
  const describe = (what, system) => (level ? `one of ${number(order.length)} tied` : equal(system).length > 1 ? `${what}, one of ${number(equal(system).length)} tied` : what);
  const named = (system) => say(equal(system).length > 1 ? "several" : "one", { system: getName("system", system), systems: counted(equal(system).length, "system"), score: score(column[system]) });
  const terms = { measure, unit, topic: getName("topic", at) };
  if (order.length) Object.assign(terms, { systems: counted(order.length, "system"), score: score(column[order[0]]), first: named(order[0]), middle: score(median(column)), last: named(order.at(-1)) });
  const facts = topics ? topics.rows.find((row) => row[0] === at) : null;
  return [back("topics", `${Unit}s`), heading(`${Unit} ${getName("topic", at)}`, neighbours("topic", at, topics ? topics.rows.map((row) => row[0]) : data.topics.map((_, index) => index))),
    ...textView(all, at),
    ...(facts ? [make("dl", { class: "facts" }, ...topics.columns.slice(1).map((fact, index) => make("div", {}, make("dt", { title: fact.meaning || null }, shown(fact.name)), make("dd", {}, format(facts[index + 1], fact.kind)))))] : []),
    figureView({ id: "systems-on-topic", form: "bars", kind: "system", title: say("systems", terms), seen: say(level ? "same" : order.length ? "extremes" : "none", terms), notes: say("sorted", terms), act: "Click a bar to see the system.", y: measure,
      bars: order.map((system) => [system, column[system], null, null, makeAddress("system", system)]) }),
    ...(held.length ? [make("h3", {}, "First documents"), make("p", { class: "quiet" }, `With their labels: green above 0, ? is unjudged.${saysIntents(all)}${all.retrieved.systems.length < data.systems.length ? ` The page holds the lists of the best ${counted(all.retrieved.systems.length, "system")} alone.` : ""}`), make("div", { class: "lists" }, ...held.map(([what, system]) =>
      make("section", { "aria-label": `${level ? describe(what, system) : what}: ${getName("system", system)}` }, make("h4", {}, `${describe(what, system)}: `, link("system", system)), ...listView(all, at, system, null))))] : []),
    ...(order.length > 1 ? [make("p", { class: "act" }, make("a", { href: makeAddress("compare", order[0], order[1], at) }, `Compare two systems on this ${unit}`))] : []),
    tableView(table), ...leftOut()];
};

// What the tests of all pairs say of two systems, as they were computed before or are here, turned where the pair is asked
// for the other way round.
const testView = (left, right, all) => {
  const { rows, measure, level, alpha, test = "Paired t-test" } = all.tested;
  if (!measure) return [];
  const known = (rows ?? []).find(([a, b]) => (a === left && b === right) || (a === right && b === left));
  const tested = known ?? (rows ? null : testPair(left, right, all, Number(alpha)));
  if (!tested) return [];
  const pairs = rows ? rows.length : adjustAll(all).ordered.length;
  const [first, , difference, low, high, p, corrected, significant, topics, constant] = tested, swapped = first !== left;
  const [from, to] = swapped ? [high, low].map((end) => (end === null ? null : -end)) : [low, high];
  const written = (value) => (value === null ? "p is undefined" : value < 5e-5 ? "p\u00a0<\u00a00.0001" : `p\u00a0=\u00a0${digits(value)}`);
  const together = pairs > 1 ? `; corrected for all ${number(pairs)} pairs of systems (Holm), ${written(corrected)}` : "";
  const interval = from === null || to === null ? "no interval" : `${level} interval ${signed(from)} to ${signed(to)}${pairs > 1 ? " for all pairs together, by Bonferroni" : ""}`;
  const spread = constant ? `It is the same on every ${unit}, which leaves` : "The scores leave";
  const verdict = p === null ? `${spread} the test no spread to judge by, so that it cannot tell whether the difference is significant.`
    : `The difference is ${significant ? "" : "not "}significant at ${alpha}.`;
  return [make("p", { class: "tested" }, `The mean difference of ${measure} is ${signed(swapped ? -difference : difference)} on ${counted(topics, unit)} (${interval}). ${test}: ${written(p)}${together}. ${verdict}`)];
};

const compareView = (left, right, topic, all) => {
  const order = inOrder(), measure = shown(data.measures[0]), smaller = data.smaller[0];
  const go = (a, b, t = topic) => { location.hash = makeAddress("compare", a, b, ...(t === null ? [] : [t])); };
  const both = data.topics.map((_, at) => [at, all.scores[0][left][at], all.scores[0][right][at]]);
  const apart = both.map(([at, a, b]) => [at, a === null || b === null ? null : a - b]).sort((a, b) => (b[1] ?? -9) - (a[1] ?? -9));
  const wins = apart.filter(([, gain]) => gain !== null && better(gain, 0, smaller)).length, ties = apart.filter(([, gain]) => gain === 0).length;
  const known = defined(apart.map(([, gain]) => gain)).length, table = board(), rows = [left, right].map((at) => table.rows.find((row) => row[1] === at));
  const summary = { id: "two", title: "Summary", columns: [{ name: "what", kind: "text" }, { name: getName("system", left), kind: "text" }, { name: getName("system", right), kind: "text" }],
    rows: [...table.columns.map((column, at) => ({ column, at })).filter(({ column, at }) => column.kind !== "system" && shown(column.name) !== "moves" && !drawnEnds(table).has(at)).map(({ column, at }) => {
      const [a, b] = rows.map((row) => row[at]);
      return [shown(column.name), format(a, column.kind), format(b, column.kind)];
    })] };
  const drawn = apart.filter(([, gain]) => gain !== null), off = mean(drawn.map(([, gain]) => gain)), most = largest(drawn.map(([, gain]) => Math.abs(gain)), 0);
  const farthest = drawn.filter(([, gain]) => most - Math.abs(gain) < 1e-12);
  const facts = { measure, unit, system: getName("system", left), other: getName("system", right), units: counted(known, unit), wins: number(wins), losses: number(known - wins - ties), ties: number(ties), mean: off === null ? "–" : signed(off),
    apart: digits(most), topics: farthest.length === 1 ? `${unit} ${getName("topic", farthest[0][0])}` : counted(farthest.length, unit) };
  const goTo = (at) => makeAddress("compare", left, right, at);
  const detail = topic === null ? (all.retrieved ? [make("p", { class: "quiet act" }, `Click a ${unit} to see both lists.`)] : []) : [
    make("h3", { id: "lists" }, `${Unit} `, link("topic", topic)), ...textView(all, topic),
    make("p", {}, `${measure}: ${score(both[topic][1])} and ${score(both[topic][2])}` + (both[topic][1] === null || both[topic][2] === null ? "." : `, a difference of ${signed(both[topic][1] - both[topic][2])}.`)),
    ...(all.retrieved ? [make("p", { class: "quiet" }, `First documents with their labels, green above 0, ? is unjudged; ▲ and ▼ mark documents ranked higher or lower here than there.${saysIntents(all)}`),
    make("div", { class: "lists" }, ...[[left, right], [right, left]].map(([system, against]) => make("section", { "aria-label": getName("system", system) }, make("h4", {}, link("system", system)), ...listView(all, topic, system, against))))] : [])];
  const byTopic = { id: "two-topics", title: `${measure} by ${unit}`, columns: [{ name: unit, kind: "topic" }, { name: getName("system", left), kind: "number" }, { name: getName("system", right), kind: "number" }, { name: "difference", kind: "signed" }],
    rows: apart.map(([at, gain]) => [at, both[at][1], both[at][2], gain]) };
  return [back("leaderboard", data.sections[0].title), heading("Two systems compared"),
    make("p", { class: "with" }, picker("First system", "system", left, order, (at) => go(at, right)), " and ", picker("Second system", "system", right, order, (at) => go(left, at)), " ",
      make("button", { type: "button", on: { click: () => go(right, left) } }, "Swap"), ` on ${unit} `,
      make("select", { "aria-label": Unit, on: { change: (event) => go(left, right, event.target.value === "" ? null : Number(event.target.value)) } },
        make("option", { value: "" }, "all"), ...data.topics.map((_, at) => fill(make("option", { value: at }, getName("topic", at)), topic === at ? { selected: "" } : {})))),
    ...testView(left, right, all),
    figureView({ id: "differences", form: "bars", kind: "topic", signed: true, title: say("bars", facts), seen: say(known && !most ? "equal" : "better", facts), notes: say("sign", facts), act: all.retrieved ? "Click a bar to see both lists." : "", y: say("difference", facts),
      rules: off === null ? [] : [["y", off, say("mean", facts)]], bars: drawn.map(([at, gain]) => [at, gain, both[at][1], both[at][2], goTo(at), at === topic]) }),
    ...detail,
    ...(known ? [figureView({ id: "topic-scatter", form: "points", kind: "topic", diagonal: true, contours: [], title: say("scatter", facts), seen: say(most ? "apart" : "equal", facts), notes: say("diagonal", facts), act: all.retrieved ? "Click a point to see both lists." : "", x: facts.system, y: facts.other,
      points: [...drawn].sort((a, b) => Math.abs(b[1]) - Math.abs(a[1])).map(([at]) => [at, both[at][1], both[at][2], null, "", goTo(at)]) })] : []),
    tableView(summary), tableView(byTopic)];
};
