/**
 * How numbers and tensors are written, everywhere on the page.
 * @module
 */
/** @typedef {import("./document").Value} Value */
/** @typedef {import("./document").Scalar} Scalar */
/** @typedef {import("./document").Nested} Nested */

const MINUS = "−";

/** @param {unknown} x  of a complex number, which is a pair, its size @returns {number} */
export function toNumber(x) {
  if (typeof x === "number") return x;
  if (Array.isArray(x)) return Math.hypot(...x.map(toNumber));
  if (typeof x === "boolean") return x ? 1 : 0;
  if (x === "Infinity") return Infinity;
  if (x === "-Infinity") return -Infinity;
  return NaN;
}

/**
 * A number as the page writes it: 2, 0.25, 0.0001, 1.25e-5, 1.2e6, nan, −inf, 1−2j. Zero has no sign.
 * @param {unknown} x  a number, a boolean, or "NaN", "Infinity", "-Infinity"; a pair of these is complex
 * @param {string} [dtype]  integers keep more digits
 * @returns {string}
 */
export function formatNumber(x, dtype = "float32") {
  if (typeof x === "boolean") return x ? "True" : "False";
  if (Array.isArray(x)) return `${formatNumber(x[0])}+${formatNumber(x[1])}j`.replace(`+${MINUS}`, MINUS);
  const number = toNumber(x);
  if (Number.isNaN(number)) return "nan";
  if (!Number.isFinite(number)) return number < 0 ? `${MINUS}inf` : "inf";
  if (number === 0) return "0";
  const sign = number < 0 ? MINUS : "";
  const size = Math.abs(number);
  const rounded = Number(size.toPrecision(4));
  const largest = /^(u?int|bool)/.test(dtype) ? 1e7 : 1e5;
  if (Number.isInteger(size) && size < largest) return sign + String(size); // 1024 is not 1020
  return sign + (rounded >= largest || rounded < 1e-4 ? exponent(size) : String(rounded));
}

/** @param {number} size */
function exponent(size) {
  const [mantissa, power] = size.toExponential(2).split("e");
  return `${mantissa.replace(/\.?0+$/, "")}e${Number(power)}`;
}

