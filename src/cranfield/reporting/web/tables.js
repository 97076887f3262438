// --- Tables: sorted by their heads, filtered, with columns to choose --------------------------------------------------
const MANY = 10;
const FIRST = 40; // rows that are there at once; others wait until they are scrolled to, printed or searched for
const MORE = 60; // rows that come at a time
const TALL = 29; // pixels of a row, until one is measured
const BRIEF = 16; // letters up to which a column of text takes one line in print
const PROSE = 32; // letters above which a column of text takes several lines
const ROOMS = ["48rem", "32rem", "24rem", "18rem", "13rem"]; // widths of a column of names
const LEFT = new Set(["text", "system", "topic", "truth"]);
const format = (cell, kind) => {
  if (cell === null || cell === undefined) return "–";
  if (kind === "truth") return cell ? "yes" : "no";
  if (typeof cell !== "number") return shown(cell);
  if (kind === "whole") return number(cell);
  if (kind === "share") return (100 * cell).toFixed(1) + "%";
  if (kind === "signed") return signed(cell);
  if (kind === "p" && cell > 0 && cell < 5e-5) return "<.0001";
  return digits(cell);
};
const writtenIn = (cell, column) => (isName(column, cell) ? getName(column.kind, cell) : format(cell, column.kind));
const { compare: inWords } = new Intl.Collator("en", { numeric: true });
const ranked = {};
// The rank of each name among all of its kind: words are compared once, and tables sort numbers.
const getRanks = (kind) => {
  if (!ranked[kind]) {
    const lower = names[kind].map(([name]) => name.toLowerCase());
    const order = lower.map((_, at) => at).sort((a, b) => inWords(lower[a], lower[b]));
    ranked[kind] = [];
    order.forEach((at, rank) => { ranked[kind][at] = rank && !inWords(lower[at], lower[order[rank - 1]]) ? ranked[kind][order[rank - 1]] : rank; });
  }
  return ranked[kind];
};
const makeKey = (cell, column) => {
  if (cell === null) return null;
  if (isName(column, cell)) return getRanks(column.kind)[cell];
  return typeof cell === "object" || typeof cell === "string" ? shown(cell).toLowerCase() : Number(cell);
};
const compare = (a, b) => {
  if (a === null || b === null) return (a === null) - (b === null);
  if (typeof a === "number" && typeof b === "number") return a - b;
  return inWords(String(a), String(b));
};

// A point on a line from its low to its high end, on the scale of the head above it.
const PICTURE = { width: 112, height: 20, pad: 8 };
const pictureScale = (table, picture) => {
  const values = table.rows.flatMap((row) => picture.columns.map((at) => row[at])).filter((value) => typeof value === "number");
  const integers = table.columns[picture.columns[0]].kind === "whole";
  const [low, high] = extent(values);
  const marks = ticks(low, high, 3, 2).filter((tick) => !integers || Number.isInteger(tick));
  if (integers && !marks.includes(1)) marks.unshift(1);
  const at = scale(low, high, PICTURE.pad, PICTURE.width - PICTURE.pad);
  return { at, marks: marks.filter((tick) => tick >= low && tick <= high), places: integers ? 0 : countDecimals(marks) };
};
const pictureHead = (axis) => {
  const view = draw("svg", { class: "scale", width: PICTURE.width, height: 14, viewBox: `0 0 ${PICTURE.width} 14`, "aria-hidden": "true" });
  for (const tick of axis.marks) {
    view.append(draw("text", { x: axis.at(tick), y: 10, "text-anchor": "middle" }, digits(tick, axis.places)));
  }
  return view;
};
// The columns of the ends of intervals that are drawn.
const drawnEnds = (table) => new Set((table.pictures ?? []).flatMap((picture) => picture.columns.slice(1)));
// The interval in words; empty where there is none.
const describeInterval = (table, row, picture, places) => {
  const [, low, high] = picture.columns.map((index) => row[index]), decimals = table.columns[picture.columns[0]].kind === "whole" ? 0 : places;
  return low === null || high === null ? "" : `${digits(low, decimals)} to ${digits(high, decimals)}`;
};
const pictureCell = (table, row, picture, axis) => {
  const [value, low, high] = picture.columns.map((at) => row[at]);
  const text = describeInterval(table, row, picture, 4);
  const described = text ? { role: "img", "aria-label": `${picture.name}: ${text}` } : { "aria-hidden": "true" };
  const view = draw("svg", { width: PICTURE.width, height: PICTURE.height, viewBox: `0 0 ${PICTURE.width} ${PICTURE.height}`, ...described });
  view.append(draw("path", { class: "grid", d: axis.marks.map((tick) => `M${axis.at(tick)},0V${PICTURE.height}`).join("") }));
  if (low !== null && high !== null) view.append(draw("line", { class: "interval", x1: axis.at(low), x2: axis.at(high), y1: 10, y2: 10 }));
  if (value !== null) view.append(draw("circle", { class: "point", cx: axis.at(value), cy: 10, r: 2.2 }));
  return make("td", { class: "picture", "data-tip": value === null ? "" : writtenIn(value, table.columns[picture.columns[0]]) + (text && `, ${text}`) }, view);
};

