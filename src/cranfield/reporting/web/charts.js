// --- Charts: each draws numbers of the page into a container of some width ------------------------------------------------
const charts = {};

charts.lines = (figure, container, width) => {
  const view = sized(width, 10), names_ = figure.series.map(([name]) => name);
  const top = legend(view, names_, width, (at, x, y) => [
    draw("line", { class: `curve ${series(at)} d${at % 6}`, x1: x, x2: x + 22, y1: y, y2: y }), drawShape(at, x + 11, y, 3)]) + 20;
  const box = { left: 46, right: width - 12, top, bottom: top + (paper ? 170 : 240) }; // on paper, two to a page and more
  const all = figure.series.flatMap(([, points]) => points);
  const [x0, x1] = extent(all.map((point) => point[0]));
  const marked = figure.marks.filter(([axis]) => axis === "y").map(([, value]) => value);
  const [y0, y1] = padded(extent([...all.flatMap((point) => point.slice(1)), ...marked]));
  const low = figure.percent || y0 > -0.2 ? Math.max(0, y0) : y0;
  const x = scale(x0, x1, box.left, box.right), y = scale(low, y1, box.bottom, box.top);
  xAxis(view, x, ticks(x0, x1, Math.max(3, width / 110)), figure.x, box);
  const up = ticks(low, y1, 5);
  yAxis(view, y, up, figure.y, box, figure.percent ? (mark) => `${digits(100 * mark, countDecimals(up.map((mark) => Number((100 * mark).toPrecision(8)))))}%` : undefined);
  figure.series.forEach(([name, points], at) => {
    const known = points.filter((point) => point[1] !== null);
    const path = known.map((point, index) => (index === 0 ? "M" : figure.step ? `H${x(point[0])}V` : "L") + (index && figure.step ? y(point[1]) : `${x(point[0])},${y(point[1])}`)).join("");
    view.append(draw("path", { class: `curve ${series(at)} d${at % 6}`, d: path }));
    if (figure.step) return;
    const ended = figure.band ? known.filter((point) => typeof point[2] === "number") : [], ends = (from, by) => from.map((point) => `${x(point[0])},${y(Math.max(low, point[by]))}`).join("L");
    if (ended.length) view.append(draw("path", { class: `band ${series(at)}`, d: `M${ends(ended, 3)}L${ends([...ended].reverse(), 2)}Z` }));
    for (const [px, py, below, above, hollow] of known) {
      if (typeof below === "number" && !figure.band) view.append(draw("line", { class: `bar ${series(at)}`, x1: x(px), x2: x(px), y1: y(Math.max(low, below)), y2: y(above) }));
      view.append(drawShape(at, x(px), y(py), 3.2, { class: `mark ${series(at)}${hollow ? " hollow" : ""}`, "data-tip": `${name}\n${figure.x} ${px}\n${figure.y} ${figure.percent ? digits(100 * py, 2) + "%" : digits(py, 3)}` }));
    }
  });
  // Above the curves, so that what a line is called can be read.
  for (const [axis, value, name] of figure.marks) {
    const where = axis === "x" ? { x1: x(value), x2: x(value), y1: box.top, y2: box.bottom } : { x1: box.left, x2: box.right, y1: y(value), y2: y(value) };
    view.append(draw("line", { class: "rule", ...where }));
    if (axis === "x") { view.append(drawText(name, x(value) + 4, box.top + 10, { class: "quiet" })); continue; }
    // Along the line, above or below it, where the curves are farthest away.
    const length = widest([name]), points = figure.series.flatMap(([, known]) => along(known.filter((point) => point[1] !== null).map((point) => [x(point[0]), y(point[1])])));
    const room = ([left, base]) => Math.min(...points.map(([px, py]) => Math.hypot(Math.max(left - px, px - left - length, 0), Math.max(base - 9 - py, py - base, 0))));
    const free = [0, 1, 2, 3, 4].flatMap((part) => [-4, 13].map((down) => [box.left + 4 + (part / 4) * (box.right - box.left - length - 8), y(value) + down]))
      .filter(([, base]) => base < box.bottom - 2 && base > box.top + 3);
    const best = free.reduce((a, b) => (room(b) > room(a) + 1 ? b : a), free[0] || [box.left + 4, y(value) - 4]);
    view.append(drawText(name, best[0], best[1], { class: "quiet" }));
  }
  finish(view, container, box.bottom + 40);
};

