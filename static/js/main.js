/**
 * The page: one store, and what happens when it changes. Every pane is a function of (run, t, selection).
 * @module
 */

import { elements, indexInPieces, stateAt, stops as stopsOf } from "./trace.js";
import { createStage } from "./stage.js";
import { bindKeys } from "./keys/keys.js";
import { createLedger } from "./ledger/ledger.js";
import { examples as fetchExamples, getRun, run as runProgram } from "./net/api.js";
import { createSession } from "./net/session.js";
import { showNotices } from "./output/notices.js";
import { createOutput } from "./output/output.js";
import { bindShare } from "./share/dialog.js";
import { decode } from "./share/link.js";
import { exportAs, FORMATS } from "./share/export.js";
import { createTape } from "./tape/tape.js";
import { createTimeline } from "./timeline/timeline.js";
import { createPlayer } from "./timeline/player.js";
import { firstBackwardStep, leafStops, placeAt, stopIndex } from "./timeline/places.js";
import { carryOver } from "./timeline/carry.js";
import { Book } from "./ui/book.js";
import { breathe } from "./ui/breathe.js";
import { byId, reducedMotion } from "./ui/dom.js";
import { readExamples } from "./ui/examples.js";
import { fillHelp } from "./ui/help.js";
import { bindMenu } from "./ui/menu.js";
import { followWidth } from "./ui/narrow.js";
import { bindSearch } from "./ui/search.js";
import { bindSplitter } from "./ui/splitter.js";
import { createStore } from "./ui/store.js";
import { bindTheme } from "./ui/theme.js";
import { toast } from "./ui/toast.js";

/** @typedef {import("./ui/types").RunDocument} RunDocument */
/** @typedef {import("./ui/types").Item} Item */
/** @typedef {import("./ui/types").Example} Example */

/**
 * @typedef {object} State
 * @property {Book | null} book the run on show
 * @property {RunDocument | null} latest the last answer; without a picture of its own when the program could not start
 * @property {number[]} stops
 * @property {number} t
 * @property {Item | null} selection
 * @property {Item | null} pointed what the pointer rests on
 * @property {number[]} lines lines the cursor covers in the editor
 * @property {boolean} playing
 * @property {number} speed
 * @property {{example: Example, tour: import("./lessons/lessons.js").Lesson | null} | null} lesson the example that is open
 */

const store = createStore(/** @type {State} */ ({
  book: null, latest: null, stops: [0], t: 0, selection: null, pointed: null, lines: [], playing: false, speed: 1, lesson: null,
}));

/** The text of the program; the editor is its view once it has loaded. */
let code = byId("program-text").textContent ?? "";
/** @type {ReturnType<typeof import("./editor/editor.js").createEditor> | null} */
let editor = null;
/** @type {typeof import("./editor/literals.js") | null} */
let literals = null;
/** @type {ReturnType<typeof import("./vector/vector.js").createVector> | null} */
let vector = null;
/** A time asked for by a link or a lesson, for the next document. @type {number | null} */
let wantedTime = null;
/** @type {Item | null} */
let wantedSelection = null;
/** The next document is another program altogether: begin at its own first backward step. */
let forgetPlace = false;

if (location.pathname.startsWith("/embed")) document.documentElement.dataset.embed = "";
followWidth();

// ---------------------------------------------------------------------------------------------- panes

