/**
 * The page: one store, and what happens when it changes. Every pane is a function of (run, t, selection).
 * @module
 */

import { flatten, indexInPieces, stateAt, stops as stopsOf, toNumber } from "./trace.js";
import { createStage } from "./stage.js";
import { bindKeys } from "./keys/keys.js";
import { createParameters } from "./map/parameters.js";
import { createLedger } from "./ledger/ledger.js";
import { changed, isChangeable, suggest } from "./lessons/suggest.js";
import { litAt } from "./lessons/tour.js";
import { examples as fetchExamples, getRun } from "./net/api.js";
import { createSession } from "./net/session.js";
import { showNotices } from "./output/notices.js";
import { createOutput } from "./output/output.js";
import { bindShare } from "./share/dialog.js";
import { decode, withReads } from "./share/link.js";
import { bindOpen } from "./share/open.js";
import { createTape } from "./tape/tape.js";
import { createTraining } from "./training/strip.js";
import { createTimeline } from "./timeline/timeline.js";
import { createPlayer } from "./timeline/player.js";
import { startOfFirstPass, leafStops, placeAt, stopIndex } from "./timeline/places.js";
import { carryOver } from "./timeline/carry.js";
import { Book } from "./ui/book.js";
import { breathe } from "./ui/breathe.js";
import { byId, reducedMotion } from "./ui/dom.js";
import { createExamples } from "./ui/examples.js";
import { bindMenu } from "./ui/menu.js";
import { followWidth } from "./ui/narrow.js";
import { createPace } from "./ui/pace.js";
import { createProgram } from "./ui/program.js";
import { bindRun } from "./ui/run-button.js";
import { bindSearch } from "./ui/search.js";
import { coloursOf } from "./ui/scale.js";
import { createSpeaker } from "./ui/speak.js";
import { bindSplitter } from "./ui/splitter.js";
import { createStore } from "./ui/store.js";
import { bindTheme } from "./ui/theme.js";
import { toast } from "./ui/toast.js";

/** @typedef {import("./ui/types").RunDocument} RunDocument */
/** @typedef {import("./ui/types").Item} Item */
/** @typedef {import("./ui/types").Example} Example */

/**
 * @typedef {object} State
 * @property {string} code the text of the program
 * @property {Book | null} book the run on show
 * @property {RunDocument | null} latest the last answer; without a picture of its own when the program could not start
 * @property {RunDocument | null} arriving the answer that came last: one that is overtaken while it is read is dropped
 * @property {Arrival} arrival where to stand in the next answer
 * @property {import("./net/api.js").Problem | Error | null} problem why there was no answer
 * @property {number | null} again seconds after which the refused program is sent again
 * @property {number[]} stops
 * @property {number} t
 * @property {Item | null} selection
 * @property {Item | null} pointed what the pointer rests on
 * @property {number[]} lines lines the cursor covers in the editor
 * @property {boolean} playing
 * @property {number} speed
 * @property {number} pace while playing: how fast the stage should move, relative to its own pace
 * @property {boolean} scrubbing the knob of the timeline is being dragged
 * @property {Lesson | null} lesson the example that is open
 * @property {number} caption the statement of the lesson that was asked for: several may be about one step
 */

/**
 * A time and a selection asked for by a link; afresh: it is another program altogether, so begin where its
 * own first pass starts.
 * @typedef {{t: number | null, old: boolean, selection: Item | null, afresh: boolean}} Arrival
 */

/** @typedef {{example: Example, tour: import("./lessons/lessons.js").Lesson | null}} Lesson */

/** @type {Arrival} */
const WHERE_IT_WAS = Object.freeze({ t: null, old: false, selection: null, afresh: false });

const store = createStore(
  /** @type {State} */ ({
    code: byId("program-text").textContent ?? "",
    book: null,
    latest: null,
    arriving: null,
    arrival: WHERE_IT_WAS,
    problem: null,
    again: null,
    stops: [0],
    t: 0,
    selection: null,
    pointed: null,
    lines: [],
    playing: false,
    speed: 1,
    pace: 1,
    scrubbing: false,
    lesson: null,
    caption: -1,
  }),
);

if (location.pathname.startsWith("/embed")) document.documentElement.dataset.embed = "";
followWidth();

// --- panes

