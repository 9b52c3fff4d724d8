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
/**
 * Where in a document something is held against the schema: the names and indices that lead there, and the ids that the
 * document has.
 * @typedef {{path: (string | number)[]} & Record<"tensors" | "nodes" | "values", Set<string>>} Place
 */
/** @typedef {(value: unknown, place: Place) => void} Check throws NotARun */

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
  /** @type {Place} */
  const place = {
    path: [],
    tensors: idsOf(document.tensors, "tensors"),
    nodes: idsOf(document.nodes, "nodes"),
    values: new Set(isRecord(document.values) ? Object.keys(document.values) : []),
  };
  checkOf(schema)(document, place);
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

/** Whether a value is of a type that JSON Schema names. @type {Record<string, (value: unknown) => boolean>} */
const IS = {
  object: isRecord,
  array: Array.isArray,
  null: (value) => value === null,
  integer: Number.isInteger,
  number: (value) => typeof value === "number",
  string: (value) => typeof value === "string",
  boolean: (value) => typeof value === "boolean",
};

/** @type {WeakMap<Whole, Check>} */
const checks = new WeakMap();

/**
 * What holds documents against a schema, made once: a large one has a million parts.
 * @param {Whole} schema
 */
function checkOf(schema) {
  const check = checks.get(schema) ?? checking(schema, schema.$defs, new Map());
  checks.set(schema, check);
  return check;
}

/** @param {Schema} schema @param {Whole["$defs"]} $defs @param {Map<string, Check>} named @returns {Check} */
function checking(schema, $defs, named) {
  const of = (/** @type {Schema} */ part) => checking(part, $defs, named);
  const { $ref, anyOf, kinds, type, prefixItems, items, values, properties, required = [] } = schema;
  if ($ref) {
    /** @type {Check | undefined} a definition may lead to itself: it is looked up at its first use */
    let check;
    return (value, place) => {
      if (!check) {
        check = named.get($ref) ?? of(/** @type {Schema} */ ($defs[$ref]));
        named.set($ref, check);
      }
      check(value, place);
    };
  }
  if (anyOf) {
    const choice = anyOf.map((one) => ({ is: IS[(one.$ref ? $defs[one.$ref] : one)?.type ?? ""], check: of(one) }));
    return checkAny(choice.sort((a, b) => Number(!a.is) - Number(!b.is)));
  }
  if (kinds) return checkKind(new Map(Object.entries(kinds).map(([kind, one]) => [kind, of(one)])));
  if (type === "array") return checkList(prefixItems?.map(of), items && of(items));
  if (type !== "object") return checkPlain(schema);
  const members = Object.entries(properties ?? {}).map(([name, one]) => ({
    name,
    check: of(one),
    needed: required.includes(name),
  }));
  return values ? checkTable(of(values)) : checkRecord(members);
}

/**
 * Hold a part against its schema.
 * @param {Check} check @param {unknown} part @param {string | number} at @param {Place} place
 */
function go(check, part, at, place) {
  if (place.path.push(at) > DEEPEST) fail(place, "is nested too deeply");
  check(part, place);
  place.path.pop();
}

/** @param {Place} place @param {string} wrong @returns {never} */
function fail({ path }, wrong) {
  const where = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`)).join("");
  throw new NotARun(`${where.slice(1) || "The document"} ${wrong}.`);
}

/** @param {{is: ((value: unknown) => boolean) | undefined, check: Check}[]} choice @returns {Check} */
const checkAny = (choice) => (value, place) => {
  const depth = place.path.length;
  /** @type {unknown} */
  let first = null;
  for (const { is, check } of choice) {
    if (is && !is(value)) continue;
    try {
      check(value, place);
      return;
    } catch (problem) {
      first ??= problem;
      place.path.length = depth;
    }
  }
  throw first ?? fail(place, "is of the wrong type");
};

/** @param {Map<unknown, Check>} kinds @returns {Check} */
const checkKind = (kinds) => (value, place) => {
  const check = isRecord(value) ? kinds.get(value.kind) : undefined;
  if (!check) fail(place, "is of no known kind");
  check(value, place);
};

/** @param {Schema} schema @returns {Check} */
function checkPlain({ type = "", enum: all, reference }) {
  const is = IS[type];
  return (value, place) => {
    if (is && !is(value)) fail(place, `is not of type ${type}`);
    if (all && !all.includes(value)) fail(place, `is ${quoted(value)}, which it cannot be`);
    if (reference && !place[reference].has(/** @type {string} */ (value))) {
      fail(place, `names ${quoted(value)}, which is not in ${reference}`);
    }
  };
}

/** @param {Check[] | undefined} each @param {Check | undefined} all @returns {Check} */
const checkList = (each, all) => (list, place) => {
  if (!Array.isArray(list)) fail(place, "is not of type array");
  if (each && list.length !== each.length) fail(place, `has not ${each.length} entries`);
  for (let i = 0; i < list.length; i++) {
    const check = each?.[i] ?? all;
    if (check) go(check, list[i], i, place);
  }
};

/** @param {Check} check @returns {Check} */
const checkTable = (check) => (table, place) => {
  if (!isRecord(table)) fail(place, "is not of type object");
  for (const name of Object.keys(table)) go(check, table[name], name, place);
};

/** @param {{name: string, check: Check, needed: boolean}[]} members @returns {Check} */
const checkRecord = (members) => (record, place) => {
  if (!isRecord(record)) fail(place, "is not of type object");
  for (const { name, check, needed } of members) {
    if (Object.hasOwn(record, name)) go(check, record[name], name, place);
    else if (needed) fail(place, `has no ${name}`);
  }
};

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
  const views = new Map(run.tensors.flatMap(({ id, view_of }) => (view_of ? [[id, [view_of]]] : [])));
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
    if (seen.has(start)) continue;
    const path = [{ id: start, left: [...after(start)] }];
    seen.set(start, "open");
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
