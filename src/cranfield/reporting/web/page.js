// --- The page: first screen at once, the rest piece by piece -----------------------------------------------------------
const waiting = [];
const PAIRED = new Set(["measures"]);
const picked = [];
const pickBar = make("div", { id: "picked", role: "status", "aria-live": "polite" });
const showPicked = () => {
  document.querySelectorAll("td.pick input").forEach((box) => { box.checked = picked.includes(Number(box.value)); });
  pickBar.replaceChildren(...(picked.length ? [make("div", {}, ...picked.map((at) => make("strong", {}, make("bdi", {}, getName("system", at)))),
    picked.length === 2 ? make("a", { href: makeAddress("compare", ...picked) }, "Compare these two") : make("span", {}, "choose another one to compare"),
    make("button", { type: "button", on: { click: () => { picked.length = 0; showPicked(); } } }, "Clear"))] : []));
};
const pick = (at, on) => {
  const index = picked.indexOf(at);
  if (index >= 0) picked.splice(index, 1);
  if (on) picked.push(at);
  if (picked.length > 2) picked.shift();
  showPicked();
};
document.addEventListener("change", (event) => {
  const box = event.target.closest("td.pick input");
  if (box) pick(Number(box.value), box.checked);
});
// Filters choose by these; the ends of an interval are in its picture, or written below its number.
const UNSEEN_ON_A_PHONE = new Set(["team", "type"]);
const isBoard = (table) => table.id === "leaderboard" || Boolean(table.group);
const boardView = (table) => {
  const at = table.columns.findIndex((column) => column.kind === "system");
  const filters = ["team", "type"].map((name) => [name, table.columns.findIndex((column) => column.name === name)]).filter(([, index]) => index >= 0)
    .map(([name, index]) => chosenFrom(name, index, [...new Set(table.rows.map((row) => shown(row[index])))].filter(Boolean).sort()));
  const first = data.systems.length < 2 ? null : (row) => make("td", { class: "pick" }, make("input", { type: "checkbox", value: row[at], "aria-label": `Compare ${getName("system", row[at])}` }));
  // On a phone, scores come before what can be chosen in filters and columns.
  const narrow = matchMedia("(max-width: 40rem)").matches;
  const columns = table.columns.map((column, index) => (narrow && (UNSEEN_ON_A_PHONE.has(column.name) || drawnEnds(table).has(index)) ? { ...column, hidden: true } : column));
  // Further measures, the last one first, then team and type are left out where all columns would not fit.
  const pictured = Math.max(...(table.pictures ?? []).flatMap((picture) => picture.columns), table.bands ?? 0);
  const further = columns.map((_, at) => at).filter((at) => at > pictured).reverse();
  return tableView({ ...table, columns }, { filters, first, optional: narrow ? [] : [...further, ...["type", "team"].map((name) => columns.findIndex((column) => column.name === name)).filter((at) => at >= 0)] });
};
// One leaderboard of all topics, and one of each group of them to choose.
const boardsView = (tables) => {
  if (tables.length < 2) return boardView(tables[0]);
  const container = make("div"), seen = new Map(), note = make("span", { class: "quiet", role: "status" });
  const show = (at) => {
    if (!seen.has(at)) seen.set(at, boardView(tables[at]));
    container.replaceChildren(seen.get(at));
    seen.get(at).fit();
    note.textContent = tables[at].note || "";
    showPicked();
  };
  const choice = make("select", { "aria-label": `Group of ${unit}s`, on: { change: () => { show(Number(choice.value)); seen.get(Number(choice.value)).keepInAddress(); } } },
    ...tables.map((table, at) => make("option", { value: at }, at ? table.group : `all ${unit}s`)));
  const open = () => {
    const at = tables.findIndex((table) => getAnchor() === `table-${table.id}`);
    if (at < 0 && seen.size) return; // the address is of something else
    choice.value = Math.max(0, at);
    show(Number(choice.value));
  };
  open();
  beforeFollowing.push(open);
  return make("div", {}, make("p", { class: "with" }, `${Unit}s: `, choice, " ", note), container);
};
const sectionView = (section) => {
  const element = make("section", { id: section.id, "aria-labelledby": `head-${section.id}` }, make(section.tail ? "h3" : "h2", { id: `head-${section.id}` }, section.title));
  const fillIn = () => {
    for (const text of section.words) element.append(make("p", section.id === "leaderboard" ? { class: "quiet" } : {}, text));
    if (section.act) element.append(make("p", { class: "act" }, section.act));
    if (section.command) element.append(make("pre", { tabindex: "0", "aria-label": "Command" }, section.command));
    for (const text of section.missing) element.append(make("p", { class: "missing" }, text));
    const figures = section.figures.flatMap((figure) => guarded(figure.title, () => [figureView(figure)]));
    if (figures.length) element.append(make("div", { class: PAIRED.has(section.id) ? "figures two" : "figures" }, ...figures));
    for (const element_ of figures) if (element_.figure) waiting.push((all) => drawFigure(element_, all));
    const level = section.tail ? "h4" : "h3";
    for (const table of section.tables) {
      if (!isBoard(table)) waiting.push(() => { element.append(...guarded(table.title, () => [tableView(table, { level })])); fitTables(element.lastElementChild); });
    }
    if (section.id === "provenance") {
      waiting.push(() => element.append(make("div", { class: "bar act" }, make("h4", {}, "Signature"), make("button", { type: "button",
        on: { click: () => save("signature.json", data.signature, "application/json") } }, "Signature as JSON"))));
    }
  };
  const boards = section.tables.filter(isBoard);
  if (boards.length) element.append(...guarded(boards[0].title, () => [boardsView(boards)]), pickBar);
  if (boards.length) fillIn(); else waiting.push(fillIn);
  return element;
};

