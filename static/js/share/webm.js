/**
 * WebM: what a video encoder made, in a file that says how long it is and can be seeked in. Pure.
 * https://www.matroska.org/technical/elements.html
 * @module
 */

/** @typedef {{data: Uint8Array<ArrayBuffer>, ms: number, key: boolean}} Frame  ms: when it is shown */

const ID = {
  ebml: [0x1a, 0x45, 0xdf, 0xa3],
  ebmlVersion: [0x42, 0x86],
  ebmlReadVersion: [0x42, 0xf7],
  maxIdLength: [0x42, 0xf2],
  maxSizeLength: [0x42, 0xf3],
  docType: [0x42, 0x82],
  docTypeVersion: [0x42, 0x87],
  docTypeReadVersion: [0x42, 0x85],
  segment: [0x18, 0x53, 0x80, 0x67],
  info: [0x15, 0x49, 0xa9, 0x66],
  timestampScale: [0x2a, 0xd7, 0xb1],
  duration: [0x44, 0x89],
  title: [0x7b, 0xa9],
  muxingApp: [0x4d, 0x80],
  writingApp: [0x57, 0x41],
  tracks: [0x16, 0x54, 0xae, 0x6b],
  trackEntry: [0xae],
  trackNumber: [0xd7],
  trackUid: [0x73, 0xc5],
  trackType: [0x83],
  flagLacing: [0x9c],
  codecId: [0x86],
  video: [0xe0],
  pixelWidth: [0xb0],
  pixelHeight: [0xba],
  cues: [0x1c, 0x53, 0xbb, 0x6b],
  cuePoint: [0xbb],
  cueTime: [0xb3],
  cueTrackPositions: [0xb7],
  cueTrack: [0xf7],
  cueClusterPosition: [0xf1],
  cluster: [0x1f, 0x43, 0xb6, 0x75],
  timestamp: [0xe7],
  simpleBlock: [0xa3],
};

const NANOSECONDS_OF_MS = 1_000_000;
const VIDEO = 1;

/** @typedef {Uint8Array<ArrayBuffer>} Bytes */

/** @param {readonly (Bytes | number[])[]} parts @returns {Bytes} */
function joined(parts) {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** Eight bytes, whatever the number: what holds it has a size before it is known. @param {number} n @returns {Bytes} */
function uint(n) {
  const out = new Uint8Array(8);
  new DataView(out.buffer).setBigUint64(0, BigInt(n));
  return out;
}

/** @param {number} x */
function float(x) {
  const out = new Uint8Array(8);
  new DataView(out.buffer).setFloat64(0, x);
  return out;
}

const utf8 = (/** @type {string} */ text) => new TextEncoder().encode(text);

/** The size of an element, in eight bytes. @param {number} n */
function size(n) {
  const out = uint(n);
  out[0] = 1;
  return out;
}

/** @param {keyof typeof ID} name @param {...(Bytes | number[])} content */
function element(name, ...content) {
  const data = joined(content);
  return joined([ID[name], size(data.length), data]);
}

/**
 * Frames between one key frame and the next.
 * @param {readonly Frame[]} frames  the first one is a key frame
 */
function cluster(frames) {
  const start = frames[0].ms;
  const blocks = frames.map(({ data, ms, key }) => {
    const head = new Uint8Array([0x80 | VIDEO, 0, 0, key ? 0x80 : 0]);
    new DataView(head.buffer).setInt16(1, ms - start);
    return element("simpleBlock", head, data);
  });
  return element("cluster", element("timestamp", uint(start)), ...blocks);
}

/** @param {readonly {ms: number, at: number}[]} places */
const cues = (places) =>
  element(
    "cues",
    ...places.map(({ ms, at }) => {
      const position = element(
        "cueTrackPositions",
        element("cueTrack", [VIDEO]),
        element("cueClusterPosition", uint(at)),
      );
      return element("cuePoint", element("cueTime", uint(ms)), position);
    }),
  );

/**
 * @param {readonly Frame[]} frames  in order, the first one a key frame; at most half a minute between two of these
 * @param {{codec: "V_VP8" | "V_VP9", width: number, height: number, duration: number, title: string}} about  duration:
 *   in ms
 * @returns {Bytes}
 */
export function webm(frames, { codec, width, height, duration, title }) {
  /** @type {Frame[][]} */
  const groups = [];
  for (const frame of frames) {
    if (frame.key) groups.push([]);
    groups.at(-1)?.push(frame);
  }
  const clusters = groups.map(cluster);
  const info = element(
    "info",
    element("timestampScale", uint(NANOSECONDS_OF_MS)),
    element("duration", float(duration)),
    element("title", utf8(title)),
    element("muxingApp", utf8("Backlight")),
    element("writingApp", utf8("Backlight")),
  );
  const video = element("video", element("pixelWidth", uint(width)), element("pixelHeight", uint(height)));
  const track = element(
    "trackEntry",
    element("trackNumber", [VIDEO]),
    element("trackUid", [VIDEO]),
    element("trackType", [VIDEO]),
    element("flagLacing", [0]),
    element("codecId", utf8(codec)),
    video,
  );
  const tracks = element("tracks", track);
  const starts = groups.map(([first]) => first.ms);
  let at = info.length + tracks.length + cues(starts.map((ms) => ({ ms, at: 0 }))).length;
  const places = clusters.map((bytes, i) => {
    const place = { ms: starts[i], at };
    at += bytes.length;
    return place;
  });
  const head = element(
    "ebml",
    element("ebmlVersion", [1]),
    element("ebmlReadVersion", [1]),
    element("maxIdLength", [4]),
    element("maxSizeLength", [8]),
    element("docType", utf8("webm")),
    element("docTypeVersion", [4]),
    element("docTypeReadVersion", [2]),
  );
  return joined([head, element("segment", info, tracks, cues(places), ...clusters)]);
}
