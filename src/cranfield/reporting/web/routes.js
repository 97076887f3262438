// --- What fails takes nothing else down: its place says so, and the console has the error -----------------------------
const failed = (what) => make("p", { class: "missing" }, `${what} could not be drawn; the console of the browser has the error.`);
const isolated = (task, all, otherwise = () => {}) => {
  try { return task(all); } catch (error) { console.error(error); return otherwise(); }
};
const guarded = (what, parts) => isolated(parts, null, () => [failed(what)]);
// --- Pages of systems, topics and pairs, by what is behind # in the address -------------------------------------------
const view = make("div", { id: "view", hidden: "" });
const home = make("div", { id: "report" });
let turn = 0;

const heading = (text, ...more_) => make("div", { class: "head-of" }, make("h2", { id: "view-title", tabindex: "-1" }, make("bdi", {}, text)), ...more_);
const routes = {
  system: ([at], all) => systemView(at, all),
  topic: ([at], all) => topicView(at, all),
  compare: ([left, right, topic = null], all) => compareView(left, right, topic, all),
};
// What an address behind #/ names, by index: kind, indexes, and the first name that this page does not have.
const parseAddress = () => {
  const [kind, ...written] = location.hash.slice(2).split("/"), parts = Object.hasOwn(PARTS, kind) ? PARTS[kind] : null;
  if (!parts || !data.measures.length || written.length < Math.min(2, parts.length)) return { kind, unknown: null };
  // A name with a slash may be written as it is where nothing follows it.
  const namesWritten = parts.length === 1 ? [decoded(written.join("/"))] : written.map(decoded);
  if (namesWritten.length > parts.length) return { kind, unknown: null };
  const indexes = namesWritten.map((name, part) => findIndex(parts[part], name)), missing = indexes.indexOf(undefined);
  return missing < 0 ? { kind, indexes } : { kind, unknown: [parts[missing], namesWritten[missing]] };
};
const premises = () => data.head.premises.map((text) => make("p", { class: "quiet" }, text));
const unknownView = (kind, unknown) => [back("leaderboard", "Report"), heading("Not on this page"),
  make("p", { class: "missing" }, ...(unknown ? [`There is no ${getNoun(unknown[0])} `, make("bdi", {}, unknown[1].slice(0, 200)), " on this page."]
    : data.measures.length && Object.hasOwn(PARTS, kind) ? [`The address of this page needs ${kind === "compare" ? `the names of two systems, and may name one ${unit} of both` : `the name of a ${getNoun(kind)}`}.`]
      : ["This page has nothing at the address ", make("bdi", {}, decoded(location.hash).slice(0, 200)), "."]))];
const beforeFollowing = []; // what shows first that an address names
const follow = async (event) => {
  const mine = ++turn, wanted = location.hash.startsWith("#/") && location.hash.length > 2;
  const { kind, indexes, unknown } = wanted ? parseAddress() : {};
  tip.hidden = true;
  for (const anchor of document.querySelectorAll("#contents a")) anchor.toggleAttribute("aria-current", wanted && anchor.dataset.kind === kind);
  if (!wanted) {
    const before = view.hidden;
    view.hidden = true;
    home.hidden = document.getElementById("top").hidden = false;
    if (!before) redraw();
    for (const prepare of beforeFollowing) prepare();
    const target = anchored();
    const state = event && target?.follow ? getTableState(target.id.slice("table-".length)) : null;
    if (state) target.follow(state);
    if (target && (!before || event)) target.scrollIntoView();
    return;
  }
  const all = await more();
  if (mine !== turn) return;
  const same = !view.hidden && view.dataset.kind === kind && kind === "compare";
  const scrolled = scrollY;
  home.hidden = document.getElementById("top").hidden = true;
  view.hidden = false;
  view.dataset.kind = kind;
  view.replaceChildren(make("h1", { class: "of" }, data.title), ...premises(), ...(indexes ? guarded("This page", () => routes[kind](indexes, all)) : unknownView(kind, unknown)));
  drawIn(view, all);
  fitTables(view);
  if (same) scrollTo(0, scrolled);
  else {
    scrollTo(0, 0);
    document.getElementById("view-title")?.focus({ preventScroll: true });
  }
  view.dataset.shown = location.hash;
};
addEventListener("hashchange", follow);

