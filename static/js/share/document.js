/**
 * Run documents from files, which anybody may have written, and from the service, where programs of strangers have
 * run: they are held against the schema before they are shown.
 * Pure.
 * @module
 */

/** @typedef {import("../trace/document").RunDocument} RunDocument */
/**
 * The part of JSON Schema that `schema.js` uses, which is made of docs/schema; `reference`: the string is an id in
 * that list of the document.
 * @typedef {object} Schema
 * @property {string} [type]
 * @property {string} [$ref]
 * @property {Schema[]} [anyOf]
 * @property {Record<string, Schema>} [kinds] by the property `kind`
 * @property {unknown[]} [enum]
 * @property {Schema} [items]
 * @property {Schema[]} [prefixItems]
 * @property {Schema} [values] of the properties of an object that have no names
 * @property {Record<string, Schema>} [properties]
 * @property {string[]} [required]
 * @property {"tensors" | "nodes" | "values"} [reference]
 */
/** @typedef {Schema & {$defs: Record<string, Schema>}} Whole */
/** @typedef {Record<"tensors" | "nodes" | "values", Set<string>> & {$defs: Record<string, Schema>}} Known */

/** Characters. */
const LARGEST = 100_000_000;
/** Levels of objects and lists: those of a document, and a tensor's dimensions. */
const DEEPEST = 80;

/** What is no run document; the message says what is wrong, and where. */
export class NotARun extends Error {}

/**
 * @param {string} text JSON
 * @param {Whole} schema
 * @returns {RunDocument}
 * @throws {NotARun}
 */
export function readRun(text, schema) {
  if (text.length > LARGEST) throw new NotARun("The file is larger than any run.");
  let document;
  try {
    document = JSON.parse(text);
  } catch {
    throw new NotARun("The file is not JSON.");
  }
  return checkRun(document, schema);
}

/**
 * @param {unknown} document
 * @param {Whole} schema
 * @returns {RunDocument} the same
 * @throws {NotARun}
 */
