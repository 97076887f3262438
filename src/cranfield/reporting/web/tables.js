// --- Tables: sorted by their heads, filtered, with columns to choose --------------------------------------------------
const MANY = 10;
const FIRST = 40; // rows of the first paint
const MORE = 120; // rows that follow at once; those of longer tables wait until they are scrolled to, printed or searched for
const PROSE = 32; // letters above which a column of text takes several lines
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
const keyOf = (cell, column) => {
  if (cell === null) return null;
  if (isName(column, cell)) return nameOf(column.kind, cell).toLowerCase();
  return typeof cell === "object" || typeof cell === "string" ? shown(cell).toLowerCase() : Number(cell);
};
const { compare: inWords } = new Intl.Collator("en", { numeric: true });
const compare = (a, b) => {
  if (a === null || b === null) return (a === null) - (b === null);
  if (typeof a === "number" && typeof b === "number") return a - b;
  return inWords(String(a), String(b));
};

// A point on a line from its low to its high end, on the scale of the head above it.
const PICTURE = { width: 150, height: 20, pad: 8 };
const pictureScale = (table, picture) => {
  const values = table.rows.flatMap((row) => picture.columns.map((at) => row[at])).filter((value) => typeof value === "number");
  const whole = table.columns[picture.columns[0]].kind === "whole";
  const low = Math.min(...values), high = Math.max(...values);
  const marks = ticks(low, high, 5, 2).filter((tick) => !whole || Number.isInteger(tick));
  if (whole && !marks.includes(1)) marks.unshift(1);
  const at = scale(low, high, PICTURE.pad, PICTURE.width - PICTURE.pad);
  return { at, marks: marks.filter((tick) => tick >= low && tick <= high), places: whole ? 0 : placesOf(marks) };
};
const pictureHead = (found) => {
  const view = draw("svg", { class: "scale", width: PICTURE.width, height: 14, viewBox: `0 0 ${PICTURE.width} 14`, "aria-hidden": "true" });
  for (const tick of found.marks) {
    view.append(draw("text", { x: found.at(tick), y: 10, "text-anchor": "middle" }, digits(tick, found.places)));
  }
  return view;
};
const pictureCell = (table, row, picture, found) => {
  const [value, low, high] = picture.columns.map((at) => row[at]);
  const view = draw("svg", { width: PICTURE.width, height: PICTURE.height, viewBox: `0 0 ${PICTURE.width} ${PICTURE.height}`, "aria-hidden": "true" });
  for (const tick of found.marks) view.append(draw("line", { class: "grid", x1: found.at(tick), x2: found.at(tick), y1: 0, y2: PICTURE.height }));
  if (low !== null && high !== null) view.append(draw("line", { class: "interval", x1: found.at(low), x2: found.at(high), y1: 10, y2: 10 }));
  if (value !== null) view.append(draw("circle", { class: "point", cx: found.at(value), cy: 10, r: 3.2 }));
  const places = table.columns[picture.columns[0]].kind === "whole" ? 0 : 4;
  const said = value === null ? "" : `${digits(value, places)}` + (low === null ? "" : `, ${digits(low, places)} to ${digits(high, places)}`);
  return make("td", { class: "picture", "data-tip": said }, view);
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

const tableView = (table, options = {}) => {
  const { level = "h3", filters = [], first = null } = options;
  const columns = table.columns, body = make("tbody");
  const hidden = new Set(columns.map((column, at) => (column.hidden ? at : -1)).filter((at) => at >= 0));
  const pictures = (table.pictures || []).map((picture) => ({ ...picture, found: pictureScale(table, picture) }));
  const prose = new Set(columns.map((column, at) => at).filter((at) => columns[at].kind === "text" && table.rows.some((row) => row[at] !== null && shown(row[at]).length > PROSE)));
  const lines = table.rows.map((row) => ({ row, tr: null }));
  const rowOf = (line) => {
    if (line.tr) return line.tr;
    line.tr = make("tr");
    if (first) line.tr.append(first(line.row));
    line.row.forEach((cell, at) => {
      for (const picture of pictures) if (picture.before === at) line.tr.append(pictureCell(table, line.row, picture, picture.found));
      const column = columns[at];
      let td;
      if (isName(column, cell)) td = nameCell(column.kind, cell, first !== null);
      else {
        td = make("td", LEFT.has(column.kind) ? { class: prose.has(at) ? "text prose" : "text" } : {}, column.kind === "text" ? make("bdi", {}, format(cell, column.kind)) : format(cell, column.kind));
        if (LEFT.has(column.kind) && td.textContent.length > 30) td.title = td.textContent;
      }
      td.dataset.column = at;
      td.hidden = hidden.has(at);
      line.tr.append(td);
    });
    return line.tr;
  };
  const textOf = (line) => (line.text ??= line.row.map((cell, at) =>
    (isName(columns[at], cell) ? nameOf(columns[at].kind, cell) : format(cell, columns[at].kind))).join(" ").toLowerCase());
  const count = make("span", { class: "count", role: "status" });
  let sorted = { at: -1, down: false }, wanted = "", turn = 0, rest = [];
  // As much room below as the rows take that are not there yet.
  const room = make("tr", { class: "rest", "aria-hidden": "true" }, make("td", { colspan: columns.length + pictures.length + (first ? 1 : 0) }));
  let tall = 0;
  const add = (many) => {
    if (!room.isConnected) tall = body.offsetHeight / body.childElementCount || 28;
    room.remove();
    body.append(...rest.splice(0, many).map(rowOf));
    if (!rest.length) return;
    room.firstChild.style.height = `${rest.length * tall}px`;
    body.append(room);
  };
  const near = () => {
    const short = rows.scrollTop + rows.clientHeight + 600 - room.offsetTop;
    if (rest.length && room.isConnected && short > 0) add(Math.max(MORE, Math.ceil(short / tall)));
  };
  const show = (now) => {
    const kept = lines.filter((line) => (!wanted || textOf(line).includes(wanted)) && filters.every((filter) => filter.keeps(line.row)));
    const mine = ++turn;
    rest = kept.slice(now);
    body.replaceChildren(...kept.slice(0, now).map(rowOf));
    if (rest.length) setTimeout(() => { if (mine === turn) add(MORE); });
    const all = counted(lines.length, "row");
    count.textContent = kept.length < lines.length ? `${number(kept.length)} of ${all}` : all;
  };
  const heads = columns.map((column, at) => make("th", { scope: "col", class: LEFT.has(column.kind) ? "text" : "", "aria-sort": "none", "data-column": at, "data-name": shown(column.name) },
    make("button", { type: "button", title: column.meaning || null, on: { click: () => sort(at) } }, shown(column.name))));
  const sort = (at) => {
    const numeric = lines.some((line) => typeof keyOf(line.row[at], columns[at]) === "number");
    sorted = { at, down: sorted.at === at ? !sorted.down : numeric && columns[at].kind !== "whole" };
    const sign = sorted.down ? -1 : 1;
    for (const line of lines) line.key = keyOf(line.row[at], columns[at]);
    lines.sort(({ key: a }, { key: b }) => (a === null || b === null ? compare(a, b) : sign * compare(a, b)));
    heads.forEach((head, place) => head.setAttribute("aria-sort", place === at ? (sorted.down ? "descending" : "ascending") : "none"));
    show(FIRST);
  };
  const head = make("tr");
  if (first) head.append(make("th", { scope: "col", class: "text pick" }, make("span", { class: "hint" }, "compare")));
  columns.forEach((column, at) => {
    for (const picture of pictures) if (picture.before === at) head.append(make("th", { class: "picture", scope: "col" }, make("div", {}, picture.name), pictureHead(picture.found)));
    heads[at].hidden = hidden.has(at);
    head.append(heads[at]);
  });
  show(FIRST);

  const bar = make("div", { class: "bar" }, make(level, { id: `title-${table.id}` }, table.title), count);
  if (table.rows.length > MANY) {
    bar.append(make("input", { type: "search", placeholder: "Filter rows", "aria-label": `Filter ${table.title}`,
      on: { input: (event) => { wanted = event.target.value.toLowerCase(); show(FIRST); } } }));
  }
  for (const filter of filters) bar.append(filter.element(() => show(FIRST)));
  if (hidden.size) {
    const choose = (at) => (event) => {
      if (event.target.checked) hidden.delete(at); else hidden.add(at);
      heads[at].hidden = hidden.has(at);
      for (const line of lines) if (line.tr) line.tr.querySelector(`[data-column="${at}"]`).hidden = hidden.has(at);
    };
    bar.append(make("details", { class: "columns" }, make("summary", {}, "Columns"), make("div", {}, ...columns.map((column, at) => {
      const box = make("input", { type: "checkbox", on: { change: choose(at) } });
      box.checked = !hidden.has(at);
      return make("label", { title: column.meaning || null }, box, ` ${shown(column.name)}`);
    }))));
  }
  bar.append(make("button", { type: "button", "aria-label": `CSV of ${table.title}`, on: { click: () => save(`${table.id}.csv`, csv(table), "text/csv") } }, "CSV"));
  const explained = columns.filter((column) => column.meaning);
  const meanings = explained.length ? [make("details", { class: "meanings" }, make("summary", {}, "What the columns say"),
    make("dl", {}, ...explained.map((column) => make("div", {}, make("dt", {}, shown(column.name)), make("dd", {}, column.meaning)))))] : [];
  const rows = make("div", { class: "scroll", tabindex: "0", role: "region", "aria-labelledby": `title-${table.id}`, on: { scroll: near } },
      make("table", { "aria-labelledby": `title-${table.id}`, "aria-rowcount": lines.length > FIRST + MORE ? lines.length + 1 : null }, make("thead", {}, head), body));
  rows.finish = () => add(Infinity);
  if (table.rows.length > 100) restWhereUnseen(rows, 540);
  return make("div", { id: `table-${table.id}` }, bar, rows, ...meanings);
};

// A choice among the values of a column.
const chosenFrom = (label, at, values) => {
  let wanted = "";
  return {
    keeps: (row) => !wanted || shown(row[at]) === wanted,
    element: (changed) => make("select", { "aria-label": label, on: { change: (event) => { wanted = event.target.value; changed(); } } },
      make("option", { value: "" }, label), ...values.map((value) => make("option", { value }, value))),
  };
};
