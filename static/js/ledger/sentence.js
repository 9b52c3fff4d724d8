/**
 * What happened in one step, in plain English. Pure: from the document and a range of events to tokens, so that the
 * same words are shown, spoken and tested.
 * @module
 */

import { stopIndex } from "../timeline/places.js";
import { bandAt, formatNumber, formatShape, leadOf, spoken, stateAt } from "../trace.js";
import { flatNumbers, sizeOf } from "../ui/book.js";
import { lineName } from "../ui/cells.js";
import { count, short } from "../ui/words.js";
import { tellReads } from "./reads.js";
import { optimized } from "./steps.js";
import { code, plain, say, series } from "./tokens.js";
import { cutBehind, whyNoGradient } from "./why.js";

/** @typedef {import("../ui/book.js").Book} Book */
/** @typedef {import("../ui/types").Token} Token */
/** @typedef {import("../trace/document").Event} TraceEvent */
/** @typedef {import("../trace/document").NodeEvent} NodeEvent */
/** @typedef {import("../trace/document").Node} NodeRecord */
/** @typedef {Token[]} Sentence */

/** Where no event of a step leads, the most telling one speaks: after the last step, what is printed. */
const RANK = [
  "release",
  "read",
  "bind",
  "op",
  "write",
  "warning",
  "print",
  "figure",
  "backward_end",
  "grad",
  "hook",
  "node",
  "accumulate",
  "backward",
  "gap",
  "error",
];

/** @param {Sentence} sentence */
export const asText = (sentence) => sentence.map((token) => token.text).join("");

/**
 * What nodes do that are no row of a table, and one that does another thing in eval mode.
 * @type {Record<string, string>}
 */
const SAYS = {
  BackwardHookFunctionBackward: "it only runs a module's hooks and changes nothing",
  CopySlices: "what was overwritten gets its gradient from the write, the rest passes through unchanged",
  evaluating: "in eval mode mean and variance are fixed numbers: the derivative is weight / √(running_var + eps)",
};

/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {string} says */
const clause = (says) => says.trim().replace(/[.\s]+$/, "");

/**
 * What is told of a step, the statement first.
 * @param {Book} book @param {number[]} stops @param {number} t
 */
export function toldAt(book, stops, t) {
  const stop = stopIndex(stops, t);
  return stop === 0 ? narrate(book, 0, 0) : narrate(book, stops[stop - 1] ?? 0, t);
}

/**
 * The story of events [from, to).
 * @param {Book} book
 * @param {number} from
 * @param {number} to
 * @returns {Sentence[]} the first one is the headline
 */
export function narrate(book, from, to) {
  const events = book.doc.events.slice(from, to);
  if (events.length === 0) return [nothing(book)];
  const lead = leadOf(book.trace, from, to);
  const first =
    lead >= 0
      ? events[lead - from]
      : events.reduce((best, event) => (RANK.indexOf(event.kind) > RANK.indexOf(best.kind) ? event : best));
  const writer = first?.kind === "write" && events.filter((event) => writes(book, event, first.tensor, events)).at(-1);
  const main = writer || first;
  if (!main) return [];
  const teller = new Teller(book, events, from + events.indexOf(main));
  return [...teller.tell(main), ...teller.said(main)].map(begun);
}

/**
 * Is this the op of a step that writes to a tensor, or to one that shares its memory?
 * @param {Book} book @param {TraceEvent} event @param {string} tensor @param {TraceEvent[]} events
 */
function writes(book, event, tensor, events) {
  if (event.kind !== "op" || !book.trace.visible.ops.has(event.op)) return false;
  const inputs = book.ops.get(event.op)?.inputs ?? [];
  return inputs.includes(tensor) || events.some((each) => each.kind === "write" && inputs.includes(each.tensor));
}

/**
 * A sentence begins with a capital, unless it begins with a name of the program.
 * @param {Sentence} sentence
 * @returns {Sentence}
 */
