/**
 * The modules by which a document's ops are told, by their paths. Pure.
 * @module
 */
/** @typedef {import("../trace.js").Trace} Trace */

/** Names of modules from outside in. @typedef {string[]} Path */

/** @type {WeakMap<Trace, Map<string, Path>>} */
const known = new WeakMap();

/**
 * The modules around a scope: `["net", "blocks.0", "mlp"]`.
 * @param {Trace} trace @param {string | null | undefined} id
 * @returns {Path}
 */
export function pathOf(trace, id) {
  if (!id) return [];
  let paths = known.get(trace);
  if (!paths) known.set(trace, (paths = new Map()));
  let path = paths.get(id);
  if (path) return path;
  const scope = trace.scopes.get(id);
  path = pathOf(trace, scope?.parent);
  if (scope?.kind === "module") {
    const [name] = scope.label.split(": ");
    path = [...path, path.length || name !== scope.label ? name : outermost(trace, id, name)];
  }
  paths.set(id, path);
  return path;
}

/**
 * A module that no other calls is called as what holds it, where that is certain; else by its class.
 * @param {Trace} trace @param {string} id @param {string} label
 */
function outermost(trace, id, label) {
  const alike = (trace.document.modules ?? []).filter(({ type }) => type === label);
  if (alike.length < 2) return alike[0]?.path ?? label;
  const used = trace.document.ops
    .filter(({ scope }) => around(trace, scope).includes(id))
    .flatMap(({ inputs }) => inputs.map((input) => trace.tensors.get(input)?.path));
  return alike.find(({ path }) => used.some((parameter) => parameter?.startsWith(`${path}.`)))?.path ?? label;
}

/** Scopes from inside out. @param {Trace} trace @param {string | null} id @returns {string[]} */
export const around = (trace, id) => (id ? [id, ...around(trace, trace.scopes.get(id)?.parent ?? null)] : []);

/** Where a node's op ran. @param {Trace} trace @param {string} id */
export function placeOf(trace, id) {
  const node = trace.nodes.get(id);
  const op = trace.ops.get(node?.op ?? "");
  return { scope: op?.scope ?? node?.scope, line: node?.line ?? op?.line ?? null };
}
