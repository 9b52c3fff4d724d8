/**
 * What to call a tensor nobody gave a name, and what the ops within a backward pass are there for.
 * @module
 */
import { sourceAt } from "./columns.js";
import { bufferKey } from "./edges.js";
import { squeezed } from "./expressions.js";

/** @typedef {import("./document").RunDocument} RunDocument */
/** @typedef {import("./document").Scope} ScopeRecord */
/** @typedef {import("./document").Tensor} TensorRecord */
/** @typedef {import("./document").Op} OpRecord */
/** @typedef {import("./document").Event} TraceEvent */
/** @typedef {import("./expressions.js").Expressions} Expressions */

const LONGEST_EXPRESSION = 12;

/**
 * Variables keep their names; a gradient is called after its tensor; what else has none is called by the expression
 * that made it, when that is short. What an op took from a node's saved tensors is called as what was saved, and what
 * it made besides its result as its formula calls it: `mask`, `indices`.
 * @param {RunDocument} document
 * @param {Map<string, TensorRecord>} tensors
 * @param {{inner: Set<string>, gradientOf: Map<string, string>, holder: Map<string, string>}} known
 * @param {Expressions} expressions  to which those that are put together here are added
 * @returns {Map<string, string>}
 */
export function nameTensors(document, tensors, { inner, gradientOf, holder }, expressions) {
  const lines = document.source.code?.split("\n") ?? [];
  /** @type {Map<string, string>} */
  const labels = new Map();
  const members = membersOf(document);
  for (const tensor of document.tensors) {
    const name = members.get(tensor.id) ?? tensor.name ?? tensor.path;
    if (name) labels.set(tensor.id, name);
  }
  const nodes = new Map(document.nodes.map((node) => [node.id, node]));
  const used = new Set([...document.ops.flatMap((op) => op.inputs), ...labels.keys()]);
  for (const op of document.ops) {
    op.outputs.forEach((id, nr) => {
      if (labels.has(id) || gradientOf.has(id) || op.inputs.includes(id)) return;
      const through = passes(op, nr);
      const passed = through && labels.get(through);
      if (passed) {
        labels.set(id, passed);
        return;
      }
      const slot = op.outputs.length > 1 ? slotOf(op, nodes.get(op.node ?? ""), tensors.get(id)?.value) : undefined;
      if (slot) {
        labels.set(id, slot);
        return;
      }
      const several =
        op.outputs.length > 1 && (nr > 0 || op.outputs.some((other, k) => k > 0 && used.has(other))) ? `[${nr}]` : "";
      const expression = inner.has(op.id) ? null : expressionOf(op, lines);
      const composed =
        expression || several
          ? null
          : (turned(op, labels) ?? (inner.has(op.id) ? null : joined(op, labels, expressions)));
      labels.set(id, composed ?? (expression ?? spoken(op.name)) + several);
    });
  }
  const masks = dropoutMasks(document, lines);
  for (const tensor of tensors.values()) {
    if (labels.has(tensor.id) || gradientOf.has(tensor.id)) continue;
    const saved = sameAs(tensor, tensors, holder);
    labels.set(
      tensor.id,
      (saved && labels.get(saved)) ??
        (["detach", "data"].includes(tensor.why_no_grad?.cut ?? "")
          ? "detached"
          : !tensor.is_leaf
            ? "view"
            : tensor.requires_grad
              ? "leaf"
              : masks.has(tensor.id)
                ? "dropout mask"
                : "constant"),
    );
  }
  const gradient = (/** @type {string} */ id, depth = 0) => {
    const of = gradientOf.get(id);
    if (of === undefined || labels.has(id)) return labels.get(id) ?? "tensor";
    labels.set(id, `grad of ${depth < 4 ? gradient(of, depth + 1) : "…"}`);
    return labels.get(id);
  };
  for (const id of gradientOf.keys()) gradient(id);
  return labels;
}

/** What results are that PyTorch only counts, by what the name of their op ends in. */
const COUNTED = /** @type {const} */ ([
  [/norm$/, { result1: "mean", result2: "1/std" }],
  [/_with_indices$/, { result1: "indices" }],
]);

/**
 * What the formula of a node calls a value that it saved.
 * @param {OpRecord} op
 * @param {import("./document").Node | undefined} node
 * @param {string | null | undefined} value
 * @returns {string | undefined}
 */
function slotOf(op, node, value) {
  const slot = Object.entries(node?.saved ?? {}).find(([, ref]) => ref && ref === value)?.[0] ?? "";
  if (!/^result\d/.test(slot)) return slot;
  /** @type {Record<string, string>} */
  const counted = COUNTED.find(([ending]) => ending.test(op.name))?.[1] ?? {};
  return counted[slot];
}

