"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const MANY = 10;
  const names = { system: data.systems, topic: data.topics };
  const byLabel = { system: new Map(), topic: new Map() };
  for (const kind of ["system", "topic"]) names[kind].forEach((name, at) => byLabel[kind].set(name[2], at));
  const chosen = { system: null, topic: null };
  const rowsOf = { system: new Map(), topic: new Map() };
  const views = [];

  const make = (tag, options = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [key, value] of Object.entries(options)) {
      if (key === "class") element.className = value;
      else if (key === "on") for (const [event, handler] of Object.entries(value)) element.addEventListener(event, handler);
      else if (value !== null && value !== undefined) element.setAttribute(key, value);
    }
    element.append(...children);
    return element;
  };
  const shown = (cell) => (Array.isArray(cell) ? cell[0] : String(cell));
  const field = (cell) => (Array.isArray(cell) ? cell[1] : String(cell));
  const isName = (column, cell) => column.kind in names && typeof cell === "number";

  // --- Files -------------------------------------------------------------------------------------------------------
  const save = (name, text, type) => {
    const url = URL.createObjectURL(text instanceof Blob ? text : new Blob([text], { type }));
    const link = make("a", { href: url, download: name });
    document.body.append(link);
    link.click();
    link.remove();
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

  // --- Tables ------------------------------------------------------------------------------------------------------
  const LEFT = new Set(["text", "system", "topic", "truth"]);
  const format = (cell, kind) => {
    if (cell === null) return "–";
    if (kind === "truth") return cell ? "yes" : "no";
    if (typeof cell !== "number") return shown(cell);
    if (kind === "whole") return cell.toLocaleString("en");
    if (kind === "share") return (100 * cell).toFixed(1) + "%";
    if (kind === "p" && cell > 0 && cell < 5e-5) return "<.0001";
    const text = cell.toFixed(4);
    return text === "-0.0000" ? "0.0000" : text;
  };
  const nameCell = (kind, at) =>
    make("td", { class: "text name pin" }, make("button", {
      type: "button", "data-kind": kind, "data-at": at, title: names[kind][at][0], on: { click: () => choose(kind, at) },
    }, make("bdi", {}, names[kind][at][0])));
  const tableRow = (table, row) => {
    const tr = make("tr");
    row.forEach((cell, at) => {
      const column = table.columns[at];
      if (isName(column, cell)) {
        tr.append(nameCell(column.kind, cell));
        if (!rowsOf[column.kind].has(cell)) rowsOf[column.kind].set(cell, new Set());
        rowsOf[column.kind].get(cell).add(tr);
      } else {
        const td = make("td", LEFT.has(column.kind) ? { class: "text" } : {}, format(cell, column.kind));
        if (LEFT.has(column.kind) && td.textContent.length > 30) td.title = td.textContent;
        tr.append(td);
      }
    });
    return tr;
  };
  const keyOf = (cell, column) => {
    if (cell === null) return null;
    if (isName(column, cell)) return names[column.kind][cell][0].toLowerCase();
    return typeof cell === "object" || typeof cell === "string" ? shown(cell).toLowerCase() : Number(cell);
  };
  const compare = (a, b) => {
    if (a === null || b === null) return (a === null) - (b === null);
    if (typeof a === "number" && typeof b === "number") return a - b;
    return String(a).localeCompare(String(b), "en", { numeric: true });
  };
  const tableView = (table, level = "h3") => {
    const body = make("tbody");
    const lines = table.rows.map((row) => ({ row, tr: tableRow(table, row) }));
    for (const line of lines) line.text = line.tr.textContent.toLowerCase();
    const count = make("span", { class: "count", role: "status" });
    let sorted = { at: -1, down: false };
    let wanted = "";
    const show = () => {
      const kept = lines.filter((line) => line.text.includes(wanted));
      body.replaceChildren(...kept.map((line) => line.tr));
      count.textContent = (wanted ? `${kept.length} of ` : "") + `${lines.length.toLocaleString("en")} ${lines.length === 1 ? "row" : "rows"}`;
    };
    const heads = table.columns.map((column, at) => make("th", { scope: "col", class: LEFT.has(column.kind) ? "text" : "", "aria-sort": "none" },
      make("button", { type: "button", title: column.meaning || null, on: { click: () => sort(at) } }, shown(column.name))));
    const sort = (at) => {
      const numeric = lines.some((line) => typeof keyOf(line.row[at], table.columns[at]) === "number");
      sorted = { at, down: sorted.at === at ? !sorted.down : numeric && table.columns[at].kind !== "whole" };
      const sign = sorted.down ? -1 : 1;
      lines.sort((one, other) => {
        const a = keyOf(one.row[at], table.columns[at]), b = keyOf(other.row[at], table.columns[at]);
        return a === null || b === null ? compare(a, b) : sign * compare(a, b);
      });
      heads.forEach((head, number) => head.setAttribute("aria-sort", number === at ? (sorted.down ? "descending" : "ascending") : "none"));
      show();
    };
    show();
    const bar = make("div", { class: "bar" }, make(level, { id: `title-${table.id}` }, table.title), count);
    if (table.rows.length > MANY) {
      bar.append(make("input", { type: "search", placeholder: "Filter rows", "aria-label": `Filter ${table.title}`,
        on: { input: (event) => { wanted = event.target.value.toLowerCase(); show(); } } }));
    }
    bar.append(make("button", { type: "button", "aria-label": `CSV of ${table.title}`, on: { click: () => save(`${table.id}.csv`, csv(table), "text/csv") } }, "CSV"));
    const prose = table.rows.some((row) => row.some((cell, at) => table.columns[at].kind === "text" && cell !== null && shown(cell).length > 70));
    return make("div", { id: `table-${table.id}` }, bar,
      make("div", { class: prose ? "scroll" : "scroll short", tabindex: "0", role: "region", "aria-labelledby": `title-${table.id}` },
        make("table", { "aria-labelledby": `title-${table.id}` }, make("thead", {}, make("tr", {}, ...heads)), body)));
  };

  // --- Choosing ----------------------------------------------------------------------------------------------------
  const panel = make("div", { id: "panel" });
  const choose = (kind, at) => {
    chosen[kind] = chosen[kind] === at ? null : at;
    refresh();
  };
  const refresh = () => {
    for (const kind of ["system", "topic"]) {
      document.querySelectorAll(`tr.chosen-${kind}`).forEach((tr) => tr.classList.remove("chosen", `chosen-${kind}`));
    }
    for (const kind of ["system", "topic"]) {
      for (const tr of rowsOf[kind].get(chosen[kind]) || []) tr.classList.add("chosen", `chosen-${kind}`);
    }
    document.querySelectorAll("td.name button").forEach((button) => {
      button.setAttribute("aria-pressed", String(chosen[button.dataset.kind] === Number(button.dataset.at)));
    });
    const bar = document.getElementById("chosen");
    const parts = ["system", "topic"].filter((kind) => chosen[kind] !== null);
    bar.replaceChildren(...(parts.length ? [make("div", {},
      ...parts.flatMap((kind) => [make("span", {}, `${kind} `, make("strong", {}, make("bdi", {}, names[kind][chosen[kind]][0]))),
        make("button", { type: "button", "aria-label": `Clear the ${kind}`, on: { click: () => choose(kind, chosen[kind]) } }, "Clear")]),
      make("a", { href: "#panel" }, "Show scores"))] : []));
    panel.replaceChildren(...parts.map(scoresOf));
    for (const view of views) highlight(view);
  };
  // A table of one system on all topics, or of all systems on one topic.
  const scoresOf = (kind) => {
    const other = kind === "system" ? "topic" : "system";
    const one = chosen[kind];
    const columns = [{ name: other, kind: other }, ...data.measures.map((name) => ({ name, kind: "number" }))];
    const rows = names[other].map((_, at) => [at, ...data.scores.map((block) => (kind === "system" ? block[one][at] : block[at][one]))]);
    const title = `Scores ${kind === "system" ? "of" : "on topic"} ${names[kind][one][0]}`;
    return tableView({ id: `scores-of-${kind}`, title, columns, rows });
  };

  // --- Charts ------------------------------------------------------------------------------------------------------
  const tip = make("div", { id: "tip", hidden: "" });
  const tooltip = (_, event, __, value) => {
    if (value === null || value === undefined || value === "") { tip.hidden = true; return; }
    const pairs = typeof value === "object" ? Object.entries(value) : [["", value]];
    tip.replaceChildren(...pairs.map(([key, text]) => make("div", {}, make("span", {}, key), make("span", {}, make("bdi", {}, String(text))))));
    tip.hidden = false;
    tip.style.left = Math.max(4, Math.min(event.clientX + 12, innerWidth - tip.offsetWidth - 8)) + "px";
    tip.style.top = Math.max(4, Math.min(event.clientY + 12, innerHeight - tip.offsetHeight - 8)) + "px";
  };
  const has = (view, name) => { try { view.signal(name); return true; } catch { return false; } };
  let highlighting = false;
  const highlight = (view) => {
    let changed = false;
    for (const kind of ["system", "topic"]) {
      if (!has(view, kind)) continue;
      const at = chosen[kind];
      const fields = view.signal(`${kind}_tuple_fields`);
      view.data(`${kind}_store`, at === null ? [] : [{ unit: "", fields, values: [names[kind][at][2]] }]);
      changed = true;
    }
    if (!changed) return;
    highlighting = true;
    view.runAsync().finally(() => { highlighting = false; });
  };
  const listen = (view) => {
    for (const kind of ["system", "topic"]) {
      if (!has(view, kind)) continue;
      view.addSignalListener(kind, (_, value) => {
        if (highlighting) return;
        const number = value && value[kind] && value[kind].length ? byLabel[kind].get(String(value[kind][0])) : null;
        const next = number === undefined ? null : number;
        if (next !== chosen[kind]) { chosen[kind] = next; setTimeout(refresh); }
      });
    }
  };
  const draw = async (figure, place) => {
    const wide = place.clientWidth > 520;
    const spec = structuredClone(!wide && figure.narrow ? figure.narrow : figure.spec);
    // Vega warns (2) of extents that are empty before data arrive; errors (1) are shown.
    const options = { logLevel: 1, mode: "vega", actions: false, ast: true, renderer: "canvas", defaultStyle: false, tooltip, hover: false };
    const result = await vegaEmbed(place, spec, options);
    views.push(result.view);
    listen(result.view);
    if (chosen.system !== null || chosen.topic !== null) highlight(result.view);
    return result.view;
  };
  const figureView = (figure) => {
    const place = make("div");
    const frame = make("div", { class: "canvas", role: "img", tabindex: "0", "aria-label": `${figure.title}. ${figure.description}` });
    frame.append(place);
    let view = null;
    const as = (kind) => async () => {
      if (view === null) return;
      if (kind === "svg") save(`${figure.id}.svg`, await view.toSVG(), "image/svg+xml");
      else {
        const canvas = await view.toCanvas(2);
        canvas.toBlob((blob) => save(`${figure.id}.png`, blob, "image/png"));
      }
    };
    const element = make("figure", { id: `figure-${figure.id}` }, frame, make("figcaption", {},
      make("details", {}, make("summary", {}, "Description"), make("p", {}, figure.description)),
      make("button", { type: "button", "aria-label": `SVG of ${figure.title}`, on: { click: as("svg") } }, "SVG"),
      make("button", { type: "button", "aria-label": `PNG of ${figure.title}`, on: { click: as("png") } }, "PNG")));
    waiting.push(async () => { view = await draw(figure, place); element.dataset.drawn = "yes"; });
    return element;
  };
  const waiting = [];

  // --- The page ----------------------------------------------------------------------------------------------------
  const PAIRED = new Set(["measures"]);
  const sectionView = (section) => {
    const element = make("section", { id: section.id, "aria-labelledby": `head-${section.id}` }, make("h2", { id: `head-${section.id}` }, section.title));
    for (const text of section.words) element.append(make("p", {}, text));
    if (section.command) element.append(make("pre", { tabindex: "0", "aria-label": "Command" }, section.command));
    for (const text of section.missing) element.append(make("p", { class: "missing" }, text));
    if (section.figures.length) {
      element.append(make("div", { class: PAIRED.has(section.id) ? "figures two" : "figures" }, ...section.figures.map(figureView)));
    }
    for (const table of section.tables) element.append(tableView(table));
    if (section.id === "leaderboard") element.append(panel);
    if (section.id === "provenance") {
      element.append(make("div", { class: "bar" }, make("h3", {}, "Signature"), make("button", { type: "button",
        on: { click: () => save("signature.json", data.signature, "application/json") } }, "Signature as JSON")));
    }
    return element;
  };
  const theme = (dark) => {
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    const button = document.getElementById("theme");
    button.setAttribute("aria-pressed", String(dark));
  };
  const prefers = matchMedia("(prefers-color-scheme: dark)");
  theme(prefers.matches);
  prefers.addEventListener("change", (event) => theme(event.matches));
  document.getElementById("theme").addEventListener("click", () => theme(document.documentElement.dataset.theme !== "dark"));
  document.getElementById("print").addEventListener("click", () => print());
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && (chosen.system !== null || chosen.topic !== null)) {
      chosen.system = chosen.topic = null;
      refresh();
    }
  });
  document.getElementById("main").replaceChildren(...data.sections.map(sectionView));
  document.getElementById("contents").append(...data.sections.map((section) => make("a", { href: `#${section.id}` }, section.title)));
  document.body.append(tip);
  (async () => {
    // One at a time, so that the page answers between them.
    for (const start of waiting) {
      await start();
      await new Promise((done) => setTimeout(done));
    }
    document.documentElement.dataset.ready = "yes";
  })();
})();
