// --- Charts with a column for each topic: wider than the page where they must be, with their axis always in sight ------
const AXIS = 52;
// What scrolls on a screen is made as small in print as a page of A4 needs: columns and rows get narrower, letters do not.
const TALLEST = 720; // pixels of a heat map's rows on a sheet of paper, below its title and above its caption
const wide = (container, width, options) => {
  const { count, low, high, title, top = 20, height = 230, least = 5, most = 56, getLabel, below = null } = options;
  const step = Math.max(paper ? 0 : least, Math.min(most, (width - AXIS - 12) / count));
  const room = Math.min(96, widest(Array.from({ length: count }, (_, at) => getLabel(at))) + 14), bottom = top + height;
  const y = scale(low, high, bottom, top), marks = ticks(low, high, 5);
  const left = sized(AXIS, bottom + room), view = sized(Math.ceil(step * count + 6), bottom + room);
  yAxis(left, y, marks, title, { left: AXIS, right: AXIS, top, bottom });
  for (const mark of marks) view.append(draw("line", { class: "grid", x1: 0, x2: step * count, y1: y(mark), y2: y(mark) }));
  fill(view, { width: Math.ceil(step * count + 12), viewBox: `-6 0 ${Math.ceil(step * count + 12)} ${bottom + room}` }); // room for half a name
  // Names are sampled where columns are narrower than a letter is high.
  const every = Math.ceil(13 / step);
  for (let at = 0; at < count; at += every) {
    const x = step * (at + 0.5);
    view.append(drawText(fitted(getLabel(at), room - 8), x + 4, bottom + 8, { "text-anchor": "end", transform: `rotate(-90 ${x + 4} ${bottom + 8})`, class: "small" }));
  }
  if (below !== null && below > low && below < high) view.append(draw("line", { class: "zero", x1: 0, x2: step * count, y1: y(below), y2: y(below) }));
  fill(left, { class: "stay" });
  container.replaceChildren(make("div", { class: "wide" }, left, view));
  // What answers the pointer, a column each, lies below the marks, which are one path of each kind: thousands of elements of
  // their own take longer to style and paint than a reader waits.
  const add = (at, options, kind = "hit") => view.append(draw("rect", { class: kind, x: step * at, width: step, y: top, height, ...options }));
  const rule = (value, name) => {
    view.append(draw("line", { class: "rule", x1: 0, x2: step * count, y1: y(value), y2: y(value) }));
    view.append(drawText(name, step * count - 4, y(value) - 5, { class: "quiet", "text-anchor": "end" }));
  };
  const finish = (marks, options = {}) => { for (const [kind, d] of marks.drawn()) view.append(draw("path", { class: `marks ${kind}`, d, ...options[kind] })); };
  return { y, step, x: (at) => step * (at + 0.5), add, finish, rule };
};
// Marks of several kinds, by name or number, each kind gathered to one path.
const parts = (...kinds) => {
  const lines = kinds.map(() => []);
  return {
    draw: (kind, line) => lines[typeof kind === "number" ? kind : kinds.indexOf(kind)].push(line),
    drawn: () => kinds.map((kind, at) => [kind, lines[at].join("")]).filter(([, line]) => line),
  };
};
const topicTip = (topic, lines) => [`${unit} ${getName("topic", topic)}`, ...lines].join("\n");