export function checkRun(document, schema) {
  if (!isRecord(document) || !Array.isArray(document.events) || !Array.isArray(document.tensors)) {
    throw new NotARun("This is JSON, but not a run document: it has no events or tensors.");
  }
  document.id ??= "run"; // which the engine by itself does not give
  /** @type {Known} */
  const known = {
    $defs: schema.$defs,
    tensors: idsOf(document.tensors, "tensors"),
    nodes: idsOf(document.nodes, "nodes"),
    values: new Set(isRecord(document.values) ? Object.keys(document.values) : []),
  };
  check(document, schema, "", known, 0);
  const run = /** @type {RunDocument} */ (/** @type {unknown} */ (document));
  checkOrder(run);
  return run;
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isRecord = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** @param {unknown} list @param {string} name */
function idsOf(list, name) {
  /** @type {Set<string>} */
  const ids = new Set();
  for (const entry of Array.isArray(list) ? list : []) {
    const id = isRecord(entry) ? entry.id : undefined;
    if (typeof id === "string" && ids.has(id)) throw new NotARun(`${name}: there are two with the id ${quoted(id)}.`);
    if (typeof id === "string") ids.add(id);
  }
  return ids;
}

/** @param {unknown} value @param {string} type */
function isOf(value, type) {
  switch (type) {
    case "object":
      return isRecord(value);
    case "array":
      return Array.isArray(value);
    case "null":
      return value === null;
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

/**
 * @param {unknown} value
 * @param {Schema} schema
 * @param {string} path
 * @param {Known} known
 * @param {number} depth
 * @throws {NotARun}
 */
function check(value, schema, path, known, depth) {
  if (depth > DEEPEST) throw new NotARun(`${path} is nested too deeply.`);
  const named = schema.$ref ? known.$defs[schema.$ref] : schema;
  if (!named) return;
  if (named.anyOf) {
    checkAny(value, named.anyOf, path, known, depth);
    return;
  }
  if (named.kinds) {
    const kind = isRecord(value) && typeof value.kind === "string" ? value.kind : "";
    const one = Object.hasOwn(named.kinds, kind) ? named.kinds[kind] : undefined;
    if (!one) throw new NotARun(`${path} is of no known kind.`);
    check(value, one, path, known, depth);
    return;
  }
  if (named.type && !isOf(value, named.type)) throw new NotARun(`${path} is not of type ${named.type}.`);
  if (named.enum && !named.enum.includes(value)) throw new NotARun(`${path} is ${quoted(value)}, which it cannot be.`);
  if (named.reference && !known[named.reference].has(String(value))) {
    throw new NotARun(`${path} names ${quoted(value)}, which is not in ${named.reference}.`);
  }
  if (Array.isArray(value)) checkList(value, named, path, known, depth);
  else if (isRecord(value)) checkRecord(value, named, path, known, depth);
}

/** @param {unknown} value @param {Schema[]} schemas @param {string} path @param {Known} known @param {number} depth */
function checkAny(value, schemas, path, known, depth) {
  /** @type {unknown} */
  let first = null;
  for (const schema of schemas) {
    const { type } = schema.$ref ? (known.$defs[schema.$ref] ?? {}) : schema;
    if (type && !isOf(value, type)) continue;
    try {
      check(value, schema, path, known, depth);
      return;
    } catch (problem) {
      first ??= problem;
    }
  }
  throw first ?? new NotARun(`${path} is of the wrong type.`);
}

/** @param {unknown[]} list @param {Schema} schema @param {string} path @param {Known} known @param {number} depth */
function checkList(list, { prefixItems, items }, path, known, depth) {
  if (prefixItems && list.length !== prefixItems.length)
    throw new NotARun(`${path} has not ${prefixItems.length} entries.`);
  list.forEach((entry, i) => {
    const schema = prefixItems?.[i] ?? items;
    if (schema) check(entry, schema, `${path}[${i}]`, known, depth + 1);
  });
}

/**
 * @param {Record<string, unknown>} record
 * @param {Schema} schema
 * @param {string} path
 * @param {Known} known
 * @param {number} depth
 */
function checkRecord(record, { required, properties, values }, path, known, depth) {
  for (const name of required ?? []) {
    if (!Object.hasOwn(record, name)) throw new NotARun(`${path || "The document"} has no ${name}.`);
  }
  for (const [name, entry] of Object.entries(record)) {
    const schema = properties && Object.hasOwn(properties, name) ? properties[name] : values;
    if (schema) check(entry, schema, path ? `${path}.${name}` : name, known, depth + 1);
  }
}

/**
 * What a schema cannot say: scopes and edges lead nowhere in a circle, and values have the shape they claim.
 * @param {RunDocument} run
 * @throws {NotARun}
 */
function checkOrder(run) {
  const scopes = new Map(run.scopes.map((scope) => [scope.id, scope.parent]));
  for (const { id, parent } of run.scopes) {
    if (parent !== null && !scopes.has(parent)) throw new NotARun(`The scope ${quoted(id)} is in none that exists.`);
  }
  noCircle("scopes", scopes.keys(), (id) => [scopes.get(id) ?? null]);
  for (const { id, scope } of [...run.tensors, ...run.nodes, ...run.ops]) {
    if (typeof scope === "string" && !scopes.has(scope))
      throw new NotARun(`${quoted(id)} is in a scope that does not exist.`);
  }
  const next = new Map(run.nodes.map((node) => [node.id, node.next_functions.map((edge) => edge?.[0] ?? null)]));
  noCircle("nodes", next.keys(), (id) => next.get(id) ?? []);
  const views = new Map(run.tensors.map((tensor) => [tensor.id, [tensor.view_of ?? null]]));
  noCircle("views", views.keys(), (id) => views.get(id) ?? []);
  for (const [id, { shape: sizes, dtype, data }] of Object.entries(run.values)) {
    const shape = dtype.startsWith("complex") ? [...sizes, 2] : sizes;
    if (shape.some((size) => size < 0)) throw new NotARun(`values.${id} has a negative size.`);
    const holds = shape.includes(0) ? isEmpty(data) : fits(data, shape, 0);
    if (data !== null && data !== undefined && !holds) {
      throw new NotARun(`values.${id} has not the shape it says.`);
    }
  }
}

/** @param {unknown} data @returns {boolean} whether it is lists of lists without a number */
const isEmpty = (data) => Array.isArray(data) && data.every(isEmpty);

/** @param {unknown} data @param {number[]} shape @param {number} dim @returns {boolean} */
function fits(data, shape, dim) {
  if (dim === shape.length) return !Array.isArray(data);
  return Array.isArray(data) && data.length === shape[dim] && data.every((part) => fits(part, shape, dim + 1));
}

/**
 * @param {string} what
 * @param {Iterable<string>} ids
 * @param {(id: string) => (string | null)[]} after
 * @throws {NotARun}
 */
function noCircle(what, ids, after) {
  /** @type {Map<string, "open" | "done">} */
  const seen = new Map();
  for (const start of ids) {
    /** @type {{id: string, left: (string | null)[]}[]} */
    const path = seen.has(start) ? [] : [{ id: start, left: [...after(start)] }];
    if (path.length) seen.set(start, "open");
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const id = top.left.pop();
      if (id === undefined) {
        seen.set(top.id, "done");
        path.pop();
      } else if (id !== null && seen.get(id) !== "done") {
        if (seen.get(id) === "open") throw new NotARun(`The ${what} lead in a circle.`);
        seen.set(id, "open");
        path.push({ id, left: [...after(id)] });
      }
    }
  }
}

/** @param {unknown} value */
function quoted(value) {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