/** A shape as Python prints it: (), (3,), (2, 3). @param {readonly number[]} shape */
export function formatShape(shape) {
  return shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(", ")})`;
}

/**
 * An iteration as programs count them, from 0, and the range it is in.
 * @param {number} turn @param {number} total
 */
export const formatIteration = (turn, total) => `iteration ${grouped(turn)} of 0 … ${grouped(total - 1)}`;

/**
 * A whole number with commas; a browser takes a tenth of a second to load what knows all languages.
 * @param {number} n
 */
export const grouped = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ",");

/** @param {{dtype: string}} value */
export const isComplex = ({ dtype }) => dtype.startsWith("complex");

/** Number of elements. @param {readonly number[]} shape */
export const elements = (shape) => shape.reduce((n, size) => n * size, 1);

/**
 * The elements in row-major order, complex ones as pairs; null when only a summary came with the document.
 * @param {Value | undefined} value
 * @returns {Scalar[] | null}
 */
export function flatten(value) {
  if (!value || value.data === null || value.data === undefined) return null;
  if (isComplex(value)) return /** @type {any} */ ([/** @type {any} */ (value.data)].flat(value.shape.length));
  /** @type {Scalar[]} */
  const flat = [];
  const stack = [/** @type {any} */ (value.data)];
  while (stack.length) {
    const item = stack.pop();
    if (Array.isArray(item)) for (let i = item.length - 1; i >= 0; i--) stack.push(item[i]);
    else flat.push(item);
  }
  return flat;
}

/**
 * @typedef {object} Summary
 * @property {number[]} shape
 * @property {string} shapeText
 * @property {string} dtype
 * @property {"empty" | "scalar" | "strip" | "grid" | "thumbnail" | "opaque"} form  how it is best drawn
 * @property {number} rows  of the cells or the thumbnail
 * @property {number} columns
 * @property {number[]} cells  row-major numbers of what is drawn; of complex numbers their sizes
 * @property {string[] | null} complex  complex numbers, written
 * @property {boolean} exact  the cells are the elements themselves, not a thumbnail of them
 * @property {number} norm  L2
 * @property {number} net  sum ÷ sum of magnitudes, −1 … 1: which sign prevails
 * @property {boolean} zero  every element is exactly 0
 * @property {boolean} broken  some element is NaN or infinite
 * @property {string} text  one short line
 */

const SMALL = 6;

/**
 * What a picture of a value needs to know.
 * @param {Value} value
 * @returns {Summary}
 */
export function summarize(value) {
  const { shape, dtype } = value;
  const all = flatten(value);
  const flat = all?.map(toNumber) ?? null;
  const drawn = arrange(value, flat);
  const size = measureSize(value, flat, drawn.cells);
  const complex = isComplex(value) ? (drawn.exact && all ? all : drawn.cells).map((x) => formatNumber(x)) : null;
  if (complex) size.net = 0;
  const shapeText = formatShape(shape);
  return { shape, shapeText, dtype, complex, ...drawn, ...size, text: describe(value, flat, shapeText, size.norm) };
}

/** @param {Value} value @param {number[] | null} flat */
function arrange(value, flat) {
  const { shape } = value;
  const count = elements(shape);
  const none = { rows: 0, columns: 0, cells: /** @type {number[]} */ ([]), exact: flat !== null };
  if (count === 0) return { form: /** @type {const} */ ("empty"), ...none };
  if (flat && shape.length === 0) {
    return { form: /** @type {const} */ ("scalar"), rows: 1, columns: 1, cells: flat, exact: true };
  }
  const columns = shape.length ? shape[shape.length - 1] : 1;
  const rows = count / columns;
  if (flat && rows <= SMALL && columns <= SMALL) {
    return {
      form: shape.length === 1 || rows === 1 ? /** @type {const} */ ("strip") : /** @type {const} */ ("grid"),
      rows,
      columns,
      cells: flat,
      exact: true,
    };
  }
  if (value.thumbnail) {
    const cells = (
      flatten(
        /** @type {Value} */ ({ shape: value.thumbnail.shape, dtype: value.dtype, data: value.thumbnail.data }),
      ) ?? []
    ).map(toNumber);
    const last = value.thumbnail.shape[value.thumbnail.shape.length - 1] || 1;
    const wide = last === 1 ? cells.length : last;
    return {
      form: /** @type {const} */ ("thumbnail"),
      rows: Math.max(1, cells.length / wide),
      columns: wide,
      cells,
      exact: false,
    };
  }
  if (flat && isMaps(shape)) return { form: /** @type {const} */ ("thumbnail"), ...tile(flat, shape) };
  if (flat) {
    return {
      form: /** @type {const} */ ("thumbnail"),
      ...(columns === 1 ? shrink(flat, 1, rows) : shrink(flat, rows, columns)),
    };
  }
  return { form: /** @type {const} */ ("opaque"), ...none };
}

/** Images, filters and what convolutions make: so many maps are drawn side by side, in so many cells. */
const MOST_MAPS = 16;
const ACROSS_MAPS = 24;

/** @param {readonly number[]} shape */
function isMaps(shape) {
  const [height, width] = shape.slice(-2);
  const count = elements(shape.slice(0, -2));
  return shape.length > 2 && height > 1 && width > 1 && count > 1 && count <= MOST_MAPS;
}

/**
 * Maps side by side, each as `shrink` has it. Cells between them are holes of the array.
 * @param {number[]} flat @param {readonly number[]} shape
 */
function tile(flat, shape) {
  const [height, width] = shape.slice(-2);
  const size = height * width;
  const count = flat.length / size;
  const across = Math.min(count, Math.max(2, Math.ceil(Math.sqrt(count * 2))));
  const most = Math.max(2, Math.floor(ACROSS_MAPS / across));
  const maps = Array.from({ length: count }, (_, m) =>
    shrink(flat.slice(m * size, (m + 1) * size), height, width, most),
  );
  const [high, wide] = [maps[0].rows + 1, maps[0].columns + 1];
  const [rows, columns] = [Math.ceil(count / across) * high - 1, across * wide - 1];
  /** @type {number[]} */
  const cells = new Array(rows * columns);
  maps.forEach((map, m) => {
    const [top, left] = [Math.floor(m / across) * high, (m % across) * wide];
    map.cells.forEach((x, i) => {
      cells[(top + Math.floor(i / map.columns)) * columns + left + (i % map.columns)] = x;
    });
  });
  return { rows, columns, cells, exact: false };
}

/**
 * At most `most` × `most` cells, each the element of largest magnitude in its block, so that no spike is averaged away.
 * The last line of a folded vector ends where the vector does.
 * @param {number[]} flat @param {number} rows @param {number} columns @param {number} [most]
 */
function shrink(flat, rows, columns, most = 16) {
  if (rows === 1 && columns > 16) [rows, columns] = fold(columns);
  const down = Math.min(most, rows);
  const across = Math.min(most, columns);
  const cells = new Array(down * across).fill(0);
  let last = 0;
  for (let i = 0; i < flat.length; i++) {
    const r = Math.min(down - 1, Math.floor((Math.floor(i / columns) * down) / rows));
    const c = Math.floor(((i % columns) * across) / columns);
    const x = flat[i];
    const at = r * across + c;
    last = Math.max(last, at);
    if (Number.isNaN(x) || Math.abs(x) > Math.abs(cells[at])) cells[at] = x;
  }
  const exact = flat.length === cells.length;
  return { rows: down, columns: across, cells: cells.slice(0, last + 1), exact };
}

/** A long vector reads better folded into lines. @param {number} n @returns {[number, number]} */
function fold(n) {
  const columns = Math.min(16, Math.ceil(Math.sqrt(n * 2)));
  return [Math.ceil(n / columns), columns];
}

/** @param {Value} value @param {number[] | null} flat @param {number[]} drawn */
function measureSize(value, flat, drawn) {
  const cells = flat ?? drawn;
  let squares = 0;
  let sum = 0;
  let magnitude = 0;
  let broken = false;
  for (const x of cells) {
    if (!Number.isFinite(x)) broken = true;
    else {
      squares += x * x;
      sum += x;
      magnitude += Math.abs(x);
    }
  }
  const { stats } = value;
  if (!flat && stats) {
    broken = (stats.nan ?? 0) > 0 || (stats.inf ?? 0) > 0;
    const norm = toNumber(stats.norm);
    return {
      norm: Number.isFinite(norm) ? norm : Math.sqrt(squares),
      net: magnitude ? sum / magnitude : 0,
      zero: norm === 0 && !broken,
      broken,
    };
  }
  return { norm: Math.sqrt(squares), net: magnitude ? sum / magnitude : 0, zero: squares === 0 && !broken, broken };
}

/** @param {Value} value @param {number[] | null} flat @param {string} shapeText @param {number} norm */
function describe(value, flat, shapeText, norm) {
  if (flat && value.shape.length === 0) return formatNumber(flatten(value)?.[0], value.dtype);
  if (flat && flat.length <= SMALL && value.shape.length <= 2) return nested(value.data, value.dtype);
  return `${shapeText} norm ${formatNumber(norm)}`;
}

/** A number of what is drawn. @param {Summary} summary @param {number} i */
export const cellText = ({ complex, cells, dtype }, i) => complex?.[i] ?? formatNumber(cells[i], dtype);

/** @param {unknown} data @param {string} dtype @returns {string} */
export const nested = (data, dtype) =>
  Array.isArray(data) && !(isComplex({ dtype }) && data.length === 2 && !Array.isArray(data[0]))
    ? `[${data.map((item) => nested(item, dtype)).join(", ")}]`
    : formatNumber(data, dtype);
