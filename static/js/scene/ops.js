/**
 * An op as a circle with its symbol; above it the name of its grad_fn, below what it saved and how long it still waits.
 * @module
 */
import { formatConstant, valueSummary } from "../trace.js";
import { atError, atHook, errorBadge, hookBadge } from "./cards.js";
import { circle, path, rect, shorten, text } from "./marks.js";

/** @typedef {import("./graph.js").Item} Item */
/** @typedef {import("./marks.js").Mark} Mark */
/** @typedef {import("./marks.js").Measure} Measure */
/** @typedef {import("./moment.js").Moment} Moment */
/** @typedef {import("../trace.js").Trace} Trace */
/** @typedef {import("../trace/types.js").NodeState} NodeState */

/**
 * @typedef {object} OpPlan
 * @property {"op"} kind
 * @property {number} w
 * @property {number} h
 * @property {number} anchor
 * @property {string[]} symbol  in one line or two
 * @property {number} size  of the symbol's text
 * @property {string} label
 * @property {number} labelW
 * @property {string} saved  text of the chip, "" for none
 * @property {number} savedW
 * @property {boolean} waits  several gradients meet here
 * @property {boolean} differentiable
 */

/** Radius of the circle. */
export const RADIUS = 25;
/** Width of "waiting 1/2". */
const WAITING = 76;

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
 * A function a backward pass calls, tanh_backward for instance, is a derivative.
 * @param {string} name of an op, or of a node such as MulBackward0
 * @returns {string}
 */