const nameCell = (kind, at, noted) => {
  const cell = make("td", { class: "text name pin" }, link(kind, at));
  if (noted && kind === "system" && data.alike[at]) cell.append(make("small", { class: "alike" }, data.alike[at]));
  return cell;
};

// Whatever looks at all rows at once: printing, and the search of the browser.
const finishRows = () => { for (const rows of document.querySelectorAll(".scroll")) rows.finish?.(); };
addEventListener("beforeprint", finishRows);
matchMedia("print").addEventListener("change", (event) => { if (event.matches) finishRows(); });
addEventListener("keydown", (event) => { if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "f") finishRows(); });

// A list of columns is open until something else is clicked.
document.addEventListener("click", (event) => {
  for (const list of document.querySelectorAll("details.columns[open]")) if (!list.contains(event.target)) list.open = false;
});

const tableView = (table, options = {}) => {
  const { level = "h3", filters = [], first = null, optional = [] } = options;
  const columns = table.columns, body = make("tbody");
  const hidden = new Set(columns.map((column, at) => (column.hidden ? at : -1)).filter((at) => at >= 0));
  const pictures = (table.pictures || []).map((picture) => ({ ...picture, axis: pictureScale(table, picture) }));
  // Letters of the longest cell: some columns take one line, others several.
  const letters = columns.map((column, at) => (LEFT.has(column.kind) ? largest(table.rows.map((row) => writtenIn(row[at], column).length), 0) : 0));
  const getClass = (at) => (LEFT.has(columns[at].kind) ? { class: columns[at].kind === "truth" || letters[at] <= BRIEF ? "text brief" : letters[at] > PROSE ? "text prose" : "text" } : {});
  const lines = table.rows.map((row) => ({ row, tr: null }));
  const makeRow = (line) => {
    if (line.tr) return line.tr;
    line.tr = make("tr", table.bands !== undefined && line.row[table.bands] % 2 ? { class: "band" } : {});
    if (first) line.tr.append(first(line.row));
    line.row.forEach((cell, at) => {
      for (const picture of pictures) if (picture.before === at) line.tr.append(pictureCell(table, line.row, picture, picture.axis));
      const column = columns[at];
      let td;
      if (isName(column, cell)) td = nameCell(column.kind, cell, first !== null);
      else {
        td = make("td", getClass(at), column.kind === "text" ? make("bdi", {}, format(cell, column.kind)) : format(cell, column.kind));
        if (LEFT.has(column.kind) && td.textContent.length > 30) td.title = td.textContent;
      }
      td.dataset.column = at;
      // Where there is no room for pictures, their intervals are written below the numbers.
      const pictured = pictures.find((picture) => picture.columns[0] === at), ends = pictured ? describeInterval(table, line.row, pictured, 3) : "";
      if (ends) td.dataset.ends = ends.replace(" to ", "\u2013");
      td.hidden = hidden.has(at);
      line.tr.append(td);
    });
    return line.tr;
  };
  const getText = (line) => (line.text ??= line.row.map((cell, at) => writtenIn(cell, columns[at])).join(" ").toLowerCase());
  const count = make("span", { class: "count", role: "status" });
  let sorted = { at: -1, down: false }, wanted = "", pending = [], scrolled = false;
  // As much room below as the rows take that are not there yet.
  const room = make("tr", { class: "rest", "aria-hidden": "true" }, make("td", { colspan: columns.length + pictures.length + (first ? 1 : 0) }));
  let tall = 0;
  const add = (many) => {
    if (scrolled && !tall) tall = (body.offsetHeight - room.offsetHeight) / (body.childElementCount - 1) || 0;
    room.remove();
    for (const line of pending.splice(0, many)) body.append(makeRow(line));
    if (!pending.length) return;
    room.firstChild.style.height = `${pending.length * (tall || TALL)}px`;
    body.append(room);
  };
  const near = () => {
    scrolled = true;
    const short = rows.scrollTop + rows.clientHeight + 600 - room.offsetTop;
    if (pending.length && short > 0) { add(Math.max(MORE, Math.ceil(short / (tall || TALL)))); element.fit(); }
  };
  // The address says how a table of the report is sorted and filtered, so that others see it so who follow it.
  const keepInAddress = () => {
    if (!home.contains(element)) return;
    const parameters = new URLSearchParams();
    if (sorted.at >= 0) parameters.set("sort", field(columns[sorted.at].name));
    if (sorted.down) parameters.set("order", "descending");
    if (wanted) parameters.set("filter", wanted);
    for (const { name, chosen } of filters) if (chosen()) parameters.set(name, chosen());
    history.replaceState(null, "", `#table-${encodeURIComponent(table.id)}${parameters.size ? `?${parameters}` : ""}`);
  };
  const show = (now) => {
    const matching = lines.filter((line) => (!wanted || getText(line).includes(wanted)) && filters.every((filter) => filter.keeps(line.row)));
    const all = counted(lines.length, "row");
    count.textContent = matching.length < lines.length ? `${number(matching.length)} of ${all}` : all;
    pending = matching;
    body.replaceChildren();
    add(now);
    if (scrolled) rows.scrollTop = 0;
    scrolled = false;
  };
  const heads = columns.map((column, at) => make("th", { scope: "col", class: LEFT.has(column.kind) ? "text" : "", "aria-sort": "none", "data-column": at, "data-name": shown(column.name) },
    make("button", { type: "button", title: column.meaning || null, on: { click: () => { sort(at); keepInAddress(); } } }, shown(column.name))));
  const sort = (at, down = null) => {
    const numeric = !(columns[at].kind in names) && lines.some((line) => typeof makeKey(line.row[at], columns[at]) === "number");
    sorted = { at, down: down ?? (sorted.at === at ? !sorted.down : numeric && columns[at].kind !== "whole") };
    const sign = sorted.down ? -1 : 1;
    for (const line of lines) line.key = makeKey(line.row[at], columns[at]);
    lines.sort(({ key: a }, { key: b }) => (a === null || b === null ? compare(a, b) : sign * compare(a, b)));
    heads.forEach((head, index) => head.setAttribute("aria-sort", index === at ? (sorted.down ? "descending" : "ascending") : "none"));
    show(FIRST);
  };
  const head = make("tr");
  if (first) head.append(make("th", { scope: "col", class: "text pick" }, make("span", { class: "hint" }, "compare")));
  columns.forEach((column, at) => {
    for (const picture of pictures) if (picture.before === at) head.append(make("th", { class: "picture", scope: "col" }, make("div", {}, picture.name), pictureHead(picture.axis)));
    heads[at].hidden = hidden.has(at);
    head.append(heads[at]);
  });
  show(FIRST);

  const bar = make("div", { class: "bar" }, make(level, { id: `title-${table.id}` }, table.title), count);
  const search = make("input", { type: "search", placeholder: "Filter rows", "aria-label": `Filter ${table.title}`,
    on: { input: (event) => { wanted = event.target.value.toLowerCase(); show(FIRST); keepInAddress(); } } });
  if (table.rows.length > MANY) bar.append(search);
  for (const filter of filters) bar.append(filter.element(() => { show(FIRST); keepInAddress(); }));
  // What a column says is there with the column.
  const explained = new Map(columns.map((column, at) => [at, column]).filter(([, column]) => column.meaning)
    .map(([at, column]) => [at, fill(make("div", {}, make("dt", {}, shown(column.name)), make("dd", {}, column.meaning)), hidden.has(at) ? { hidden: "" } : {})]));
  const boxes = columns.map((_, at) => make("input", { type: "checkbox", on: { change: (event) => choose(at, event.target.checked) } }));
  const choose = (at, visible) => {
    if (visible) hidden.delete(at); else hidden.add(at);
    boxes[at].checked = visible;
    heads[at].hidden = !visible;
    for (const line of lines) if (line.tr) line.tr.querySelector(`[data-column="${at}"]`).hidden = !visible;
    if (explained.has(at)) explained.get(at).hidden = !visible;
  };
  if (hidden.size) {
    bar.append(make("details", { class: "columns" }, make("summary", {}, "Columns"), make("div", {}, ...columns.map((column, at) => {
      boxes[at].checked = !hidden.has(at);
      return make("label", { title: column.meaning || null }, boxes[at], ` ${shown(column.name)}`);
    }))));
  }
  bar.append(make("button", { type: "button", "aria-label": `CSV of ${table.title}`, on: { click: () => save(`${table.id}.csv`, csv(table), "text/csv") } }, "CSV"));
  const meanings = explained.size ? [make("details", { class: "meanings" }, make("summary", {}, "What the columns say"), make("dl", {}, ...explained.values()))] : [];
  const shading = table.bands === undefined ? [] : [make("p", { class: "quiet shading" }, make("span", { class: "swatch" }), `Shading: every other ${shown(columns[table.bands].name)}.`)];
  const named = letters.filter((_, at) => columns[at].kind in names);
  const rows = make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `Rows of ${table.title}`, on: { scroll: near } },
      make("table", { class: columns.length - hidden.size > 14 ? "many" : null, "aria-labelledby": `title-${table.id}`, "aria-rowcount": lines.length > FIRST ? lines.length + 1 : null }, make("thead", {}, head), body));
  if (named.length) rows.style.setProperty("--longest", Math.max(...named));
  rows.style.setProperty("--names", named.length || 1);
  rows.finish = () => add(Infinity);
  if (table.rows.length > MANY) deferUnseen(rows, Math.min(540, TALL * (table.rows.length + 1)));
  const element = make("div", { id: `table-${table.id}` }, bar, rows, ...shading, ...meanings);
  // Leaves the optional columns to the reader's choice, the first of them first, until the table is no wider than the page.
  element.fit = () => {
    rows.style.contentVisibility = "visible"; // what is skipped has no width
    rows.style.removeProperty("--room"); // columns come before room for names
    for (const at of optional) if (at !== sorted.at && !hidden.has(at) && rows.scrollWidth > rows.clientWidth) choose(at, false);
    // Names have the room that the other columns leave.
    for (const room of ROOMS) {
      rows.style.setProperty("--room", room);
      if (rows.scrollWidth <= rows.clientWidth) break;
    }
    rows.style.contentVisibility = "";
  };
  element.follow = (state) => {
    const at = columns.findIndex((column) => field(column.name) === state.get("sort"));
    wanted = (state.get("filter") ?? "").toLowerCase();
    search.value = wanted;
    for (const filter of filters) filter.choose(state.get(filter.name) ?? "");
    if (at < 0) return show(FIRST);
    if (hidden.has(at)) choose(at, true); // what a table is sorted by is seen
    return sort(at, state.get("order") === "descending");
  };
  element.keepInAddress = keepInAddress;
  const state = getTableState(table.id);
  if (state) element.follow(state);
  return element;
};

// Names in tables get the room that there is, where the table is in the page.
const fitTables = (where) => { for (const rows of where.querySelectorAll(".scroll")) rows.parentElement.fit?.(); };

// A choice among the values of a column.
const chosenFrom = (name, at, values) => {
  const label = `All ${name}s`;
  const box = make("select", { "aria-label": label }, make("option", { value: "" }, label), ...values.map((value) => make("option", { value }, value)));
  return {
    name,
    chosen: () => box.value,
    choose: (value) => { box.value = values.includes(value) ? value : ""; },
    keeps: (row) => !box.value || shown(row[at]) === box.value,
    element: (changed) => fill(box, { on: { change: changed } }),
  };
};