const stage = createStage(byId("stage"), {
  onSelect: (/** @type {Item | null} */ item) => select(item),
  onHover: (/** @type {Item | null} */ item) => store.set({ pointed: item }),
  onAdjust: ({ place, value, done }) => {
    const written = "call" in place ? writeWeight(place, value) : writeNumber(place.tensor, String(value), place.index);
    if (!written && done) toast("The program does not spell this number out, so it cannot be dragged.");
  },
});
const program = createProgram(byId("program-text"));
const ledger = createLedger(byId("ledger"), {
  onSelect: select,
  onLine: (line) => program.goTo(line, true),
  onCaption: showCaption,
  onChange: tryChange,
  numberFor,
  onNumber: (tensor, text) => writeNumber(tensor, text),
});
const onScrub = (/** @type {boolean} */ scrubbing) => store.set({ scrubbing });
const training = createTraining({ onTime: (t) => goTo(t), onScrub });
const timeline = createTimeline(
  byId("timeline"),
  { onTime: (t) => goTo(t), onPlay: togglePlay, onSpeed: (speed) => store.set({ speed }), onStep: step, onScrub },
  training.element,
);
const output = createOutput(byId("output"));
const tape = createTape(byId("tape"), { onSelect: select, onHover: (item) => store.set({ pointed: item }) });
const parameters = createParameters(byId("parameters"), { onSelect: select });
const speak = createSpeaker(byId("spoken"));
const pace = createPace();
const session = createSession({
  onDocument: show,
  onProblem: (problem, again) => store.set({ problem, again }),
  onBusy: busy,
});
const showBusy = bindRun(byId("run"), { onRun: run, onCancel: () => session.cancel() });
const player = createPlayer({
  show: (t, pace) => {
    store.set({ t, pace });
    return stage.painted();
  },
  stopped: () => store.set({ playing: false }),
  speed: () => store.get().speed,
});

/** Time runs by. @param {State} state */
const runs = ({ playing, scrubbing }) => playing || scrubbing;

/** Show a pane: at once, or while time runs by after the picture. @param {string} pane @param {() => void} render */
const follow = (pane, render) => (runs(store.get()) ? pace.soon(pane, render) : render());

store.subscribe((now, before) => {
  const { book, t, latest, problem, again } = now;
  if (runs(before) && !runs(now)) pace.catchUp();
  if (now.code !== before.code) program.show(now.code);
  if (latest !== before.latest || problem !== before.problem || again !== before.again) {
    showNotices(byId("notices"), { problem, again, document: latest });
  }
  if (!book) return;
  const newRun = book !== before.book;
  const moved = newRun || t !== before.t;
  if (newRun) {
    const keepView = before.book !== null && now.lesson === before.lesson;
    stage.setTrace(book.trace, t, { keepView, selection: () => store.get().selection });
  } else if (t !== before.t) {
    const near = now.playing || Math.abs(stopIndex(now.stops, t) - stopIndex(now.stops, before.t)) === 1;
    stage.render(t, {
      animateFrom: near && !now.scrubbing ? before.t : null,
      reducedMotion: reducedMotion(),
      speed: now.playing ? now.pace : now.speed,
    });
  }
  if (now.selection !== before.selection && !newRun) stage.select(now.selection);
  if (now.lines !== before.lines) stage.highlightLines(now.lines);
  const retold = moved || now.lesson !== before.lesson || now.caption !== before.caption;
  if (retold) stage.light(litAt(book, now.stops, t, now.lesson?.tour, now.caption));
  if (retold || now.selection !== before.selection) follow("ledger", () => ledger.render(viewOf(now, book)));
  if (now.playing ? !before.playing : t !== before.t || before.playing) {
    follow("speech", () => speak(now.playing ? "Playing." : ledger.spoken()));
  }
  if (moved) {
    follow("output", () => output.render({ book, t, before: now.stops[stopIndex(now.stops, t) - 1] ?? 0 }));
  }
  if (moved || now.playing !== before.playing || now.speed !== before.speed) {
    timeline.render({ book, stops: now.stops, t, playing: now.playing, speed: now.speed });
  }
  if (moved) training.render({ book, t });
  if (moved || now.selection !== before.selection) {
    const { selection } = now;
    follow("parameters", () => parameters.render({ book, t, selection }));
    follow("tape", () => {
      const state = stateAt(book.trace, t);
      const { node } = placeAt(book, now.stops, t);
      tape.render({ book, t, active: node, selection, phase: (id) => state.nodes.get(id)?.phase ?? "idle" });
    });
  }
  if (now.pointed !== before.pointed) player.hold(now.playing && now.pointed !== null);
  if (latest !== before.latest) {
    document.body.toggleAttribute("data-outdated", latest !== book.doc);
    document.body.toggleAttribute("data-empty", latest === book.doc && book.doc.tensors.length === 0);
  }
});

