/**
 * What a caption says of a run in numbers, taken from the document at its moment. Pure. A caption has these in braces:
 * `w` `w.grad` a tensor's value and its `.grad` · `before w` `incoming w` `after w` what its last accumulation added up
 * · `after w 2` what its second left · `weights` `weights 0` the gradient argument of the pass, or one of its numbers ·
 * `L` the number that is differentiated · `ratio w` w.grad as a multiple of the weights · `count y` its elements ·
 * `nonzero w` those of w.grad that are not 0 · `version y` · `hook before` `hook after` `hook line` of the last hook ·
 * `ops sigmoid` how many ran · `runs MulBackward0` how often nodes of this class have run in the pass · `passes`.
 * @module
 */

import { flatten, formatNumber, stateAt, toNumber } from "../trace.js";
import { weightedSum } from "../ledger/sentence.js";
import { sizeOf } from "../ui/book.js";
import { short } from "../ui/words.js";

/** @typedef {import("../ui/book.js").Book} Book */
/** @typedef {import("../trace/document").Event} TraceEvent */

/** @typedef {{book: Book, t: number, past: TraceEvent[]}} Moment  past: the events until then */

const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/** More elements than these are not written out. */
const MOST = 9;

/** @param {number} n */
const spelled = (n) => NUMBERS[n] ?? String(n);

/**
 * A caption's words at time t; null where the run has not what they speak of.
 * @param {string} say @param {Book} book @param {number} t
 * @returns {string | null}
 */
export function filled(say, book, t) {
  const moment = { book, t, past: book.doc.events.slice(0, t) };
  let known = true;
  const text = say.replace(/\{([^}]+)\}/g, (_, asked) => {
    const [word = "", ...rest] = String(asked).split(" ");
    const found = (WORDS[word] ?? ofTensor)(moment, ...(WORDS[word] ? rest : [word]));
    known &&= found !== null;
    return found ?? "";
  });
  return known ? text : null;
}

/** @type {Record<string, (moment: Moment, name?: string, which?: string) => string | null>} */
const WORDS = {
  weights: (moment, index) => {
    const value = moment.book.value(passOf(moment)?.gradients[0]);
    const numbers = value && flatten(value);
    if (index === undefined || !numbers) return written(value);
    const one = numbers[Number(index)];
    return one === undefined ? null : formatNumber(one, value?.dtype);
  },
  L: (moment) => {
    const pass = passOf(moment);
    const root = pass && moment.book.rootsOf(pass.call)[0];
    const numbers = numbersOf(moment.book.value(pass?.gradients[0]));
    return root && numbers ? weightedSum(numbers, moment.book.nameOf(root)) : null;
  },
  before: (moment, name) => written(moment.book.value(landing(moment, name)?.before)),
  incoming: (moment, name) => written(moment.book.value(landing(moment, name)?.incoming)),
  after: (moment, name, which) => written(moment.book.value(landing(moment, name, which)?.after)),
  ratio: (moment, name = "") => {
    const grad = numbersOf(gradOf(moment, name));
    const weights = numbersOf(moment.book.value(passOf(moment)?.gradients[0]));
    if (!grad || grad.length !== weights?.length) return null;
    const [first, ...rest] = grad.map((x, i) => x / /** @type {number} */ (weights[i]));
    const same = rest.every((x) => Math.abs(x - Number(first)) <= 1e-5 * Math.abs(Number(first)));
    return first !== undefined && Number.isFinite(first) && same ? formatNumber(Number(first.toPrecision(6))) : null;
  },
  count: (moment, name = "") => {
    const value = shownBy(moment, name);
    return value && spelled(sizeOf(value));
  },
  nonzero: (moment, name = "") => {
    const grad = numbersOf(gradOf(moment, name));
    return grad && String(grad.filter((x) => x !== 0).length);
  },
  version: ({ book, past }, name = "") => {
    const writes = past.flatMap((event) =>
      event.kind === "write" && book.nameOf(event.tensor) === name ? [event.version] : [],
    );
    return writes.at(-1)?.toString() ?? null;
  },
  hook: ({ book, past }, what) => {
    const hook = past.flatMap((event) => (event.kind === "hook" ? [event] : [])).at(-1);
    if (!hook) return null;
    if (what === "line") return hook.registered ? String(hook.registered) : null;
    return written(book.value(hook[what === "before" ? "before" : "after"][0]));
  },
  ops: ({ book, past }, name) =>
    spelled(past.filter((event) => event.kind === "op" && book.ops.get(event.op)?.name === name).length),
  runs: (moment, name) => {
    const call = passOf(moment)?.call;
    const runs = moment.past.flatMap((event) => (event.kind === "node" && event.call === call ? [event] : []));
    return spelled(runs.filter(({ node }) => moment.book.nodeName(node) === name).length);
  },
  passes: ({ past }) => spelled(past.filter(({ kind }) => kind === "backward_end").length),
};

/** `w` or `w.grad`. @param {Moment} moment @param {string} [asked] */
function ofTensor(moment, asked = "") {
  const [name = "", attribute] = asked.split(".");
  return written(attribute === "grad" ? gradOf(moment, name) : shownBy(moment, name));
}

/** A number, or a list of a few, without brackets around a single row. @param {ReturnType<Book["value"]>} value */
function written(value) {
  if (!value || sizeOf(value) > MOST) return null;
  const { shape, data } = value;
  const row = shape.length > 1 && shape.slice(0, -1).every((size) => size === 1);
  return row && data ? short({ ...value, shape: shape.slice(-1), data: flatten(value) }, MOST) : short(value, MOST);
}

/** @param {ReturnType<Book["value"]>} value @returns {number[] | null} */
const numbersOf = (value) => (value && flatten(value)?.map(toNumber)) ?? null;

/** The tensor that bears a name at the moment. @param {Moment} moment @param {string} name */
function tensorAt({ book, t }, name) {
  const { born } = book.trace.histories;
  const all = book.doc.tensors.filter((tensor) => tensor.name === name && (born.get(tensor.id) ?? Infinity) <= t);
  return all.reduce(
    (last, each) => ((born.get(each.id) ?? 0) >= (born.get(last?.id ?? "") ?? 0) ? each : last),
    all[0],
  );
}

/** @param {Moment} moment @param {string} name */
function shownBy(moment, name) {
  const tensor = tensorAt(moment, name);
  return tensor ? moment.book.value(stateAt(moment.book.trace, moment.t).tensors.get(tensor.id)?.value) : null;
}

/** @param {Moment} moment @param {string} name */
function gradOf(moment, name) {
  const tensor = tensorAt(moment, name);
  const grad = tensor && stateAt(moment.book.trace, moment.t).tensors.get(tensor.id)?.grad;
  return grad && grad !== "none" ? moment.book.value(grad) : null;
}

/** The backward call that began last. @param {Moment} moment */
const passOf = ({ past }) => past.flatMap((event) => (event.kind === "backward" ? [event] : [])).at(-1);

/** @param {Moment} moment @param {string} [name] @param {string} [which]  counted from 1; else the last */
function landing({ book, past }, name, which) {
  const all = past.flatMap((event) =>
    event.kind === "accumulate" && book.nameOf(event.tensor) === name ? [event] : [],
  );
  return which === undefined ? all.at(-1) : all[Number(which) - 1];
}
