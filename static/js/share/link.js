/**
 * A program in an address: `v1:` and the deflated JSON of it, in URL-safe base 64. Pure but for the browser's (and
 * node's) CompressionStream.
 * @module
 */

/**
 * What is packed. Links that were made before addresses said so hold the step and the selection, too.
 * @typedef {object} Shared
 * @property {string} program
 * @property {string} [with]  another program, to compare it with
 * @property {number} [t]
 * @property {boolean} [old]  from a link made before documents told what a program looks at: t does not count that
 * @property {import("../ui/types").Item | null} [selection]
 */

const PREFIX = "v1:";
/** A link that unpacks to more than this is not one of ours. */
const LARGEST = 1_000_000;

/** @param {{program: string, with?: string}} shared @returns {Promise<string>} */
export async function pack({ program, with: other }) {
  const json = JSON.stringify({ program, ...(other === undefined ? {} : { with: other }) });
  const packed = await through(new TextEncoder().encode(json), new CompressionStream("deflate-raw"), Infinity);
  let binary = "";
  for (const byte of packed) binary += String.fromCharCode(byte);
  return PREFIX + btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/**
 * @param {string} text
 * @returns {Promise<Shared | null>} null when it is not of ours, or broken
 */
export async function unpack(text) {
  if (!text.startsWith(PREFIX)) return null;
  try {
    const binary = atob(text.slice(PREFIX.length).replaceAll("-", "+").replaceAll("_", "/"));
    const packed = Uint8Array.from(binary, (c) => c.charCodeAt(0));
    const json = JSON.parse(
      new TextDecoder("utf-8", { fatal: true }).decode(
        await through(packed, new DecompressionStream("deflate-raw"), LARGEST),
      ),
    );
    if (typeof json?.program !== "string") return null;
    const pointed = /^(tensor|node|op|edge):(\w+(?::\d+)?)$/.exec(typeof json.select === "string" ? json.select : "");
    return {
      program: json.program,
      ...(typeof json.with === "string" ? { with: json.with } : {}),
      ...(isTime(json.at) ? { t: json.at } : isTime(json.t) ? { t: json.t, old: true } : {}),
      selection: pointed
        ? {
            kind: /** @type {import("../ui/types").Item["kind"]} */ (pointed[1]),
            id: /** @type {string} */ (pointed[2]),
          }
        : null,
    };
  } catch {
    return null;
  }
}

/** @param {unknown} t @returns {t is number} */
const isTime = (t) => Number.isInteger(t) && /** @type {number} */ (t) >= 0;

/**
 * The time that an old link means.
 * @param {readonly {kind: string}[]} events
 * @param {number} t  events that are no reads
 */
export function withReads(events, t) {
  let at = 0;
  for (let left = t; at < events.length && left > 0; at++) if (events[at].kind !== "read") left--;
  return at;
}

/**
 * @param {Uint8Array} bytes
 * @param {CompressionStream | DecompressionStream} stream
 * @param {number} limit
 * @returns {Promise<Uint8Array>}
 */
async function through(bytes, stream, limit) {
  const writer = stream.writable.getWriter();
  const written = writer.write(/** @type {any} */ (bytes)).then(() => writer.close());
  written.catch(() => {}); // a broken stream is reported by the reader below
  const reader = stream.readable.getReader();
  /** @type {Uint8Array[]} */
  const chunks = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.length;
    if (size > limit) {
      await reader.cancel();
      throw new RangeError("the link unpacks to too much");
    }
    chunks.push(part.value);
  }
  const out = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    out.set(chunk, at);
    at += chunk.length;
  }
  return out;
}