/** What the ledger tells of. @param {State} state @param {Book} book */
const viewOf = ({ stops, t, selection, lesson, caption }, book) => ({ book, stops, t, selection, lesson, caption });

/** Values, lines and the error, into the editor. @param {import("./ui/program.js").Editor} editor */
function markEditor(editor) {
  const { book, latest, t, stops, selection, pointed } = store.get();
  if (!book) return;
  const state = stateAt(book.trace, t);
  const place = placeAt(book, stops, t);
  const values = latest === book.doc ? editor.beside(book, t) : new Map();
  const call = place.stretch?.kind === "backward" ? book.calls.get(place.stretch.call)?.line : null;
  const about = call && place.line && place.line !== call ? [place.line] : [];
  const linked = [...[pointed, selection].flatMap((item) => (item ? linesOf(book, item) : [])), ...about];
  const error = latest?.error ?? null;
  const reached = latest !== book.doc || t >= book.doc.events.length || book.doc.events.length === 0;
  editor.mark({
    now: latest === book.doc ? (call ?? place.line ?? state.line) : null,
    values,
    weights: latest === book.doc && book.doc.source.code === store.get().code ? editor.weights(book) : [],
    colours: coloursOf(book.trace),
    linked,
    recorded: latest === book.doc ? book.recorded : new Set(),
    error: error && (reached || !error.line) ? error : error ? { ...error, explanation: "", fix: "" } : null,
  });
}

/** @param {Book} book @param {Item} item @returns {number[]} */
function linesOf(book, item) {
  const line = book.recordOf(item)?.line;
  return line ? [line] : [];
}

// --- running

/** @param {RunDocument} doc */
async function show(doc) {
  store.set({ arriving: doc });
  const trace = await indexInPieces(doc, () => breathe(doc));
  await breathe(doc);
  if (store.get().arriving !== doc) return;
  const { book: old, t, arrival } = store.get();
  const started = doc.events.some((event) => event.kind !== "error");
  byId("editor").classList.remove("stale");
  if (!started && doc.error && old && !arrival.afresh) {
    store.set({ latest: doc, problem: null, again: null });
    return;
  }
  stopPlaying();
  const book = new Book(trace);
  const stops = stopsOf(trace);
  const linked = arrival.old && arrival.t !== null ? withReads(doc.events, arrival.t) : arrival.t;
  const asked = linked ?? (old && !arrival.afresh ? carryOver(old, book, t) : null) ?? startOfFirstPass(book, stops);
  const next = stops[stopIndex(stops, Math.min(asked, doc.events.length))] ?? 0;
  const selection = arrival.selection ?? store.get().selection;
  store.set({
    book,
    latest: doc,
    arrival: WHERE_IT_WAS,
    problem: null,
    again: null,
    stops,
    t: next,
    pointed: null,
    selection: selection && book.recordOf(selection) ? selection : null,
  });
}

/** @param {boolean} on */
function busy(on) {
  if (!on && store.get().again !== null) store.set({ problem: null, again: null });
  showBusy(on);
}

/** Run the program as it stands. */
function run() {
  return session.run(store.get().code);
}

/** Another program: from an example or a link. @param {string} code */
function setCode(code) {
  store.set({ code });
  return run();
}

/** The same program with another number, as it is being dragged. @param {string} code */
function adjustCode(code) {
  store.set({ code });
  void session.follow(code);
}

/** @param {string} code typed in the editor */
function edited(code) {
  store.set({ code });
  byId("editor").classList.add("stale");
  session.edit(code);
}

/** The literals in the program that a leaf was made from. @param {string} tensor */
function literalsOf(tensor) {
  const { code, book } = store.get();
  return program.numbersOf(code, book?.tensors.get(tensor));
}

/** @param {string} tensor @returns {string | null} */
function numberFor(tensor) {
  const found = literalsOf(tensor);
  return found?.length === 1 ? (found[0]?.text ?? null) : null;
}