charts.matrix = (figure, container, width) => {
  const count = figure.names.length, left = Math.min(130, 12 + widest(figure.names)), down = 26;
  const length = Math.min(120, widest(figure.names)), wideFor = (room) => Math.max(26, Math.min(74, (width - left - room) / count));
  // Names that are rotated end to the right of their column, the last one to the right of all cells.
  const tilted = length > wideFor(8) - 4, across = wideFor(tilted ? 0.71 * length : 8);
  const top = tilted ? 20 + 0.75 * length : 22;
  const view = sized(Math.min(width, left + across * count + (tilted ? 0.71 * length : 8)), top + down * count + 8);
  const [low, high] = extent(figure.values.flat());
  figure.names.forEach((name, a) => {
    view.append(drawText(fitted(name, left - 10), left - 6, top + down * (a + 0.5) + 4, { "text-anchor": "end" }));
    const middle = left + across * (a + 0.5);
    view.append(drawText(fitted(name, 120), middle, top - 6, tilted ? { transform: `rotate(-45 ${middle} ${top - 6})` } : { "text-anchor": "middle" }));
    figure.names.forEach((against, b) => {
      const value = figure.values[a][b];
      if (value === null) return;
      const share = high === low ? 1 : 0.08 + 0.92 * (value - low) / (high - low); // the largest number is the strongest
      view.append(draw("rect", { class: "cell", x: left + across * b, y: top + down * a, width: across - 1, height: down - 1,
        "fill-opacity": share * 0.55, "data-tip": `${name} and ${against}\n${digits(value, 3)}` }));
      view.append(drawText(digits(value, 2), left + across * (b + 0.5), top + down * (a + 0.5) + 4, { "text-anchor": "middle" }));
    });
  });
  finish(view, container);
};

// A line for each row with its name, one or two of them, above the lower axis.
const drawRows = (view, width, names_, title, values, top, right, tall = 24, whole = false) => {
  // Where two names of a row have no room beside each other, they stand below each other.
  const room = width * 0.4, splitName = (name) => (14 + measureText(name) > room ? name.split(" · ") : [name]);
  const left = Math.min(room, 14 + widest(names_.flatMap(splitName))), down = names_.some((name) => splitName(name).length > 1) ? 34 : tall;
  const box = { left, right: width - right, top, bottom: top + down * names_.length };
  const [low, high] = padded(extent(values));
  const x = scale(low, high, box.left, box.right), marks = ticks(low, high, Math.max(3, width / 130)).filter((mark) => !whole || Number.isInteger(mark));
  xAxis(view, x, marks, title, box);
  names_.forEach((name, row) => {
    const y = top + down * (row + 0.5);
    view.append(draw("line", { class: "grid", x1: box.left, x2: box.right, y1: y, y2: y }));
    splitName(name).forEach((line, at, { length }) => {
      view.append(drawText(fitted(line, left - 12), left - 8, y + 4 + 11 * (at - (length - 1) / 2), { "text-anchor": "end" }));
    });
  });
  return { box, x, down };
};
charts.strips = (figure, container, width) => {
  const view = sized(width, 10), kinds = figure.kinds;
  const top = legend(view, kinds, width, (at, x, y) => [drawShape(at, x + 11, y, 4)]) + 8;
  const { box, x, down } = drawRows(view, width, figure.rows, figure.x, figure.marks.flatMap((mark) => mark.slice(2, 5)), top, figure.numbered ? 54 : 14);
  for (const [row, kind, value, below, above, system] of figure.marks) {
    if (value === null) continue;
    const y = top + down * (row + 0.5), who = system === undefined || system === null ? `${figure.rows[row]}\n${kinds[kind]}` : getName("system", system);
    if (typeof below === "number") view.append(draw("line", { class: "bar", x1: x(below), x2: x(above), y1: y, y2: y }));
    const href = system === undefined || system === null ? null : makeAddress("system", system);
    view.append(drawShape(kind, x(value), y, 4.5, { "data-tip": `${who}\n${digits(value)}`, "data-href": href }));
    if (figure.numbered && !href) view.append(drawText(digits(value, 3), x(value) + 9, y + 4));
  }
  finish(view, container, box.bottom + 40);
};