const stage = createStage(byId("stage"), {
  onSelect: (/** @type {Item | null} */ item) => select(item),
  onHover: (/** @type {Item | null} */ item) => store.set({ pointed: item }),
  onAdjust: ({ tensor, index, value, done }) => {
    if (literalsOf(tensor)) writeNumber(tensor, String(value), index);
    else if (done) toast("The program does not spell this number out, so it cannot be dragged.");
  },
});
const ledger = createLedger(byId("ledger"), { onSelect: select, onLine: goToLine, onCaption: showCaption, onChange: tryChange, numberFor, onNumber: (tensor, text) => writeNumber(tensor, text) });
const timeline = createTimeline(byId("timeline"), {
  onTime: (t) => goTo(t), onPlay: togglePlay, onSpeed: (speed) => store.set({ speed }), onStep: step, onScrub: (busy) => (scrubbing = busy),
});
const output = createOutput(byId("output"));
const tape = createTape(byId("tape"), { onSelect: select, onHover: (item) => store.set({ pointed: item }) });
const session = createSession({ onDocument: show, onProblem: complain, onBusy: busy });
const player = createPlayer({
  show: (t, pace) => {
    hurry = pace;
    store.set({ t });
    return painted;
  },
  stopped: () => store.set({ playing: false }),
  speed: () => store.get().speed,
});

let scrubbing = false;
/** How fast the stage should move, relative to its own pace. */
let hurry = 1;
/** @type {Promise<unknown>} */
let painted = Promise.resolve();

store.subscribe((now, before) => {
  const { book, t } = now;
  if (!book) return;
  const newRun = book !== before.book;
  const moved = newRun || t !== before.t;
  if (newRun) {
    const keepView = before.book !== null && now.lesson === before.lesson;
    painted = stage.setTrace(book.trace, { keepView }).then(() => stage.select(store.get().selection));
    void stage.render(t);
  } else if (t !== before.t) {
    const near = now.playing || Math.abs(stopIndex(now.stops, t) - stopIndex(now.stops, before.t)) === 1;
    painted = stage.render(t, { animateFrom: near && !scrubbing ? before.t : null, reducedMotion: reducedMotion(), speed: now.playing ? hurry : now.speed });
  }
  if (now.selection !== before.selection && !newRun) stage.select(now.selection);
  if (now.lines !== before.lines) stage.highlightLines(now.lines);
  if (moved || now.selection !== before.selection || now.lesson !== before.lesson) {
    sentence = ledger.render({ book, stops: now.stops, t, selection: now.selection, lesson: now.lesson });
  }
  if (now.playing ? !before.playing : t !== before.t || before.playing) speak(now.playing ? "Playing." : sentence);
  if (moved) {
    const previous = now.stops[Math.max(0, stopIndex(now.stops, t) - 1)] ?? 0;
    output.render({ book, stdout: stateAt(book.trace, t).stdout, before: stateAt(book.trace, previous).stdout });
    vector?.render({ book, t });
  }
  if (moved || now.playing !== before.playing || now.speed !== before.speed) {
    timeline.render({ book, stops: now.stops, t, playing: now.playing, speed: now.speed });
  }
  if (moved || now.selection !== before.selection) {
    const state = stateAt(book.trace, t);
    const { node } = placeAt(book, now.stops, t);
    tape.render({ book, t, active: node, selection: now.selection, phase: (id) => state.nodes.get(id)?.phase ?? "idle" });
  }
  if (moved || now.selection !== before.selection || now.pointed !== before.pointed || now.latest !== before.latest) markEditor();
  if (now.pointed !== before.pointed) player.hold(now.playing && now.pointed !== null);
  if (now.latest !== before.latest) {
    notices();
    document.body.toggleAttribute("data-outdated", now.latest !== book.doc);
    document.body.toggleAttribute("data-empty", now.latest === book.doc && book.doc.tensors.length === 0);
  }
});

/** Values, lines and the error, into the editor. */
function markEditor() {
  const { book, latest, t, stops, selection, pointed } = store.get();
  if (!editor || !book) return;
  const state = stateAt(book.trace, t);
  const place = placeAt(book, stops, t);
  const values = latest === book.doc ? editor.beside(book, t) : new Map();
  const linked = [pointed, selection].flatMap((item) => (item ? linesOf(book, item) : []));
  const error = latest?.error ?? null;
  const reached = latest !== book.doc || t >= book.doc.events.length || book.doc.events.length === 0;
  editor.mark({
    now: latest === book.doc ? (place.line ?? state.line) : null, direction: place.stretch?.kind ?? "forward", values, linked,
    recorded: new Set((latest === book.doc ? book.doc.nodes : []).flatMap((node) => (node.line && !node.variable ? [node.line] : []))),
    error: error && (reached || !error.line) ? error : error ? { ...error, explanation: "", fix: "" } : null,
  });
}

