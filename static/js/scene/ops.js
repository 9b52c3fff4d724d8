/**
 * An op as a circle with its symbol and, beside it, the name of its grad_fn. A long symbol makes it a capsule.
 * @module
 */
import { formatNumber, valueSummary } from "../trace.js";
import { atError, atHook, errorBadge, hookBadge } from "./badges.js";
import { path, rect, shorten, text } from "./marks.js";

/** @typedef {import("./graph.js").Item} Item */
/** @typedef {import("./marks.js").Mark} Mark */
/** @typedef {import("./marks.js").Measure} Measure */
/** @typedef {import("./moment.js").Moment} Moment */
/** @typedef {import("../trace.js").Trace} Trace */

/**
 * @typedef {object} OpPlan
 * @property {"op"} kind
 * @property {number} w
 * @property {number} h
 * @property {number} anchor  of the circle's centre, right of the middle
 * @property {string} symbol
 * @property {number} half  width of the circle or capsule
 * @property {number} size  of the symbol's text
 * @property {string} label  the node's name
 * @property {number} labelW
 * @property {string} saved  what it saved, "" for nothing
 * @property {boolean} freed  what it saved is freed at some time
 * @property {boolean} waits  several gradients meet here
 * @property {boolean} differentiable
 * @property {{text: string, since: number} | null} nowhere  which of its next_functions are None
 */

/** Radius of the circle. */
export const RADIUS = 17;
/** Between the circle and the name of its node. */
const BESIDE = 6;
const LABEL = 13;
const FREED = " · freed";
const waitingText = (/** @type {number} */ arrived, /** @type {number} */ expected) =>
  ` · ${arrived} of ${expected} arrived`;

/** @type {Record<string, string>} */
const SYMBOLS = {
  add: "+",
  sub: "−",
  rsub: "−",
  mul: "×",
  div: "÷",
  neg: "−x",
  pow: "xⁿ",
  square: "x²",
  matmul: "@",
  mm: "@",
  bmm: "@",
  mv: "@",
  dot: "·",
  addmm: "@+",
  linear: "@+",
  sum: "Σ",
  mean: "mean",
  prod: "Π",
  cumsum: "Σ…",
  exp: "exp",
  log: "ln",
  sqrt: "√",
  abs: "|x|",
  norm: "‖x‖",
  sigmoid: "σ",
  t: "Aᵀ",
  transpose: "Aᵀ",
  permute: "Aᵀ",
  maximum: "max",
  minimum: "min",
  clone: "copy",
  unsqueeze: "view",
  squeeze: "view",
  reshape: "view",
  select: "[i]",
  slice: "[a:b]",
  index: "[…]",
  cat: "cat",
  where: "?:",
  detach: "✂",
  expand: "⇉",
  as_strided: "view",
  convolution: "conv",
  log_softmax: "log sm",
  log_sigmoid: "ln σ",
  nll_loss: "nll",
  mse_loss: "MSE",
  binary_cross_entropy: "BCE",
  binary_cross_entropy_with_logits: "BCE",
  native_layer_norm: "norm",
  native_batch_norm: "norm",
  native_group_norm: "norm",
  native_dropout: "drop",
  embedding: "emb",
  max_pool1d: "pool",
  max_pool2d_with_indices: "pool",
  avg_pool2d: "pool",
  linalg_qr: "QR",
  linalg_svd: "SVD",
  linalg_eigh: "eigh",
  linalg_inv_ex: "A⁻¹",
  linalg_cholesky_ex: "LLᵀ",
  linalg_vector_norm: "‖x‖",
  backward_hook_function: "hook",
  copy_slices: "[…]=",
  index_put: "[…]=",
  copy: "copy",
  copy_backwards: "copy",
  softmax: "soft max",
  logsumexp: "log Σ exp",
  masked_fill: "mask fill",
  mkldnn_rnn_layer: "LSTM",
  scaled_dot_product_flash_attention_for_cpu: "attend",
  scaled_dot_product_attention: "attend",
};