/**
 * What dropout multiplies by, drawn anew each time: zeros, and 1/(1−p) for what stays.
 * @param {RunDocument} document @param {string[]} lines
 */
function dropoutMasks(document, lines) {
  const layers = new Set(
    document.scopes.flatMap(({ id, kind, label }) =>
      kind === "module" && /Dropout\w*$/.test(label ?? "") ? [id] : [],
    ),
  );
  return new Set(
    document.ops.flatMap((op) => {
      const called = /dropout\w*\(/.test(lines[(op.line ?? 0) - 1] ?? "");
      const drops = op.name === "mul" && (called || layers.has(op.scope ?? ""));
      return drops && op.inputs[1] ? [op.inputs[1]] : [];
    }),
  );
}

/**
 * Leaves that one variable held in turn, as the `w` of `for w in ws` does, are told apart by their place: `ws[2]`.
 * @param {RunDocument} document
 */
function membersOf(document) {
  /** @type {Map<string, number>} */
  const times = new Map();
  for (const { name, is_leaf } of document.tensors) if (name && is_leaf) times.set(name, (times.get(name) ?? 0) + 1);
  const several = new Set(
    document.tensors.flatMap(({ id, name, is_leaf }) => (name && is_leaf && (times.get(name) ?? 0) > 1 ? [id] : [])),
  );
  return new Map(
    Object.entries(document.globals ?? {}).flatMap(([place, id]) =>
      several.has(id) && place.endsWith("]") ? [/** @type {const} */ ([id, place])] : [],
    ),
  );
}

/** The name of an op as people say it: `layer_norm` rather than `native_layer_norm`. @param {string} name */
export function spoken(name) {
  if (name === "mkldnn_rnn_layer") return "lstm";
  if (name.startsWith("_scaled_dot_product")) return "attention";
  return name
    .replace(/^_+(?=\w)/, "")
    .replace(/^(native|linalg_vector|linalg)_(?=\w)/, "")
    .replace(/_(with_indices|cachemask)$/, "");
}

/**
 * What a module with hooks sends its arguments and results through leaves them as they are.
 * @param {OpRecord} op
 * @param {number} nr
 * @returns {string | undefined} the input an output is
 */
export const passes = (op, nr) => (op.name === "BackwardHookFunction" ? op.inputs[nr] : undefined);

/**
 * A transposed matrix is called after the matrix: `fc1.weight.T`.
 * @param {OpRecord} op
 * @param {Map<string, string>} labels
 */
function turned(op, labels) {
  const name = op.name === "t" ? labels.get(op.inputs[0]) : undefined;
  return name && /^[\w.]+$/.test(name) ? `${name}.T` : null;
}

/** @type {Record<string, string>} */
const SIGNS = { add: "+", sub: "-", mul: "*", div: "/", matmul: "@", mm: "@", mv: "@" };

/**
 * What an operator of a long expression joins, when that is short: `sin*cos`.
 * @param {OpRecord} op @param {Map<string, string>} labels @param {Expressions} expressions
 */
function joined(op, labels, expressions) {
  const sign = SIGNS[op.name];
  const given = op.arguments?.other;
  const [left, right = typeof given === "number" ? String(given) : ""] = op.inputs.map((id) => labels.get(id) ?? "");
  if (!sign || !left || !right || op.inputs.length > 2) return null;
  const held = (/** @type {string} */ name, /** @type {RegExp} */ loose) => (loose.test(name) ? `(${name})` : name);
  const text =
    sign === "+"
      ? `${left}+${right}`
      : sign === "-"
        ? `${left}-${held(right, /[-+]/)}`
        : `${held(left, /[-+]/)}${sign}${held(right, sign === "*" ? /[-+]/ : /[-+*/@]/)}`;
  if (text.length > LONGEST_EXPRESSION) return null;
  expressions.join(text, sign, left, right);
  return text;
}

/**
 * Whether this came of the expression that raised, which therefore has no result.
 * @param {OpRecord} op @param {RunDocument["error"]} error
 */
export const cutShort = (op, error) =>
  error !== null &&
  op.column != null &&
  op.line === error.line &&
  op.column === error.column &&
  op.end_line === error.end_line &&
  op.end_column === error.end_column;

/**
 * Ops whose expression ran others after them, called something that did before it went on, or raised.
 * @param {RunDocument} document
 */
export function innerOps(document) {
  const scopes = new Map((document.scopes ?? []).map((scope) => [scope.id, scope]));
  const { ops } = document;
  /** @type {Map<number | null, OpRecord>} line → the op that runs next there */
  const later = new Map();
  /** @type {Set<string>} */
  const inner = new Set();
  for (let i = ops.length - 1; i >= 0; i--) {
    const op = ops[i];
    const again = later.get(op.line);
    const returns =
      again !== undefined &&
      again !== ops[i + 1] &&
      again.scope === op.scope &&
      again.column === op.column &&
      again.end_column === op.end_column;
    const raised = again === undefined && cutShort(op, document.error);
    if (raised || returns || sameExpression(scopes, op, ops[i + 1])) inner.add(op.id);
    later.set(op.line, op);
  }
  return inner;
}

/**
 * One expression may run many ops, a call of a module for instance: only the last of them made what the expression
 * says.
 * @param {Map<string, ScopeRecord>} scopes @param {OpRecord} op @param {OpRecord | undefined} next
 */
function sameExpression(scopes, op, next) {
  if (!next || op.line !== next.line || op.column !== next.column || op.end_column !== next.end_column) return false;
  return op.scope === next.scope || turnOf(scopes, op.scope) === turnOf(scopes, next.scope);
}

/**
 * The innermost turn of a loop around a scope.
 * @param {Map<string, ScopeRecord>} scopes
 * @param {string | null} scope
 */
function turnOf(scopes, scope) {
  for (let id = scope; id; id = scopes.get(id)?.parent ?? null) if (scopes.get(id)?.kind === "loop") return id;
  return null;
}

/** @param {OpRecord} op @param {string[]} lines @returns {string | null} */
function expressionOf(op, lines) {
  const source = sourceAt(lines, op);
  const text = source && squeezed(source);
  return text && text.length <= LONGEST_EXPRESSION ? text : null;
}

/**
 * The tensor an unnamed one without an op shares its memory and shape with: it was handed out again, by a node that had
 * saved it.
 * @param {TensorRecord} tensor @param {Map<string, TensorRecord>} tensors @param {Map<string, string>} holder
 * @returns {string | null}
 */
export function sameAs(tensor, tensors, holder) {
  if (tensor.is_leaf || tensor.name || tensor.path) return null;
  const first = tensors.get(holder.get(tensor.value ?? "") ?? "");
  return first && first.id !== tensor.id && String(first.shape) === String(tensor.shape) ? first.id : null;
}

/**
 * Tensors without a name that a recorded backward pass made and sent: the tensor whose gradient each holds. One that is
 * sent on unchanged keeps its first meaning.
 * @param {RunDocument} document @param {import("./edges.js").Edges} edges
 * @returns {Map<string, string>}
 */
export function gradientsHeld(document, edges) {
  /** @type {Map<string, string>} value → tensor whose gradient it is */
  const meaning = new Map();
  const means = (
    /** @type {string | null | undefined} */ value,
    /** @type {string} */ node,
    /** @type {number} */ nr,
  ) => {
    const tensor = edges.tensorAt.get(bufferKey(node, nr));
    if (value && tensor && !meaning.has(value)) meaning.set(value, tensor);
  };
  const recorded = new Set(
    document.events.flatMap((event) => (event.kind === "backward" && event.create_graph ? [event.call] : [])),
  );
  if (!recorded.size) return new Map();
  for (const event of document.events) {
    if (event.kind !== "node" || !recorded.has(event.call)) continue;
    event.grad_outputs.forEach((value, nr) => means(value, event.node, nr));
    for (const send of event.sends) {
      means(send.value, send.to, send.input_nr);
      means(send.sum, send.to, send.input_nr);
    }
  }
  const during = nodesRunning(document);
  const made = new Map(document.ops.flatMap((op) => op.outputs.map((id) => [id, op.id])));
  const held = document.tensors.flatMap((tensor) => {
    const of = tensor.name || tensor.path ? undefined : meaning.get(tensor.value ?? "");
    const op = made.get(tensor.id);
    return of && of !== tensor.id && (op ? during.has(op) : tensor.line === null)
      ? [/** @type {const} */ ([tensor.id, of])]
      : [];
  });
  return new Map(held);
}

/**
 * Which node ran an op: the next one to finish in the pass.
 * @param {RunDocument} document
 * @returns {Map<string, string>}
 */
export function nodesRunning(document) {
  /** @type {Map<string, string>} */
  const during = new Map();
  /** @type {string[][]} the ops of each running pass since its last node */
  const passes = [];
  for (const event of document.events) {
    if (event.kind === "backward") passes.push([]);
    else if (event.kind === "backward_end") passes.pop();
    else if (event.kind === "op") passes.at(-1)?.push(event.op);
    else if (event.kind === "node") for (const op of passes.at(-1)?.splice(0) ?? []) during.set(op, event.node);
  }
  return during;
}
