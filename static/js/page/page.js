/**
 * The page around a run: what happens when the store changes. Every pane is a function of (run, t, selection).
 * What only a service can do, running programs and keeping them, comes from outside (`enable`): the page of the
 * service has it (`main.js`), one that only shows a document does without (`viewer.js`).
 * @module
 */

import { indexInPieces, stateAt, stops as stopsOf } from "../trace.js";
import { createStage } from "../stage.js";
import { litBy, mended, momentOf, signsOf } from "../findings/finding.js";
import { createFindings } from "../findings/list.js";
import { createLesson } from "../ledger/lesson.js";
import { createStory } from "../ledger/story.js";
import { litAt } from "../lessons/tour.js";
import { showNotices } from "../output/notices.js";
import { createOutput } from "../output/output.js";
import { withReads } from "../share/link.js";
import { createTape } from "../tape/tape.js";
import { createTimeline } from "../timeline/timeline.js";
import { startOfFirstPass, leafStops, placeAt, stopIndex } from "../timeline/places.js";
import { carryOver } from "../timeline/carry.js";
import { Book } from "../ui/book.js";
import { byId, reducedMotion } from "../ui/dom.js";
import { followWidth } from "../ui/narrow.js";
import { createPace, breathe } from "../ui/pace.js";
import { createProgram } from "../ui/program.js";
import { coloursOf } from "../ui/scale.js";
import { toast } from "../ui/toast.js";
import { openDetails } from "./details.js";
import { showOrigin } from "./origin.js";
import { store, WHERE_IT_WAS } from "./state.js";

/** @typedef {import("../trace/document").RunDocument} RunDocument */
/** @typedef {import("../ui/types").Item} Item */
/** @typedef {import("./state.js").State} State */
/** @typedef {import("./state.js").Arrival} Arrival */

/**
 * What changes the program and has it run.
 * @typedef {object} Edits
 * @property {(tensor: string) => string | null} numberFor the literal that a leaf got its value from
 * @property {(tensor: string, text: string, index?: number) => boolean} writeNumber another one in its place; whether
 *   it could be written
 * @property {(place: {call: number, root: number, index: number}, weight: number) => boolean} writeWeight a number of
 *   the gradient a backward call is given; whether it could be written
 * @property {(tensor: string) => boolean} hasField whether the program can ask what one element of a tensor sees
 * @property {(tensor: string, index: number[]) => Promise<void>} askField ask it, by a line of the program
 * @property {() => void} tryChange make the change that the story suggests
 * @property {(code: string) => void} replace another program, which is run
 * @property {() => void} run the program as it stands
 */

/** @type {Edits | null} */
let edits = null;

/** Let programs be changed and run. @param {Edits} how */
export function enable(how) {
  edits = how;
}

/** Whom to tell that the reader looks elsewhere. @type {() => void} */
let lookMoved = () => {};

/** @param {() => void} tell */
export function watchLook(tell) {
  lookMoved = tell;
}

/** How the program of the run on show is changed; null for a run that came as a file. */
const editing = () => (store.get().book?.stored ? edits : null);

// --- panes

export const stage = createStage(byId("stage"), {
  onSelect: (/** @type {Item | null} */ item) => select(item),
  onHover: (/** @type {Item | null} */ item) => store.set({ pointed: item }),
  onTime: (t) => goTo(store.get().stops.find((stop) => stop >= t) ?? t),
  adjustable: () => editing() !== null,
  onFinding: openFinding,
  onLook: () => lookMoved(),
  onAdjust: ({ place, value, done }) => {
    const written =
      "call" in place
        ? editing()?.writeWeight(place, value)
        : editing()?.writeNumber(place.tensor, String(value), place.index);
    if (!written && done) toast("This number is not a literal in the program, so it cannot be dragged.");
  },
});
const arrange = followWidth();
export const program = createProgram(byId("program-text"));
const clicks = {
  onSelect: select,
  onLine: (/** @type {number} */ line) => program.goTo(line, true),
  onCaption: showCaption,
  onChange: () => editing()?.tryChange(),
  onFinding: openFinding,
  onApply: applyFix,
};
const story = createStory(byId("story-text"), clicks);
const lesson = createLesson(byId("lesson"), clicks);
/** Loaded when the column is opened first. @type {ReturnType<typeof createColumn> | null} */
let column = null;

