/**
 * Tensors as Python prints them: `tensor([1., 2.], requires_grad=True)`. Pure.
 * The rules are those of torch._tensor_str with its default options (precision 4, threshold 1000, 3 edge items, 80
 * columns).
 * @module
 */

import { toNumber } from "../trace.js";

/** @typedef {import("../trace/document").Value} Value */

const PRECISION = 4;
const THRESHOLD = 1000;
const EDGE = 3;
const WIDTH = 80;

/**
 * @param {Value} value with its data
 * @param {{requires_grad?: boolean, grad_fn?: string | null}} [autograd]
 * @returns {string}
 */
export function tensorRepr(value, { requires_grad = false, grad_fn = null } = {}) {
  const prefix = "tensor(";
  const { shape, dtype } = value;
  const suffixes = [];
  if (shape.some((n) => n === 0)) {
    if (shape.length !== 1) suffixes.push(`size=(${shape.join(", ")})`);
    if (dtype !== "float32") suffixes.push(`dtype=torch.${dtype}`);
    return withSuffixes(`${prefix}[]`, suffixes, requires_grad, grad_fn);
  }
  const count = shape.reduce((product, n) => product * n, 1);
  const summarise = count > THRESHOLD;
  const format = formatter(leaves(value.data, summarise, shape.length), dtype);
  const body = layout(value.data, shape.length, prefix.length, summarise, format);
  if (!["float32", "int64", "bool", "complex64"].includes(dtype)) suffixes.push(`dtype=torch.${dtype}`);
  return withSuffixes(prefix + body, suffixes, requires_grad, grad_fn);
}

/** @param {string} text @param {string[]} suffixes @param {boolean} requiresGrad @param {string | null} gradFn */
function withSuffixes(text, suffixes, requiresGrad, gradFn) {
  if (gradFn) suffixes.push(`grad_fn=<${gradFn}>`);
  else if (requiresGrad) suffixes.push("requires_grad=True");
  let out = text;
  let column = text.length - text.lastIndexOf("\n") + 1;
  for (const suffix of suffixes) {
    if (column + suffix.length + 2 > WIDTH) {
      out += `,\n${" ".repeat(7)}${suffix}`;
      column = 7 + suffix.length;
    } else {
      out += `, ${suffix}`;
      column += suffix.length + 2;
    }
  }
  return `${out})`;
}

/**
 * @param {any} data @param {boolean} summarise @param {number} depth dimensions left
 * @returns {any[]} the elements that will be printed
 */
function leaves(data, summarise, depth) {
  if (!depth) return [data];
  const items = summarise && data.length > 2 * EDGE ? [...data.slice(0, EDGE), ...data.slice(-EDGE)] : data;
  return items.flatMap((/** @type {any} */ item) => leaves(item, summarise, depth - 1));
}

/** @param {any[]} items @param {string} dtype @returns {{width: number, write: (x: any) => string}} */
function formatter(items, dtype) {
  const pad = (/** @type {(x: any) => string} */ plain, /** @type {any[]} */ measured) => {
    const width = Math.max(1, ...measured.map((x) => plain(x).length));
    return { width, write: (/** @type {any} */ x) => plain(x).padStart(width) };
  };
  if (dtype.startsWith("complex")) {
    const [real, imaginary] = [0, 1].map((part) =>
      formatter(
        items.map((x) => x[part]),
        "float32",
      ),
    );
    const write = (/** @type {any} */ x) => {
      const second = imaginary.write(x[1]).trimStart();
      return `${real.write(x[0])}${second.startsWith("-") ? "" : "+"}${second}j`;
    };
    return { width: real.width + imaginary.width + 1, write };
  }
  if (!/^(b?float|double|half)/.test(dtype)) {
    return pad((x) => (typeof x === "boolean" ? (x ? "True" : "False") : String(x)), items);
  }
  const finite = items.map(toNumber).filter((x) => Number.isFinite(x) && x !== 0);
  const sizes = finite.map(Math.abs);
  const largest = Math.max(...sizes);
  const smallest = Math.min(...sizes);
  const whole = finite.every(Number.isInteger);
  const scientific = sizes.length > 0 && (largest / smallest > 1000 || largest > 1e8 || (!whole && smallest < 1e-4));
  const plain = (/** @type {any} */ raw) => {
    const x = toNumber(raw);
    if (Number.isNaN(x)) return "nan";
    if (!Number.isFinite(x)) return x < 0 ? "-inf" : "inf";
    if (scientific) return exponent(x);
    if (whole) return `${Object.is(x, -0) ? "-0" : x.toFixed(0)}.`;
    return fixed(x);
  };
  // As in torch, only finite non-zero elements decide the width: an inf among small numbers sticks out.
  const width = Math.max(1, ...finite.map((x) => plain(x).length));
  return { width, write: (x) => plain(x).padStart(width) };
}

/** Fixed point with ties to even, like Python's format. @param {number} x */
function fixed(x) {
  const scaled = Math.abs(x) * 10 ** PRECISION;
  const tie = Number.isInteger(x * 32) && scaled % 1 === 0.5;
  if (!tie) return (Object.is(x, -0) ? "-" : "") + x.toFixed(PRECISION);
  const even = 2 * Math.round((Math.abs(x) * 10 ** PRECISION) / 2);
  return (x < 0 ? "-" : "") + (even / 10 ** PRECISION).toFixed(PRECISION);
}

/** @param {number} x */
function exponent(x) {
  return (Object.is(x, -0) ? "-" : "") + x.toExponential(PRECISION).replace(/e([+-])(\d)$/, "e$10$2");
}

/**
 * @param {any} data @param {number} depth dimensions left @param {number} indent @param {boolean} summarise
 * @param {{width: number, write: (x: any) => string}} format
 * @returns {string}
 */
function layout(data, depth, indent, summarise, format) {
  if (depth === 0) return format.write(data);
  const cut = summarise && data.length > 2 * EDGE;
  if (depth === 1) {
    const perLine = Math.max(1, Math.floor((WIDTH - indent) / (format.width + 2)));
    const words = cut
      ? [...data.slice(0, EDGE).map(format.write), " ...", ...data.slice(-EDGE).map(format.write)]
      : data.map(format.write);
    /** @type {string[]} */
    const rows = [];
    for (let i = 0; i < words.length; i += perLine) rows.push(words.slice(i, i + perLine).join(", "));
    return `[${rows.join(`,\n${" ".repeat(indent + 1)}`)}]`;
  }
  const inner = (/** @type {any} */ item) => layout(item, depth - 1, indent + 1, summarise, format);
  const parts = cut ? [...data.slice(0, EDGE).map(inner), "...", ...data.slice(-EDGE).map(inner)] : data.map(inner);
  return `[${parts.join(`,${"\n".repeat(depth - 1)}${" ".repeat(indent + 1)}`)}]`;
}