charts.boxes = (figure, container, width) => {
  const boxes = figure.boxes, tops = boxes.flatMap((box) => box.slice(1, 7)).filter((value) => value !== null);
  const high = largest(tops, 1.02);
  const chart = wide(container, width, { count: boxes.length, low: figure.floor - 0.03, high, title: figure.y, getLabel: (at) => getName("topic", boxes[at][0]), below: 0 });
  // Borders of narrow boxes would hide their colours.
  const thin = chart.step < 4 ? " thin" : "", whisker = `whisker${thin}`;
  const marks = parts(whisker, ...figure.classes.map((name) => `box middle ${name.replaceAll(" ", "-")}${thin}`), "median", "beyond", "ease");
  boxes.forEach(([topic, low, q1, middle, q3, top, ease, kind, beyond], at) => {
    if (middle === null) return;
    const x = chart.x(at), half = Math.max(1, chart.step * 0.35), y = (value) => chart.y(Math.max(figure.floor, value));
    chart.add(at, { "data-href": makeAddress("topic", topic),
      "data-tip": topicTip(topic, [figure.classes[kind], `ease ${score(ease)}`, `median ${score(middle)}`, `middle half ${score(q1)} to ${score(q3)}`]) });
    marks.draw(whisker, `M${x},${y(low)}V${y(top)}`);
    marks.draw(1 + kind, `M${x - half},${y(q3)}h${2 * half}v${Math.max(1, y(q1) - y(q3))}h${-2 * half}z`);
    marks.draw("median", `M${x - half},${y(middle)}h${2 * half}`);
    for (const value of beyond) marks.draw("beyond", SHAPES[0](x, y(value), Math.min(2, half)));
    if (ease !== null) marks.draw("ease", SHAPES[3](x, y(ease), Math.min(3.2, half + 0.6)));
  });
  chart.finish(marks);
  container.prepend(drawLegend([...figure.classes, "ease"], width, (at, x, y) => (at < figure.classes.length
    ? [draw("rect", { class: `box middle ${figure.classes[at].replaceAll(" ", "-")}`, x: x + 4, y: y - 6, width: 14, height: 12 })]
    : [draw("path", { class: "ease", d: SHAPES[3](x + 11, y, 4) })])));
};

// One system's score on each topic among those of all: a line from worst to best, a tick at the median.
charts.ranges = (figure, container, width) => {
  const ranges = figure.ranges, [low, high] = padded(extent(ranges.flatMap((row) => row.slice(1))), 0.03);
  const chart = wide(container, width, { count: ranges.length, low, high, title: figure.y, getLabel: (at) => getName("topic", ranges[at][0]) });
  const half = Math.max(1.2, chart.step * 0.3), marks = parts("span", "median", "own above", "own under");
  ranges.forEach(([topic, own, best, middle, worst], at) => {
    const x = chart.x(at);
    chart.add(at, { "data-href": figure.still ? null : makeAddress("topic", topic),
      "data-tip": topicTip(topic, [`score ${score(own)}`, `best ${score(best)}`, `median ${score(middle)}`, `worst ${score(worst)}`]) });
    if (best !== null) marks.draw("span", `M${x},${chart.y(worst)}V${chart.y(best)}`);
    if (middle !== null) marks.draw("median", `M${x - half * 1.3},${chart.y(middle)}h${half * 2.6}`);
    if (own !== null) marks.draw(better(middle, own, figure.smaller) ? "own under" : "own above", SHAPES[0](x, chart.y(own), Math.min(4, half + 0.8)));
  });
  chart.finish(marks, { span: { "stroke-width": Math.max(1.5, half) } });
  container.prepend(drawLegend(figure.kinds, width, (at, x, y) => [[
    draw("circle", { class: "own above", cx: x + 11, cy: y, r: 4 })], [draw("circle", { class: "own under", cx: x + 11, cy: y, r: 4 })],
  [draw("line", { class: "median", x1: x + 4, x2: x + 18, y1: y, y2: y })],
  [draw("line", { class: "span", x1: x + 11, x2: x + 11, y1: y - 7, y2: y + 7, "stroke-width": 4 })]][at]));
};