async function createColumn() {
  const { createLedger } = await import("../ledger/ledger.js");
  return createLedger(byId("ledger"), {
    ...clicks,
    numberFor: (tensor) => editing()?.numberFor(tensor) ?? null,
    onNumber: (tensor, text) => editing()?.writeNumber(tensor, text),
    hasField: (tensor) => editing()?.hasField(tensor) ?? false,
    onField: (tensor, index) => void editing()?.askField(tensor, index),
  });
}
const onScrub = (/** @type {boolean} */ scrubbing) => store.set({ scrubbing });
const timeline = createTimeline(byId("timeline"), {
  onTime: (t) => goTo(t),
  onPlay: togglePlay,
  onSpeed: (speed) => store.set({ speed }),
  onStep: step,
  onScrub,
  onFinding: openFinding,
});
const output = createOutput(byId("output"));
const findings = createFindings(byId("findings"), byId("findings-count"), { onOpen: openFinding });
const tape = createTape(byId("tape"), { onSelect: select, onHover: (item) => store.set({ pointed: item }) });
/** @typedef {ReturnType<typeof import("../training/strip.js").createTraining>} TrainingStrip */
/** @typedef {ReturnType<typeof import("../map/parameters.js").createParameters>} ParameterList */
/** Loaded with the first run of a training. @type {TrainingStrip | null} */
let training = null;
/** Loaded with the first run of modules. @type {ParameterList | null} */
let parameters = null;

/** The panes that only some runs have. @param {RunDocument} doc */
async function loadPanes(doc) {
  const [strip, list] = await Promise.all([
    doc.training?.length && !training ? import("../training/strip.js") : null,
    doc.modules?.length && !parameters ? import("../map/parameters.js") : null,
  ]);
  if (strip && !training) {
    training = strip.createTraining({ onTime: (t) => goTo(t), onScrub });
    timeline.above(training.element);
  }
  if (list && !parameters) parameters = list.createParameters(byId("parameters"), { onSelect: select });
}

const PAUSE_MS = 250;
let speaking = 0;

/** Tell screen readers the last of several texts, after a pause. @param {string} text */
function speak(text) {
  clearTimeout(speaking);
  speaking = window.setTimeout(() => (byId("spoken").textContent = text), PAUSE_MS);
}
const pace = createPace();
/** Loaded when something plays first. @type {ReturnType<typeof import("../timeline/player.js").createPlayer> | null} */
let player = null;

/** Time runs by. @param {State} state */
const runs = ({ playing, scrubbing }) => playing || scrubbing;

/** Show a pane: at once, or while time runs by after the picture. @param {string} pane @param {() => void} render */
export const follow = (pane, render) => (runs(store.get()) ? pace.soon(pane, render) : render());

/** A map has its numbers at once, so the words beside it do, too: they tell of one step. @param {() => void} render */
const tell = (render) => (stage.isMap() ? render() : follow("story", render));

