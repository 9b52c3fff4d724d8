/**
 * What a line looked at, and why it has that value: is_leaf, grad, grad_fn, next_functions and their like.
 * @module
 */
import { readsAt } from "../trace.js";
import { code, plain, say, series } from "./tokens.js";
import { whyGradIsNone, whyNoGradient } from "./why.js";

/** @typedef {import("../ui/book.js").Book} Book */
/** @typedef {import("../ui/types").Token} Token */
/** @typedef {import("./tokens.js").Sentence} Sentence */
/** @typedef {import("../trace/document").ReadEvent} ReadEvent */
/** @typedef {import("../trace/document").Node} NodeRecord */

/**
 * Names things as the other sentences do.
 * @typedef {object} Speaker
 * @property {Book} book
 * @property {(id: string) => Token} tensor
 * @property {(id: string) => Token} node
 * @property {(ref: string | null | undefined) => Token} value
 * @property {(ref: string | null | undefined) => Token} gradient
 */

/** Things that are named one by one; more are counted. */
const MOST = 5;

/**
 * @param {Speaker} speaker
 * @param {number} at  index of the last read
 * @returns {Sentence[]}
 */
export function tellReads(speaker, at) {
  const reads = withoutSteps(speaker.book, readsAt(speaker.book.trace, at + 1));
  /** @type {Map<string, ReadEvent[]>} */
  const byAttribute = new Map();
  for (const read of reads) {
    const kind = read.attribute.replace(/^_(raw_)?saved_.*/, "_saved");
    const same = byAttribute.get(kind);
    if (!same) byAttribute.set(kind, [read]);
    else if (!same.some((known) => subjectOf(known) === subjectOf(read) && known.value === read.value)) same.push(read);
  }
  if (byAttribute.size > 1) byAttribute.delete("name");
  return [...byAttribute].map(([kind, same]) => {
    const shown = same.slice(0, MOST);
    const parts = (TELL[kind] ?? TELL.metadata)(speaker, shown, at);
    const more = same.length - shown.length;
    return say`${joined(more ? [...parts, [plain(`${more} more`)]] : parts)}.`;
  });
}

/** Clauses that give a reason are set apart. @param {Sentence[]} parts @returns {Sentence} */
function joined(parts) {
  const long = parts.some((part) => part.some(({ text }) => /[,:]/.test(text)));
  return long ? parts.flatMap((part, i) => (i ? [plain("; "), ...part] : part)) : series(parts);
}

/** @param {ReadEvent} read */
const subjectOf = ({ tensor, node, attribute, index }) => [tensor, node, attribute, ...index].join();

/**
 * Of `e.grad_fn.next_functions[0][0].next_functions` only what it ends in.
 * @param {Book} book
 * @param {readonly ReadEvent[]} reads
 */
function withoutSteps(book, reads) {
  return reads.filter((read, i) => {
    const next = reads[i + 1];
    return !next?.node || next.node !== nodeGiven(book, read);
  });
}

/** The node that a read gave. @param {Book} book @param {ReadEvent} read @returns {string | null} */
export function nodeGiven(book, { node, attribute, index, value }) {
  if (attribute === "grad_fn") return typeof value === "string" ? value : null;
  if (attribute !== "next_functions" || index.length !== 2 || index[1] !== 0) return null;
  return book.nodes.get(node ?? "")?.next_functions[index[0]]?.[0] ?? null;
}