// A bar for each system, higher than the point in it; thin lines and ticks beside it.
charts.intervals = (figure, container, width) => {
  const view = sized(width, 10), tick = (x, y) => draw("line", { class: "tick", x1: x, x2: x, y1: y - 6, y2: y + 6 });
  const line = (kind, from, to, y) => draw("line", { class: kind, x1: from, x2: to, y1: y, y2: y });
  const kinds = [[figure.value, (x, y) => draw("circle", { class: "point", cx: x + 11, cy: y, r: 2.4 })], [figure.interval, (x, y) => line("interval", x, x + 22, y)],
    [figure.outer, (x, y) => line("outer", x, x + 22, y)], [figure.tick, (x, y) => tick(x + 11, y)]].filter(([name]) => name);
  const top = legend(view, kinds.map(([name]) => name), width, (at, x, y) => [kinds[at][1](x, y)]) + 8;
  const rows = figure.rows.map(([system]) => getName("system", system));
  const { box, x, down } = drawRows(view, width, rows, figure.x, figure.rows.flatMap((row) => row.slice(1)), top, 14, rows.length > 50 ? 16 : 22, figure.whole);
  const written = (value) => digits(value, figure.whole ? 0 : 4), ends = (a, b) => (a === null ? "–" : `${written(a)} to ${written(b)}`);
  figure.rows.forEach(([system, value, low, high, least, most, beside, note], row) => {
    if (value === null) return;
    const y = top + down * (row + 0.5);
    const lines = [rows[row], `${figure.value} ${written(value)}`, `${figure.interval}: ${ends(low, high)}`, ...(figure.outer ? [`${figure.outer}: ${ends(least, most)}`] : []), ...(figure.tick && beside !== null ? [`${figure.tick}: ${written(beside)}`] : []), ...(note ? [note] : [])];
    view.append(draw("rect", { class: "hit", x: 0, width, y: y - down / 2, height: down, "data-tip": lines.join("\n"), "data-href": makeAddress("system", system) }));
    if (low !== null) view.append(line("interval", x(low), x(high), y));
    if (least !== null) view.append(line("outer", x(least), x(most), y));
    view.append(draw("circle", { class: "point", cx: x(value), cy: y, r: 2.4 }));
    if (beside !== null) view.append(tick(x(beside), y));
  });
  finish(view, container, box.bottom + 40);
};

let clips = 0;
charts.points = (figure, container, width) => {
  const square = figure.diagonal, wide_ = square ? Math.min(width, 520) : width, kind = figure.kind;
  const height = square ? wide_ + 8 : Math.max(280, Math.min(440, width * (paper ? 0.48 : 0.62))), view = sized(wide_, height);
  const box = { left: 46, right: wide_ - 14, top: 26, bottom: height - 42 };
  const known = figure.points.filter(([, x, y]) => x !== null && y !== null), spread = (at) => padded(extent(known.flatMap((point) => (square ? point.slice(1, 3) : [point[at]]))), 0.08);
  const [x0, x1] = spread(1), [y0, y1] = spread(2);
  const x = scale(x0, x1, box.left, box.right), y = scale(y0, y1, box.bottom, box.top);
  xAxis(view, x, ticks(x0, x1, Math.max(3, width / 130)), figure.x, box);
  yAxis(view, y, ticks(y0, y1, 5), figure.y, box);
  const clip = `clip-${(clips += 1)}`;
  view.append(draw("clipPath", { id: clip }, draw("rect", { x: box.left, y: box.top, width: box.right - box.left, height: box.bottom - box.top })));
  const groups = [...new Set(figure.contours.map((line) => line[0]))];
  for (const [gamma, level, ax, ay, bx, by] of figure.contours) {
    view.append(draw("line", { class: `contour d${groups.indexOf(gamma) % 6}`, "clip-path": `url(#${clip})`, x1: x(ax), y1: y(ay), x2: x(bx), y2: y(by), "data-tip": `${figure.group} ${gamma}: ${level}` }));
  }
  if (square) view.append(draw("line", { class: "rule", x1: x(x0), y1: y(x0), x2: x(x1), y2: y(x1) }));
  const [least, most] = extent(known.map((point) => point[3])), shaded = (shade) => (figure.shade && typeof shade === "number" ? 0.25 + 0.75 * (most === least ? 1 : (shade - least) / (most - least)) : 0.85);
  const taken = known.map(([, px, py]) => ({ left: x(px) - 6, right: x(px) + 6, y: y(py) }));
  for (const [at, px, py, shade, note, href] of known) {
    const text = [getName(kind, at), `${figure.x} ${digits(px)}`, `${figure.y} ${digits(py)}`, ...(figure.shade ? [`${figure.shade} ${score(shade)}`] : []), ...(note ? [note] : [])].join("\n");
    view.append(draw("circle", { class: "dot", cx: x(px), cy: y(py), r: square ? 4 : 5.5, "fill-opacity": shaded(shade), "data-tip": text, "data-href": href ?? makeAddress(kind, at) }));
  }
  // Of topics, those that differ most; a name stands where it covers nothing.
  for (const [at, px, py] of square ? known.slice(0, 40) : known) {
    const name = fitted(getName(kind, at), 150), wide = measureText(name);
    const centred = x(px) - wide / 2;
    for (const [from, down] of [[x(px) + 9, 0], [x(px) - 9 - wide, 0], [centred, -13], [centred, 13]]) {
      const mine = { left: from, right: from + wide, y: y(py) + down };
      const clash = taken.some((label) => Math.abs(label.y - mine.y) < 13 && label.left < mine.right && mine.left < label.right);
      if (clash || mine.left < box.left || mine.right > box.right || mine.y < box.top || mine.y > box.bottom - 6) continue;
      taken.push(mine);
      view.append(drawText(name, from, mine.y + 4, { class: "label" }));
      break;
    }
  }
  finish(view, container);
  if (groups.length) container.prepend(drawLegend(groups.map((gamma) => `${figure.group} ${gamma}`), width, (at, lx, ly) => [draw("line", { class: `contour d${at % 6}`, x1: lx, x2: lx + 22, y1: ly, y2: ly })]));
  if (figure.shade && most > least) container.prepend(drawLegend([least, most].map((shade) => `${figure.shade} ${digits(shade)}`), width, (at, lx, ly) => [draw("circle", { class: "dot", cx: lx + 11, cy: ly, r: 5.5, "fill-opacity": shaded([least, most][at]) })]));
};
const drawLegend = (entries, width, mark) => {
  const view = sized(width, 10), height = legend(view, entries, width, mark);
  fill(view, { height, viewBox: `0 0 ${width} ${height}` });
  return view;
};