store.subscribe((now, before) => {
  const { book, t, latest, problem, again } = now;
  if (runs(before) && !runs(now)) pace.catchUp();
  if (now.code !== before.code) program.show(now.code);
  if (latest !== before.latest || problem !== before.problem || again !== before.again) {
    showNotices(byId("notices"), { problem, again, document: latest });
  }
  if (!book) return;
  const newRun = book !== before.book;
  const placed = now.look !== null && now.look !== before.look;
  const moved = newRun || placed || t !== before.t;
  if (now.names !== before.names) {
    byId("names").setAttribute("aria-pressed", String(now.names));
    stage.showNames(now.names);
  }
  if (newRun || placed) {
    showOrigin(byId("origin"), book.stored ? null : book.doc);
    const keepView = !placed && before.book !== null && now.lesson === before.lesson;
    stage.setTrace(book.trace, t, { keepView, selection: () => store.get().selection, look: now.look });
  } else if (t !== before.t) {
    const near = now.playing || Math.abs(stopIndex(now.stops, t) - stopIndex(now.stops, before.t)) === 1;
    stage.render(t, {
      animateFrom: near && !now.scrubbing ? before.t : null,
      reducedMotion: reducedMotion(),
      speed: now.playing ? now.pace : now.speed,
    });
  }
  if (now.selection !== before.selection && !newRun && !placed) stage.select(now.selection);
  if (now.lines !== before.lines) stage.highlightLines(now.lines);
  const found = newRun || now.finding !== before.finding;
  const signs = found ? signsOf(book, now.finding) : [];
  if (found) {
    findings.render({ book, finding: now.finding });
    stage.sign(signs);
  }
  const retold = moved || found || now.lesson !== before.lesson || now.caption !== before.caption;
  if (retold) {
    const open = findingOf(now);
    stage.light(open ? litBy(book, open) : litAt(book, now.stops, t, now.lesson?.tour, now.caption));
  }
  const failed = now.failed !== before.failed;
  if (
    retold ||
    failed ||
    now.selection !== before.selection ||
    now.details !== before.details ||
    now.rule !== before.rule
  ) {
    tell(retell);
  }
  if (now.playing ? !before.playing : t !== before.t || before.playing || (failed && now.failed)) {
    follow("speech", () => speak(now.playing ? "Playing." : story.spoken()));
  }
  if (moved) {
    follow("output", () => output.render({ book, t, before: now.stops[stopIndex(now.stops, t) - 1] ?? 0 }));
  }
  if (moved || now.playing !== before.playing || now.speed !== before.speed) {
    timeline.render({ book, stops: now.stops, t, playing: now.playing, speed: now.speed });
  }
  if (found) timeline.sign(signs);
  if (moved) training?.render({ book, t });
  if (moved || now.selection !== before.selection) {
    const { selection } = now;
    follow("parameters", () => parameters?.render({ book, t, selection }));
    follow("tape", () => {
      const state = stateAt(book.trace, t);
      const { node } = placeAt(book, now.stops, t);
      tape.render({ book, t, active: node, selection, phase: (id) => state.nodes.get(id)?.phase ?? "idle" });
    });
  }
  if (now.pointed !== before.pointed) player?.hold(now.playing && now.pointed !== null);
  if (latest !== before.latest) {
    document.body.toggleAttribute("data-outdated", latest !== book.doc);
    document.body.toggleAttribute("data-empty", latest === book.doc && book.doc.tensors.length === 0);
  }
  if (latest !== before.latest || now.lesson !== before.lesson) arrange();
});

/** What is told of. @param {State} state @param {Book} book */
const viewOf = ({ failed, stops, t, selection, lesson, caption, finding }, book) => ({
  ...(failed ? endOf(failed) : { book, stops, t, selection, lesson, caption, finding }),
  changeable: editing() !== null && store.get().code === (failed ?? book).doc.source.code,
});

/** Nothing but the end of a run. @param {Book} book */
const endOf = (book) => {
  const t = book.doc.events.length;
  return { book, stops: stopsOf(book.trace), t, selection: null, lesson: null, caption: -1, finding: null };
};

/** The finding that is open. @param {State} state */
const findingOf = ({ book, finding }) => (finding === null ? undefined : book?.doc.findings?.[finding]);

/** Values, lines and the error, into the editor. @param {import("../ui/program.js").Editor} editor */
export function markEditor(editor) {
  const { book, latest, t, stops, selection, pointed } = store.get();
  if (!book) return;
  const state = stateAt(book.trace, t);
  const place = placeAt(book, stops, t);
  const signs = latest === book.doc ? signsOf(book, store.get().finding) : [];
  const values = latest === book.doc ? editor.beside(book, t, signs) : new Map();
  const call = place.stretch?.kind === "backward" ? book.calls.get(place.stretch.call)?.line : null;
  const about = call && place.line && place.line !== call ? [place.line] : [];
  const pointedAt = [pointed, selection].flatMap((item) => (item ? linesOf(book, item) : []));
  const linked = [...pointedAt, ...about, ...(findingOf(store.get())?.lines ?? [])];
  editor.mark({
    now: latest === book.doc ? (book.tape?.storing(t) ?? call ?? place.line ?? state.line) : null,
    values,
    weights:
      book.stored && latest === book.doc && book.doc.source.code === store.get().code ? editor.weights(book) : [],
    colours: coloursOf(book.trace),
    linked,
    recorded: latest === book.doc ? book.recorded : new Set(),
    signs,
    error: latest?.error ?? null,
    told: store.get().details && (latest !== book.doc || t >= book.doc.events.length),
  });
}