// --- Figures: drawn when their place has a width, again when it changes ------------------------------------------------
const repaint = new Map();
const PAPER = 670; // pixels between the edges of a figure on A4
let paper = false; // whether the page is being printed
const drawFigure = (element, all) => {
  const container = element.querySelector(".place"), room = container.parentElement.clientWidth - 28, width = paper ? PAPER : room;
  if (room < 60 || element.dataset.width === String(width)) return;
  element.dataset.width = width;
  repaint.delete(element);
  element.dataset.drawn = "no";
  isolated(() => {
    const again = charts[element.figure.form](element.figure, container, width, all);
    if (again) repaint.set(element, again);
    element.describe();
    element.dataset.drawn = "yes";
  }, all, () => container.replaceChildren(failed("This figure")));
};
const drawIn = (where, all) => { for (const element of where.querySelectorAll("figure")) if (element.figure) drawFigure(element, all); };
const redraw = async () => {
  const all = await more();
  drawIn(view.hidden ? home : view, all);
};
// Charts are drawn for paper when the page is printed, and for the screen again afterwards.
const printing = (now) => {
  if (paper === now || !unpacked) return;
  paper = now;
  drawIn(view.hidden ? home : view, unpacked);
};
addEventListener("beforeprint", () => printing(true));
addEventListener("afterprint", () => printing(matchMedia("print").matches));
let resized = null;
addEventListener("resize", () => { clearTimeout(resized); resized = setTimeout(redraw, 120); });

const STYLED = ["fill", "stroke", "stroke-width", "stroke-dasharray", "fill-opacity", "stroke-opacity", "opacity", "font-size", "font-family", "font-weight", "text-anchor", "paint-order", "stroke-linejoin"];
// A chart as one SVG that needs no style of the page: the parts of it side by side, with their colours written out.
const drawing = (element) => {
  const container = element.querySelector(".place"), from = container.getBoundingClientRect();
  const paper = getComputedStyle(document.body).backgroundColor;
  const parts = [...container.querySelectorAll("svg, canvas")].map((part) => {
    const spot = part.getBoundingClientRect(), scroll = part.closest(".wide, .grid-of");
    const x = spot.left - from.left + (scroll && !part.closest(".stay, .side") ? scroll.scrollLeft : 0), y = spot.top - from.top + (scroll && !part.closest(".head") ? scroll.scrollTop : 0);
    if (part.tagName === "CANVAS") return { part: draw("image", { href: part.toDataURL(), x, y, width: part.width, height: part.height }), right: x + part.width, bottom: y + part.height };
    const copy = part.cloneNode(true), originals = part.querySelectorAll("*");
    copy.querySelectorAll("*").forEach((node, at) => {
      const style = getComputedStyle(originals[at]);
      for (const name of STYLED) node.setAttribute(name, style.getPropertyValue(name));
      node.removeAttribute("class");
      for (const name of ["data-tip", "data-href"]) node.removeAttribute(name);
    });
    fill(copy, { x, y });
    copy.removeAttribute("class");
    return { part: copy, right: x + spot.width, bottom: y + spot.height };
  });
  const width = Math.ceil(Math.max(...parts.map((part) => part.right))), height = Math.ceil(Math.max(...parts.map((part) => part.bottom))) + 24;
  const picture = draw("svg", { xmlns: "http://www.w3.org/2000/svg", width, height, viewBox: `0 -24 ${width} ${height}` });
  const ink = getComputedStyle(document.body).color;
  picture.append(draw("rect", { y: -24, width, height, fill: paper }), drawText(element.figure.title, 4, -8, { fill: ink, "font-family": "sans-serif", "font-size": "13px", "font-weight": "bold" }));
  picture.append(...parts.map((part) => part.part));
  return { text: new XMLSerializer().serializeToString(picture), width, height };
};
const figureView = (figure) => {
  const container = make("div", { class: "place" });
  const frame = make("div", { class: "canvas" }, container);
  // What scrolls can be focused, and nothing that is focused lies in an image.
  const describe = () => {
    for (const name of ["role", "tabindex", "aria-label"]) frame.removeAttribute(name);
    fill(frame.querySelector(".wide, .grid-of") ?? frame, { role: "img", tabindex: "0", "aria-label": `${figure.title}. ${figure.seen}` });
  };
  describe();
  const asSvg = () => save(`${figure.id}.svg`, drawing(element).text, "image/svg+xml");
  const asPng = () => {
    const { text, width, height } = drawing(element), image = new Image();
    image.onload = () => {
      const canvas = make("canvas", { width: 2 * width, height: 2 * height });
      canvas.getContext("2d").drawImage(image, 0, 0, 2 * width, 2 * height);
      canvas.toBlob((blob) => save(`${figure.id}.png`, blob, "image/png"));
    };
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  };
  const element = make("figure", { id: `figure-${figure.id}` },
    make("div", { class: "bar" }, make("h3", {}, figure.title),
      make("button", { type: "button", "aria-label": `SVG of ${figure.title}`, on: { click: asSvg } }, "SVG"),
      make("button", { type: "button", "aria-label": `PNG of ${figure.title}`, on: { click: asPng } }, "PNG")),
    frame, make("figcaption", {}, make("p", {}, figure.seen), ...(figure.notes ? [make("p", { class: "quiet" }, figure.notes, ...(figure.act ? [make("span", { class: "act" }, ` ${figure.act}`)] : []))] : [])));
  element.figure = figure;
  element.describe = describe;
  return element;
};