export function symbolFor(name) {
  const plain = name
    .replace(/Backward\d*$/, "")
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replace(/^_+|_$/g, "");
  const slope = /^(.+)_backward(?:_data)?$/.exec(plain);
  if (slope && !SYMBOLS[plain]) return `${symbolFor(slope[1])}′`;
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
  const written = formatConstant(number);
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

/** What is too long for one line of a circle stands in two. @param {string} symbol */
function inLines(symbol) {
  const gap = symbol.indexOf(" ");
  if (symbol.length <= 6 || gap < 0) return [shorten(symbol, 9)];
  return [symbol.slice(0, gap), symbol.slice(gap + 1)].map((line) => shorten(line, 8));
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
 * @param {boolean} cards results are drawn as cards, which then hold the slots
 * @returns {OpPlan}
 */
export function planOp(trace, item, measure, cards = true) {
  const op = item.op ? trace.ops.get(item.op) : undefined;
  const node = item.node ? trace.nodes.get(item.node) : undefined;
  const symbol = inLines(op ? symbolOfOp(trace, op) : symbolFor(node?.name ?? ""));
  const label = node?.name ?? op?.name ?? "";
  const saved = node ? savedText(trace, node) : "";
  const savedW = saved ? Math.round(measure(saved, 10.5, 400, true) + 14) : 0;
  const waits = item.node !== null && trace.histories.nodes.all(item.node).some((state) => state.expected > 1);
  const widest = Math.max(...symbol.map((line) => measure(line, 1, 500, false)));
  const size =
    symbol[0].length <= 2 && symbol.length === 1
      ? 21
      : Math.max(8.5, Math.min(symbol.length > 1 ? 12 : 18, (2 * RADIUS - 10) / widest));
  const above = RADIUS + 22;
  const below = RADIUS + (saved ? 24 : 6) + (waits || !cards ? 20 : 0);
  const labelW = Math.round(measure(label, 11.5, 600, false));
  const w = Math.max(2 * RADIUS + 8, labelW - 36, savedW);
  return {
    kind: "op",
    w,
    h: above + below,
    anchor: above - (above + below) / 2,
    symbol,
    size,
    label,
    labelW,
    saved,
    savedW,
    waits,
    differentiable: node !== undefined,
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
      return value && value.shape.length === 0 ? formatConstant(value.data, value.dtype) : key;
    });
  const unique = [...new Set(names)];
  if (!unique.length) return "";
  return unique.length > 3 ? `saved ${unique.length}` : `saved ${unique.join(" ")}`;
}

/**
 * @param {OpPlan} plan @param {Item} item @param {Moment} moment @param {{hooks: boolean, error: boolean}} context
 * @returns {Mark[]}  relative to the item's centre
 */
export function drawOp(plan, item, moment, context) {
  const y = plan.anchor;
  const state = item.node ? moment.node(item.node) : null;
  const exists = moment.after.t >= item.from;
  const { event } = moment.after;
  const made =
    event !== null &&
    (event.kind === "op"
      ? event.op === item.op
      : event.kind === "bind" &&
        moment.t - item.from <= 2 &&
        moment.t >= item.from &&
        isResultOf(moment.trace, item, event.tensor));
  const running = state?.phase === "running";
  const failed = context.error && atError(moment);
  const now = running || made;
  if (!exists) {
    return [
      circle(0, y, RADIUS, { fill: "panel", stroke: "line", dash: "3 4", opacity: 0.7 }),
      ...symbolMarks(plan, y, "faint"),
    ];
  }
  /** @type {Mark[]} */
  const marks = [];
  if (now) marks.push(circle(0, y, RADIUS + 7, { stroke: "bwd", sw: 2.5, opacity: 0.3 }));
  marks.push(
    circle(0, y + 2, RADIUS, { fill: "shade", opacity: 0.06, detail: 2 }),
    circle(0, y + 1, RADIUS + 0.5, { fill: "shade", opacity: 0.06, detail: 2 }),
  );
  marks.push(
    circle(0, y, RADIUS, {
      fill: "panel",
      stroke: failed ? "error" : now ? "bwd" : state && state.phase === "ready" ? "bwd-mid" : "rest",
      sw: now || failed ? 2.5 : 1.6,
      dash: plan.differentiable ? "" : "4 3",
    }),
  );
  marks.push(...symbolMarks(plan, y, plan.differentiable ? "ink" : "mute"));
  marks.push(
    text(0, y - RADIUS - 9, plan.label, {
      size: 11.5,
      weight: 600,
      align: "middle",
      fill: failed ? "error" : now ? "bwd-ink" : plan.differentiable ? "mute" : "faint",
    }),
  );
  let below = y + RADIUS + 7;
  if (plan.saved) {
    marks.push(...savedChip(plan, below, state, failed));
    below += 22;
  }
  if (state && plan.waits && state.phase !== "idle") marks.push(...waitingChip(below, state));
  if (context.hooks && item.node) marks.push(...hookBadge(RADIUS - 6, y - RADIUS + 6, atHook(moment, item.node)));
  if (failed) marks.push(...errorBadge(RADIUS - 2, y - RADIUS + 6));
  return marks;
}

/**
 * What an op really covers: its circle, its name above, its chips below. Nothing is written over these.
 * @param {OpPlan} plan
 * @returns {import("./place.js").Box[]}  relative to the item's centre
 */
export function opBoxes(plan) {
  const y = plan.anchor;
  const row = (/** @type {number} */ top, /** @type {number} */ w, /** @type {number} */ h) => ({
    x: -w / 2,
    y: top,
    w,
    h,
  });
  const below = y + RADIUS + 7;
  return [
    row(y - RADIUS, 2 * RADIUS, 2 * RADIUS),
    row(y - RADIUS - 20, plan.labelW, 16),
    ...(plan.saved ? [row(below, plan.savedW, 18)] : []),
    ...(plan.waits ? [row(below + (plan.saved ? 22 : 0), WAITING, 16)] : []),
  ];
}

/** @param {Trace} trace @param {Item} item @param {string} tensor */
const isResultOf = (trace, item, tensor) =>
  item.op !== null && trace.ops.get(item.op)?.outputs.includes(tensor) === true;

/** @param {OpPlan} plan @param {number} y @param {string} fill */
const symbolMarks = (plan, y, fill) =>
  plan.symbol.map((line, i) =>
    text(0, y + plan.size * (0.36 + 1.05 * (i - (plan.symbol.length - 1) / 2)), line, {
      size: plan.size,
      weight: 500,
      align: "middle",
      fill,
      detail: 1,
    }),
  );

/**
 * Lit while it is used, faded and struck out when it was freed.
 * @param {OpPlan} plan
 * @param {number} y
 * @param {NodeState | null} state
 * @param {boolean} failed
 * @returns {Mark[]}
 */
function savedChip(plan, y, state, failed) {
  const lit = state?.phase === "running" && !state.freed;
  const freed = state?.freed ?? false;
  const x = -plan.savedW / 2;
  const look = failed
    ? { fill: "error-soft", stroke: "error-line" }
    : lit
      ? { fill: "bwd-soft", stroke: "bwd-mid" }
      : { fill: "sunken", stroke: "line" };
  return [
    rect(x, y, plan.savedW, 18, { r: 5, ...look, dash: freed ? "3 3" : "", opacity: freed && !failed ? 0.6 : 1 }),
    text(0, y + 12.8, plan.saved, {
      size: 10.5,
      mono: true,
      align: "middle",
      fill: failed ? "error" : lit ? "bwd-ink" : freed ? "faint" : "mute",
      strike: freed,
    }),
  ];
}

/** @param {number} y @param {NodeState} state @returns {Mark[]} */
function waitingChip(y, state) {
  const full = state.arrived >= state.expected;
  const content = full ? `${state.arrived}/${state.expected} in` : `waiting ${state.arrived}/${state.expected}`;
  const w = content.length * 5.8 + 12;
  return [
    rect(-w / 2, y, w, 16, { r: 8, fill: state.arrived ? "bwd-soft" : "sunken" }),
    text(0, y + 11.6, content, { size: 10.5, align: "middle", fill: state.arrived ? "bwd-ink" : "mute" }),
  ];
}

/**
 * From the chip to the cards that made what it saved: shown while the node runs.
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

/**
 * How wide the reason of a cut is when it is spelt out.
 * @param {string} reason
 * @param {import("./marks.js").Measure} measure
 */
export const reasonWidth = (reason, measure) => measure(reason, 10.5, 500, false) + 14;