/**
 * @param {string} tensor @param {string} text @param {number} [index]
 * @returns {boolean} whether it could be written
 */
function writeNumber(tensor, text, index = 0) {
  const { code, book } = store.get();
  const next = program.withNumber(code, book?.tensors.get(tensor), index, text);
  if (next !== null) adjustCode(next);
  return next !== null;
}

/**
 * @param {{call: number, root: number, index: number}} place @param {number} weight
 * @returns {boolean} whether it could be written
 */
function writeWeight({ call, root, index }, weight) {
  const { code, book } = store.get();
  const event = book?.calls.get(call);
  if (event && (event.roots.length > 1 || root > 0)) return false; // written as a list of tensors
  const before = book?.value(event?.gradients[0]) ?? undefined;
  const weights = flatten(before)?.map((x, i) => (i === index ? weight : toNumber(x)));
  const next = before && weights && event?.line ? program.withWeights(code, event.line, weights, before.shape) : null;
  if (next !== null) adjustCode(next);
  return next !== null;
}

// --- moving about

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

function goToError() {
  const { book, stops } = store.get();
  const error = store.get().latest?.error;
  if (!error || !book) return false;
  goTo(stops[stops.length - 1] ?? 0);
  if (error.line) program.goTo(error.line);
  return true;
}

// --- header, search, keys

const examples = createExamples(fetchExamples);
/** @type {Promise<() => Promise<void>> | null} */
let gallery = null;

/** Its code comes with the first look at it. */
async function loadGallery() {
  const { createGallery } = await import("./ui/gallery.js");
  return createGallery(/** @type {HTMLDialogElement} */ (byId("gallery")), {
    groups: examples,
    sketches: byId("examples").dataset.sketches ?? "",
    onOpen: (example) => void openExample(example),
    onFile: askForFile,
  });
}

byId("examples").addEventListener("click", async () => {
  gallery ??= loadGallery();
  await gallery.then((open) => open()).catch(() => toast("The examples could not be loaded."));
});

/** @param {Example} example */
async function openExample(example) {
  const { LESSONS } = await import("./lessons/lessons.js");
  await openAfresh(example.code, { example, tour: LESSONS[example.id] ?? null });
}

const askForFile = bindOpen({ onCode: (code) => void openAfresh(code, null), onProblem: toast });

/** Another program, looked at from its own beginning. @param {string} code @param {State["lesson"]} lesson */
async function openAfresh(code, lesson) {
  stopPlaying();
  store.set({ arrival: { ...store.get().arrival, afresh: true }, selection: null, caption: -1, lesson });
  await setCode(code);
}

/** @param {number} t @param {number} caption */
function showCaption(t, caption) {
  stopPlaying();
  const { stops } = store.get();
  store.set({ t: stops.find((stop) => stop >= t) ?? t, selection: null, caption });
}

function tryChange() {
  const { code, lesson, book } = store.get();
  const planned = lesson?.tour?.change;
  const change = planned && isChangeable(code, planned) ? planned : book && suggest(book);
  if (change) void setCode(changed(code, change));
}

bindMenu(byId("export-menu"), async () => {
  const { FORMATS } = await import("./share/export.js");
  return [
    {
      group: null,
      entries: FORMATS.map(({ format, title, about }) => ({ title, about, act: () => void download(format) })),
    },
  ];
});

/** @param {import("./share/export.js").Format} format */
async function download(format) {
  const { book, t } = store.get();
  if (!book) return;
  try {
    const { exportAs } = await import("./share/export.js");
    await exportAs(format, { doc: book.doc, t, svg: () => stage.exportSVG() });
  } catch (error) {
    toast(`Not exported: ${/** @type {Error} */ (error).message}`);
  }
}

bindShare(() => ({ program: store.get().code, t: store.get().t, selection: store.get().selection }));

bindTheme(byId("theme"), () => {
  const { book } = store.get();
  if (book) ledger.render(viewOf(store.get(), book));
});

bindSplitter(byId("split-program"), { name: "--program-width", pane: byId("program"), grows: 1 });
bindSplitter(byId("split-ledger"), { name: "--ledger-width", pane: byId("ledger"), grows: -1 });

const help = /** @type {HTMLDialogElement} */ (byId("help-dialog"));
byId("help").addEventListener("click", () => void showHelp());

