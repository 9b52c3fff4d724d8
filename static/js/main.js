/**
 * The page of the service: programs are written, run, kept and shared.
 * @module
 */

import "./page/controls.js";
import { flatten, toNumber } from "./trace.js";
import { changed, isChangeable, suggest } from "./lessons/suggest.js";
import { examples as fetchExamples, getRun } from "./net/api.js";
import { ROOT } from "./net/root.js";
import { createSession } from "./net/session.js";
import { askedBy, followAddress, HOME, LOOKED_AT_MS, writeNow } from "./page/address.js";
import {
  enable,
  explainError,
  follow,
  goTo,
  markEditor,
  openFinding,
  program,
  retell,
  select,
  show,
  stage,
  stand,
  stopPlaying,
} from "./page/page.js";
import { store, WHERE_IT_WAS } from "./page/state.js";
import { NOTHING } from "./share/address.js";
import { pack } from "./share/link.js";
import { bindOpen } from "./share/open.js";
import { asOneListing } from "./trace/files.js";
import { byId } from "./ui/dom.js";
import { picturesOf } from "./ui/pictures.js";
import { bindRun } from "./ui/run-button.js";
import { toast } from "./ui/toast.js";

/** @typedef {import("./ui/types").Example} Example */
/** @typedef {import("./trace/document").RunDocument} RunDocument */
/** @typedef {import("./page/state.js").State} State */
/** @typedef {import("./page/state.js").Arrival} Arrival */
/** @typedef {import("./ui/book.js").Book} Book */

/** Comes with the editor. @type {ReturnType<typeof import("./editor/patience.js").createPatience> | null} */
let patience = null;
const session = createSession({
  onDocument: answered,
  onProblem: (problem, again) => store.set({ problem, again }),
  onBusy: busy,
});
const running = bindRun(byId("run-state"), byId("run"), { onRun: runAgain, onCancel: () => session.cancel() });
/** @param {boolean} on */
function busy(on) {
  if (on) return running.busy();
  if (store.get().again !== null) store.set({ problem: null, again: null });
  running.rest(owed());
}

/** @param {RunDocument} doc @param {string} sent the text that was run */
async function answered(doc, sent) {
  if (doc.error) {
    running.rest(false);
    if (!((await patience?.wait()) ?? true)) return;
  }
  const { code } = store.get();
  if (code === sent && code !== doc.source.code) (await import("./page/taken.js")).takeIn(doc.source);
  await show(doc);
}

/** Whether the program as it stands has not been run. */
function owed() {
  const { book, code, latest } = store.get();
  return !captured() && (latest?.source.code !== code || book?.stored === false);
}

/** Run the program as it stands. */
async function run() {
  if (captured()) return;
  patience?.hurry();
  await session.run(store.get().code);
  const line = store.get().failed?.doc.error?.line;
  if (line) program.goTo(line);
}

