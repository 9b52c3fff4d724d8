/**
 * The address of what is on show, read and written. The path names what the service knows, an example (`/l/NAME`) or a
 * kept run (`/r/ID`), and the step; in frames of other sites `/embed` stands before it. What no server is told stands
 * behind the `#`: the reader's own program, as link.js packs it, and how the reader looks at it. Pure; reading what was
 * written gives the same address.
 * @module
 */

/** @typedef {import("../ui/types").Item} Item */
/** @typedef {import("../stage.js").Look} Look */

/**
 * @typedef {object} Address
 * @property {boolean} embed the page stands in a frame of another site
 * @property {string | null} lesson id of an example
 * @property {string | null} run id of a kept run
 * @property {string | null} program the reader's own, packed; null where the path names it
 * @property {number | null} t null: where the first pass begins
 * @property {Item | null} selection
 * @property {number | null} finding which of the findings is open
 * @property {number | null} caption which statement of the lesson was asked for
 * @property {boolean} names autograd's names are on the picture
 * @property {boolean} present to a room
 * @property {Look} look
 */

/** @type {Look} */
const AS_IT_BEGINS = Object.freeze({ ops: false, opened: [], closed: [], camera: null });

/** @type {Address} the page as it opens */
export const NOTHING = Object.freeze({
  embed: false,
  lesson: null,
  run: null,
  program: null,
  t: null,
  selection: null,
  finding: null,
  caption: null,
  names: false,
  present: false,
  look: AS_IT_BEGINS,
});

const NUMBER = /^\d{1,9}$/;
const NAMED = /^(?:embed\/)?(l|r)\/([\w-]+)(?:\/([^/]*))?\/?$/;
const ITEM = /^(tensor|node|op|edge):(\w+(?::\d+)?)$/;
const CAMERA = /^(\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)$/;
const PROGRAM = /^v1:[\w-]*$/;

/**
 * How each part behind the `#` is read; undefined: it cannot be.
 * @type {Record<string, (value: string) => Partial<Address> | Partial<Look> | undefined>}
 */
const PARTS = {
  lesson: (value) => (/^[\w-]+$/.test(value) ? { lesson: value } : undefined),
  t: (value) => numbered("t", value),
  select: (value) => {
    const [, kind, id] = ITEM.exec(value) ?? [];
    return id ? { selection: { kind: /** @type {Item["kind"]} */ (kind), id } } : undefined;
  },
  finding: (value) => numbered("finding", value),
  caption: (value) => numbered("caption", value),
  names: (value) => (value === "on" ? { names: true } : undefined),
};

/** @type {Record<string, (value: string) => Partial<Look> | undefined>} */
const LOOKS = {
  ops: (value) => (value === "all" ? { ops: true } : undefined),
  opened: (value) => ({ opened: listed(value) }),
  closed: (value) => ({ closed: listed(value) }),
  camera: (value) => {
    const [k, x, y] = (CAMERA.exec(value) ?? []).slice(1).map(Number);
    return k && x !== undefined && y !== undefined ? { camera: { k, x, y } } : undefined;
  },
};

/** @param {"t" | "finding" | "caption"} name @param {string} value */
const numbered = (name, value) => (NUMBER.test(value) ? { [name]: Number(value) } : undefined);

/** @param {string} value */
const listed = (value) => value.split(",").map(decodeURIComponent);

/**
 * @param {{pathname: string, search: string, hash: string}} location
 * @param {string} [root] path of the service, with a slash at its end
 * @returns {{address: Address, unread: string[]}} unread: parts that mean nothing here, as they stand there
 */
export function read({ pathname, search, hash }, root = "/") {
  /** @type {string[]} */
  const unread = [];
  const path = pathname.slice(pathname.startsWith(root) ? root.length : 1);
  const address = { ...NOTHING, look: { ...AS_IT_BEGINS }, embed: /^embed(\/|$)/.test(path) };
  address.present = new URLSearchParams(search).has("present");
  const [, kind, name, step] = NAMED.exec(path) ?? [];
  if (kind === "l") address.lesson = name ?? null;
  if (kind === "r") address.run = name ?? null;
  if (step) {
    if (NUMBER.test(step)) address.t = Number(step);
    else unread.push(step);
  }
  for (const part of isAnchor(hash) ? [] : hash.slice(1).split("&")) {
    if (part === "") continue;
    if (PROGRAM.test(part)) address.program = part;
    else if (!take(address, part)) unread.push(part);
  }
  return { address, unread };
}

/** A place on the page, as its skip link goes to. @param {string} hash */
export const isAnchor = (hash) => /^#[a-z][a-z-]*$/.test(hash);

/** @param {Address} address @param {string} part @returns {boolean} whether it could be read */
function take(address, part) {
  const [, name = "", value = ""] = /^(\w+)=(.*)$/s.exec(part) ?? [];
  try {
    const own = Object.hasOwn(PARTS, name) ? PARTS[name]?.(value) : undefined;
    const look = Object.hasOwn(LOOKS, name) ? LOOKS[name]?.(value) : undefined;
    Object.assign(address, own);
    Object.assign(address.look, look);
    return Boolean(own ?? look);
  } catch {
    return false; // no URL-encoded text
  }
}

/** @param {Address} address @param {string} [root] as for `read` @returns {string} path, query and fragment */
export function write(address, root = "/") {
  const { embed, lesson, run, program, t, selection, finding, caption, names, present, look } = address;
  const named = lesson ? `l/${lesson}` : run ? `r/${run}` : "";
  const inPath = named !== "" && program === null && t !== null;
  const list = (/** @type {string[]} */ ids) => (ids.length ? ids.map(encodeURIComponent).join(",") : null);
  const { ops, opened, closed, camera } = look;
  const parts = {
    t: inPath ? null : t,
    select: selection && `${selection.kind}:${selection.id}`,
    finding,
    caption,
    names: names ? "on" : null,
    ops: ops ? "all" : null,
    opened: list(opened),
    closed: list(closed),
    camera: camera && [camera.k, camera.x, camera.y].join(),
  };
  const written = Object.entries(parts).flatMap(([name, value]) => (value === null ? [] : [`${name}=${value}`]));
  const fragment = [...(program === null ? [] : [program]), ...written].join("&");
  const frame = embed ? `embed${named && "/"}` : "";
  return `${root}${frame}${named}${inPath ? `/${t}` : ""}${present ? "?present" : ""}${fragment && "#"}${fragment}`;
}

/**
 * Does going from one to the other deserve an entry of its own in the history? Another program by name, a first change
 * of it, another lesson or look do; steps, edits, and tensors looked at one after another, share one.
 * @param {Address} from @param {Address} to
 */
export function isElsewhere(from, to) {
  const place = (/** @type {Address} */ { lesson, run, program, selection, finding, names, look }) =>
    JSON.stringify([
      lesson,
      run,
      program === null,
      selection !== null,
      finding,
      names,
      look.ops,
      look.opened,
      look.closed,
    ]);
  return place(from) !== place(to);
}
