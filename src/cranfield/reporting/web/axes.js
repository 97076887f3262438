// --- Scales, axes and labels ------------------------------------------------------------------------------------------
const scale = (low, high, from, to) => (value) => from + (high === low ? 0.5 : (value - low) / (high - low)) * (to - from);
const ticks = (low, high, about, least = 3) => {
  if (!(high > low)) return [low];
  const rough = (high - low) / about, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((multiple) => multiple * power).find((multiple) => multiple >= rough * 0.999);
  const marks = [];
  for (let at = Math.ceil(low / step - 1e-9); at * step <= high + step * 1e-9; at += 1) marks.push(Number((at * step).toPrecision(12)));
  return marks.length < least && about < 20 ? ticks(low, high, 2 * about, least) : marks; // one or two marks are hardly a scale
};
const countDecimals = (marks) => Math.max(0, ...marks.map((mark) => (String(mark).split(".")[1] || "").length));
// Points along a line through some, so close that no word fits between.
const along = (points) => points.flatMap(([x, y], at) => {
  const [x1, y1] = points[at + 1] || [x, y], parts = Math.max(1, Math.ceil(Math.hypot(x1 - x, y1 - y) / 6));
  return Array.from({ length: parts }, (_, part) => [x + (part / parts) * (x1 - x), y + (part / parts) * (y1 - y)]);
});
const extent = (values) => {
  const numbers = values.filter((value) => typeof value === "number");
  return numbers.length ? [numbers.reduce((a, b) => Math.min(a, b)), numbers.reduce((a, b) => Math.max(a, b))] : [0, 1];
};
const padded = ([low, high], share = 0.05) => [low - (high - low || 1) * share, high + (high - low || 1) * share];
const pen = document.createElement("canvas").getContext("2d");
pen.font = `11px ${getComputedStyle(document.body).fontFamily}`;
const measureText = (text) => pen.measureText(text).width;
const widest = (texts) => largest(texts.map(measureText), 0);
// Names that are too long lose their middle: runs of one team often differ at the end alone.
const fitted = (text, pixels) => {
  const width = measureText(text);
  if (width <= pixels) return text;
  const shortened = (count) => `${text.slice(0, Math.ceil(count / 2))}…${text.slice(text.length - Math.floor(count / 2))}`;
  let count = Math.max(3, Math.min(text.length - 1, Math.ceil(text.length * pixels / width)));
  while (count > 3 && measureText(shortened(count)) > pixels) count -= 1;
  return shortened(count);
};
const drawText = (text, x, y, options = {}) => draw("text", { x, y, ...options }, text);

// The lower axis with its title, and lines up through the plot.
const xAxis = (view, at, marks, title, box, written = (mark) => digits(mark, countDecimals(marks))) => {
  for (const mark of marks) {
    view.append(draw("line", { class: "grid", x1: at(mark), x2: at(mark), y1: box.top, y2: box.bottom }));
    view.append(drawText(written(mark), at(mark), box.bottom + 15, { "text-anchor": "middle" }));
  }
  view.append(drawText(title, (box.left + box.right) / 2, box.bottom + 32, { "text-anchor": "middle", class: "title" }));
};
const yAxis = (view, at, marks, title, box, written = (mark) => digits(mark, countDecimals(marks))) => {
  for (const mark of marks) {
    view.append(draw("line", { class: "grid", x1: box.left, x2: box.right, y1: at(mark), y2: at(mark) }));
    view.append(drawText(written(mark), box.left - 6, at(mark) + 4, { "text-anchor": "end" }));
  }
  view.append(drawText(title, box.left - 34, box.top - 8, { class: "title" }));
};
// Names of series with their marks, in as many lines as they need; returns the height.
const legend = (view, entries, width, mark) => {
  let x = 4, y = 12;
  for (const [at, name] of entries.entries()) {
    const wide = 30 + measureText(name) + 14;
    if (x > 4 && x + wide > width) { x = 4; y += 18; }
    view.append(...mark(at, x, y - 4), drawText(name, x + 26, y));
    x += wide;
  }
  return entries.length ? y + 10 : 0;
};
const SHAPES = [
  (x, y, r) => `M${x - r},${y}a${r},${r} 0 1,0 ${2 * r},0a${r},${r} 0 1,0 ${-2 * r},0`,
  (x, y, r) => `M${x - r},${y - r}h${2 * r}v${2 * r}h${-2 * r}z`,
  (x, y, r) => `M${x},${y - r * 1.2}L${x + r * 1.1},${y + r * 0.9}H${x - r * 1.1}z`,
  (x, y, r) => `M${x},${y - r * 1.3}L${x + r * 1.3},${y}L${x},${y + r * 1.3}L${x - r * 1.3},${y}z`,
  (x, y, r) => `M${x - r},${y - r}L${x + r},${y + r}M${x + r},${y - r}L${x - r},${y + r}`,
  (x, y, r) => `M${x},${y + r * 1.2}L${x + r * 1.1},${y - r * 0.9}H${x - r * 1.1}z`,
];
const series = (at) => `s${at % 7}`;
const drawShape = (at, x, y, r, options = {}) =>
  draw("path", { class: `mark ${series(at)}`, d: SHAPES[at % SHAPES.length](x, y, r), ...options });
const sized = (width, height) => draw("svg", { width, height, viewBox: `0 0 ${width} ${height}` });