const SHEET = 63; // leaves of a tree on one sheet of paper
charts.tree = (figure, container, width) => {
  const down = paper ? 13 : 17, leaves = figure.leaves.map((at) => getName("system", at));
  const left = Math.min(width * 0.42, 14 + widest(leaves)), right = width - 14, top = 18;
  const high = largest(figure.joints.map((joint) => joint[0]), 0) || 1, marks = ticks(0, high * 1.03, Math.max(3, width / 130));
  const x = scale(0, high * 1.03, left, right);
  // The rows from one to another, with the scale below and, of a tall tree, above.
  const part = (from, to) => {
    const box = { left, right, top, bottom: top + down * (to - from) }, view = sized(width, box.bottom + 40);
    const y = (row) => top + down * (row - from + 0.5), clip = `clip-${(clips += 1)}`;
    xAxis(view, x, marks, figure.x, box);
    if (to - from > 30) for (const mark of marks) view.append(drawText(digits(mark, countDecimals(marks)), x(mark), top - 6, { "text-anchor": "middle" }));
    for (let row = from; row < to; row += 1) view.append(drawText(fitted(leaves[row], left - 12), left - 8, y(row) + 4, { "text-anchor": "end", "data-href": makeAddress("system", figure.leaves[row]), "data-tip": leaves[row] }));
    const branches = draw("g", { "clip-path": `url(#${clip})` });
    for (const [at, a, aAt, b, bAt] of figure.joints) {
      if (Math.max(a, b) < from || Math.min(a, b) > to) continue;
      branches.append(draw("path", { class: "branch", d: `M${x(aAt)},${y(a)}H${x(at)}V${y(b)}H${x(bAt)}` }));
    }
    view.append(draw("clipPath", { id: clip }, draw("rect", { x: 0, y: top, width, height: box.bottom - top })), branches);
    return view;
  };
  const sheets = paper ? Math.ceil(leaves.length / SHEET) : 1, rows = Math.ceil(leaves.length / sheets);
  finish(Array.from({ length: sheets }, (_, at) => part(at * rows, Math.min(leaves.length, (at + 1) * rows))), container);
};

const finish = (drawn, container, height) => {
  const views = [drawn].flat();
  if (height) fill(views[0], { height, viewBox: `0 0 ${views[0].getAttribute("width")} ${height}` });
  container.replaceChildren(...views);
  container.closest("figure").classList.toggle("sheets", views.length > 1);
  deferUnseen(container.parentElement, views.reduce((sum, view) => sum + Number(view.getAttribute("height")), 24));
};
