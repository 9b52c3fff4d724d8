import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { indexTrace, stateAt, stops } from "../../static/js/trace.js";
import { Book } from "../../static/js/ui/book.js";
import { asText, broadcastOf, narrate } from "../../static/js/ledger/sentence.js";
import { simplify } from "../../static/js/formula/tree.js";
import { plain } from "../../static/js/formula/write.js";
import { leafRule, rules, startRule } from "../../static/js/ledger/rule.js";
import { placeAt } from "../../static/js/timeline/places.js";
import * as programs from "./fixtures/programs.js";
import { formulaOf } from "./fixtures/trees.js";

/** The story of a whole run, one string per step. */
function story(document) {
  const trace = indexTrace(document);
  const book = new Book(trace);
  const times = stops(trace);
  return times.map((t, i) =>
    narrate(book, i ? times[i - 1] : 0, i ? t : 0)
      .map(asText)
      .join(" "),
  );
}

/** A document as the engine writes it. */
const written = (name) => JSON.parse(readFileSync(new URL(`./fixtures/engine/${name}.json`, import.meta.url), "utf8"));

/** The rules of every run of nodes of a class. */
function rulesOf(document, name) {
  const book = new Book(indexTrace(document));
  return book.doc.events.flatMap((event) =>
    event.kind === "node" && book.nodeName(event.node) === name ? rules(book, book.nodes.get(event.node), event) : [],
  );
}

const one = (steps, pattern) => {
  const found = steps.filter((text) => pattern.test(text));
  assert.equal(found.length, 1, `${found.length} steps match ${pattern}:\n${steps.join("\n")}`);
  return found[0];
};

test("a rule has PyTorch's own formula of its input, where the document knows one", () => {
  const document = structuredClone(programs.scalars());
  document.derivatives = { MulBackward0: { self: "grad * other", other: "grad * self" } };
  const found = rulesOf(document, "MulBackward0");
  assert.deepEqual([...new Set(found.map((rule) => rule.own))].sort(), ["grad * other", "grad * self"]);
  assert.ok(rulesOf(document, "AddBackward0").every((rule) => rule.own === undefined));
  assert.ok(rulesOf(programs.scalars(), "MulBackward0").every((rule) => rule.own === undefined));
});

test("a step of an optimizer has its numbers where it is lr times the gradient, and its name where it is more", () => {
  const steps = story(written("momentum"));
  const first = /^opt\.step\(\) subtracts 0\.1 × b\.grad from b: 1 − 0\.1 × 2 = 0\.8\. Its version counter/;
  assert.match(one(steps, first), /goes to 1/);
  one(steps, /^opt\.step\(\) subtracts 0\.1 × w\.grad from w, which is now \[0\.8, −1\.6\]\./);
  assert.equal(
    steps.filter((text) => /^opt\.step\(\) \(SGD, lr 0\.1\) changes b in place: it is now /.test(text)).length,
    7,
  );
});

test("what an optimizer did is told by its own step alone: of that line, and after as many passes", () => {
  const document = written("momentum");
  const told = (change) => {
    const changed = structuredClone(document);
    change(changed.optimizers[0]);
    return story(changed).filter((text) => /step\(\)/.test(text)).length;
  };
  assert.equal(
    told(() => {}),
    16,
  );
  for (const change of [
    (each) => (each.tensors = []),
    (each) => each.uses.forEach((use) => delete use.lr),
    (each) => each.uses.forEach((use) => (use.line += 1)),
    (each) => each.uses.forEach((use) => (use.passes += 20)),
  ]) {
    assert.equal(told(change), 0);
  }
  const climbing = structuredClone(document);
  climbing.optimizers[0].uses.forEach((use) => (use.lr = -0.1)); // which gives the numbers of maximize=True
  one(story(climbing), /^opt\.step\(\) adds −0\.1 × b\.grad to b: 1 \+ −0\.1 × 2 = 0\.8\./);
});

