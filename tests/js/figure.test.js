/** A figure: a drawing with what is said of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as programs from "./fixtures/programs.js";
import { sceneOf } from "./fixtures/picture.js";
import { drawGraph, pictureOf } from "../../static/js/paint/drawing.js";
import { figureOf, linesFor } from "../../static/js/paint/figure.js";
import { LIGHT } from "../../static/js/scene/colour.js";
import { roughMeasure } from "../../static/js/scene/marks.js";
import { Moment } from "../../static/js/scene/moment.js";
import { captionOf, runSlug, stepSlug } from "../../static/js/share/caption.js";
import { startOfFirstPass } from "../../static/js/timeline/places.js";
import { stops as stopsOf } from "../../static/js/trace.js";
import { Book } from "../../static/js/ui/book.js";

function shownOf(document, lesson = null) {
  const { scene, trace } = sceneOf(document);
  const stops = stopsOf(trace);
  return { scene, shown: { book: new Book(trace), stops, lesson } };
}

/** Texts with the place of their baseline in the figure. */
const textsOf = ({ layers }) =>
  layers.flatMap(({ x, y, k, marks }) =>
    marks.flatMap((mark) => {
      if (mark.type !== "text") return [];
      const wide = roughMeasure(mark.text, mark.size, mark.weight, mark.mono);
      const left = mark.x - { start: 0, middle: wide / 2, end: wide }[mark.align];
      return [{ text: mark.text, x: x + left * k, y: y + mark.y * k, right: x + (left + wide) * k }];
    }),
  );

const figureAt = ({ scene, shown }, t, room) => {
  const { drawing, keys } = pictureOf(scene, t, LIGHT, roughMeasure);
  return figureOf(drawing, captionOf(shown, t), keys, roughMeasure, room);
};

test("a caption has the step as the page counts it, its lines of code, and its sentence", () => {
  const { shown } = shownOf(programs.scalars());
  const start = startOfFirstPass(shown.book, shown.stops);
  const t = shown.stops[shown.stops.indexOf(start) + 1];
  const { title, step, code, sentence } = captionOf(shown, t);
  assert.equal(title, "Backlight — the backward pass of e");
  assert.match(step, /^backward #1, step 2 of \d+$/);
  assert.deepEqual(code, [
    { number: 7, text: "e.backward()" },
    { number: 6, text: "e = c * d" },
  ]);
  assert.match(sentence.map(({ text }) => text).join(""), /MulBackward0/);
  assert.equal(stepSlug(shown, t), "backward-1-step-2");
  assert.match(runSlug(shown), /^backlight-/);
});

test("a title is the lesson's question, the file's name, or the first comment of the program", () => {
  const document = programs.scalars();
  const lesson = { example: { id: "why", question: "Why?", code: document.source.code }, tour: null };
  assert.equal(captionOf(shownOf(document, lesson).shown, 0).title, "Why?");
  assert.equal(runSlug(shownOf(document, lesson).shown), "backlight-why");
  const edited = { ...lesson, example: { ...lesson.example, code: "another" } };
  assert.equal(captionOf(shownOf(document, edited).shown, 0).title, "Backlight — the backward pass of e");
  const commented = programs.scalars();
  commented.source.code = `#!/bin/python\n# %% [markdown]\n# Two leaves\n${commented.source.code}`;
  assert.equal(captionOf(shownOf(commented).shown, 0).title, "Backlight — Two leaves");
  const captured = { ...programs.scalars(), files: [{ name: "train.py", code: "", first_line: 1 }] };
  assert.equal(captionOf(shownOf(captured).shown, 0).title, "Backlight — train.py");
});

test("everything of a figure is inside it, and the drawing in its middle", () => {
  for (const document of [programs.scalars(), programs.vector(), programs.twice()]) {
    const each = shownOf(document);
    for (const t of each.shown.stops) {
      const figure = figureAt(each, t);
      for (const { text, x, y, right } of textsOf(figure)) {
        assert.ok(x >= 0 && right <= figure.w && y > 0 && y < figure.h, `${text} at ${x}, ${y} of ${figure.w}`);
      }
      const { box } = drawGraph(each.scene, new Moment(each.scene.trace, t), []);
      const dots = figure.layers.flatMap(({ x, marks }) => (marks.some(({ text }) => text === ".grad") ? [x] : []));
      assert.ok(dots.every((x) => x > 0 && x < figure.w));
      assert.ok(figure.w <= Math.max(box.w * 1.4, 640), "no empty third");
    }
  }
});

test("words wrap, grow with a wide drawing, and a long line of code is cut", () => {
  const caption = {
    title: "word ".repeat(60),
    step: "step",
    code: [{ number: 1, text: "x".repeat(900) }],
    sentence: [
      { kind: "text", text: "many words ".repeat(30) },
      { kind: "code", text: "d.grad" },
      { kind: "text", text: ", too" },
    ],
  };
  const drawing = (w) => ({ box: { x: 5, y: 5, w, h: 100 }, layers: [] });
  for (const w of [100, 600, 3000]) {
    const figure = figureOf(drawing(w), caption, [], roughMeasure);
    const texts = textsOf(figure);
    for (const { right } of texts) assert.ok(right <= figure.w + 1, `${right} of ${figure.w}`);
    assert.ok(texts.some(({ text }) => /^x+…$/.test(text)));
    const lines = new Set(texts.filter(({ text }) => text === "many").map(({ y }) => y));
    assert.ok(lines.size > 1 && lines.size <= linesFor([caption], w, [], roughMeasure));
    const grad = texts.find(({ text }) => text === "d.grad");
    const comma = texts.find(({ text, y }) => text === "," && y === grad.y);
    assert.ok(comma, "no space before a comma");
    assert.ok(Math.abs(comma.x - grad.right) < 0.01);
  }
});

test("a figure keeps the room it is given, whatever its step needs", () => {
  const each = shownOf(programs.scalars());
  const { stops } = each.shown;
  const pictures = stops.map((t) => pictureOf(each.scene, t, LIGHT, roughMeasure));
  const captions = stops.map((t) => captionOf(each.shown, t));
  const lines = linesFor(captions, 700, pictures[0].keys, roughMeasure);
  const room = { box: { x: -300, y: -50, w: 700, h: 900 }, code: 2, lines };
  const sizes = stops.map((t) => figureAt(each, t, room)).map(({ w, h }) => `${w}×${h}`);
  assert.equal(new Set(sizes).size, 1, `${sizes}`);
});