// Differences of two systems, a bar a topic; or scores of all systems on a topic, a bar a system.
charts.bars = (figure, container, width) => {
  const rules = figure.rules ?? [], [low, high] = extent([0, ...figure.bars.map((bar) => bar[1])]), kind = figure.kind;
  const chart = wide(container, width, { count: figure.bars.length, low, high: high === low ? low + 1 : high, title: figure.y, least: 5, height: 190, getLabel: (at) => getName(kind, figure.bars[at][0]), below: 0 });
  const marks = parts("up", "down", "up chosen", "down chosen"), gap = chart.step > 8 ? 2 : 0.5;
  figure.bars.forEach(([at_, value, first, second, href, chosen], at) => {
    if (value === null) return;
    const top = chart.y(Math.max(0, value)), end = chart.y(Math.min(0, value));
    chart.add(at, { "data-href": href, "data-tip": `${getNoun(kind)} ${getName(kind, at_)}\n${figure.signed ? `${signed(value)}: ${score(first)} and ${score(second)}` : score(value)}` }, chosen ? "hit chosen" : "hit");
    marks.draw((value < 0 ? "down" : "up") + (chosen ? " chosen" : ""), `M${chart.step * at + gap / 2},${top}h${Math.max(1, chart.step - gap)}v${Math.max(1, end - top)}H${chart.step * at + gap / 2}z`);
  });
  chart.finish(marks);
  for (const [, value, name] of rules) chart.rule(value, name);
};