/** @param {Book} book @param {Item} item @returns {number[]} */
function linesOf(book, item) {
  const line = book.recordOf(item)?.line;
  return line ? [line] : [];
}

let speaking = 0;
/** The step in words. */
let sentence = "";
/** Say something once the reader has paused; a playing run says where it stops. @param {string} text */
function speak(text) {
  clearTimeout(speaking);
  speaking = window.setTimeout(() => (byId("spoken").textContent = text), 250);
}

// ---------------------------------------------------------------------------------------------- running

/** Documents shown so far; one that is overtaken while it is read is dropped. */
let shown = 0;

/** @param {RunDocument} doc */
async function show(doc) {
  const turn = ++shown;
  const trace = await indexInPieces(doc, () => breathe(doc));
  await breathe(doc);
  if (turn !== shown) return;
  const { book: old, t } = store.get();
  const started = doc.events.some((event) => event.kind !== "error");
  byId("editor").classList.remove("stale");
  problem = null;
  if (!started && doc.error && old && !forgetPlace) {
    store.set({ latest: doc });
    return;
  }
  stopPlaying();
  const book = new Book(trace);
  const stops = stopsOf(trace);
  const asked = wantedTime ?? (old && !forgetPlace ? carryOver(old, book, t) : null) ?? firstBackwardStep(book, stops);
  const next = stops[stopIndex(stops, Math.min(asked, doc.events.length))] ?? 0;
  const selection = wantedSelection ?? store.get().selection;
  wantedTime = wantedSelection = null;
  forgetPlace = false;
  store.set({ book, latest: doc, stops, t: next, pointed: null, selection: selection && book.recordOf(selection) ? selection : null });
}

/** @type {import("./net/api.js").Problem | Error | null} */
let problem = null;
/** Seconds after which the refused program is sent again. @type {number | null} */
let again = null;

/** @param {Error | null} error @param {number | null} wait */
function complain(error, wait) {
  problem = error;
  again = wait;
  notices();
}

function notices() {
  showNotices(byId("notices"), { problem, again, document: store.get().latest });
}

let slow = 0;
/** @param {boolean} on */
function busy(on) {
  const button = byId("run");
  clearTimeout(slow);
  if (!on && again !== null) complain(null, null);
  button.toggleAttribute("data-busy", on);
  const label = /** @type {HTMLElement} */ (button.querySelector(".run-label"));
  if (on) slow = window.setTimeout(() => (label.textContent = "Cancel"), 350);
  else label.textContent = "Run";
}

/** Another program: from an example or a link. @param {string} next */
function setCode(next) {
  code = next;
  if (editor) editor.setCode(next);
  else byId("program-text").textContent = next;
  return session.run(next);
}

/** The same program with another number, as it is being dragged. @param {string} next */
function adjustCode(next) {
  code = next;
  editor?.setCode(next);
  void session.follow(next);
}

/** @param {string} text typed in the editor */
function edited(text) {
  code = text;
  byId("editor").classList.add("stale");
  session.edit(code);
}

/** The literals in the program that a leaf was made from. @param {string} tensor */
function literalsOf(tensor) {
  const record = store.get().book?.tensors.get(tensor);
  if (!literals || !record?.is_leaf || !record.name || !record.line) return null;
  const found = literals.numbersOf(code, record.line, record.name);
  return found && found.length === elements(record.shape) ? found : null;
}

/** @param {string} tensor @returns {string | null} */
function numberFor(tensor) {
  const found = literalsOf(tensor);
  return found?.length === 1 ? (found[0]?.text ?? null) : null;
}

