import assert from "node:assert/strict";
import test from "node:test";
import { contrast, mapped, pairOf } from "../../static/js/figures/colours.js";
import { rings } from "../../static/js/figures/contours.js";
import { layoutFigure } from "../../static/js/figures/layout.js";
import { addressOf } from "../../static/js/figures/picture.js";
import { scaleOf } from "../../static/js/figures/scale.js";
import { plain, widthOf, wrapped } from "../../static/js/figures/texts.js";
import { describe, notesOn, titleOf } from "../../static/js/figures/words.js";
import { narrate, asText } from "../../static/js/ledger/sentence.js";
import { outputRows } from "../../static/js/output/rows.js";
import { indexTrace, stops } from "../../static/js/trace.js";
import { Book } from "../../static/js/ui/book.js";
import { Recorder } from "./fixtures/record.js";

/** A text with its backslashes. */
const r = String.raw;

const axis = (limits, more = {}) => ({ scale: "linear", limits, label: "", ticks: null, labels: null, ...more });
const line = (x, y, more = {}) => ({
  kind: "line",
  label: null,
  x,
  y,
  of: x.length,
  color: "#1f77b4",
  alpha: 1,
  style: "-",
  width: 1.5,
  marker: null,
  size: 6,
  hollow: false,
  steps: null,
  ...more,
});
const axes = (series, more = {}) => ({
  place: { grid: [1, 1], row: 0, column: 0, rows: 1, columns: 1 },
  box: null,
  title: "",
  x: axis([0, 10]),
  y: axis([0, 1]),
  frame: true,
  grid: false,
  equal: false,
  twin: null,
  series,
  left: 0,
  legend: null,
  colorbars: [],
  omitted: [],
  ...more,
});
const figure = (all, more = {}) => ({
  id: "f0",
  number: 1,
  name: null,
  size: [6.4, 4.8],
  title: "",
  axes: all,
  left: 0,
  ...more,
});
const VIRIDIS = { name: "viridis", colors: ["#440154", "#21908d", "#fde725"], discrete: false };
const image = (values, more = {}) => ({
  kind: "image",
  label: null,
  extent: [-0.5, 2.5, -0.5, 1.5],
  rows: 2,
  columns: 3,
  of: [2, 3],
  alpha: 1,
  values,
  range: [0, 5],
  colormap: VIRIDIS,
  ...more,
});

test("numbers beside an axis are round, inside of it, and have as many decimals each", () => {
  const labels = (limits, more, most = 5) =>
    scaleOf(axis(limits, more), 0, 300)
      .ticks(most)
      .map(({ label }) => label);
  assert.deepEqual(labels([-0.1, 2.1]), ["0.0", "0.5", "1.0", "1.5", "2.0"]);
  assert.deepEqual(labels([-3.3, 3.3], {}, 4), ["−2", "0", "2"]);
  assert.deepEqual(labels([5, -1]), ["0", "2", "4"]);
  assert.deepEqual(labels([0.05, 12], { scale: "log" }), ["0.1", "1", "10"]);
  assert.deepEqual(labels([1e-7, 1e-3], { scale: "log" }, 3), ["10⁻⁷", "10⁻⁵", "0.001"]);
  assert.deepEqual(labels([2, 6], { scale: "log" }), ["2", "3", "5"]);
  assert.deepEqual(labels([0, 2], { ticks: [0, 1, 2, 9], labels: ["a", "b", "c", "d"] }), ["a", "b", "c"]);
  assert.deepEqual(labels([0, 3e6]), ["0", "1e6", "2e6", "3e6"]);
});

test("a logarithmic scale goes by decades and has no place for zero", () => {
  const { place } = scaleOf(axis([1, 100], { scale: "log" }), 0, 200);
  assert.equal(place(10), 100);
  assert.ok(Number.isNaN(place(0)));
});

test("contours close around what is higher, cross between nodes, and know the border", () => {
  const peak = [
    [0, 0, 0],
    [0, 4, 0],
    [0, 0, 0],
  ];
  const [ring] = rings(peak, 1);
  assert.deepEqual(
    new Set(ring.map(({ column, row }) => `${column} ${row}`)),
    new Set(["1 0.25", "0.25 1", "1 1.75", "1.75 1"]),
  );
  assert.ok(ring.every(({ border }) => !border));
  const [all] = rings(
    [
      [1, 1],
      [1, 1],
    ],
    0,
  );
  assert.ok(all.every(({ border }) => border));
  assert.equal(rings(peak, 5).length, 0);
  assert.equal(
    rings(
      [
        [4, 0, 4],
        [0, 0, 0],
      ],
      1,
    ).length,
    2,
  );
  assert.equal(
    rings(
      [
        [4, 4, 4],
        [4, Number.NaN, 4],
        [4, 4, 4],
      ],
      1,
    ).length,
    2,
    "a hole where there is no number",
  );
});

