/** What painters share: attributes of marks, arrow heads, and the exported file. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as programs from "./fixtures/programs.js";
import { sceneOf } from "./fixtures/picture.js";
import { arrowHead, attributesOf, signMark } from "../../static/js/paint/attributes.js";
import { pictureOf } from "../../static/js/paint/drawing.js";
import { writeSvg } from "../../static/js/paint/file.js";
import { figureOf } from "../../static/js/paint/figure.js";
import { Colours, LIGHT, makeScale, readable } from "../../static/js/scene/colour.js";
import { contrast } from "../../static/js/figures/colours.js";
import { rect, roughMeasure, text } from "../../static/js/scene/marks.js";
import { drawLegend, drawWays, LEGEND, looksOf } from "../../static/js/scene/legend.js";

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
  const { drawing, keys } = pictureOf(scene, t, LIGHT, roughMeasure);
  const caption = { title: "<title>", step: "step 1", code: [{ number: 3, text: "y = x" }], sentence: [] };
  const svg = writeSvg(figureOf(drawing, caption, keys, roughMeasure), LIGHT);
  assert.ok(svg.startsWith("<svg xmlns=") && svg.endsWith("</svg>"));
  assert.ok(!/style=|<script|<style|class=|var\(|url\(/.test(svg));
  assert.ok(!/="[^"]*(NaN|undefined)/.test(svg));
  assert.ok(svg.includes("x&#60;&#38;&#34;"));
  const open = svg.match(/<(g|text|svg|title|desc)\b/g).length;
  const close = svg.match(/<\/(g|text|svg|title|desc)>/g).length;
  assert.equal(open, close);
});

test("arrow heads point where the link goes", () => {
  const up = Float64Array.of(5, 90, 5, 60, 5, 30, 5, 0);
  const corners = (arrow) =>
    [...arrowHead(up, arrow, 2).matchAll(/[ML](\S+) (\S+?)(?=[LZ])/g)].map(([, ...at]) => at.map(Number));
  const [tip, left, right] = corners("forward");
  assert.deepEqual(tip, [5, 0], "into the result");
  assert.ok(left[0] < 5 && right[0] > 5 && left[1] > 5 && right[1] === left[1], "from below");
  const [end, ...behind] = corners("backward");
  assert.deepEqual(end, [5, 90], "into what the result was computed from");
  assert.ok(
    behind.every(([, y]) => y < 85),
    "from above",
  );
  assert.equal(arrowHead(up, "none", 2), "");
});

test("the legend fits its box, whatever the numbers at its ends, and shows the looks that are not a colour", () => {
  const said = (marks) => marks.flatMap((mark) => (mark.type === "text" ? [mark.text] : []));
  const { scene, trace } = sceneOf(programs.scalars());
  const ways = (narrow) => said(drawWays(roughMeasure, narrow).marks);
  const legend = (looks, narrow) => said(drawLegend(scene.colours, roughMeasure, looks, narrow).marks);
  assert.deepEqual(legend(looksOf(trace)), ["gradient", "−5", "+5", "not yet", "None"]);
  assert.deepEqual(legend(new Set(["zero", "NaN, ∞"])), ["gradient", "−5", "+5", "zero", "NaN, ∞"]);
  assert.deepEqual(legend(looksOf(trace), true), ["−5", "+5"]);
  assert.deepEqual(legend(new Set(["complex: |z|", "zero"])), ["−5", "+5", "complex: |z|", "zero"]);
  assert.deepEqual(legend(new Set(["complex: |z|"]), true), ["−5", "+5", "|z|"]);
  assert.deepEqual(ways(false), ["values are computed this way", "gradients flow back this way"]);
  assert.deepEqual(ways(true), ["values", "gradients"]);
  const all = new Set(["not yet", "None", "zero", "NaN, ∞"]);
  const right = (mark) => {
    if (mark.type === "path") return 0;
    return mark.type === "text" ? mark.x + roughMeasure(mark.text, mark.size, 400, false) : mark.x + mark.w;
  };
  for (const limit of [5, 123456, 1e-12, 0.012345]) {
    for (const [narrow, most] of [
      [false, LEGEND.w],
      [true, LEGEND.narrow],
    ]) {
      const { marks, w } = drawLegend(new Colours(LIGHT, makeScale(limit, limit)), roughMeasure, all, narrow);
      assert.ok(w <= most, `a legend up to ${limit} is ${w} wide`);
      for (const mark of marks) {
        const what = `${mark.text ?? "a box"} of a legend up to ${limit}`;
        assert.ok(mark.type === "path" || (mark.x >= 0 && right(mark) <= w), `${what} ends at ${right(mark)} of ${w}`);
      }
    }
  }
});

test("signs beside neighbouring heads stand on either side of them", () => {
  const paths = [0, 14, 28].map((x) => Float64Array.from([x, 100, x, 80]));
  const side = (/** @type {number[]} */ out) => {
    const scene = { paths, links: paths.map(() => ({ from: 0 })), out: [out] };
    return out.map((j) => {
      const { x, text } = signMark(scene, j, { stroke: "ink", width: 2 }, "+");
      return text && Math.sign(x - paths[j][0]);
    });
  };
  assert.deepEqual(side([1]), [1]);
  assert.deepEqual(side([0, 1]), [-1, 1]);
  assert.deepEqual(side([0, 1, 2]), [-1, "", 1]);
});

test("text on any fill has the contrast that it needs", () => {
  for (let blue = 0; blue < 256; blue += 3) {
    for (let red = 0; red < 256; red += 17) {
      const fill = `#${[red, blue, blue].map((x) => x.toString(16).padStart(2, "0")).join("")}`;
      assert.ok(contrast(readable(fill), fill) >= 4.5, fill);
    }
  }
});