/** @param {string} tensor @param {string} text @param {number} [index] */
function writeNumber(tensor, text, index = 0) {
  const literal = literalsOf(tensor)?.[index];
  if (!literal || !literals) return;
  adjustCode(code.slice(0, literal.from) + literals.asWritten(text, literal.text) + code.slice(literal.to));
}

// ---------------------------------------------------------------------------------------------- moving about

/** @param {number} t */
function goTo(t) {
  stopPlaying();
  store.set({ t });
}

/** @param {"first" | "previous" | "next" | "last"} direction */
function step(direction) {
  const { stops, t } = store.get();
  const now = stopIndex(stops, t);
  const index = { first: 0, previous: now - 1, next: now + 1, last: stops.length - 1 }[direction];
  goTo(stops[Math.max(0, Math.min(stops.length - 1, index))] ?? 0);
}

/** @param {1 | -1} direction */
function stepLeaf(direction) {
  const { book, stops, t } = store.get();
  if (!book) return;
  const all = leafStops(book, stops);
  const next = direction > 0 ? all.find((at) => at > t) : all.filter((at) => at < t).at(-1);
  if (next !== undefined) goTo(next);
}

function togglePlay() {
  const { book, stops, t, playing } = store.get();
  if (!book) return;
  if (playing) {
    stopPlaying();
    return;
  }
  const from = t >= (stops[stops.length - 1] ?? 0) ? 0 : t;
  store.set({ playing: true, t: from });
  void player.play(book.trace, from);
}

function stopPlaying() {
  if (!store.get().playing) return;
  player.stop();
  store.set({ playing: false });
}

/** @param {Item | null} item */
function select(item) {
  store.set({ selection: item });
}

/** @param {number} line */
function goToLine(line) {
  editor?.goTo(line, true);
}

function goToError() {
  const { book, stops } = store.get();
  const error = store.get().latest?.error;
  if (!error || !book) return false;
  goTo(stops[stops.length - 1] ?? 0);
  if (error.line) editor?.goTo(error.line);
  return true;
}

// ---------------------------------------------------------------------------------------------- header, search, keys

/** @type {Promise<ReturnType<typeof readExamples>> | null} */
let gallery = null;

bindMenu(byId("examples-menu"), async () => {
  gallery ??= fetchExamples().then(readExamples);
  const groups = await gallery.catch(() => {
    gallery = null;
    toast("The examples could not be loaded.");
    return [];
  });
  return groups.map(({ title, examples }) => ({
    group: title,
    entries: examples.map((example) => ({ title: example.title, about: example.description, act: () => void openExample(example) })),
  }));
}, { wide: true });

/** @param {Example} example */
async function openExample(example) {
  stopPlaying();
  const { LESSONS } = await import("./lessons/lessons.js");
  forgetPlace = true;
  store.set({ selection: null, lesson: { example, tour: LESSONS[example.id] ?? null } });
  await setCode(example.code);
}

/** @param {number} t @param {string | null} tensor */
function showCaption(t, tensor) {
  stopPlaying();
  const { stops } = store.get();
  store.set({ t: stops.find((stop) => stop >= t) ?? t, selection: tensor ? { kind: "tensor", id: tensor } : null });
}

function tryChange() {
  const change = store.get().lesson?.tour?.change;
  if (change) void setCode(code.replace(change.from, change.to));
}

bindMenu(byId("export-menu"), () => [{
  group: null,
  entries: FORMATS.map(({ format, title, about }) => ({ title, about, act: () => void download(format) })),
}]);

/** @param {import("./share/export.js").Format} format */
async function download(format) {
  const { book, t } = store.get();
  if (!book) return;
  try {
    await exportAs(format, { doc: book.doc, t, svg: () => stage.exportSVG() });
  } catch (error) {
    toast(`Not exported: ${/** @type {Error} */ (error).message}`);
  }
}

bindShare(() => ({ program: code, t: store.get().t, selection: store.get().selection }));