function begun(sentence) {
  const [first, ...rest] = sentence;
  return first && /^(the (result|gradient|\.grad) of|an unnamed leaf|a \()/.test(first.text)
    ? [{ ...first, text: capital(first.text) }, ...rest]
    : sentence;
}

/** Before the first step. @param {Book} book @returns {Sentence} */
function nothing({ doc }) {
  if (doc.events.length) return say`Nothing has run yet. Step forward to watch the program, then its backward pass.`;
  return doc.source.code?.trim()
    ? say`The program ran to its end. It made no tensor and printed nothing, so there are no steps.`
    : say`There is no program yet. Write one, paste one, or choose one of the examples.`;
}

class Teller {
  /** @param {Book} book @param {TraceEvent[]} events the whole step @param {number} at index of its main event */
  constructor(book, events, at) {
    this.book = book;
    this.events = events;
    this.at = at;
  }

  /** @param {TraceEvent} event @returns {Sentence[]} */
  tell(event) {
    switch (event.kind) {
      case "op":
        return this.#op(event);
      case "bind":
        return this.#bind(event);
      case "write":
        return this.#write(event);
      case "read":
        return tellReads(this, this.at);
      case "print":
        return this.#print(event);
      case "figure":
        return [this.#figure(event)];
      case "backward":
        return this.#backward(event);
      case "node":
        return this.#node(event);
      case "accumulate":
        return this.#accumulate(event);
      case "hook":
        return this.#hook(event);
      case "grad":
        return this.#grad(event);
      case "release":
        return [say`${this.node(event.node)} frees its saved tensors.`];
      case "backward_end":
        return this.#finished(event.call);
      case "warning":
        return [
          say`${event.line ? this.line(event.line) : "The program"} warns: ${code(event.category)}. ${event.message}`,
        ];
      case "gap":
        return [this.#gap(event)];
      case "error":
        return this.#error();
    }
  }

  /** @param {import("../trace/document").GapEvent} event @returns {Sentence} */
  #gap({ ops, passes }) {
    const [what, times] = passes
      ? [count(passes, "backward pass", "backward passes"), passes]
      : [count(ops, "operation"), ops];
    const missing = `${times ? what : "A part"} of the run ${times > 1 ? "were" : "was"} not recorded here.`;
    return say`${missing} Tensors show what they hold afterwards.`;
  }

  /** What was printed and warned in the step besides. @param {TraceEvent} main @returns {Sentence[]} */
  said(main) {
    const said = this.events.filter(
      (event) => event !== main && (event.kind === "warning" || (event.kind === "print" && event.text.trim())),
    );
    const told = said.slice(0, 2).flatMap((event) => this.tell(event));
    return said.length > 2
      ? [...told, say`${count(said.length - 2, "more message")} follow${said.length === 3 ? "s" : ""}.`]
      : told;
  }

  /** @param {string | null | undefined} id @returns {Token} */
  tensor(id) {
    const name = this.book.nameOf(id);
    return {
      text: name === "leaf" && !this.book.tensors.get(id ?? "")?.name ? "an unnamed leaf" : name,
      kind: "tensor",
      ...(id ? { id } : {}),
    };
  }

  /** Its `.grad`. @param {string} id @returns {Token} */
  grad(id) {
    const { text } = this.tensor(id);
    return /^an unnamed/.test(text) ? plain(`the .grad of ${text}`) : code(`${text}.grad`);
  }

  /** @param {string} id @returns {Token} */
  node(id) {
    return { text: this.book.nodeTitle(id), kind: "node", id };
  }

  /** @param {string | null | undefined} id @returns {Token} */
  value(id) {
    return { text: short(this.book.value(id)), kind: "value" };
  }

  /** @param {number} line */
  line(line) {
    return lineName(this.book.lines, line);
  }

  /** @param {string | null | undefined} id @returns {Token} */
  gradient(id) {
    return { text: short(this.book.value(id)), kind: "gradient", ...(id ? { id } : {}) };
  }

  /**
   * A node as the place a gradient goes to: a leaf by its name, an op by its grad_fn.
   * @param {string} id
   * @returns {Token}
   */
  place(id) {
    const leaf = this.book.leafOf(id);
    return leaf ? this.tensor(leaf) : this.node(id);
  }

  /** @param {Extract<TraceEvent, {kind: "op"}>} event @returns {Sentence[]} */
  #op(event) {
    const { book } = this;
    const op = book.ops.get(event.op);
    if (!op) return [say`An operation ran.`];
    const output = op.outputs[0];
    const tensor = output ? book.tensors.get(output) : undefined;
    const source = book.sourceOf(op);
    const within = this.#within(op);
    const inPlace = output !== undefined && op.inputs.includes(output);
    const several = op.outputs.length > 1 && !(BESIDES.test(op.name) && !named(book, op.outputs.slice(1)).length);
    const assigned = tensor?.name && source && source !== tensor.name && !inPlace;
    const unpacked = assigned && /,.*=\s*$/.test((book.lines[(op.line ?? 0) - 1] ?? "").slice(0, op.column ?? 0));
    const gives = tensor?.name && !inPlace ? say`makes ${this.tensor(output)}:` : plain("gives");
    const written = this.events.find((other) => other.kind === "write" && other.tensor === output);
    const others = unique(
      this.events.flatMap((each) =>
        each.kind === "write" && each.tensor !== output ? [this.tensor(each.tensor)] : [],
      ),
    );
    const along = others.length ? [plain(inPlace ? ", and " : " and updates "), ...series(others.slice(0, 3))] : [];
    const result = tensor
      ? [
          plain(inPlace ? " changes it in place to " : " is "),
          this.value(written?.kind === "write" ? written.value : tensor.value),
          ...along,
          ...(inPlace && along.length ? [plain(" with it")] : []),
        ]
      : [];
    const what = tensor ? this.value(tensor.value) : count(op.outputs.length, "tensor");
    const headline = within
      ? say`${within}${code(spoken(op.name))} ${gives} ${what}.`
      : several
        ? say`${code(source ?? op.name)} makes ${count(op.outputs.length, "tensor")}${this.#several(op.outputs)}.`
        : unpacked
          ? say`${code(source ?? op.name)} makes ${this.tensor(output)}: ${what}.`
          : assigned
            ? say`${this.tensor(output)} = ${code(/** @type {string} */ (source))}${result}.`
            : inPlace
              ? say`${this.tensor(output)}: ${code(source ?? op.name)}${result}.`
              : say`${source ? code(source) : this.tensor(output)}${result}.`;
    const [recorded = [], ...rest] = this.#recorded(op.node, tensor?.id ?? null);
    return [say`${headline} ${recorded}`, ...rest, ...(written?.kind === "write" ? [this.#version(written)] : [])];
  }

  /** Results that got names, each with its value. @param {readonly string[]} outputs @returns {Token[]} */
  #several(outputs) {
    const told = named(this.book, outputs);
    if (!told.length) return [];
    const shown = told
      .slice(0, 4)
      .map((id) => say`${this.tensor(id)} is ${this.value(this.book.tensors.get(id)?.value)}`);
    return [plain(": "), ...series(shown), ...(told.length > 4 ? [plain(" …")] : [])];
  }

  /**
   * Where an op ran that its line does not spell out.
   * @param {import("../trace/document").Op} op
   * @returns {Sentence | null}
   */
  #within(op) {
    const { book } = this;
    const band = bandAt(book.trace, this.at + 1);
    if (band) {
      const node = book.trace.during.get(op.id);
      const runs = node ? say`While ${this.node(node)} runs` : say`While the backward pass runs`;
      if (book.calls.get(band.call)?.create_graph) return say`${runs}, what it computes is recorded too: `;
      return /\bcheckpoint\b/.test(book.doc.source.code ?? "")
        ? say`${runs}, what the checkpoint did not keep is recomputed: `
        : say`${runs}, the program runs as well: `;
    }
    if (!book.isPartOfExpression(op)) return null;
    const module = book.moduleOf(op);
    const source = book.sourceOf(op);
    return module
      ? say`Inside the module ${code(module)}, `
      : source && source.length <= 40
        ? say`As part of ${code(source)}, `
        : say`As part of it, `;
  }

  /** @param {import("../trace/document").WriteEvent} write @returns {Sentence} */
  #version(write) {
    const { events } = this.book.doc;
    const counter = /** @type {Token} */ ({ text: String(write.version), kind: "value" });
    const earlier = events.slice(0, events.indexOf(write)).reverse();
    const last = earlier.find((each) => each.kind === "write" && each.tensor === write.tensor);
    if (write.version === (last?.kind === "write" ? last.version : 0)) {
      return say`Its version counter stays at ${counter}, so autograd cannot notice.`;
    }
    return say`Its version counter goes to ${counter}: nodes that saved an older version can no longer use it.`;
  }

  /**
   * What autograd wrote down about an op.
   * @param {string | null} nodeId
   * @param {string | null} output
   * @returns {Sentence[]}
   */
  #recorded(nodeId, output) {
    const { book } = this;
    const node = nodeId ? book.nodes.get(nodeId) : undefined;
    if (!node) {
      const why = output ? whyNoGradient(book, output) : null;
      return [say`Nothing is recorded for the backward pass: ${why ? why.short : "no input requires grad"}.`];
    }
    const next = node.next_functions.flatMap((edge) => (edge ? [this.place(edge[0])] : []));
    const back = next.length ? [plain(", which points to "), ...series(unique(next).slice(0, 5))] : [];
    const out = [say`Autograd records ${this.node(node.id)}${back}.`];
    const saved = this.#savedNames(node);
    if (saved.length) {
      out.push(say`It saves ${series(saved.slice(0, 6))} to compute its derivative later.`);
    }
    return out;
  }

  /** What a node has saved: tensors by name, numbers as they are. @param {NodeRecord} node @returns {Token[]} */
  #savedNames(node) {
    return unique(
      Object.entries(node.saved ?? {}).map(([slot, ref]) => {
        const id = savedTensor(this.book, node, slot);
        const value = typeof ref === "string" ? this.book.value(ref) : null;
        const unnamed = !id || this.book.trace.label(id) === "constant";
        if (unnamed && value?.shape.length === 0) return code(formatNumber(value.data, value.dtype));
        return id ? (unnamed ? plain("a constant") : this.tensor(id)) : code(slot);
      }),
    );
  }

  /** @param {Extract<TraceEvent, {kind: "bind"}>} event @returns {Sentence[]} */
  #bind(event) {
    const tensor = this.book.tensors.get(event.tensor);
    const name = /** @type {Token} */ ({ text: event.name, kind: "tensor", id: event.tensor });
    if (!tensor) return [say`${name} gets a value.`];
    const made = this.book.producer.get(tensor.id);
    if (tensor.is_leaf && !made) {
      const size = sizeOf(this.book.value(tensor.value));
      const told = size === 1 || size > 6;
      const grad = code(`${event.name}.grad`);
      const is = say`${name} is ${this.value(tensor.value)}${told ? "" : `, shape ${formatShape(tensor.shape)}`}.`;
      const cut = { detach: "detach()", data: ".data" }[tensor.why_no_grad?.cut ?? ""];
      const from = tensor.detached_from;
      if (cut) {
        const shares = from ? say`It shares the values of ${this.tensor(from)}, but ` : say`Here `;
        return [say`${is} ${shares}${code(cut)} cuts the path: no gradient gets through.`];
      }
      return [
        tensor.requires_grad
          ? say`${is} It is a leaf that requires grad, so backward() will fill ${grad}, which is None for now.`
          : say`${is} It doesn't require grad: to autograd it is a constant.`,
      ];
    }
    return [say`The name ${name} now refers to ${this.value(tensor.value)}.`];
  }

  /** @param {Extract<TraceEvent, {kind: "write"}>} event @returns {Sentence[]} */
  #write(event) {
    const stepped = optimized(this.book, event, this.at);
    return [
      stepped
        ? this.#stepped(event, stepped)
        : say`${this.tensor(event.tensor)} is changed in place and is now ${this.value(event.value)}.`,
      this.#version(event),
    ];
  }

  /**
   * @param {import("../trace/document").WriteEvent} event
   * @param {import("./steps.js").Stepped} stepped
   * @returns {Sentence}
   */
  #stepped({ tensor, value }, { optimizer, lr, sign, before, grad }) {
    const [name, now] = [this.tensor(tensor), this.value(value)];
    const call = code(`${optimizer.name ?? optimizer.type}.step()`);
    const rate = formatNumber(lr);
    if (sign === null) {
      return say`${call} (${optimizer.type}, lr ${rate}) changes ${name} in place: it is now ${now}.`;
    }
    const part = say`${rate} × ${this.grad(tensor)}`;
    const whole = sign < 0 ? say`${call} subtracts ${part} from ${name}` : say`${call} adds ${part} to ${name}`;
    if (this.book.value(value)?.shape.length) return say`${whole}, which is now ${now}.`;
    const times = this.gradient(grad);
    const factor = /^[−-]/.test(times.text) ? say`(${times})` : [times];
    return say`${whole}: ${this.value(before)} ${sign < 0 ? "−" : "+"} ${rate} × ${factor} = ${now}.`;
  }

  /** @param {Extract<TraceEvent, {kind: "print"}>} event @returns {Sentence[]} */
  #print(event) {
    const text = event.text.trimEnd();
    const first = text.split("\n")[0] ?? "";
    const shown = first.length > 64 || text.includes("\n") ? `${first.slice(0, 64)}…` : first;
    const where = event.line ? this.line(event.line) : "The program";
    const all = this.events.filter((each) => each.kind === "print" && each.text.trim()).length;
    const more =
      event === this.book.doc.events[this.at] && all > 1
        ? say`; ${count(all - 1, "more print")} ${all > 2 ? "follow" : "follows"}`
        : [];
    return [shown ? say`${where} prints ${code(shown)}${more}.` : say`${where} prints an empty line.`];
  }

  /** @param {import("../trace/document").FigureEvent} event @returns {Sentence} */
  #figure({ figure: id, how, file, line }) {
    const figures = this.events.flatMap((event) => (event.kind === "figure" ? [event.figure] : []));
    const figure = this.book.doc.figures?.find((each) => each.id === id);
    const title = figure?.title || figure?.axes.find((axes) => axes.title)?.title;
    const what = figures.length > 1 ? count(figures.length, "figure") : title ? `a figure, “${title}”` : "a figure";
    if (how === "save") return say`Line ${String(line ?? "?")} saves ${what}${file ? say` as ${code(file)}` : []}.`;
    if (how === "show") return say`Line ${String(line ?? "?")} shows ${what}.`;
    return say`${how === "cell" ? "The cell" : "The program"} has ended with ${what} open, which a notebook shows.`;
  }

  /** What a backward pass has left behind. @param {number} call @returns {Sentence[]} */
  #finished(call) {
    const { book } = this;
    const end = stateAt(book.trace, this.at + 1);
    const landed = new Set(
      book.doc.events.flatMap((event) => (event.kind === "accumulate" && event.call === call ? [event.tensor] : [])),
    );
    const shown = [...landed].slice(0, 4).map((tensor) => {
      const { grad = null } = end.tensors.get(tensor) ?? {};
      const held = grad === null || grad === "none" ? code("None") : this.gradient(grad);
      return say`${this.grad(tensor)} is ${held}`;
    });
    if (landed.size === 0) shown.push(...this.#returned(call));
    if (landed.size > 4) {
      shown.push([plain(`${count(landed.size - 4, "more gradient")} ${landed.size > 5 ? "are" : "is"} in place`)]);
    }
    const told = say`Backward pass #${String(call + 1)} is finished${shown.length ? say`: ${series(shown)}` : []}.`;
    return [[...told, ...(this.book.tape?.beside(call, this) ?? [])]];
  }

  /**
   * What `autograd.grad` hands back: the gradients that reached the inputs asked for.
   * @param {number} call
   * @returns {Token[][]}
   */
  #returned(call) {
    const { book } = this;
    return (book.calls.get(call)?.inputs ?? []).slice(0, 4).flatMap((id) => {
      const place = book.placeOf(id);
      const sum = place
        ? book
            .arrivalsAt(call, place[0])
            .filter((arrival) => arrival.input_nr === place[1])
            .at(-1)?.sum
        : null;
      return sum ? [say`it returns ${this.gradient(sum)} for ${this.tensor(id)}`] : [];
    });
  }

  /** @param {Extract<TraceEvent, {kind: "backward"}>} event @returns {Sentence[]} */
  #backward(event) {
    const { book } = this;
    const roots = book.rootsOf(event.call);
    const root = roots[0];
    const seed = event.gradients[0];
    const value = book.value(seed);
    const many = sizeOf(value) !== 1;
    const starts = say`${event.line ? this.line(event.line) : "Here"} starts backward pass #${String(event.call + 1)}`;
    const first = root ? this.tensor(root) : plain("the root");
    const one = !many && flatNumbers(value)?.[0] === 1;
    const seeds = this.gradient(seed);
    const given =
      roots.length > 1
        ? say`${starts} from ${series(roots.map((id) => this.tensor(id)))}.`
        : many
          ? sizeOf(value) > 6
            ? say`${starts}: ${first} receives weights as its gradient, ${seeds}.`
            : say`${starts}: ${first} receives the weights ${seeds} as its gradient.`
          : one
            ? say`${starts}: ${first} receives ${seeds}, its derivative with respect to itself.`
            : say`${starts}: ${first} receives ${seeds}, the gradient you gave.`;
    /** @type {Sentence[]} */
    const out = [given];
    if (many && root) {
      out.push(say`${first} has ${count(sizeOf(value), "element")}, so you give each one a weight.`);
      const xs = flatNumbers(value);
      if (xs && xs.length <= 4) {
        out.push(say`What follows is the gradient of the single number ${code(weightedSum(xs, book.nameOf(root)))}.`);
      }
    }
    if (event.inputs) {
      const kept = book.doc.events.some((other) => other.kind === "accumulate" && other.call === event.call);
      const several = event.inputs.length > 1;
      const inputs = series(event.inputs.slice(0, 5).map((id) => this.tensor(id)));
      const wanted = say`Only the gradient${several ? "s" : ""} of ${inputs} ${several ? "are" : "is"} asked for`;
      out.push(
        kept
          ? say`${wanted}.`
          : say`${wanted}; autograd.grad returns ${several ? "them" : "it"} and leaves ${code(".grad")} alone.`,
      );
    }
    if (event.create_graph) {
      out.push(
        say`${code("create_graph=True")}: the backward pass is recorded too, so it can be differentiated again.`,
      );
    } else if (event.retain_graph) {
      out.push(say`${code("retain_graph=True")}: saved tensors stay, so backward() can run through here again.`);
    }
    return out;
  }

  /** @param {NodeEvent} event @returns {Sentence[]} */
  #node(event) {
    const { book } = this;
    const node = book.nodes.get(event.node);
    if (!node) return [say`A node ran.`];
    const head = this.#received(event);
    const leaf = book.leafOf(event.node);
    if (leaf) return [say`${head}.`];
    const fixed = node.name === "NativeBatchNormBackward0" && node.attributes?.training === false;
    const told = fixed ? SAYS.evaluating : (SAYS[node.name] ?? node.says);
    const says = told ? clause(told) : null;
    const sent = this.#sent(event, node);
    const headline =
      sent.length === 0
        ? say`${head}. ${says ? `${capital(says)}. ` : ""}None of its inputs requires grad, so the path ends here.`
        : says
          ? say`${head}. ${capital(says)}${says.includes(", so ") ? ":" : ", so"} it sends ${series(sent)}.`
          : say`${head}${/ from /.test(asText(head)) ? "" : ","} and sends ${series(sent)}.`;
    return [
      headline,
      ...this.#broadcast(event, node),
      ...this.#cuts(node),
      ...this.#waiting(event),
      ...this.#freed(event, node),
      ...this.#side(),
    ];
  }

  /** @param {NodeEvent} event @returns {Token[]} */
  #received(event) {
    const arrivals = this.book.arrivalsAt(event.call, event.node).filter((arrival) => arrival.at < this.at);
    const name = this.node(event.node);
    const total = event.grad_outputs[arrivals[0]?.input_nr ?? 0];
    if (arrivals.length <= 1) {
      const from = arrivals[0]?.from;
      return from
        ? say`${name} received ${this.gradient(total)} from ${this.node(from)}`
        : say`${name} received ${this.gradient(total)}, the start of the pass`;
    }
    const single = new Set(arrivals.map((arrival) => arrival.input_nr)).size === 1;
    if (!single) return say`${name} received gradients for ${count(event.grad_outputs.length, "output")}`;
    const received = say`${name} received ${count(arrivals.length, "gradient")}, one for each use`;
    return this.book.tape?.overwrites(event)
      ? say`${received}: ${this.#lost(arrivals, total)}`
      : say`${received}, and adds them: ${this.#added(arrivals, total)}`;
  }

  /**
   * Gradients that met, and their sum.
   * @param {{value: string | null}[]} arrivals @param {string | null | undefined} total
   */
  #added(arrivals, total) {
    const shown = arrivals.slice(0, 4).flatMap(({ value }, i) => [plain(i ? " + " : ""), this.gradient(value)]);
    const more = arrivals.length > 4 ? [plain(` + ${arrivals.length - 4} more`)] : [];
    return say`${shown}${more} = ${this.gradient(total)}`;
  }

  /**
   * Gradients of which one overwrote others, as in a program's own autograd that stores by `=`, and what is left.
   * @param {{value: string | null}[]} arrivals @param {string | null | undefined} total
   */
  #lost(arrivals, total) {
    const shown = arrivals.slice(0, 4).map(({ value }) => this.gradient(value));
    if (arrivals.length > 4) shown.push(plain(`${arrivals.length - 4} more`));
    return say`${series(shown)}, but ${code("=")} overwrites what had arrived, and ${this.gradient(total)} is left`;
  }

  /** @param {NodeEvent} event @param {NodeRecord} node @returns {Token[][]} */
  #sent(event, node) {
    const sent = node.next_functions.flatMap((edge, i) => {
      if (!edge) return [];
      const id = event.grad_inputs[i];
      if (!id) return event.grad_inputs.length > i ? [say`nothing (None) to ${this.place(edge[0])}`] : [];
      return [say`${this.gradient(id)} to ${this.place(edge[0])}`];
    });
    if (sent.length <= 4) return sent;
    return [...sent.slice(0, 3), [plain(`${sent.length - 3} more`)]];
  }

  /** @param {NodeEvent} event @param {NodeRecord} node @returns {Sentence[]} */
  #broadcast(event, node) {
    return node.next_functions.flatMap((edge, i) => {
      const stretched = edge && broadcastOf(this.book, node, event, i);
      if (!stretched) return [];
      const what = stretched.inputElements === 1 ? "a single number" : `of shape ${formatShape(stretched.inputShape)}`;
      const used = say`${this.tensor(stretched.tensor)} is ${what} but was used ${count(stretched.times, "time")}`;
      return [say`${used}: its ${String(stretched.times)} contributions are added up.`];
    });
  }

  /** Inputs that get nothing because their path was cut. @param {NodeRecord} node @returns {Sentence[]} */
  #cuts(node) {
    return node.next_functions.flatMap((edge, i) => {
      const cut = edge === null ? cutBehind(this.book, node, i) : null;
      if (!cut) return [];
      const input = this.tensor(cut.input);
      const to = this.book.trace.label(cut.input) === "detached" ? say`the ${input} tensor` : input;
      return [say`Nothing goes to ${to}: ${cut.short}${cut.line ? ` on line ${cut.line}` : ""}.`];
    });
  }

  /** @param {NodeEvent} event @returns {Sentence[]} */
  #waiting(event) {
    const last = event.sends.filter(
      (send, i) => !event.sends.slice(i + 1).some((later) => later.to === send.to && later.input_nr === send.input_nr),
    );
    return last
      .filter((send) => send.arrived < send.expected)
      .slice(0, 3)
      .map((send) => {
        const missing = send.expected - send.arrived;
        const soFar = send.arrived > 1 ? say` It holds ${this.gradient(send.sum)} so far.` : [];
        const used = say`${this.place(send.to)} is used in ${count(send.expected, "place")}`;
        return say`${used} and still waits for ${count(missing, "more gradient")}.${soFar}`;
      });
  }

  /**
   * Saved tensors are freed right after their node has run.
   * @param {NodeEvent} event
   * @param {NodeRecord} node
   * @returns {Sentence[]}
   */
  #freed(event, node) {
    const { events } = this.book.doc;
    const saved = this.#savedNames(node);
    let next = this.at + 1;
    while (events[next]?.kind === "hook") next++;
    const release = events[next];
    if (saved.length === 0 || release?.kind !== "release" || release.node !== event.node) return [];
    return [say`It has used its saved tensors (${series(saved.slice(0, 5))}) and frees them.`];
  }

  /** Hooks within the same step. @returns {Sentence[]} */
  #side() {
    return this.events.flatMap((event) => (event.kind === "hook" ? this.#hook(event) : []));
  }

  /** @param {Extract<TraceEvent, {kind: "accumulate"}>} event @returns {Sentence[]} */
  #accumulate(event) {
    const name = this.tensor(event.tensor);
    const grad = this.grad(event.tensor);
    const arrivals = this.book.arrivalsAt(event.call, event.node).filter((arrival) => arrival.at < this.at);
    const came = say`${count(arrivals.length, "gradient")} arrived at ${name}, one for each use`;
    const made = this.book.tape?.overwrites(event)
      ? this.#lost(arrivals, event.incoming)
      : this.#added(arrivals, event.incoming);
    const sum = arrivals.length > 1 ? [say`${came}: ${made}.`] : [];
    const empty = flatNumbers(this.book.value(event.before))?.every((x) => x === 0) ?? false;
    const [before, incoming, after] = [event.before, event.incoming, event.after].map((ref) => this.gradient(ref));
    const main =
      event.before && empty
        ? say`${after} lands in ${grad}, which was all zeros before.`
        : event.before
          ? say`${name} already had a gradient: ${before} + ${incoming} = ${after} is its new ${grad}.`
          : say`${incoming} lands in ${grad}, which was None before.`;
    const habit =
      event.before && !empty && this.#fromEarlierCall(event)
        ? [say`backward() adds to ${code(".grad")} and never replaces it; ${code("zero_grad()")} clears it.`]
        : [];
    const [added = [], ...more] = [...sum, ...habit];
    return [added.length ? say`${main} ${added}` : main, ...more, ...this.#side()];
  }

  /** @param {Extract<TraceEvent, {kind: "accumulate"}>} event */
  #fromEarlierCall(event) {
    return this.book.doc.events
      .slice(0, this.at)
      .some((e) => e.kind === "accumulate" && e.tensor === event.tensor && e.call !== event.call);
  }

  /** @param {Extract<TraceEvent, {kind: "hook"}>} event @returns {Sentence[]} */
  #hook(event) {
    const target =
      event.target && this.book.tensors.has(event.target)
        ? this.tensor(event.target)
        : event.target && this.book.nodes.has(event.target)
          ? this.node(event.target)
          : event.target
            ? say`the module ${code(event.target)}`
            : plain(event.on === "module" ? "a module" : "the graph");
    const before = event.before[0];
    const after = event.after[0];
    const hook = say`The hook you registered on ${target}${event.registered ? ` on line ${event.registered}` : ""}`;
    if (event.on === "post_accumulate") return [say`${hook} runs, now that its gradient is in place.`];
    const seen = say`${hook} saw ${this.gradient(before)}`;
    return [
      JSON.stringify(event.before) === JSON.stringify(event.after)
        ? say`${seen} and left it as it was.`
        : say`${seen} and replaced it with ${this.gradient(after)}.`,
    ];
  }

  /** @param {Extract<TraceEvent, {kind: "grad"}>} event @returns {Sentence[]} */
  #grad(event) {
    const grad = this.grad(event.tensor);
    const by = event.by === "zero_grad" ? "zero_grad()" : event.by === "retain_grad" ? "retain_grad()" : null;
    const who = by ? say` by ${code(by)}` : [];
    if (!event.after) {
      return [
        say`${grad} is set back to None${who}${event.before ? say`; it was ${this.gradient(event.before)}` : []}.`,
      ];
    }
    if (event.by === "in_place") {
      return [
        say`${grad} is changed in place to ${this.gradient(event.after)}; it was ${this.gradient(event.before)}.`,
      ];
    }
    if (event.by === "retain_grad") {
      const tensor = this.tensor(event.tensor);
      return [
        say`${code("retain_grad()")} keeps ${this.gradient(event.after)} in ${grad}, although ${tensor} is not a leaf.`,
      ];
    }
    const was = event.before ? say`; it was ${this.gradient(event.before)}` : [];
    return [say`${grad} becomes ${this.gradient(event.after)}${who}${was}.`];
  }

  /** @returns {Sentence[]} */
  #error() {
    const error = this.book.doc.error;
    if (!error) return [say`The program stopped here.`];
    const where = error.line ? `${this.line(error.line)} stops` : "The program stops";
    return [say`${where} with ${/^[AEIOU]/.test(error.type) ? "an" : "a"} ${{ text: error.type, kind: "node" }}.`];
  }
}