test("everything of a figure lies within it, at every width", () => {
  const four = [0, 1, 2, 3].map((i) =>
    axes([line([0, 5, 10], [0, 1, 0.5])], {
      place: { grid: [2, 2], row: i >> 1, column: i % 2, rows: 1, columns: 1 },
      title: `a title that is rather long for its place ${i}`,
      x: axis([0, 10], { label: "epoch" }),
      y: axis([0, 0.001], { label: "the loss of the model while it trains" }),
      legend: { title: null, entries: [{ label: "training", series: 0 }] },
    }),
  );
  for (const width of [300, 340, 700]) {
    const sheet = layoutFigure(figure(four, { title: "All" }), width);
    assert.equal(sheet.panels.length, 4);
    for (const { plot, labels } of sheet.panels) {
      assert.ok(plot.x >= 0 && plot.x + plot.width <= width && plot.y >= 0 && plot.y + plot.height <= sheet.height);
      assert.ok(plot.width > width / 5 && plot.height > 40, `${width}: ${plot.width}×${plot.height}`);
      for (const { text, x, y, anchor, turned } of labels) {
        if (turned) continue;
        const wide = widthOf(text);
        const left = x - { start: 0, middle: wide / 2, end: wide }[anchor];
        assert.ok(left >= -4 && left + wide <= width + 8 && y > 0 && y <= sheet.height, `${width}: ${text} at ${left}`);
      }
    }
    const [a, b, c] = sheet.panels.map(({ plot }) => plot);
    assert.ok(a.x + a.width < b.x && a.y + a.height < c.y);
  }
});

test("axes too small for numbers show what is in them", () => {
  const many = Array.from({ length: 25 }, (_, i) =>
    axes(
      [
        image([
          [0, 1, 2],
          [3, 4, 5],
        ]),
      ],
      {
        place: { grid: [5, 5], row: Math.floor(i / 5), column: i % 5, rows: 1, columns: 1 },
        title: `label ${i}`,
        frame: false,
      },
    ),
  );
  const { panels } = layoutFigure(figure(many), 300);
  assert.ok(panels.every(({ labels }) => labels.every(({ role }) => role === "title")));
  assert.ok(panels.every(({ marks }) => marks.length === 6));
});

test("an image has square cells where a unit is as long both ways, and one path for each colour", () => {
  const one = axes(
    [
      image([
        [0, 0, 5],
        [5, 0, "NaN"],
      ]),
    ],
    { equal: true, x: axis([-0.5, 2.5]), y: axis([1.5, -0.5]) },
  );
  const [{ plot, marks }] = layoutFigure(figure([one]), 320).panels;
  assert.ok(Math.abs(plot.width / 3 - plot.height / 2) < 1e-6);
  assert.deepEqual(
    marks.map(({ fill }) => fill),
    ["#440154", "#fde725"],
  );
  assert.equal(marks[0].d.match(/M/g).length, 2, "two runs of the first colour, none for NaN");
  assert.ok(marks[0].d.startsWith("M0 0h"), "the first row has the lowest y, which is on top here");
});

test("a line breaks where it has no number, and a bar from zero ends at the end of a logarithmic axis", () => {
  const [{ marks }] = layoutFigure(figure([axes([line([0, 1, 2, 3], [0, "NaN", 1, 0.5])])]), 320).panels;
  assert.equal(marks[0].d.match(/M/g).length, 2);
  const bars = {
    kind: "bars",
    label: null,
    x: [0],
    y: [0],
    width: [1],
    height: [10],
    of: 1,
    upright: true,
    color: "#1f77b4",
    alpha: 1,
    edge: null,
    hollow: false,
  };
  const [panel] = layoutFigure(figure([axes([bars], { y: axis([1, 100], { scale: "log" }) })]), 320).panels;
  assert.ok(panel.marks[0].d.startsWith(`M0 ${panel.plot.height}`), panel.marks[0].d);
});

test("a text on a picture keeps its colour in both themes", () => {
  const text = {
    kind: "text",
    label: null,
    text: "50",
    x: 0,
    y: 0,
    where: "data",
    across: "center",
    upward: "center",
    to: null,
    offset: null,
    color: "#ffffff",
    alpha: 1,
  };
  const [on] = layoutFigure(
    figure([
      axes([
        image([
          [0, 1, 2],
          [3, 4, 5],
        ]),
        text,
      ]),
    ]),
    320,
  ).panels;
  const [off] = layoutFigure(figure([axes([line([0, 1], [0, 1]), text])]), 320).panels;
  assert.deepEqual([on.texts[0].exact, off.texts[0].exact], [true, false]);
});

test("axes upon axes have their numbers on the right", () => {
  const right = axes([line([0, 10], [0, 100])], { twin: 0, y: axis([0, 100], { label: "percent" }) });
  const [base, twin] = layoutFigure(figure([axes([line([0, 10], [0, 1])]), right]), 320).panels;
  assert.deepEqual(base.plot, twin.plot);
  assert.ok(twin.labels.filter(({ role }) => role === "tick").every(({ x }) => x > base.plot.x + base.plot.width));
});