test("what a program's own autograd overwrites is not told as a sum", async () => {
  const { Tape } = await import("../../static/js/ledger/tape.js");
  const document = written("overwriting");
  const told = (change) => {
    const book = new Book(indexTrace(change(structuredClone(document))));
    book.tape = new Tape(book);
    const times = stops(book.trace);
    return times.map((t, i) => (i ? narrate(book, times[i - 1], t) : []).map(asText).join(" "));
  };
  const lost = told((each) => each);
  one(lost, /arrived at x, one for each use: 1, 3 and 3, but = overwrites what had arrived, and 3 is left\.$/);
  assert.equal(lost.filter((text) => / 1 \+ 3 \+ 3/.test(text)).length, 0);
  one(lost, /is finished: x\.grad is 3\. PyTorch gives 7 for x\./);
  const added = told((each) => ({ ...each, tape: { ...each.tape, slips: [], whole: false } }));
  one(added, /one for each use: 1 \+ 3 \+ 3 = /);
  one(added, /PyTorch gives 7 for x\. The program goes on; of so long a run only this is told\./);
});

test("before anything ran the page says so", () => {
  assert.match(story(programs.scalars())[0], /^Nothing has run yet/);
});

test("a leaf, an op and the start of the pass are told with names and numbers", () => {
  const steps = story(programs.scalars());
  assert.match(one(steps, /^a is 2\. /), /leaf that requires grad.*a\.grad, which is None/);
  assert.match(
    one(steps, /^e = c \* d is 20\. /),
    /records MulBackward0, which points to AddBackward0 and d\. It saves [cd] and [cd] to compute its derivative later/,
  );
  assert.match(
    one(steps, /starts backward pass #1/),
    /^Line 7 starts backward pass #1: e receives 1, its derivative with respect to itself\.$/,
  );
});

test("a node says what it received, its rule and what it sends", () => {
  const steps = story(programs.scalars());
  assert.match(
    one(steps, /^MulBackward0 received/),
    /^MulBackward0 received 1, the start of the pass.*sends 4 to AddBackward0 and 5 to d\./,
  );
  assert.match(one(steps, /^AddBackward0 received/), /received 4 from MulBackward0.*sends 4 to a and 4 to b\./);
});

test("a gradient landing in a leaf names what was there before", () => {
  const steps = story(programs.twice());
  const landings = steps.filter((text) => /x\.grad/.test(text) && /lands|already/.test(text));
  assert.match(landings[0], /lands in x\.grad, which was None before/);
  assert.match(landings[0], /2 gradients arrived at x, one for each use: 3 \+ 3 = 6\./);
  assert.match(landings[1], /already had a gradient: 6 \+ 6 = 12/);
  assert.match(landings[1], /adds to \.grad and never replaces it/);
});

test("a vector output explains the gradient argument", () => {
  const steps = story(programs.vector());
  const start = one(steps, /starts backward pass/);
  assert.match(
    start,
    /starts backward pass #1: y receives the weights \[0\.1, 1, 0\.0001\] as its gradient\. y has 3 elements/,
  );
  assert.match(start, /gradient of the single number 0\.1·y₀ \+ 1·y₁ \+ 0\.0001·y₂/);
});

test("a broadcast input is told to be summed, and a fan-in to wait", () => {
  const steps = story(programs.vector());
  assert.match(
    one(steps, /^MulBackward0 received/),
    /w is a single number but was used 3 times: its 3 contributions are added up/,
  );
  assert.ok(steps.some((text) => /x is used in 2 places and still waits for 1 more gradient/.test(text)));
});

test("the first sentence of a step is its whole statement", () => {
  const trace = indexTrace(programs.twice());
  const book = new Book(trace);
  const times = stops(trace);
  const first = times.map((t, i) => asText(narrate(book, i ? times[i - 1] : 0, i ? t : 0)[0]));
  assert.match(one(first, /^x is /), /leaf that requires grad/);
  assert.match(one(first, /^y = /), /Autograd records/);
  assert.match(first.filter((text) => /lands in x\.grad/.test(text))[0], /one for each use: 3 \+ 3 = 6\.$/);
});

test("gradients are told from other values, so that they can be coloured", () => {
  const trace = indexTrace(programs.scalars());
  const book = new Book(trace);
  const tokens = stops(trace).flatMap((t, i, times) => narrate(book, i ? times[i - 1] : 0, i ? t : 0).flat());
  const kinds = (kind) => new Set(tokens.filter((token) => token.kind === kind).map(({ text }) => text));
  assert.deepEqual(kinds("value"), new Set(["2", "3", "4", "5", "20"]));
  assert.deepEqual(kinds("gradient"), new Set(["1", "4", "5"]));
  for (const { kind, id, text } of tokens) {
    if (kind === "gradient") assert.equal(String(book.value(id)?.data), text);
  }
});

test("an error is told by its type and line", () => {
  const steps = story(programs.twice());
  assert.match(steps.at(-1), /^Line 6 stops with a RuntimeError/);
});

test("every step of every fixture has a story without holes", () => {
  for (const [name, make] of Object.entries(programs)) {
    if (["chain", "diamonds"].includes(name)) continue;
    for (const text of story(make())) {
      assert.ok(text.length > 10, `${name}: ${text}`);
      assert.doesNotMatch(text, /undefined|NaN received|\[object|null/, `${name}: ${text}`);
    }
  }
});

test("formulas are shown with the numbers of the step", () => {
  const trace = indexTrace(programs.scalars());
  const book = new Book(trace);
  const event = book.doc.events.find((e) => e.kind === "node" && book.nodeName(e.node) === "MulBackward0");
  const [first, second] = rules(book, book.nodes.get(event.node), event);
  assert.equal(first.numbers, "1 × 4");
  assert.equal(first.result, "4");
  assert.match(first.latex, /^\\frac\{\\partial\\,e\}\{\\partial\\,c\} =/);
  assert.equal(second.result, "5");
});

test("a pass starts by a rule of its own, and a leaf adds by one", () => {
  const book = new Book(indexTrace(programs.vector()));
  const start = startRule(book, book.calls.get(0));
  assert.match(start.latex, /= w$/);
  assert.deepEqual([start.numbers, start.result], ["∂(0.1·y₀)/∂y₀", "0.1"]);
  const single = new Book(indexTrace(programs.scalars()));
  assert.equal(startRule(single, single.calls.get(0)).text, "∂e/∂e = 1");
  const twice = new Book(indexTrace(programs.twice()));
  const landings = twice.doc.events.filter(({ kind }) => kind === "accumulate");
  assert.deepEqual(
    landings.map((event) => leafRule(twice, event)).map(({ text, numbers, result }) => [text, numbers, result]),
    [
      ["x.grad = g", null, "6"],
      ["x.grad += g", "6 + 6", "12"],
    ],
  );
});

test("a broadcast rule carries its sum, and only elementwise ops are taken for broadcast", () => {
  const trace = indexTrace(programs.vector());
  const book = new Book(trace);
  const event = book.doc.events.find((e) => e.kind === "node" && book.nodeName(e.node) === "MulBackward0");
  const node = book.nodes.get(event.node);
  assert.equal(broadcastOf(book, node, event, 0), null);
  assert.equal(broadcastOf(book, node, event, 1).times, 3);
  assert.match(rules(book, node, event)[1].numbers, /^Σ .* × .*$/);
});

test("a pass that ends is a step of its own, and what is printed then is told with it", () => {
  const steps = story(programs.scalars());
  assert.match(steps.at(-1), /^Backward pass #1 is finished: d\.grad is 5, a\.grad is 4 and b\.grad is 4\./);
  const twice = story(programs.twice());
  assert.equal(twice.filter((text) => /^Backward pass #\d is finished/.test(text)).length, 2);
});

test("a number a node saved is called by its value, and a tensor saved twice is named once", () => {
  const steps = story(programs.twice()).join("\n");
  assert.doesNotMatch(steps, /saves? (other|self)\b/);
  assert.doesNotMatch(steps, /saves (\w+) and \1:/);
});

test("a rule the engine computes as a whole is shown as mathematics, not as a call", () => {
  const [rule] = rulesOf(written("factor"), "LinalgQrBackward0");
  assert.match(rule.latex, /= \\bigl\(G_Q \+ Q/);
  assert.equal(rule.numbers, null);
  assert.match(rule.result, /^\[\[/);
});

test("a sum is one over what arrives at the same output, not at the same node", () => {
  for (const rule of rulesOf(written("factor"), "SumBackward0")) assert.doesNotMatch(rule.latex, /\+}=/);
  assert.match(rulesOf(written("slices"), "MulBackward0")[0].latex, /\\partial\\,y} \\mathrel{\+}=/);
});

test("a bias is summed over the rows it was added to, and a transposed weight is named after the weight", () => {
  const texts = rulesOf(written("layer"), "AddmmBackward0").map((rule) => rule.text);
  assert.match(texts[0], /gradient of layer\.bias = Σ g/);
  assert.match(texts.at(-1), /gradient of layer\.weight\.T = xᵀ @ g/);
});

test("a hook is told with the line that registered it, what it saw and what it made of it", () => {
  const steps = story(written("hooks"));
  assert.match(
    one(steps, /^The hook you registered on y on line 6/),
    /saw \[6, 12\] and replaced it with \[12, 24\]\./,
  );
  one(steps, /^The hook you registered on SumBackward0 on line 9 saw 1 and left it as it was\./);
  one(steps, /^The hook you registered on x on line 7 runs, now that its gradient is in place\./);
});

/** One pattern of several, each short enough for a line. @param {...RegExp} parts */
const long = (...parts) => new RegExp(parts.map((part) => part.source).join(""));

const KINDS = {
  bind: [
    /^x is \[1, 2\], shape \(2,\)\. It is a leaf that requires grad/,
    /^c is \[3, 4\], shape \(2,\)\. It doesn't require grad: to autograd it is a constant\.$/,
  ],
  op: [
    long(
      /^y = x \* c is \[3, 8\]\. Autograd records MulBackward0, which points to x\. /,
      /It saves c to compute its derivative later\.$/,
    ),
    /^y\.chunk\(2\) makes 2 tensors: left is \[3\] and right is \[8\]\. Autograd records SplitBackward0/,
    /^z = x \* 2 is \[4, 6\]\. Nothing is recorded for the backward pass: gradients are switched off here\.$/,
  ],
  backward: [
    long(
      /^Line 8 starts backward pass #1: y\.sum\(\) receives 1, its derivative with respect to itself\. /,
      /retain_graph=True: saved tensors stay/,
    ),
    long(
      /^Line 13 starts backward pass #2: y receives the weights \[1, 0\.5\] as its gradient\. .* /,
      /Only the gradient of x is asked for; autograd\.grad returns it and leaves \.grad alone\./,
    ),
  ],
  node: [
    long(
      /^SumBackward0 \(y\.sum\(\)\) received 1, the start of the pass\. /,
      /.*, so it sends \[1, 1\] to MulBackward0\.$/,
    ),
  ],
  release: [/to x\. It has used its saved tensors \(c\) and frees them\.$/],
  accumulate: [/^\[3, 4\] lands in x\.grad, which was None before\.$/],
  backward_end: [
    /^Backward pass #1 is finished: x\.grad is \[3, 4\]\./,
    /^Backward pass #2 is finished: it returns \[3, 2\] for x\.$/,
  ],
  write: [/^x is changed in place and is now \[2, 3\]\. Its version counter goes to 1/],
  grad: [
    /^retain_grad\(\) keeps \[1, 1\] in y\.grad, although y is not a leaf\.$/,
    /^x\.grad is set back to None; it was \[3, 4\]\./,
    /^x\.grad becomes \[1, 1\]\.$/,
    /^x\.grad is changed in place to \[0, 0\]; it was \[1, 1\]\.$/,
    /^x\.grad is set back to None by zero_grad\(\); it was \[0, 0\]\.$/,
  ],
  read: [/^x\.grad is \[3, 4\]\./],
  print: [/^x\.grad is \[3, 4\]\. Line 9 prints grad is tensor\(\[3\., 4\.\]\)\.$/],
  warning: [/Line 12 warns: UserWarning\. nearly there$/],
};

for (const [kind, patterns] of Object.entries(KINDS)) {
  test(`what is said of every ${kind}`, () => {
    const document = written("kinds");
    const steps = story(document);
    assert.ok(document.events.some((event) => event.kind === kind));
    for (const pattern of patterns) {
      assert.ok(
        steps.some((text) => pattern.test(text)),
        `${pattern} in\n${steps.join("\n")}`,
      );
    }
  });
}

test("every kind of event has its sentence tested", () => {
  const tested = new Set([...Object.keys(KINDS), "hook", "error"]);
  for (const name of ["kinds", "hooks", "twice", "nested", "training"]) {
    for (const { kind } of written(name).events) assert.ok(tested.has(kind), kind);
  }
});

test("what a recorded pass makes is called after the tensor it is the gradient of, or the node that needed it", () => {
  const document = written("penalty");
  const trace = indexTrace(document);
  const steps = story(document);
  assert.match(
    one(steps, /tanh_backward gives/),
    /^While TanhBackward0 runs, what it computes is recorded too: .*It saves the gradient of out and out to compute/,
  );
  assert.match(one(steps, /saves w\.T\.T and/), /the gradient of x\*w@w\.T to compute/);
  const names = document.ops.map((op) => trace.label(op.outputs[0]));
  for (const name of ["grad of x*w@w.T", "grad of x*w"]) assert.ok(names.includes(name), names.join(", "));
  const book = new Book(trace);
  const between = document.ops.find((op) => op.name === "mul" && trace.during.has(op.id));
  assert.equal(book.nameOf(between.outputs[0]), "the result of mul in MulBackward0");
  assert.doesNotMatch(
    steps.join(" "),
    /\bview\b(?! gives| makes)/,
    "an output a node had saved is called as when it was made",
  );
});

test("a variable called g is told from the gradient that comes in, and composite names stand in parentheses", () => {
  const [norm] = rulesOf(written("penalty"), "LinalgVectorNormBackward0");
  assert.equal(norm.text, "gradient of g = g_in × g / g.norm()");
  assert.match(norm.latex, /g_\{\\text\{in\}\} \\cdot g\}\{\\text\{g\.norm\(\)\}\}/);
  assert.ok(
    rulesOf(written("penalty"), "PowBackward0").some(
      (rule) => rule.text === "gradient of g.norm()-1 = g × (2 × (g.norm()-1))",
    ),
  );
  const turned = rulesOf(written("penalty"), "TBackward0")
    .map((rule) => rule.latex)
    .join(" ");
  assert.match(turned, /w\^\{\\mathsf T\}/);
  assert.doesNotMatch(turned, /[^}]\^\{\\mathsf T\}\^/, "KaTeX refuses a superscript upon a superscript");
});

test("a checkpoint computes again what it did not keep", () => {
  const steps = story(written("checkpoint"));
  assert.match(
    one(steps, /tanh gives/),
    /^While TanhBackward0 \(y\) runs, what the checkpoint did not keep is recomputed: /,
  );
});

test("at the end of a pass .grad is what it is then, whatever a hook has made of it", () => {
  const steps = story(written("checkpoint"));
  assert.match(one(steps, /lands in x\.grad/), /^\[0\.0296, /);
  assert.match(one(steps, /is finished/), /x\.grad is \[0\.01, 7\.37e-5\]\.$/);
  assert.equal(
    steps.filter((text) => /^AccumulateGrad received/.test(text)).length,
    0,
    "the leaf's node has told its story already",
  );
});

test("a hook on a module names the module, and what only serves it says so", () => {
  const steps = story(written("modulehook"));
  assert.match(one(steps, /^The hook you registered on the module/), /on the module net\.0 on line 4 saw/);
  assert.ok(
    steps.some((text) =>
      /^BackwardHookFunctionBackward .*It only runs a module's hooks and changes nothing/.test(text),
    ),
  );
  assert.doesNotMatch(steps.join(" "), /result of BackwardHookFunction/);
});

test("what an op makes besides its result, or writes to besides, does not hide the result", () => {
  const steps = story(written("telling"));
  assert.match(
    one(steps, /^y = norm\(x\)/),
    /is \[\[−1\.225, .* and updates norm\.running_mean, .* saves .* mean and 1\/std to compute/,
  );
  one(steps, /^loss = nn\.functional\.cross_entropy\(.*\) is 0\.\d+\. Autograd records NllLossBackward0/);
  assert.match(
    one(steps, /^q = torch\.fake_quantize/),
    /\) is \[−0\.8, 0\.5, 0\.7\]\. .* It saves mask to compute its derivative later\./,
  );
  one(steps, /^part: part\.mul_\(10\) changes it in place to \[−8, 5\], and q with it\./);
});

test("what detach() and .data take out is not told like a constant", () => {
  const steps = story(written("telling"));
  one(steps, /^b is .* It shares the values of q, but detach\(\) cuts the path: no gradient gets through\.$/);
  one(steps, /^c is .* It shares the values of a, but \.data cuts the path: no gradient gets through\.$/);
});

test("the gradient of a leaf that has no name is not called leaf.grad", () => {
  const steps = story(written("telling"));
  one(steps, /lands in the \.grad of an unnamed leaf, which was None before/);
  one(steps, /^Backward pass #2 is finished: .*the \.grad of an unnamed leaf is /);
});

test("of several results each is told by its name, and a gradient for one of them by what it is", () => {
  const steps = story(written("several"));
  one(steps, /^Inside the module LSTM, lstm makes out: a? ?.+ Autograd records MkldnnRnnLayerBackward0/);
  one(steps, /^rnn\(torch\.ones\(2, 1, 2\)\) makes c: \[\[\[/);
  one(steps, /, squeeze makes p: \[\[2\], \[3\]\]\./);
  one(steps, /^LinalgSvdBackward0 received \[1, 1\] from SumBackward0/);
});

test("batch norm is told by its mode, and a write to a part by what it passes on", () => {
  const steps = story(written("telling")).filter((text) => / received /.test(text));
  one(
    steps,
    /^NativeBatchNormBackward0 \(fixed\).* In eval mode mean and variance are fixed numbers: the derivative is weight/,
  );
  one(steps, /^NativeBatchNormBackward0 \(y\).* What a shift or a stretch of the whole group would undo is taken out/);
  one(steps, /^CopySlices .* What was overwritten gets its gradient from the write, the rest passes through unchanged/);
});

test("a program without steps is told to have none, and one that only prints how often", () => {
  const document = written("modulehook");
  const of = (/** @type {string} */ code, /** @type {string[]} */ texts = []) =>
    story({
      ...document,
      source: { ...document.source, code },
      events: texts.map((text, i) => ({ kind: "print", text: `${text}\n`, line: i + 1 })),
    });
  assert.match(of("\n")[0], /^There is no program yet/);
  assert.match(of("import torch\n")[0], /^The program ran to its end\. It made no tensor/);
  assert.match(of("print(1)", ["1"]).at(-1), /^Line 1 prints 1\.$/);
  assert.match(of("print(1)", ["1", "2", "3"]).at(-1), /^Line 1 prints 1; 2 more prints follow\. Line 2 prints 2\./);
});

test("what is printed after the last step is what the last stop is about", () => {
  const document = written("modulehook");
  const steps = story(document);
  assert.equal(steps.at(-1), "Line 7 prints 3.0.");
  const trace = indexTrace(document);
  const times = stops(trace);
  assert.equal(placeAt(new Book(trace), times, times.at(-1)).subject, "the last lines");
});

test("what an expression computes before it calls a function is on the way, not what it gives", () => {
  const steps = story(written("hessian"));
  const first = steps.find((text) => /view gives/.test(text));
  assert.match(
    first,
    long(
      /^As part of hessian\(f, torch\.tensor\(\[1\.0, 2\.0\]\)\), /,
      /view gives \[1, 2\].*points to an unnamed leaf/,
    ),
  );
  assert.ok(steps.some((text) => /pass #\d+: the result of select receives 1, its derivative/.test(text)));
});

test("a tensor used twice by one op waits for nothing once that op has sent both gradients", () => {
  const steps = story(written("hessian"));
  const both = steps.filter(
    (text) => /^MulBackward0 .*received/.test(text) && /to ViewBackward0 .*and .* to ViewBackward0/.test(text),
  );
  assert.ok(both.length);
  for (const text of both) assert.doesNotMatch(text, /waits for 1 more/);
});

test("what a kernel of the engine does is said as mathematics", () => {
  const said = (/** @type {string} */ text, known = {}) =>
    plain(
      simplify(formulaOf(text), (name) => known[name]),
      () => null,
    );
  assert.equal(rulesOf(written("aside"), "MaxBackward0")[0].text, "gradient of x += g where it was chosen, else 0");
  assert.equal(
    said("std_backward(g, self, result, dim, correction, keepdim)", { correction: 1 }),
    "g × (self − mean) / ((n − 1) × result)",
  );
  assert.equal(
    said("hardtanh_backward(g, self, min_val, max_val)", { min_val: -1, max_val: 1 }),
    "g where −1 < self < 1, else 0",
  );
  assert.equal(
    said("huber_loss_backward(g, self, target, reduction, delta)", { reduction: 1, delta: 2 }),
    "g / n × (self − target where abs(self − target) < 2, else 2 × sign(self − target))",
  );
});

test("a root nobody named is L", () => {
  const rule = rulesOf(written("hessian"), "SelectBackward0")[0];
  assert.match(rule.latex, /^\\frac\{\\partial\\,L\}/);
});

test("leaves that one variable held in turn are called by their place in the list", () => {
  const steps = story(written("members"));
  assert.match(one(steps, /is finished/), /ws\[1\]\.grad is 19 and ws\[0\]\.grad is 18\.$/);
  const trace = indexTrace(written("members"));
  const called = written("members").tensors.filter(({ is_leaf }) => is_leaf);
  assert.deepEqual(
    called.map(({ id }) => trace.label(id)),
    ["ws[0]", "ws[1]", "rest[0][0]", "xs[0]", "xs[1]", "h"],
    "those that get no gradient, too",
  );
  const idle = called.find(({ name }) => name === "rest[0][0]");
  assert.equal(stateAt(trace, 0).tensors.get(idle.id)?.created ?? false, false);
  const last = stateAt(trace, trace.events.length).tensors.get(idle.id);
  assert.ok(last.created, "and one that nothing uses is there once its line was run");
  assert.equal(trace.document.values[last.value].data, 4);
});

test("a line that looks at something is a step that says what it saw, and why", () => {
  const steps = story(written("reads"));
  const expected = [
    /^y, a and c are leaves: no recorded operation made them; b is not a leaf: MulBackward0 \(b\) made it\. /,
    /^b requires grad: it was computed from a tensor that does; a doesn't require grad: no input /,
    /^The next functions of MulBackward0 \(e\): \[0\] is None, since a doesn't require grad and \[1\] is /,
    /^next_functions\[1\] of MulBackward0 \(b\) is None, since that input is a plain number\. y\.grad_fn is None: /,
    /^AccumulateGrad\.variable is the leaf it writes to: here y\. MulBackward0 \(b\) saved other /,
    /^y\.grad is 6; b\.grad is None: it is not a leaf\./,
  ];
  for (const pattern of expected) one(steps, pattern);
  const trace = indexTrace(written("reads"));
  const times = stops(trace);
  assert.equal(placeAt(new Book(trace), times, times.at(-1)).title, "Step 5 of 5 · print");
});

test("a write through .data is said to leave the version counter where it was", () => {
  const writes = story(written("update")).filter((text) => /^w is changed in place/.test(text));
  const counters = writes.map((text) => /Its version counter .*?\d/.exec(text)?.[0]);
  assert.deepEqual(counters, [
    "Its version counter stays at 0",
    "Its version counter stays at 0",
    "Its version counter goes to 1",
  ]);
});