/**
 * A function a backward pass calls, tanh_backward for instance, is a derivative. One of the program's own, whose op has
 * the name of its class, is called what it is.
 * @param {string} name of an op, or of a node such as MulBackward0
 * @returns {string}
 */
export function symbolFor(name) {
  const plain = name
    .replace(/Backward\d*$/, "")
    .replace(/(\dD|[a-z](?=[A-Z])|\d(?=[A-Z][a-z]))(?!$)/g, "$1_")
    .toLowerCase()
    .replace(/^_+|_$/g, "");
  const slope = /^(.+)_backward(?:_data)?$/.exec(plain);
  if (slope && !SYMBOLS[plain]) return `${symbolFor(slope[1])}′`;
  if (/^[A-Z]/.test(name) && !/Backward\d+$/.test(name) && !SYMBOLS[plain]) return name.replace(/Backward$/, "");
  const short = plain.replace(/^(native|linalg|special|upsample|fft)_(?=.)/, "");
  return SYMBOLS[plain] ?? SYMBOLS[plain.split("_")[0]] ?? SYMBOLS[short] ?? short.replaceAll("_", " ");
}

/**
 * The symbol of an op with the plain number it works with: ×2, +1, x³.
 * @param {Trace} trace @param {import("../trace.js").OpRecord} op
 */
export function symbolOfOp(trace, op) {
  const symbol = symbolFor(op.name);
  const plain = op.name.replace(/_$/, "");
  const number = numberOf(trace, op, plain === "pow" ? "exponent" : "other");
  if (number === null) return symbol;
  const written = formatNumber(number);
  if (plain === "pow") {
    return /^\d+$/.test(written)
      ? `x${written.replace(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)])}`
      : `x^${written}`;
  }
  if (plain === "rsub") return `${written}−`;
  return ["+", "−", "×", "÷"].includes(symbol) ? `${symbol}${written}` : symbol;
}

/**
 * A plain number given in place of a tensor: among the arguments, or saved for the backward pass.
 * @param {Trace} trace
 * @param {import("../trace.js").OpRecord} op
 * @param {string} name
 */
function numberOf(trace, op, name) {
  if (op.inputs.length !== 1) return null;
  const given = op.arguments?.[name];
  if (typeof given === "number") return given;
  const ref = op.node ? trace.nodes.get(op.node)?.saved[name] : null;
  if (typeof ref !== "string" || trace.holder.has(ref)) return null;
  const value = trace.value(ref);
  return value && value.shape.length === 0 && typeof value.data === "number" ? value.data : null;
}

/** @param {Trace} trace @param {string} node  id */
export function symbolOfNode(trace, node) {
  const op = trace.ops.get(trace.edges.opOf.get(node) ?? "");
  return op ? symbolOfOp(trace, op) : symbolFor(trace.nodes.get(node)?.name ?? "");
}

/**
 * @param {Trace} trace
 * @param {Item} item
 * @param {Measure} measure
 * @param {import("./asked.js").Asked} asked
 * @param {boolean} [alone]  no card above it says what waits
 * @returns {OpPlan}
 */
export function planOp(trace, item, measure, asked, alone = true) {
  const op = item.op ? trace.ops.get(item.op) : undefined;
  const id = op ? op.node : item.node;
  const node = id ? trace.nodes.get(id) : undefined;
  const symbol = shorten(op ? symbolOfOp(trace, op) : symbolFor(node?.name ?? ""), 16);
  const label = node?.name ?? (op ? `${op.name} · not recorded` : "");
  const history = node ? trace.histories.nodes.all(node.id) : [];
  const expected = Math.max(0, ...history.map((state) => state.expected));
  const waits = expected > 1;
  const saved = node ? savedText(trace, node) : "";
  const freed = saved !== "" && history.some((state) => state.freed);
  const size = symbol.length <= 2 ? 17 : 13;
  const half = Math.round(Math.max(RADIUS, measure(symbol, size, 500, false) / 2 + 9));
  const nowhere = node ? nowhereOf(trace, node, asked) : null;
  const waiting = alone && waits ? waitingText(expected, expected) : "";
  const labelW = Math.max(
    Math.round(measure(label + waiting, LABEL, 600, false)),
    Math.round(measure(label + (freed ? FREED : "") + waiting, LABEL, 500, false)),
    nowhere ? Math.round(measure(nowhere.text, LABEL, 500, false)) : 0,
  );
  const w = 2 * half + BESIDE + labelW;
  return {
    kind: "op",
    w,
    h: 2 * RADIUS,
    anchor: half - w / 2,
    symbol,
    half,
    size,
    label,
    labelW,
    saved,
    freed,
    waits,
    differentiable: node !== undefined,
    nowhere,
  };
}