const theme = (dark) => {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  document.getElementById("theme").setAttribute("aria-pressed", String(dark));
  for (const again of repaint.values()) again(dark);
};
const prefers = matchMedia("(prefers-color-scheme: dark)");
theme(prefers.matches);
prefers.addEventListener("change", (event) => theme(event.matches));
document.getElementById("theme").addEventListener("click", () => theme(document.documentElement.dataset.theme !== "dark"));
document.getElementById("print").addEventListener("click", () => print());
matchMedia("print").addEventListener("change", (event) => {
  printing(event.matches);
  const dark = !event.matches && document.documentElement.dataset.theme === "dark";
  for (const again of repaint.values()) again(dark);
});

const header = document.getElementById("top"), head = data.head;
const under = [head.track, head.date].filter(Boolean).join(" · ");
header.append(make("h1", {}, data.title), ...(under ? [make("p", { class: "track" }, under)] : []), make("p", { class: "line" }, head.line),
  ...(head.verdict ? [make("p", { class: "verdict" }, head.verdict)] : []), ...premises());
if (head.notices.length) {
  const has = (id) => data.sections.some((section) => section.id === id);
  const [id, act] = has("checks") ? ["checks", "What was found"] : ["provenance", "Policies and files"];
  const told = has(id) ? [" ", make("a", { class: "act", href: `#${id}` }, act)] : [];
  header.append(make("p", { class: "notice" }, "May affect the results: ", head.notices.join(", "), ".", ...told));
}
const front = data.sections.filter((section) => !section.tail), tail = data.sections.filter((section) => section.tail);
home.append(...front.map(sectionView));
if (tail.length) home.append(make("section", { id: "appendix", "aria-labelledby": "head-appendix" }, make("h2", { id: "head-appendix" }, "Appendix"), ...tail.map(sectionView)));
document.getElementById("main").replaceChildren(home, view);
if (head.footer) document.getElementById("main").after(make("footer", {}, head.footer));
for (const element of home.querySelectorAll('[id^="table-leaderboard"]')) element.fit();
const entry = (id, title) => make("a", { href: `#${id}` }, title);
const listed = front.filter((section) => section.id !== "summary").map((section) => entry(section.id, section.title));
if (data.systems.length > 1 && board()) {
  listed.splice(1, 0, make("a", { href: makeAddress("compare", ...inOrder().slice(0, 2)), "data-kind": "compare" }, "Compare"));
}
document.getElementById("contents").append(...listed, ...(tail.length ? [entry("appendix", "Appendix")] : []));
let moved = false;
for (const kind of ["wheel", "touchmove", "keydown", "pointerdown"]) addEventListener(kind, () => { moved = true; }, { once: true, passive: true });
// What the first click would wait for.
waiting.push(() => { getRanks("system"); getRanks("topic"); }, inOrderByTopic, getMeans);
(async () => {
  await new Promise((done) => setTimeout(done));
  const all = await more();
  // One at a time, so that the page answers between them.
  while (waiting.length) {
    isolated(waiting.shift(), all);
    await new Promise((done) => setTimeout(done));
  }
  // What was asked for stands lower now that all above it is drawn.
  const target = view.hidden && !moved ? anchored() : null;
  if (target) target.scrollIntoView();
  document.documentElement.dataset.ready = "yes";
})();
if (location.hash) follow(null);
