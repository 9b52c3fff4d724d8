/**
 * Long names of parameters, cut so that they can be told apart. Pure.
 * @module
 */

/** @typedef {import("../trace.js").Trace} Trace */

/** @type {WeakMap<Trace, Map<number, Map<string, string>>>} */
const known = new WeakMap();

/**
 * A name of about so many characters. It is cut at the front, but where others end alike, what differs is kept besides
 * the end: `…0…q_proj.lora_A…weight` and `…0…v_proj.lora_A…weight`.
 * @param {Trace} trace @param {string} name  of a tensor @param {number} most
 */
export function cutName(trace, name, most) {
  if (name.length <= most) return name;
  let cuts = known.get(trace);
  if (!cuts) known.set(trace, (cuts = new Map()));
  let found = cuts.get(most);
  if (!found)
    cuts.set(
      most,
      (found = cutApart(
        [...trace.tensors.keys()].map((id) => trace.label(id)),
        most,
      )),
    );
  return found.get(name) ?? cut(name, most);
}

/** Of an expression the end goes. @param {string} name @param {number} most */
const cut = (name, most) =>
  /^[\w.]+$/.test(name) ? `…${name.slice(name.length - most + 1)}` : `${name.slice(0, most - 1)}…`;

/** Those of many names that a plain cut would make the same. @param {readonly string[]} names @param {number} most */
export function cutApart(names, most) {
  /** @type {Map<string, Set<string>>} */
  const alike = new Map();
  for (const name of names) {
    if (name.length <= most || !name.includes(".")) continue;
    const short = cut(name, most);
    alike.set(short, (alike.get(short) ?? new Set()).add(name));
  }
  /** @type {Map<string, string[][]>} by how many parts they have, and what they end with */
  const groups = new Map();
  for (const same of alike.values()) {
    if (same.size < 2) continue;
    for (const name of same) {
      const parts = name.split(".");
      const kind = `${parts.length} ${parts.at(-1)}`;
      groups.set(kind, [...(groups.get(kind) ?? []), parts]);
    }
  }
  /** @type {Map<string, string>} */
  const found = new Map();
  for (const group of groups.values()) {
    const order = [...group[0].keys()].reverse();
    const differs = order.filter((i) => group.some((parts) => parts[i] !== group[0][i]));
    const kept = [...new Set([order[0], ...differs])];
    const rest = order.filter((i) => i > differs[differs.length - 1] && !kept.includes(i));
    for (const parts of group) found.set(parts.join("."), joined(parts, [...kept, ...rest], kept.length, most));
  }
  return found;
}

/**
 * As many parts as have room, the first ones of an order in any case.
 * @param {readonly string[]} parts @param {readonly number[]} order @param {number} least @param {number} most
 */
function joined(parts, order, least, most) {
  const kept = new Set(order.slice(0, least));
  let text = withGaps(parts, kept);
  for (const i of order.slice(least)) {
    const longer = withGaps(parts, new Set([...kept, i]));
    if (longer.length > most) continue;
    kept.add(i);
    text = longer;
  }
  return text;
}

/** @param {readonly string[]} parts @param {ReadonlySet<number>} kept */
const withGaps = (parts, kept) =>
  parts
    .map((part, i) => (kept.has(i) ? (i && kept.has(i - 1) ? `.${part}` : part) : !i || kept.has(i - 1) ? "…" : ""))
    .join("");
