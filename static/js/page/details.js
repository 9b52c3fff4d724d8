/**
 * What is told besides the sentence, on request: the rule, on the picture, and the column that *Details* opens. It
 * opens by itself for what the reader asked for and only it tells, and goes when that is closed, unless the reader
 * wants it always.
 * @module
 */

import { byId, isEmbedded } from "../ui/dom.js";
import { folding } from "../ui/folding.js";
import { store } from "./state.js";

/** @typedef {import("./state.js").State} State */

const choice = folding("details");
const ruleChoice = folding("rule");
const [button, column, border, formula] = ["details", "ledger", "split-ledger", "rule"].map(byId);

/** In windows so wide no column opens by itself for an error: the picture needs its room. */
const tight = matchMedia("(min-width: 761px) and (max-width: 1180px)");

let always = choice.open;
let itself = false;

/**
 * What the column tells besides the step, by name.
 * @param {Pick<State, "selection" | "finding" | "failed" | "book" | "t">} state
 * @returns {string | null}
 */
export function askedFor({ selection, finding, failed, book, t }) {
  if (failed) return "failed";
  if (selection) return `${selection.kind} ${selection.id}`;
  if (finding !== null) return `finding ${finding}`;
  return book?.doc.error && t >= book.doc.events.length ? `error ${book.doc.id}` : null;
}

/** Is this page beside another run, whose page has the player? */
export const isLed = () => "led" in document.documentElement.dataset;

/** Show the column where it is wanted, and can be. */
export function showColumn() {
  const open = (always || itself) && !(isEmbedded() && !isLed());
  column.hidden = border.hidden = !open;
  button.setAttribute("aria-expanded", String(open));
  store.set({ details: open });
}

/** Open it, from now on always; or close it. */
export function toggleDetails() {
  always = !store.get().details;
  itself = false;
  choice.remember(always);
  showColumn();
}

/** Have what is asked for told, although it was closed. */
export function openDetails() {
  itself = true;
  showColumn();
}

/** Write the rule of the step beside what happens, or no longer. */
export function toggleRule() {
  ruleChoice.remember(!store.get().rule);
  showRule(!store.get().rule);
}

/** @param {boolean} rule */
function showRule(rule) {
  formula.setAttribute("aria-pressed", String(rule));
  store.set({ rule });
}

button.addEventListener("click", toggleDetails);
formula.addEventListener("click", toggleRule);
store.subscribe((now, before) => {
  const asked = askedFor(now);
  if (asked === askedFor(before)) return;
  itself = asked !== null && !(asked.startsWith("error") && tight.matches);
  showColumn();
});
showColumn();
showRule(ruleChoice.open);
