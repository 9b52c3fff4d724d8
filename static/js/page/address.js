/**
 * The address of the page follows what is on show, and what is on show follows the address: a reload, Back, Forward and
 * another tab show the same.
 * @module
 */

import { ROOT } from "../net/root.js";
import { isAnchor, isElsewhere, NOTHING, read, write } from "../share/address.js";
import { pack, unpack } from "../share/link.js";
import { stopIndex } from "../timeline/places.js";
import { byId } from "../ui/dom.js";
import { firstLook, stage, watchLook } from "./page.js";
import { store } from "./state.js";

/** @typedef {import("../share/address.js").Address} Address */
/** @typedef {import("../ui/book.js").Book} Book */
/** @typedef {import("./state.js").Arrival} Arrival */

/** Browsers refuse more than a hundred changes of the address in half a minute. */
const PAUSE_MS = 400;
/** A program that was on show for less than this was only passed through, as in a drag or while one types. */
export const LOOKED_AT_MS = 2000;
/** Characters of a program in an address: longer links are cut by what they are pasted into. */
const LONGEST = 6000;
const TITLE = "Backlight — see the backward pass";

/** The program of the page at `/`; null where the page was sent with another. */
export const HOME = byId("program").dataset.example === undefined ? store.get().code : null;

const framed = window.parent !== window;
let written = read(location, ROOT).address;
/** Since when it is this program. */
let since = performance.now();
/** Counts what is followed; odd: an address is, and until it is on show nothing else is written. */
let following = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** @type {{code: string, packed: Promise<string>} | null} */
let last = null;

/** @param {string} code */
function packed(code) {
  if (last?.code !== code) last = { code, packed: pack({ program: code }) };
  return last.packed;
}

/**
 * What an address asks for: the program that it holds, null where there is none or it is damaged, and where to stand.
 * @param {Address} address @returns {Promise<{program: string | null, arrival: Arrival}>}
 */
export async function askedBy({ program, t, selection, finding, caption, names, look }) {
  const shared = program === null ? null : await unpack(program);
  const arrival = {
    ...{ t: t ?? shared?.t ?? null, old: t === null && (shared?.old ?? false) },
    selection: selection ?? shared?.selection ?? null,
    ...{ finding, caption, names, look, afresh: true },
  };
  return { program: shared?.program ?? null, arrival };
}

/** What is on show, as an address says it. @returns {Promise<Address>} */
export async function shown() {
  const { code, book, lesson, t, stops, selection, finding, caption, names, present } = store.get();
  const { embed } = written;
  const run = book && book.doc.source.code === code ? book : null;
  if (run && !run.stored) return { ...NOTHING, embed, present }; // it came as a file, which no address names
  const named = lesson ? lesson.example.code === code : code === HOME;
  const kept = !named && run?.doc.id === written.run ? written.run : null;
  const program = named || kept ? null : await packed(code);
  const long = program !== null && program.length > LONGEST ? (run?.doc.id ?? null) : null;
  const tour = run && lesson?.tour;
  return {
    embed,
    lesson: long ? null : (lesson?.example.id ?? null),
    run: kept ?? long,
    program: long ? null : program,
    t: run && t !== firstLook(run, stops) ? t : null,
    selection: run && selection,
    finding: run && finding,
    caption: tour && tour.statements(run, stops)[caption]?.stop === stopIndex(stops, t) ? caption : null,
    names,
    present,
    look: run ? stage.look() : NOTHING.look,
  };
}

/** Write the address of what is on show. @returns {Promise<Address>} */
export async function writeNow({ asEntry = true } = {}) {
  clearTimeout(timer);
  timer = undefined;
  const turn = following;
  const address = await shown();
  if (turn !== following) return written;
  const href = write(address, ROOT);
  if (href !== location.pathname + location.search + location.hash) {
    const edited = address.program !== written.program && performance.now() - since > LOOKED_AT_MS;
    const push = asEntry && !framed && (edited || isElsewhere(written, address));
    history[push ? "pushState" : "replaceState"](null, "", href);
  }
  if (address.program !== written.program) since = performance.now();
  written = address;
  const question = store.get().lesson?.example.question;
  document.title = question ? `${question} — Backlight` : TITLE;
  return address;
}

/** Write it soon; while time runs by, where it stops. */
function writeSoon() {
  const { playing, scrubbing } = store.get();
  if (following % 2 === 0 && !playing && !scrubbing) timer ??= setTimeout(() => void writeNow(), PAUSE_MS);
}

/**
 * Have the address followed, now and whenever it changes.
 * @param {(asked: ReturnType<typeof read>) => Promise<void>} open shows what an address names
 */
export async function followAddress(open) {
  const follow = async () => {
    clearTimeout(timer);
    timer = undefined;
    const mine = (following += following % 2 ? 2 : 1);
    const asked = read(location, ROOT);
    written = asked.address;
    await open(asked);
    await stage.painted();
    if (mine !== following) return;
    following++;
    void writeNow({ asEntry: false });
  };
  // Links of the page are relative to the address that it came from.
  for (const link of document.querySelectorAll(":is(a, use, [rel=icon])[href^='.']")) {
    link.setAttribute("href", new URL(link.getAttribute("href") ?? "", location.href).href);
  }
  window.addEventListener("popstate", () => {
    if (isAnchor(location.hash)) writeSoon();
    else void follow();
  });
  store.subscribe(writeSoon);
  watchLook(writeSoon);
  await follow();
}
