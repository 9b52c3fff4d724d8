/** What painters share: attributes of marks, arrow heads, and the exported file. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as programs from "./fixtures/programs.js";
import { sceneOf } from "./fixtures/picture.js";
import { arrowHead, attributesOf } from "../../static/js/paint/attributes.js";
import { writeSvg } from "../../static/js/paint/file.js";
import { LIGHT } from "../../static/js/scene/colour.js";
import { rect, text } from "../../static/js/scene/marks.js";
import { Moment, progressAt, STEP_MS } from "../../static/js/scene/moment.js";
import { overlay } from "../../static/js/scene/motion.js";
import { drawLegend, LEGEND } from "../../static/js/scene/legend.js";

test("marks name colours, elements have them", () => {
  assert.deepEqual(attributesOf(rect(1, 2, 3, 4, { fill: "pos" }), LIGHT), {
    x: 1,
    y: 2,
    width: 3,
    height: 4,
    fill: LIGHT.pos,
  });
  assert.equal(
    attributesOf(text(0, 0, "g", { fill: "#123456", strike: true }), LIGHT)["text-decoration"],
    "line-through",
  );
});

test("the exported file stands alone", () => {
  const document = programs.vector();
  document.tensors[0].name = 'x<&"';
  const { scene, trace } = sceneOf(document);
  const t = trace.events.findIndex((event) => event.kind === "node") + 3;
  const moment = new Moment(trace, t);
  const svg = writeSvg(scene, moment, overlay(scene, moment, progressAt(STEP_MS), { from: t, still: true }), "title");
  assert.ok(svg.startsWith("<svg xmlns=") && svg.endsWith("</svg>"));
  assert.ok(!/style=|<script|<style|class=|var\(|url\(/.test(svg));
  assert.ok(!/="[^"]*(NaN|undefined)/.test(svg));
  assert.ok(svg.includes("x&#60;&#38;&#34;"));
  const open = svg.match(/<(g|text|svg|title)\b/g).length;
  const close = svg.match(/<\/(g|text|svg|title)>/g).length;
  assert.equal(open, close);
});

test("arrow heads point where the link goes", () => {
  const path = Float64Array.of(0, 0, 10, 0, 20, 0, 30, 0);
  assert.match(arrowHead(path, "forward", 2), /^M30 0L2\d/);
  assert.match(arrowHead(path, "backward", 2), /^M0 0L7/);
  assert.equal(arrowHead(path, "none", 2), "");
});

test("the legend fits its box and shows the ends of the scale", () => {
  const { scene } = sceneOf(programs.scalars());
  const marks = drawLegend(scene.colours);
  assert.ok(marks.every((mark) => mark.type === "path" || (mark.x >= 0 && mark.x <= LEGEND.w)));
  const texts = marks.flatMap((mark) => (mark.type === "text" ? [mark.text] : []));
  for (const word of ["−5", "0", "+5", "not yet", "None", "zero", "NaN, ∞"]) assert.ok(texts.includes(word), word);
});