// Cells of systems by topics on a canvas, with both axes kept in sight while it scrolls.
const ramp = (share, colours) => {
  const position = Math.max(0, Math.min(1, share)) * (colours.length - 1), at = Math.min(colours.length - 2, Math.floor(position));
  return colours[at].map((value, channel) => Math.round(value + (colours[at + 1][channel] - value) * (position - at)));
};
const RAMPS = { light: [[237, 243, 250], [158, 202, 225], [49, 130, 189], [8, 48, 107]], dark: [[30, 38, 50], [32, 74, 120], [70, 140, 200], [190, 224, 255]] };
charts.heat = (figure, container, width, all) => {
  const rows = figure.systems.length, columns = figure.topics.length;
  const block = figure.values ? null : all.scores[data.measures.findIndex((name) => shown(name) === shown(figure.measure))];
  const value = (row, column) => (figure.values ? figure.values[row][column] : block[figure.systems[row]][figure.topics[column]]);
  const left = Math.min(150, width * 0.3), across = Math.max(paper ? 0 : 6, Math.min(34, (width - left - 20) / columns));
  const down = paper ? Math.min(14, TALLEST / rows) : rows > 200 ? 8 : 14, fine = paper ? 3 : 1; // dots of paper are finer than pixels
  const every = Math.ceil(13 / across), often = Math.ceil(12 / down), tall = 8 + Math.min(86, widest(figure.topics.map((at) => getName("topic", at))));
  const head = sized(Math.ceil(across * columns), tall), side = sized(left, down * rows);
  for (let at = 0; at < columns; at += every) {
    const x = Math.max(9, across * (at + 0.5) + 4); // the first name is whole where cells are narrower than it is high
    head.append(drawText(fitted(getName("topic", figure.topics[at]), tall - 6), x, tall - 4, { transform: `rotate(-90 ${x} ${tall - 4})`, class: "small" }));
  }
  for (let at = 0; at < rows; at += often) side.append(drawText(fitted(getName("system", figure.systems[at]), left - 10), left - 6, Math.max(9, down * (at + 0.5) + 4), { "text-anchor": "end", class: "small" }));
  const canvas = make("canvas", { width: fine * Math.ceil(across * columns), height: Math.ceil(fine * down * rows) });
  canvas.style.width = `${canvas.width / fine}px`;
  let [low, high] = figure.domain ?? [Infinity, -Infinity];
  if (!figure.domain) for (let row = 0; row < rows; row += 1) for (let column = 0; column < columns; column += 1) {
    const score_ = value(row, column);
    if (score_ !== null) { low = Math.min(low, score_); high = Math.max(high, score_); }
  }
  // Of a share of parts, how many; else the score.
  const written = (row, column) => (figure.sizes?.length ? `${Math.round(value(row, column) * figure.sizes[column])} of ${figure.sizes[column]} ${figure.parts}` : score(value(row, column)));
  const share = (score_) => { const part = high === low ? 1 : (score_ - low) / (high - low); return figure.smaller ? 1 - part : part; };
  const paint = (dark) => {
    const colours = RAMPS[dark ? "dark" : "light"];
    const shades = Array.from({ length: 65 }, (_, at) => ramp(at / 64, colours));
    // A pixel for each cell, enlarged: a rectangle for each of 125,000 takes ten times as long.
    const small = make("canvas", { width: columns, height: rows }), ink = small.getContext("2d"), cells = ink.createImageData(columns, rows);
    for (let row = 0, at = 0; row < rows; row += 1) for (let column = 0; column < columns; column += 1, at += 4) {
      const score_ = value(row, column);
      if (score_ === null) continue;
      const shade = shades[Math.round(64 * share(score_))];
      cells.data[at] = shade[0]; cells.data[at + 1] = shade[1]; cells.data[at + 2] = shade[2]; cells.data[at + 3] = 255;
    }
    ink.putImageData(cells, 0, 0);
    // What was drawn is drawn again when it is printed, and where a part of a pixel is cleared there, the whole figure is
    // lost: a new width empties the canvas, and gaps are cut on another one.
    canvas.width = fine * Math.ceil(across * columns);
    const gaps = Math.min(across, 2 * down) > 10 ? make("canvas", { width: canvas.width, height: canvas.height }) : canvas, pen = gaps.getContext("2d");
    pen.imageSmoothingEnabled = false;
    pen.drawImage(small, 0, 0, fine * across * columns, fine * down * rows);
    if (gaps === canvas) return;
    for (let column = 1; column <= columns; column += 1) pen.clearRect(fine * across * column - 1, 0, 1, canvas.height);
    for (let row = 1; row <= rows; row += 1) pen.clearRect(0, fine * down * row - 1, canvas.width, 1);
    canvas.getContext("2d").drawImage(gaps, 0, 0);
  };
  paint(document.documentElement.dataset.theme === "dark");
  const under = (event) => {
    const spot = canvas.getBoundingClientRect();
    const row = Math.floor((event.clientY - spot.top) / down), column = Math.floor((event.clientX - spot.left) / across);
    return row >= 0 && row < rows && column >= 0 && column < columns ? [row, column] : null;
  };
  canvas.addEventListener("pointermove", (event) => {
    const cell = under(event);
    if (cell) showTip(event, `${getName("system", figure.systems[cell[0]])}\n` + topicTip(figure.topics[cell[1]], [`${shown(figure.measure)} ${written(...cell)}`]));
  });
  canvas.addEventListener("pointerleave", () => { tip.hidden = true; });
  canvas.addEventListener("click", (event) => {
    const cell = under(event);
    if (cell) location.hash = makeAddress("topic", figure.topics[cell[1]]);
  });
  const key = draw("svg", { width: 260, height: 22 });
  for (let at = 0; at < 40; at += 1) key.append(draw("rect", { class: "key", x: 52 + at * 3.5, y: 6, width: 3.6, height: 10, "data-share": at / 39 }));
  const ends = figure.smaller ? [high, low] : [low, high];
  key.append(drawText(digits(ends[0], 2), 46, 15, { "text-anchor": "end" }), drawText(digits(ends[1], 2), 198, 15));
  const colourKey = (dark) => { for (const cell of key.querySelectorAll(".key")) cell.setAttribute("fill", `rgb(${ramp(Number(cell.dataset.share), RAMPS[dark ? "dark" : "light"])})`); };
  colourKey(document.documentElement.dataset.theme === "dark");
  const corner = make("div", { class: "corner" }, `system ↓ ${unit} →`);
  container.replaceChildren(key, make("div", { class: "grid-of" }, corner, make("div", { class: "head" }, head), make("div", { class: "side" }, side), canvas));
  return (dark) => { paint(dark); colourKey(dark); };
};