/** @param {Book} book @param {Item} item @returns {number[]} */
function linesOf(book, item) {
  const line = book.recordOf(item)?.line;
  return line ? [line] : [];
}

/**
 * @param {RunDocument} doc
 * @param {{stored: boolean}} [how] stored: the service has it
 */
export async function show(doc, { stored } = { stored: true }) {
  store.set({ arriving: doc });
  const trace = await indexInPieces(doc, () => breathe(doc));
  await breathe(doc);
  const book = new Book(trace, { stored });
  await loadPanes(doc);
  if (doc.tape) book.tape = new (await import("../ledger/tape.js")).Tape(book);
  if (doc.error || doc.warnings.length) book.mending = (await import("../lessons/mending.js")).mend(book);
  if (store.get().arriving !== doc) return;
  const { book: old, t, arrival } = store.get();
  const started = doc.events.some((event) => event.kind !== "error");
  byId("editor").classList.remove("stale");
  if (!started && doc.error && old && !arrival.afresh) {
    stopPlaying();
    store.set({ latest: doc, failed: book, problem: null, again: null });
    return;
  }
  stopPlaying();
  const stops = stopsOf(trace);
  const carried = old && !arrival.afresh ? carryOver(old, book, t) : null;
  const selection = arrival.selection ?? store.get().selection;
  store.set({
    book,
    latest: doc,
    failed: null,
    arrival: WHERE_IT_WAS,
    problem: null,
    again: null,
    stops,
    t: carried === null ? firstLook(book, stops) : stopAt(stops, carried),
    pointed: null,
    finding: null,
    selection: selection && book.recordOf(selection) ? selection : null,
    look: null,
    ...(arrival.look ? placeIn(book, stops, arrival) : {}),
  });
}

/** Stand where an address says, in the run on show. @param {Arrival} arrival */
export function stand(arrival) {
  const { book, stops } = store.get();
  stopPlaying();
  if (book) store.set({ ...placeIn(book, stops, arrival), pointed: null });
}

/**
 * What an address asks for, as far as the run has it.
 * @param {Book} book @param {number[]} stops @param {Arrival} arrival
 */
function placeIn(book, stops, { t, old, selection, finding, caption, names, look }) {
  const { events, findings = [] } = book.doc;
  const asked = old && t !== null ? withReads(events, t) : t;
  const known = selection === null || book.recordOf(selection) !== undefined;
  if (asked !== null && asked > events.length) toast(`This run has no step ${asked}. This is its end.`);
  else if (!known || (finding !== null && !findings[finding])) toast("What the address points to is not in this run.");
  return {
    t: asked === null ? firstLook(book, stops) : stopAt(stops, asked),
    selection: known ? selection : null,
    finding: finding !== null && findings[finding] ? finding : null,
    caption: caption ?? -1,
    names,
    look,
  };
}

/** @param {number[]} stops @param {number} t */
const stopAt = (stops, t) => stops[stopIndex(stops, t)] ?? 0;

/**
 * Where a run is looked at first: where its lesson begins, else at its error, else at its first pass.
 * @param {Book} book @param {number[]} stops
 */
export function firstLook(book, stops) {
  const [first] = store.get().lesson?.tour?.statements(book, stops) ?? [];
  const told = stops[first?.stop ?? -1];
  if (told !== undefined) return told;
  return book.doc.error ? (stops.at(-1) ?? 0) : stopAt(stops, startOfFirstPass(book, stops));
}

// --- moving about

/** @param {number} t */
export function goTo(t) {
  stopPlaying();
  store.set({ t });
}

/** @param {"first" | "previous" | "next" | "last"} direction */
export function step(direction) {
  const { stops, t } = store.get();
  const now = stopIndex(stops, t);
  const index = { first: 0, previous: now - 1, next: now + 1, last: stops.length - 1 }[direction];
  goTo(stops[Math.max(0, Math.min(stops.length - 1, index))] ?? 0);
}

/** @param {1 | -1} direction */
export function stepLeaf(direction) {
  const { book, stops, t } = store.get();
  if (!book) return;
  const iteration = training?.neighbour(direction, stops, t) ?? null;
  if (iteration !== null) return goTo(iteration);
  const all = leafStops(book, stops);
  const next = direction > 0 ? all.find((at) => at > t) : all.filter((at) => at < t).at(-1);
  if (next !== undefined) goTo(next);
}