test("colours stand out in both themes, and those of the default cycle are no gradient's", () => {
  const tab = "1f77b4 ff7f0e 2ca02c d62728 9467bd 8c564b e377c2 7f7f7f bcbd22 17becf".split(" ");
  for (const hex of [...tab, "ff0000", "0000ff", "000000", "ffff00", "00ff00", "191970", "fffacd"]) {
    const { light, dark } = pairOf(`#${hex}`);
    assert.ok(contrast(light, "#ffffff") >= 2.2, `${hex} light`);
    assert.ok(contrast(dark, "#1a1e26") >= 2.2, `${hex} dark`);
  }
  assert.equal(pairOf("#ff0000").light, "#ff0000");
  assert.notEqual(pairOf("#1f77b4").light, "#1f77b4");
  assert.equal(mapped(VIRIDIS, 0.5), "#21908d");
  assert.equal(mapped({ ...VIRIDIS, discrete: true }, 0.99), "#fde725");
});

test("mathematics is written in plain characters, and long texts are cut into lines", () => {
  assert.equal(plain(r`loss $\mathcal{L}(\theta_0) = x^{2}$`), "loss L(θ₀) = x²");
  assert.equal(plain("costs 5$ or 6"), "costs 5$ or 6");
  assert.deepEqual(wrapped("one two three", widthOf("one two"), 2), ["one two", "three"]);
  assert.ok(wrapped("a ".repeat(200), 100, 2).every((each) => widthOf(each) <= 100));
});

test("a figure in words: its axes, its series and their ranges, and what is not in the picture", () => {
  const long = line([0, 10], [0.25, 4], { label: "training", of: 5000 });
  const some = figure([
    axes([long], { title: "Loss", y: axis([0.1, 10], { scale: "log", label: "loss" }), omitted: ["quiver"] }),
  ]);
  assert.equal(titleOf(some), "Loss");
  assert.deepEqual(describe(some), [
    "Loss: x, from 0 to 10; y is loss, from 0.1 to 10, logarithmic.",
    "Line “training”: 5000 points, x from 0 to 10, y from 0.25 to 4.",
  ]);
  assert.deepEqual(notesOn(some), ["Drawn: 2 of 5,000 points.", "Not drawn here: quiver()."]);
});

test("a figure is a step, told in a sentence, and a row of the output", () => {
  const recorder = new Recorder("import torch\nx = torch.tensor(2.0, requires_grad=True)\nplt.show()\nprint('done')\n");
  recorder.at(2).leaf("x", 2);
  const { events } = recorder.document;
  events.push(
    { kind: "figure", figure: "f0", how: "show", file: null, line: 3 },
    { kind: "print", text: "done\n", line: 4 },
  );
  recorder.document.figures = [figure([axes([], { title: "Loss" })])];
  const book = new Book(indexTrace(recorder.document));
  const times = stops(book.trace);
  assert.equal(times.at(-1), events.length);
  const before = times.at(-2);
  assert.equal(events[before].kind, "figure");
  assert.equal(asText(narrate(book, before, events.length)[0]), "Line 3 shows a figure, “Loss”.");
  const rows = (t) => outputRows(book, t, 0).rows.map(({ kind, line: at, text }) => `${kind} ${at}: ${text.trim()}`);
  assert.deepEqual(rows(before), ["later 3: draws later", "later 4: prints later"]);
  assert.deepEqual(rows(events.length), ["figure 3: f0", "printed 4: done"]);
});

test("what matplotlib drew is an image that fits its place, told by its words", () => {
  const picture = { svg: '<svg xmlns="http://www.w3.org/2000/svg">#</svg>', size: [144, 72], texts: ["Pie", "a"] };
  const two = (column) => ({ place: { grid: [1, 2], row: 0, column, rows: 1, columns: 1 } });
  const mixed = figure([axes([line([0, 1], [0, 1])], two(0)), axes([], { ...two(1), picture })]);
  const [plotted, drawn] = layoutFigure(mixed, 600).panels;
  assert.equal(plotted.picture, undefined);
  assert.equal(drawn.picture, picture);
  assert.equal(drawn.plot.width, 2 * drawn.plot.height);
  assert.ok(drawn.plot.x >= 300 && drawn.plot.x + drawn.plot.width <= 600);
  assert.deepEqual(drawn.labels, []);
  assert.equal(describe(mixed).at(-1), "A picture that matplotlib drew, with the words Pie, a.");
  const whole = figure([], { picture });
  assert.equal(titleOf(whole), "Pie");
  assert.deepEqual(describe(whole), ["A picture that matplotlib drew, with the words Pie, a."]);
  assert.deepEqual(notesOn(whole), []);
  assert.equal(decodeURIComponent(addressOf(picture).split(",")[1]), picture.svg);
});