bindTheme(byId("theme"), () => {
  const { book, stops, t, selection, lesson } = store.get();
  if (book) ledger.render({ book, stops, t, selection, lesson });
});

bindSplitter(byId("split-program"), { name: "--program-width", pane: byId("program"), grows: 1 });
bindSplitter(byId("split-ledger"), { name: "--ledger-width", pane: byId("ledger"), grows: -1 });

const help = /** @type {HTMLDialogElement} */ (byId("help-dialog"));
fillHelp(help);
byId("help").addEventListener("click", () => help.showModal());

byId("run-key").textContent = /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘⏎" : "Ctrl ⏎";
byId("run").addEventListener("click", () => {
  if (byId("run").querySelector(".run-label")?.textContent === "Cancel") session.cancel();
  else void session.run(code);
});

byId("fit").addEventListener("click", () => stage.fit());
byId("zoom-in").addEventListener("click", () => stage.zoomBy(1.3));
byId("zoom-out").addEventListener("click", () => stage.zoomBy(1 / 1.3));

const openSearch = bindSearch({ find: (query) => stage.search(query), show: select });

bindKeys((command) => {
  switch (command) {
    case "play": togglePlay(); return true;
    case "next": step("next"); return true;
    case "previous": step("previous"); return true;
    case "nextLeaf": stepLeaf(1); return true;
    case "previousLeaf": stepLeaf(-1); return true;
    case "first": step("first"); return true;
    case "last": step("last"); return true;
    case "search": openSearch(); return true;
    case "fit": stage.fit(); return true;
    case "error": return goToError();
    case "fold": stage.fold(); return true;
    case "unfold": stage.unfold(); return true;
    case "help": help.showModal(); return true;
    case "run": void session.run(code); return true;
    case "escape":
      if (store.get().selection === null) return false;
      select(null);
      return true;
  }
});

// ---------------------------------------------------------------------------------------------- start

/** The program of the address, if it holds one. */
async function fromAddress() {
  const shared = await decode(location.hash);
  if (!shared) return false;
  wantedTime = shared.t ?? null;
  wantedSelection = shared.selection ?? null;
  await setCode(shared.program);
  return true;
}

/** After the picture has been painted, when the browser has nothing better to do. */
const idle = () => new Promise((/** @type {(value?: unknown) => void} */ go) => ("requestIdleCallback" in window ? requestIdleCallback(() => go(), { timeout: 500 }) : setTimeout(go, 50)));

async function start() {
  const stored = /^\/r\/([\w-]+)/.exec(location.pathname);
  if (stored) {
    try {
      const doc = await getRun(/** @type {string} */ (stored[1]));
      code = doc.source.code ?? "";
      byId("program-text").textContent = code;
      await show(doc);
    } catch (error) {
      complain(/** @type {Error} */ (error), null);
    }
  } else if (!(await fromAddress())) await session.run(code);
  await painted;
  performance.mark("backlight:picture");
  await idle();
  await loadEditor();
}

/** The editor comes after the picture: it is a third of all bytes and the picture does not need it. */
async function loadEditor() {
  const [{ createEditor }, literalTools, { createVector }] = await Promise.all([
    import("./editor/editor.js"), import("./editor/literals.js"), import("./vector/vector.js"),
  ]);
  literals = literalTools;
  const nonce = document.querySelector("meta[name='style-nonce']")?.getAttribute("content") ?? "";
  editor = createEditor(byId("editor"), {
    code, nonce, onChange: edited, onRun: () => void session.run(code),
    onLines: (lines) => store.set({ lines }),
    onHover: (line) => stage.highlightLines(line === null ? store.get().lines : [line]),
  });
  vector = createVector(byId("vector"), { onCode: adjustCode, run: (program) => runProgram(program) });
  const { book, stops, t, selection, lesson } = store.get();
  if (!book) return;
  vector.render({ book, t });
  ledger.render({ book, stops, t, selection, lesson });
  markEditor();
}

window.addEventListener("hashchange", () => void fromAddress());
void start();