/** Ops that keep something for their slope besides the one result of the call. */
const BESIDES = /^_|^native_|^nll_loss|_(cachemask|with_indices|ex)$/;

/** Those that the program gave a name. @param {Book} book @param {readonly string[]} tensors */
const named = (book, tensors) => tensors.filter((id) => book.tensors.get(id)?.name);

/** @param {Token[]} tokens @returns {Token[]} */
function unique(tokens) {
  const seen = new Set();
  return tokens.filter((token) => !seen.has(token.text) && seen.add(token.text));
}

/**
 * `0.1·y₀ + 1·y₁`: the single number that weights make of the elements of a tensor.
 * @param {number[]} weights
 * @param {string} name
 */
export function weightedSum(weights, name) {
  return weights
    .map((x, i) => {
      const sign = i && !(x < 0) ? " + " : i ? " − " : x < 0 ? "−" : "";
      return `${sign}${formatNumber(Math.abs(x))}·${elementOf(name, i)}`;
    })
    .join("");
}

/** `y₀`, or `(a + b)₀`. @param {string} name @param {number} index in row order */
export const elementOf = (name, index) => (/^\w+$/.test(name) ? name : `(${name})`) + sub(index);

/** @param {number} n */
const sub = (n) => String(n).replace(/\d/g, (digit) => "₀₁₂₃₄₅₆₇₈₉"[Number(digit)] ?? digit);