/** Run it because somebody asks, who is told when the picture stays as it is. */
async function runAgain() {
  const before = store.get().latest;
  await run();
  const { latest, problem } = store.get();
  if (problem || owed() || captured()) return;
  running.say(latest?.id === before?.id ? "ran again: all as before" : "ran");
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

/** A program that the reader brings may fail: what mends errors is there by the time it has run. */
const expectErrors = () => void import("./lessons/mending.js");

/** @param {string} code @param {{typed: boolean, pasted: boolean}} how typed: key by key */
function edited(code, { typed, pasted }) {
  expectErrors();
  if (typed) patience?.typed();
  else patience?.hurry();
  store.set({ code });
  byId("editor").classList.add("stale");
  session.edit(code, pasted ? 0 : undefined); // who pastes is done
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

/**
 * The tensor of a program's variable, and the picture among the leaves behind it; null where there are not both.
 * @param {string} id
 */
function fieldOf(id) {
  const { book } = store.get();
  const name = book?.tensors.get(id)?.name ?? "";
  const line = book?.producer.get(id)?.line;
  const leaf = book?.leavesBehind(id).find((found) => picturesOf(book.tensors.get(found)?.shape ?? []));
  const from = leaf ? (book?.tensors.get(leaf)?.name ?? "") : "";
  const plain = /^[A-Za-z_]\w*$/;
  return line && plain.test(name) && plain.test(from) ? { line, name, leaf: from } : null;
}

/** @param {string} tensor @param {number[]} index */
async function askField(tensor, index) {
  const about = fieldOf(tensor);
  const next = about && program.withField(store.get().code, { ...about, index });
  if (!next) {
    toast("No line can be written that asks for it.");
    return;
  }
  await setCode(next.code);
  const { book, stops } = store.get();
  const found = book?.doc.tensors.filter(({ name, line }) => name === next.name && line === next.line).at(-1);
  if (!book || !found) return;
  const at = book.doc.events.findIndex((event) => event.kind === "bind" && event.tensor === found.id);
  goTo(stops.find((stop) => stop > at) ?? book.doc.events.length);
  select({ kind: "tensor", id: found.id });
}

enable({
  numberFor,
  hasField: (tensor) => fieldOf(tensor) !== null,
  askField,
  writeNumber,
  writeWeight,
  tryChange,
  replace: (code) => void setCode(code),
  run: () => void runAgain(),
});

// --- other programs

/** @type {ReturnType<typeof import("./ui/examples.js").createExamples> | null} */
let listed = null;

/** All of them, as the gallery groups them. */
async function examples() {
  const { createExamples } = await import("./ui/examples.js");
  listed ??= createExamples(fetchExamples);
  return listed();
}

/** @type {Promise<() => Promise<void>> | null} */
let gallery = null;

/** Its code comes with the first look at it. */
async function loadGallery() {
  const [{ createGallery }, { sheet }] = await Promise.all([import("./ui/gallery.js"), import("./ui/sheet.js")]);
  await sheet("gallery.css");
  return createGallery(/** @type {HTMLDialogElement} */ (byId("gallery")), {
    groups: examples,
    onOpen: (example) => void openExample(example),
    onFile: askForFile,
  });
}

async function openGallery() {
  gallery ??= loadGallery();
  await gallery.then((open) => open()).catch(() => toast("The examples could not be loaded."));
}
byId("examples").addEventListener("click", openGallery);

/** @param {Example} example */
async function openExample(example) {
  const { lessonOf } = await import("./lessons/lessons.js");
  await openAfresh(example.code, lessonOf(example));
}

const askForFile = bindOpen({
  onCode: (code) => void openAfresh(code, null),
  onRun: (document) => void openRun(document),
  onProblem: toast,
});

/** A run from a file: it plays here, and nobody is asked about it. @param {RunDocument} document */
async function openRun(document) {
  session.cancel();
  const doc = asOneListing(document);
  begin(null);
  store.set({ code: doc.source.code ?? "" });
  await show(doc, { stored: false }).catch((/** @type {Error} */ error) =>
    toast(`It cannot be shown: ${error.message}`),
  );
}

/** Whether the program on show is that of a run of real PyTorch, which cannot be run here. */
function captured() {
  const { book, code } = store.get();
  return Boolean(book && !book.stored && book.doc.origin && book.doc.source.code === code);
}

store.subscribe((now, before) => {
  if (now.book === before.book && now.code === before.code) return;
  /** @type {HTMLButtonElement} */ (byId("share")).disabled = captured();
  byId("code-head").hidden = captured();
  if (now.book?.stored === false) running.rest(owed());
});

/** Another program, looked at from its own beginning. @param {string} code @param {State["lesson"]} lesson */
async function openAfresh(code, lesson) {
  begin(lesson);
  expectErrors();
  await setCode(code);
}

/**
 * What comes next is looked at from its own beginning, or as an address says.
 * @param {State["lesson"]} lesson
 * @param {Arrival} [arrival]
 */
function begin(lesson, arrival) {
  stopPlaying();
  another = true;
  const afresh = { ...WHERE_IT_WAS, names: store.get().names, look: { ...NOTHING.look }, afresh: true };
  store.set({ arrival: arrival ?? afresh, selection: null, caption: -1, lesson });
}

function tryChange() {
  const { code, lesson, failed } = store.get();
  const book = failed ?? store.get().book;
  const planned = failed ? null : lesson?.tour?.change;
  const change = planned && isChangeable(code, planned) ? planned : book && suggest(book);
  if (change) void setCode(changed(code, change));
}

/** The program that was looked at before the one on show. @type {string | null} */
let earlier = null;
let since = 0;
let another = false;
store.subscribe((now, before) => {
  if (!now.book || now.book === before.book) return;
  const code = now.book.doc.source.code ?? "";
  const last = before.book?.doc.source.code;
  if (another || !before.book?.stored || !now.book.stored) earlier = null;
  else if (code !== last && (earlier === null || performance.now() - since > LOOKED_AT_MS)) earlier = last ?? null;
  another = false;
  since = performance.now();
  void offerComparison(code);
});

/** @param {string} code */
async function offerComparison(code) {
  const link = /** @type {HTMLAnchorElement} */ (byId("compare"));
  const other = earlier === code ? null : earlier;
  link.hidden = other === null;
  if (other !== null) link.href = `${ROOT}compare#${await pack({ program: code, with: other })}`;
}

byId("share").addEventListener("click", async () => {
  const { openShare } = await import("./share/dialog.js");
  const { code, book } = store.get();
  await openShare({ address: await writeNow(), code, run: book?.doc.id ?? null });
});

// --- what an address names

/** @param {ReturnType<typeof import("./share/address.js").read>} asked */
async function openAddress({ address, unread }) {
  const { program, arrival } = await askedBy(address);
  store.set({ present: address.present });
  const lesson = address.lesson === null ? null : await lessonCalled(address.lesson);
  if (address.run !== null && program === null) await openKept(address.run, arrival);
  else await openNamed(program ?? lesson?.example.code ?? HOME, lesson, arrival);
  if (address.program !== null && program === null) {
    toast("The program in this address is damaged: some of it may have been lost when it was copied.");
  } else if (unread.length) toast(`This part of the address means nothing here: ${unread.join(", ")}`);
}

/**
 * @param {string | null} code null: that of the page at `/`, which this page was not opened with
 * @param {State["lesson"]} lesson @param {Arrival} arrival
 */
async function openNamed(code, lesson, arrival) {
  if (code === null) return location.reload();
  const { book } = store.get();
  const same = book?.stored && book.doc.source.code === code && store.get().code === code && !store.get().failed;
  if (same) {
    session.cancel();
    store.set({ lesson });
    return stand(arrival);
  }
  begin(lesson, arrival);
  await setCode(code);
}

/** @param {string} run @param {Arrival} arrival */
async function openKept(run, arrival) {
  if (store.get().book?.doc.id === run && store.get().code === store.get().book?.doc.source.code) {
    store.set({ lesson: null });
    return stand(arrival);
  }
  try {
    const doc = await getRun(run);
    session.cancel();
    begin(null, arrival);
    store.set({ code: doc.source.code ?? "" });
    await show(doc);
  } catch (error) {
    store.set({ problem: /** @type {Error} */ (error), again: null });
  }
}

/**
 * The lesson of an example; null where there is none of this name.
 * @param {string} id
 * @returns {Promise<State["lesson"]>}
 */
async function lessonCalled(id) {
  const { example: sent } = byId("program").dataset;
  const first = /** @type {Example | null} */ (sent ? JSON.parse(sent) : null);
  const known = first?.id === id ? [first] : (await examples()).flatMap((group) => group.examples);
  const example = known.find((each) => each.id === id);
  if (!example) return null;
  return (await import("./lessons/lessons.js")).lessonOf(example);
}

// --- start

/** After the picture has been painted, when the browser has nothing better to do. */
const idle = () =>
  new Promise((/** @type {(value?: unknown) => void} */ go) =>
    "requestIdleCallback" in window ? requestIdleCallback(() => go(), { timeout: 500 }) : setTimeout(go, 50),
  );

async function start() {
  await followAddress(openAddress);
  performance.mark("backlight:picture");
  await idle();
  await loadEditor();
}

/** The editor comes after the picture: it is a third of all bytes and the picture does not need it. */
async function loadEditor() {
  const [{ createEditor }, { createPatience }, literals, { createVector }] = await Promise.all([
    import("./editor/editor.js"),
    import("./editor/patience.js"),
    import("./editor/literals.js"),
    import("./vector/vector.js"),
  ]);
  const nonce = document.querySelector("meta[name='style-nonce']")?.getAttribute("content") ?? "";
  patience = createPatience();
  const editor = createEditor(byId("editor"), {
    code: store.get().code,
    nonce,
    onChange: edited,
    onRun: () => void runAgain(),
    onLines: (lines) => {
      store.set({ lines });
      patience?.moved(lines);
    },
    onHover: (line) => stage.highlightLines(line === null ? store.get().lines : [line]),
    locked: captured,
    onFinding: openFinding,
    onExplain: explainError,
    onWeight: (call, index, weight) => writeWeight({ call, root: 0, index }, weight),
  });
  program.loaded(editor, literals);
  const vector = createVector(byId("vector"), { onCode: adjustCode });
  const renderVector = (/** @type {Book} */ book, /** @type {number} */ t) => {
    if (book.stored) vector.render({ book, t });
    else byId("vector").hidden = true;
  };
  store.subscribe((now, before) => {
    const moved = now.book !== before.book || now.t !== before.t;
    const { book, t } = now;
    if (book && moved) follow("vector", () => renderVector(book, t));
    const pointed = now.pointed !== before.pointed || now.finding !== before.finding || now.details !== before.details;
    if (moved || pointed || now.selection !== before.selection || now.latest !== before.latest) {
      follow("editor", () => markEditor(editor));
    }
  });
  byId("theme").addEventListener("click", () => markEditor(editor));
  const { book, t } = store.get();
  if (book) {
    renderVector(book, t);
    retell();
    markEditor(editor);
  }
  if (document.querySelector("html:not([data-begun]) #arrival")) await welcome(editor);
}

/** @param {ReturnType<typeof import("./editor/editor.js").createEditor>} editor */
async function welcome(editor) {
  const { arrive } = await import("./page/arrival.js");
  arrive({
    onQuestion: async (id) => {
      const lesson = await lessonCalled(id);
      if (lesson) await openAfresh(lesson.example.code, lesson);
    },
    onAll: openGallery,
    onPaste: (code) => {
      if (code !== null) return void openAfresh(code, null);
      editor.selectAll();
      toast("Paste it now: what is here will be replaced.");
    },
  });
}

void start();