export function togglePlay() {
  const { stops, t, playing } = store.get();
  if (playing) stopPlaying();
  else void play(t >= (stops[stops.length - 1] ?? 0) ? 0 : t);
}

/** Play on from t. @param {number} t @param {{here?: boolean}} [how] here: what stands there is read first */
export async function play(t, { here = false } = {}) {
  const { book, stops, lesson } = store.get();
  if (!book) return;
  store.set({ playing: true, t });
  const [{ createPlayer }, { createReading }] = await Promise.all([
    import("../timeline/player.js"),
    import("../timeline/reading.js"),
  ]);
  if (!store.get().playing || store.get().book !== book) return;
  player ??= createPlayer({
    show: (at, pace) => {
      store.set({ t: at, pace });
      return stage.painted();
    },
    stopped: () => store.set({ playing: false }),
    speed: () => store.get().speed,
  });
  void player.play(book.trace, t, { ms: createReading(book, stops, lesson?.tour).ms, here });
}

export function stopPlaying() {
  if (!store.get().playing) return;
  player?.stop();
  store.set({ playing: false });
}

/** Run the program as it stands. @returns {boolean} whether that can be done here */
export function run() {
  edits?.run();
  return edits !== null;
}

/** @param {Item | null} item */
export function select(item) {
  store.set({ selection: item });
}

export function goToError() {
  const { book, stops } = store.get();
  const error = store.get().latest?.error;
  if (!error || !book) return false;
  goTo(stops[stops.length - 1] ?? 0);
  if (error.line) program.goTo(error.line);
  return true;
}

/** Go where the error is told of, and what helps. */
export function explainError() {
  if (!store.get().failed) goToError();
  openDetails();
  void tellMore().then(() => byId("ledger").scrollIntoView({ block: "nearest" }));
}

/** Tell of the step at hand. */
export function retell() {
  const state = store.get();
  if (!state.book) return;
  story.render(viewOf(state, state.book));
  lesson.render(viewOf({ ...state, failed: null }, state.book));
  if (state.rule) void tellRule();
  else stage.note([]);
  if (state.details) void tellMore();
  else byId("ledger").replaceChildren();
}

/** Write its rule beside what happens. */
async function tellRule() {
  const { stepLines } = await import("../ledger/details.js");
  const { book, rule, stops, t } = store.get();
  if (book) stage.note(rule ? stepLines({ book, stops, t }) : []);
}

/** Tell it in the column, too. */
async function tellMore() {
  column ??= createColumn();
  const ledger = await column;
  const state = store.get();
  if (state.book && state.details) ledger.render(viewOf(state, state.book));
}

/** @param {number} t @param {number} caption */
function showCaption(t, caption) {
  stopPlaying();
  const { stops } = store.get();
  store.set({ t: stops.find((stop) => stop >= t) ?? t, selection: null, caption });
}

/** Look at a finding: its lines, its moment, what it is about. @param {number} index another number closes it */
export function openFinding(index) {
  const { book, stops, t } = store.get();
  const finding = book?.doc.findings?.[index];
  stopPlaying();
  if (!book || !finding) {
    store.set({ finding: null });
    return;
  }
  const moment = momentOf(book, finding);
  const at = moment === null ? t : (stops.find((stop) => stop >= moment) ?? t);
  store.set({ finding: index, t: at, selection: null });
  if (finding.lines[0]) program.goTo(finding.lines[0]);
}

/** The next finding, the first after the last. @returns {boolean} whether there is one */
export function nextFinding() {
  const { book, finding } = store.get();
  const count = book?.doc.findings?.length ?? 0;
  if (count) openFinding(finding === null ? 0 : (finding + 1) % count);
  return count > 0;
}

function applyFix() {
  const finding = findingOf(store.get());
  const next = finding && mended(store.get().code, finding);
  if (next) editing()?.replace(next);
}

/** Close what is open: a finding, or what is selected. @returns {boolean} whether anything was */
export function closeOpen() {
  const { selection, finding } = store.get();
  if (selection !== null) select(null);
  else if (finding !== null) store.set({ finding: null });
  else return false;
  return true;
}