/** @type {Record<string, (speaker: Speaker, reads: readonly ReadEvent[], at: number) => Sentence[]>} */
const TELL = {
  is_leaf: (speaker, reads) =>
    [true, false].flatMap((leaf) => {
      const those = reads.filter((read) => read.value === leaf);
      if (!those.length) return [];
      const names = series(those.map(({ tensor }) => speaker.tensor(tensor ?? "")));
      const many = those.length > 1;
      const made = [...new Set(those.map(({ tensor }) => speaker.book.tensors.get(tensor ?? "")?.grad_fn ?? ""))];
      return leaf
        ? [say`${names} ${many ? "are leaves" : "is a leaf"}: no recorded operation made ${many ? "them" : "it"}`]
        : [
            many || !made[0]
              ? say`${names} ${many ? "are not" : "is not a leaf"}: recorded operations made ${many ? "them" : "it"}`
              : say`${names} is not a leaf: ${speaker.node(made[0])} made it`,
          ];
    }),
  requires_grad: (speaker, reads) =>
    [true, false].flatMap((wanted) => {
      const those = reads.filter((read) => read.value === wanted);
      if (!those.length) return [];
      const names = series(those.map(({ tensor }) => speaker.tensor(tensor ?? "")));
      if (those.length > 1) {
        const some = those.some(({ tensor }) => !speaker.book.tensors.get(tensor ?? "")?.is_leaf);
        return [
          wanted
            ? say`${names} require grad: requires_grad=True was set${some ? ", or an input requires grad" : ""}`
            : say`${names} don't require grad: they get no gradient and send none on`,
        ];
      }
      const tensor = those[0].tensor ?? "";
      const why = wanted
        ? speaker.book.tensors.get(tensor)?.is_leaf
          ? "requires_grad=True was set"
          : "it was computed from a tensor that does"
        : (whyNoGradient(speaker.book, tensor)?.short ?? "requires_grad=True has not been set yet");
      return [say`${names}${plain(wanted ? " requires grad: " : " doesn't require grad: ")}${why}`];
    }),
  retains_grad: (speaker, reads) =>
    reads.map((read) => {
      const tensor = read.tensor ?? "";
      const name = speaker.tensor(tensor);
      if (read.value) return say`${name} keeps its gradient: ${code("retain_grad()")} was called on it`;
      return speaker.book.tensors.get(tensor)?.is_leaf
        ? say`${name} doesn't retain its gradient: a leaf keeps ${code(".grad")} anyway`
        : say`${name} doesn't retain its gradient: it only passes through during backward()`;
    }),
  grad: (speaker, reads, at) => {
    const none = reads.filter(({ value }) => value === null).length;
    return reads.map(({ tensor: of, value }) => {
      const tensor = of ?? "";
      const name = code(`${speaker.book.nameOf(tensor)}.grad`);
      if (typeof value === "string") return say`${name} is ${speaker.gradient(value)}`;
      return none > 1 ? say`${name} is None` : say`${name} is None: ${reasonForNone(speaker.book, tensor, at)}`;
    });
  },
  grad_fn: (speaker, reads) =>
    reads.map(({ tensor, value }) => {
      const name = code(`${speaker.book.nameOf(tensor ?? "")}.grad_fn`);
      return typeof value === "string"
        ? say`${name} is ${speaker.node(value)}: the node of the operation that made it`
        : say`${name} is None: no recorded operation made it`;
    }),
  next_functions: (speaker, reads) => reads.map((read) => nextFunctions(speaker, read)),
  name: (speaker, reads) => [
    say`The line reads the name of ${series(reads.map(({ node }) => speaker.node(node ?? "")))}`,
  ],
  variable: (speaker, reads) => {
    const leaves = reads.flatMap(({ node }) => speaker.book.leafOf(node ?? "") ?? []);
    if (!leaves.length) return [say`${speaker.node(reads[0].node ?? "")} has no variable`];
    const names = series(leaves.map((leaf) => speaker.tensor(leaf)));
    return [say`${code("AccumulateGrad.variable")} is the leaf it writes to: here ${names}`];
  },
  _saved: (speaker, reads) =>
    reads.map(({ node: of, attribute }) => {
      const node = of ?? "";
      const slot = attribute.replace(/^_(raw_)?saved_/, "");
      const saved = speaker.book.nodes.get(node)?.saved[slot];
      const what = typeof saved === "string" ? say`: ${speaker.value(saved)}` : [];
      return say`${speaker.node(node)} saved ${code(slot)} for its derivative${what}`;
    }),
  metadata: (speaker, reads) =>
    reads.map(({ node, tensor, attribute }) => {
      const owner = node ? speaker.node(node) : speaker.tensor(tensor ?? "");
      return say`The line reads ${code(attribute)} of ${owner}`;
    }),
};

/** @param {Book} book @param {string} id @param {number} at */
function reasonForNone(book, id, at) {
  const [first] = whyGradIsNone(book, id, at).text.split(/[.:;](?: |$)/);
  const reason = first ?? "";
  const name = `${book.nameOf(id)} `;
  return reason.startsWith(name) ? reason.replace(name, "it ") : reason.charAt(0).toLowerCase() + reason.slice(1);
}

/** @param {Speaker} speaker @param {ReadEvent} read @returns {Sentence} */
function nextFunctions(speaker, { node: of, index }) {
  const { book } = speaker;
  const node = of ?? "";
  const record = book.nodes.get(node);
  const edges = record?.next_functions ?? [];
  const owner = speaker.node(node);
  if (record?.variable) return say`${owner} has no next functions: its leaf is the end of the path`;
  const to = (/** @type {number} */ i) => {
    const next = edges[i];
    if (!next) return say`None, ${noneBecause(book, record, i)}`;
    const leaf = book.leafOf(next[0]);
    if (leaf) return say`${code("AccumulateGrad")} of ${speaker.tensor(leaf)}`;
    const made = book.tensorOfNode(next[0], next[1]);
    return made ? say`${speaker.node(next[0])}, the node that made ${speaker.tensor(made)}` : [speaker.node(next[0])];
  };
  if (index.length) return say`${code(`next_functions[${index[0]}]`)} of ${owner} is ${to(index[0])}`;
  const ways = edges.map((_, i) => say`${code(`[${i}]`)} is ${to(i)}`);
  return ways.length ? say`The next functions of ${owner}: ${series(ways)}` : say`${owner} has no next functions`;
}

/**
 * Why PyTorch has (None, 0) there.
 * @param {Book} book @param {NodeRecord | undefined} node @param {number} index
 */
export function noneBecause(book, node, index) {
  const op = node?.op ? book.ops.get(node.op) : undefined;
  const input = op?.inputs.length === node?.next_functions.length ? op?.inputs[index] : undefined;
  if (!input) return "since that input is a plain number";
  return `since ${book.nameOf(input)} doesn't require grad`;
}