/**
 * Which of the op's tensors a saved slot refers to: the one holding that very value.
 * @param {Book} book @param {NodeRecord} node @param {string} slot
 * @returns {string | null}
 */
export function savedTensor(book, node, slot) {
  const value = node.saved?.[slot];
  const op = node.op ? book.ops.get(node.op) : undefined;
  if (!op || typeof value !== "string") return null;
  const candidates = slot === "result" ? op.outputs : [...op.inputs, ...op.outputs];
  const held = candidates.find((id) => id && book.tensors.get(id)?.value === value) ?? book.trace.holder.get(value);
  return held && candidates.includes(held) ? held : null;
}

const ELEMENTWISE = new RegExp(
  "^(add|sub|rsub|mul|div|true_divide|pow|where|maximum|minimum|fmax|fmin|atan2|hypot|lerp|addcmul|addcdiv|copysign|" +
    "xlogy|logaddexp|remainder|fmod)_?$",
);
/** Products to which a first input is added, stretched where need be. */
const BIASED = /^(addmm|addmv|addr|addbmm|baddbmm)_?$/;

/**
 * Tells whether input `index` was stretched by broadcasting, so that its gradient had to be summed back.
 * @param {Book} book @param {NodeRecord} node @param {NodeEvent} event @param {number} index position in next_functions
 * @returns {{tensor: string, times: number, inputShape: number[], inputElements: number} | null}
 */
export function broadcastOf(book, node, event, index) {
  const op = node.op ? book.ops.get(node.op) : undefined;
  const incoming = book.value(event.grad_outputs[0]);
  const outgoing = book.value(event.grad_inputs[index]);
  if (!op || !incoming || !outgoing || !(ELEMENTWISE.test(op.name) || (BIASED.test(op.name) && index === 0))) {
    return null;
  }
  const [wide, narrow] = [sizeOf(incoming), sizeOf(outgoing)];
  const tensor = book.targetOf(node.id, index);
  if (!tensor || narrow === 0 || wide <= narrow) return null;
  return { tensor, times: wide / narrow, inputShape: outgoing.shape, inputElements: narrow };
}
