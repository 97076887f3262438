// --- Data, elements, names, files ------------------------------------------------------------------------------------
const data = JSON.parse(document.getElementById("data").textContent);
const names = { system: data.systems, topic: data.topics };
// What a score of a system is of: a topic, or a task of a board.
const unit = data.unit, Unit = unit[0].toUpperCase() + unit.slice(1);
const getNoun = (kind) => (kind === "topic" ? unit : kind);

let opened = null, unpacked = null;
// Scores, texts and lists lie packed in the page, and are opened when something needs them.
const more = () => {
  opened ??= (async () => {
    const bytes = Uint8Array.from(atob(document.getElementById("packed").textContent.trim()), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    unpacked = JSON.parse(await new Response(stream).text());
    return unpacked;
  })();
  return opened;
};

const fill = (element, options) => {
  for (const [key, value] of Object.entries(options)) {
    if (key === "on") for (const [event, handler] of Object.entries(value)) element.addEventListener(event, handler);
    else if (value !== null && value !== undefined) element.setAttribute(key, value);
  }
  return element;
};
const make = (tag, options = {}, ...children) => {
  const element = fill(document.createElement(tag), options);
  element.append(...children);
  return element;
};
const draw = (tag, options = {}, ...children) => {
  const element = fill(document.createElementNS("http://www.w3.org/2000/svg", tag), options);
  element.append(...children);
  return element;
};

const shown = (cell) => (Array.isArray(cell) ? cell[0] : String(cell));
const field = (cell) => (Array.isArray(cell) ? cell[1] : String(cell));
const getName = (kind, at) => names[kind][at][0];
const isName = (column, cell) => column.kind in names && typeof cell === "number";
const { format: number } = new Intl.NumberFormat("en");
const counted = (count, word) => `${number(count)} ${word}${count === 1 ? "" : "s"}`;
const digits = (value, places = 4) => {
  const text = value.toFixed(places);
  return Number(text) === 0 ? text.replace("-", "") : text;
};
const score = (value) => (value === null || value === undefined ? "–" : digits(value));
const signed = (value) => (value > 0 ? "+" : "") + digits(value);
// A sentence of a chart, which other drawings of it have too, with these facts.
const say = (key, facts) => data.words[key].replaceAll(/\{(\w+)\}/g, (_, name) => facts[name]);
const capital = (text) => text[0].toUpperCase() + text.slice(1);

// Pages inside the page have addresses of names, such as #/compare/one/other; any other sign of a name is written by its
// bytes, %2F for a slash.
const PARTS = { system: ["system"], topic: ["topic"], compare: ["system", "system", "topic"] };
const fullName = (kind, at) => names[kind][at][2] ?? names[kind][at][0];
const makeAddress = (kind, ...indexes) => `#/${kind}/${indexes.map((at, part) => encodeURIComponent(fullName(PARTS[kind][part], at))).join("/")}`;
const decoded = (text) => { try { return decodeURIComponent(text); } catch { return text; } }; // a lone % stands for itself
const getAnchor = () => decoded(location.hash.slice(1).split("?")[0]);
const anchored = () => document.getElementById(getAnchor());
// How the table is shown that the address names, such as #table-leaderboard?sort=AP&filter=neural; null of other tables.
const getTableState = (id) => {
  const [, ...written] = location.hash.slice(1).split("?");
  return written.length && getAnchor() === `table-${id}` ? new URLSearchParams(written.join("?")) : null;
};
const numbered = {};
// The index of a name; undefined of one that the page does not have.
const findIndex = (kind, name) => (numbered[kind] ??= new Map(names[kind].map((_, at) => [fullName(kind, at), at]))).get(name);

const TAIL = 10; // letters at the end of a long name that are shown where its middle is left out
const link = (kind, at, options = {}) => {
  const name = getName(kind, at), letters = [...name], cut = letters.length > 2 * TAIL ? letters.length - TAIL : letters.length;
  const parts = [letters.slice(0, cut).join(""), letters.slice(cut).join("")].filter(Boolean);
  return make("a", { href: makeAddress(kind, at), title: name, ...options }, make("bdi", {}, ...parts.map((part) => make("span", {}, part))));
};

// What is out of sight is neither styled, laid out nor painted; its place is about as high as it is.
const deferUnseen = (element, height) => {
  element.classList.add("still");
  element.style.containIntrinsicBlockSize = `auto ${height}px`;
};

const save = (name, text, type) => {
  const url = URL.createObjectURL(text instanceof Blob ? text : new Blob([text], { type }));
  const anchor = make("a", { href: url, download: name });
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
};
// Texts come with their form in CSV, in which no spreadsheet finds a formula.
const csv = (table) => {
  const line = (cells) => cells.join(",") + "\r\n";
  const written = (cell, column) => {
    if (cell === null) return "";
    if (isName(column, cell)) return names[column.kind][cell][1];
    return typeof cell === "number" || typeof cell === "boolean" ? String(cell) : field(cell);
  };
  const head = line(table.columns.map((column) => field(column.name)));
  return head + table.rows.map((row) => line(row.map((cell, at) => written(cell, table.columns[at])))).join("");
};

// --- Statistics of what is shown: a median of scores that the page holds, no more -------------------------------------
const defined = (values) => values.filter((value) => value !== null && value !== undefined);
const takeMiddle = (ordered) => {
  const half = ordered.length >> 1;
  if (!ordered.length) return null;
  return ordered.length % 2 ? ordered[half] : (ordered[half - 1] + ordered[half]) / 2;
};
// A call takes no more than some ten thousand arguments, and a table may have more rows.
const largest = (values, least = -Infinity) => values.reduce((a, b) => Math.max(a, b), least);
const median = (values) => takeMiddle(defined(values).sort((a, b) => a - b));
const mean = (values) => {
  const known = defined(values);
  return known.length ? known.reduce((sum, value) => sum + value, 0) / known.length : null;
};
const better = (a, b, smaller) => (smaller ? a < b : a > b);
const computeRank = (value, values, smaller) =>
  value === null ? null : 1 + defined(values).filter((compared) => better(compared, value, smaller)).length;
// What many pages say of the same scores is found once: by topic, the first measure's scores of all systems in order;
// by measure, the mean of each system.
const once = (find) => { let result = null; return (all) => (result ??= find(all)); };
const inOrderByTopic = once((all) => data.topics.map((_, topic) => defined((all.scores[0] ?? []).map((row) => row[topic])).sort((a, b) => a - b)));
const getMeans = once((all) => all.scores.map((block) => block.map(mean)));

// --- Tips: what is under the pointer ----------------------------------------------------------------------------------
const tip = document.getElementById("tip");
const showTip = (event, text) => {
  tip.hidden = !text;
  if (!text) return;
  tip.replaceChildren(...text.split("\n").map((line) => make("div", {}, make("bdi", {}, line))));
  tip.style.left = Math.max(4, Math.min(event.clientX + 12, innerWidth - tip.offsetWidth - 8)) + "px";
  tip.style.top = Math.max(4, Math.min(event.clientY + 12, innerHeight - tip.offsetHeight - 8)) + "px";
};
document.addEventListener("pointermove", (event) => {
  const mark = event.target.closest ? event.target.closest("[data-tip]") : null;
  if (mark) showTip(event, mark.dataset.tip);
  else if (!event.target.closest || !event.target.closest("canvas")) tip.hidden = true;
});
document.addEventListener("click", (event) => {
  const mark = event.target.closest ? event.target.closest("svg [data-href]") : null;
  if (mark) location.hash = mark.dataset.href;
});