/**
 * Where PyTorch has (None, 0) among the next functions of a node that is looked at.
 * @param {Trace} trace @param {import("../trace.js").NodeRecord} node @param {import("./asked.js").Asked} asked
 */
function nowhereOf(trace, node, asked) {
  const op = node.op ? trace.ops.get(node.op) : undefined;
  const inputs = op?.inputs.length === node.next_functions.length ? op.inputs : [];
  const shown = node.next_functions.flatMap((next, i) =>
    next || asked.edge(node.id, i) === Infinity ? [] : [{ i, since: asked.edge(node.id, i) }],
  );
  if (!shown.length) return null;
  const number = op && inputs.length === 0 ? (numberOf(trace, op, "other") ?? numberOf(trace, op, "exponent")) : null;
  const why = (/** @type {number} */ i) =>
    inputs[i]
      ? `${trace.label(inputs[i])} doesn't require grad`
      : number === null
        ? "not a tensor"
        : `${formatNumber(number)} is a number`;
  return {
    text: shown.map(({ i }) => `[${i}] None: ${why(i)}`).join(", "),
    since: Math.min(...shown.map(({ since }) => since)),
  };
}

/**
 * The tensor a saved value is best known by: one the op took or made before any other that held the same.
 * @param {Trace} trace
 * @param {import("../trace.js").NodeRecord} node
 * @param {string} ref
 */
function holderOf(trace, node, ref) {
  const op = node.op ? trace.ops.get(node.op) : undefined;
  return (
    [...(op?.inputs ?? []), ...(op?.outputs ?? [])].find((id) => trace.tensors.get(id)?.value === ref) ??
    trace.holder.get(ref)
  );
}

/** @param {Trace} trace @param {import("../trace.js").NodeRecord} node */
function savedText(trace, node) {
  const names = Object.entries(node.saved)
    .filter(([, ref]) => ref)
    .map(([key, ref]) => {
      if (typeof ref !== "string") return key;
      const holder = holderOf(trace, node, ref);
      const value = trace.value(ref);
      if (holder && !(trace.label(holder) === "constant" && value?.shape.length === 0)) {
        return shorten(trace.label(holder), 10);
      }
      return value && value.shape.length === 0 ? formatNumber(value.data, value.dtype) : key;
    });
  const unique = [...new Set(names)];
  if (!unique.length) return "";
  return unique.length > 3 ? `saved ${unique.length}` : `saved ${unique.join(" ")}`;
}

/**
 * @param {OpPlan} plan
 * @param {Item} item
 * @param {Moment} moment
 * @param {{hooks: boolean, error: boolean}} context
 * @param {{x: number, y: number, label: number, alone: boolean}} at  the centre of its circle, the baseline of its
 *   label; alone: no card above it says what waits
 * @returns {Mark[]}
 */
