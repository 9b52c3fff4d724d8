/** What a video of a pass shows, for how long, and the file it is in. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as programs from "./fixtures/programs.js";
import { STEP_MS } from "../../static/js/scene/moment.js";
import { captionOf } from "../../static/js/share/caption.js";
import { framesOf, shotsOf } from "../../static/js/share/film.js";
import { webm } from "../../static/js/share/webm.js";
import { indexTrace, stops as stopsOf } from "../../static/js/trace.js";
import { Book } from "../../static/js/ui/book.js";

function shownOf(document) {
  const trace = indexTrace(document);
  return { book: new Book(trace), stops: stopsOf(trace), lesson: null };
}

const length = (shots) => shots.reduce((sum, { ms }) => sum + ms, 0);

test("a video has every step of its pass, none of another, and time to read each", () => {
  const shown = shownOf(programs.twice());
  const { bands } = shown.book.trace;
  assert.equal(bands.length, 3);
  for (const { start, end, call } of bands) {
    const shots = shotsOf(shown, start + 1, 1);
    assert.deepEqual(
      shots.map(({ t }) => t),
      shown.stops.filter((t) => t > start && t <= end),
    );
    for (const { t, ms, moves } of shots) {
      const { step, sentence } = captionOf(shown, t);
      assert.ok(step.startsWith(`backward #${call + 1}, `), step);
      const words = sentence.map(({ text }) => text).join("");
      assert.ok(ms - moves >= words.split(/\s+/).length * 240 - 1);
    }
  }
  assert.equal(shotsOf(shown, 0, 1)[0].t, bands[0].start + 1, "before a pass: the next one");
  const quiet = shownOf(programs.scalars());
  const [only] = quiet.book.trace.bands;
  assert.equal(shotsOf(quiet, quiet.stops.at(-1), 1)[0].t, only.start + 1, "after all: the last");
});

test("twice the speed takes half the time, but for the end", () => {
  const shown = shownOf(programs.scalars());
  const end = shotsOf(shown, 0, 1).at(-1).ms - shotsOf(shown, 0, 2).at(-1).ms;
  assert.ok(end > 0);
  const [once, twice] = [1, 2].map((speed) => length(shotsOf(shown, 0, speed)));
  assert.ok(Math.abs(once - 2 * twice + 2500) < 1, `${once}, ${twice}`);
});

test("a long pass is told in waves, and ends where it ends", () => {
  const shown = shownOf(programs.chain(1000));
  const shots = shotsOf(shown, 0, 1);
  assert.ok(shots.length < 400 && length(shots) < 30_000, `${shots.length} shots, ${length(shots)} ms`);
  assert.match(captionOf(shown, shots.at(-1).t).step, /step (\d+) of \1$/);
});

test("frames of a step move first, then rest to its end", () => {
  const frames = framesOf({ t: 1, ms: 3000, moves: 750 });
  assert.ok(frames.filter(({ step }) => step !== null).length >= 22);
  assert.ok(frames.every(({ step }) => step === null || (step >= 0 && step < STEP_MS)));
  assert.ok(frames.every(({ at }, i) => at < 3000 && (i === 0 || at > frames[i - 1].at)));
  assert.equal(frames.at(-1).step, null);
  assert.deepEqual(
    framesOf({ t: 1, ms: 600, moves: 0 }).map(({ at }) => at),
    [0, 500],
  );
});

/** Elements of EBML: [id, data], those of `inside` opened. */
function elements(bytes, offset = 0) {
  const found = [];
  for (let at = 0; at < bytes.length; ) {
    const wide = Math.clz32(bytes[at]) - 23;
    const id = bytes.slice(at, at + wide).toHex?.() ?? Buffer.from(bytes.slice(at, at + wide)).toString("hex");
    assert.equal(bytes[at + wide], 1, "sizes have eight bytes");
    const view = new DataView(bytes.buffer, bytes.byteOffset + at + wide, 8);
    const size = Number(view.getBigUint64(0) & 0xffffffffffffffn);
    const start = at + wide + 8;
    found.push({ id, at: offset + at, data: bytes.subarray(start, start + size) });
    at = start + size;
  }
  return found;
}
const number = (data) => data.reduce((sum, byte) => sum * 256 + byte, 0);

test("the file says how long it is, and where each key frame lies", () => {
  const frame = (ms, key) => ({ data: Uint8Array.of(ms % 251, 7), ms, key });
  const frames = [frame(0, true), frame(33, false), frame(500, false), frame(2000, true), frame(2500, false)];
  const about = { codec: "V_VP9", width: 640, height: 480, duration: 3000, title: "Why?" };
  const [head, segment, ...more] = elements(webm(frames, about));
  assert.deepEqual([head.id, segment.id, more.length], ["1a45dfa3", "18538067", 0]);
  const [info, tracks, cues, ...clusters] = elements(segment.data);
  const duration = elements(info.data).find(({ id }) => id === "4489").data;
  assert.equal(new DataView(duration.buffer, duration.byteOffset).getFloat64(0), 3000);
  assert.match(Buffer.from(tracks.data).toString("latin1"), /V_VP9/);
  const points = elements(cues.data).map(({ data }) => {
    const [time, position] = elements(data);
    return [number(time.data), number(elements(position.data)[1].data)];
  });
  assert.deepEqual(
    points,
    clusters.map(({ data, at }) => [number(elements(data)[0].data), at]),
  );
  assert.deepEqual(
    clusters.flatMap(({ data }) => {
      const [start, ...blocks] = elements(data);
      return blocks.map(({ data: [, high, low, flags, ...rest] }) => ({
        ms: number(start.data) + high * 256 + low,
        key: flags === 0x80,
        data: Uint8Array.from(rest),
      }));
    }),
    frames,
  );
});