async function showHelp() {
  const { fillHelp } = await import("./ui/help.js");
  if (!help.hasChildNodes()) fillHelp(help);
  if (!help.open) help.showModal();
}

byId("fit").addEventListener("click", () => stage.fit());
byId("zoom-in").addEventListener("click", () => stage.zoomBy(1.3));
byId("names").addEventListener("click", ({ currentTarget }) => {
  const button = /** @type {HTMLElement} */ (currentTarget);
  const on = button.getAttribute("aria-pressed") !== "true";
  button.setAttribute("aria-pressed", String(on));
  stage.showNames(on);
});
byId("zoom-out").addEventListener("click", () => stage.zoomBy(1 / 1.3));

const openSearch = bindSearch({ find: (query) => stage.search(query), show: select });

bindKeys((command) => {
  switch (command) {
    case "play":
      togglePlay();
      return true;
    case "next":
      step("next");
      return true;
    case "previous":
      step("previous");
      return true;
    case "nextLeaf":
      stepLeaf(1);
      return true;
    case "previousLeaf":
      stepLeaf(-1);
      return true;
    case "first":
      step("first");
      return true;
    case "last":
      step("last");
      return true;
    case "search":
      openSearch();
      return true;
    case "fit":
      stage.fit();
      return true;
    case "error":
      return goToError();
    case "fold":
      stage.fold();
      return true;
    case "unfold":
      stage.unfold();
      return true;
    case "help":
      void showHelp();
      return true;
    case "run":
      void run();
      return true;
    case "escape":
      if (store.get().selection === null) return false;
      select(null);
      return true;
  }
});

// --- start

/** The program of the address, if it holds one. */
async function fromAddress() {
  const shared = await decode(location.hash);
  if (!shared) return false;
  const { t = null, old = false, selection = null } = shared;
  store.set({ arrival: { ...store.get().arrival, t, old, selection } });
  await setCode(shared.program);
  return true;
}

/** After the picture has been painted, when the browser has nothing better to do. */
const idle = () =>
  new Promise((/** @type {(value?: unknown) => void} */ go) =>
    "requestIdleCallback" in window ? requestIdleCallback(() => go(), { timeout: 500 }) : setTimeout(go, 50),
  );

async function start() {
  const stored = /^\/r\/([\w-]+)/.exec(location.pathname);
  if (stored) {
    try {
      const doc = await getRun(/** @type {string} */ (stored[1]));
      store.set({ code: doc.source.code ?? "" });
      await show(doc);
    } catch (error) {
      store.set({ problem: /** @type {Error} */ (error), again: null });
    }
  } else if (!(await fromAddress())) await run();
  await stage.painted();
  performance.mark("backlight:picture");
  await idle();
  await loadEditor();
}

/** The editor comes after the picture: it is a third of all bytes and the picture does not need it. */
async function loadEditor() {
  const [{ createEditor }, literals, { createVector }] = await Promise.all([
    import("./editor/editor.js"),
    import("./editor/literals.js"),
    import("./vector/vector.js"),
  ]);
  const nonce = document.querySelector("meta[name='style-nonce']")?.getAttribute("content") ?? "";
  const editor = createEditor(byId("editor"), {
    code: store.get().code,
    nonce,
    onChange: edited,
    onRun: () => void run(),
    onLines: (lines) => store.set({ lines }),
    onHover: (line) => stage.highlightLines(line === null ? store.get().lines : [line]),
    onWeight: (call, index, weight) => writeWeight({ call, root: 0, index }, weight),
  });
  program.loaded(editor, literals);
  const vector = createVector(byId("vector"), { onCode: adjustCode });
  store.subscribe((now, before) => {
    const moved = now.book !== before.book || now.t !== before.t;
    const { book, t } = now;
    if (book && moved) follow("vector", () => vector.render({ book, t }));
    if (moved || now.selection !== before.selection || now.pointed !== before.pointed || now.latest !== before.latest) {
      follow("editor", () => markEditor(editor));
    }
  });
  byId("theme").addEventListener("click", () => markEditor(editor));
  const { book, t } = store.get();
  if (!book) return;
  vector.render({ book, t });
  ledger.render(viewOf(store.get(), book));
  markEditor(editor);
}

window.addEventListener("hashchange", () => void fromAddress());
void start();