export function drawOp(plan, item, moment, context, { x, y, label, alone }) {
  const node = plan.differentiable ? item.node : null;
  const state = node ? moment.node(node) : null;
  const { half } = plan;
  if (moment.after.t < item.from) {
    return [
      rect(x - half, y - RADIUS, 2 * half, 2 * RADIUS, { r: RADIUS, fill: "panel", stroke: "rest", dash: "3 4" }),
      symbolMark(plan, x, y, "mute"),
    ];
  }
  const failed = context.error && atError(moment);
  const now = state?.phase === "running" || isMade(item, moment);
  const freed = state?.freed ?? false;
  /** @type {Mark[]} */
  const marks = [];
  if (now) {
    marks.push(
      rect(x - half - 5, y - RADIUS - 5, 2 * half + 10, 2 * RADIUS + 10, { r: RADIUS + 5, fill: "bwd", opacity: 0.2 }),
    );
  }
  marks.push(
    rect(x - half, y - RADIUS, 2 * half, 2 * RADIUS, {
      r: RADIUS,
      fill: "panel",
      stroke: failed ? "error" : now ? "bwd" : plan.differentiable ? "mute" : "rest",
      sw: now || failed ? 2.5 : 1.6,
    }),
    symbolMark(plan, x, y, plan.differentiable ? "ink" : "mute"),
  );
  const waiting =
    alone && plan.waits && state && state.phase !== "idle" ? waitingText(state.arrived, state.expected) : "";
  const { nowhere } = plan;
  const second = nowhere && moment.after.t >= nowhere.since ? 8 : 0;
  if (nowhere && second) {
    marks.push(text(x + half + BESIDE, label + second, nowhere.text, { size: LABEL, weight: 500, fill: "mute" }));
  }
  marks.push(
    text(x + half + BESIDE, label - second, plan.label + (freed && plan.saved ? FREED : "") + waiting, {
      size: LABEL,
      weight: now && !freed ? 600 : 500,
      fill: failed ? "error" : now ? "bwd-ink" : "mute",
    }),
  );
  if (context.hooks && node) marks.push(...hookBadge(x - half - 52, y + 4, atHook(moment, node)));
  if (failed) marks.push(...errorBadge(x + half, y - RADIUS + 4));
  return marks;
}

/** Its result is made by this step. @param {Item} item @param {Moment} moment */
function isMade(item, moment) {
  const { event } = moment.after;
  if (event?.kind === "op") return event.op === item.op;
  if (event?.kind !== "bind" || moment.t < item.from || moment.t - item.from > 2) return false;
  return isResultOf(moment.trace, item, event.tensor);
}

/** @param {Trace} trace @param {Item} item @param {string} tensor */
const isResultOf = (trace, item, tensor) =>
  item.op !== null && trace.ops.get(item.op)?.outputs.includes(tensor) === true;

/** @param {OpPlan} plan @param {number} x @param {number} y @param {string} fill */
const symbolMark = (plan, x, y, fill) =>
  text(x, y + plan.size * 0.36, plan.symbol, { size: plan.size, weight: 500, align: "middle", fill, detail: 1 });

/**
 * The tensors whose values a node has saved: shown while it runs.
 * @param {Trace} trace @param {string} node
 * @returns {string[]}  tensors
 */
export function savedTensors(trace, node) {
  const record = trace.nodes.get(node);
  return Object.values(record?.saved ?? {}).flatMap((ref) => {
    const holder = record && typeof ref === "string" ? holderOf(trace, record, ref) : undefined;
    return holder && typeof ref === "string" && valueSummary(trace, ref) ? [holder] : [];
  });
}

/**
 * A scissors-free cut: two strokes across a line.
 * @param {number} x
 * @param {number} y
 * @param {string} stroke
 * @returns {Mark}
 */
export const cutMark = (x, y, stroke) =>
  path(`M${x - 5} ${y + 7}L${x - 1} ${y - 7}M${x + 1} ${y + 7}L${x + 5} ${y - 7}`, { stroke, sw: 1.8 });

/** Height of a cut's strokes and the reason below them. */
export const REASON_H = 44;

/**
 * How wide the reason of a cut is when it is spelt out.
 * @param {string} reason
 * @param {import("./marks.js").Measure} measure
 */
export const reasonWidth = (reason, measure) => measure(reason, 13, 500, false) + 16;
