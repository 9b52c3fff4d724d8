/**
 * A training that is watched: its strip, what was found, and any recording of it on the stage.
 * @module
 */
import { badge } from "../findings/list.js";
import { isWrong } from "../findings/finding.js";
import { openFinding } from "../page/page.js";
import { store } from "../page/state.js";
import { createTraining } from "../training/strip.js";
import { byId, h } from "../ui/dom.js";
import { toast } from "../ui/toast.js";
import { bookOf, stateOf } from "./told.js";

/** @typedef {import("../trace/document").RunDocument} RunDocument */
/** @typedef {import("./told.js").Told} Told */
/** @typedef {(doc: RunDocument) => Promise<void>} Play */
/** @typedef {{told?: Told, documents?: Record<string, string>}} Training  whole, or nothing where it goes on */

const AGAIN_MS = 2000;
/** The program that trains is not there: so often it is asked again. */
const TIMES = 4;

/** @param {Training} training @param {Play} play shows a recording */
export async function live(training, play) {
  const page = new Live(training, play);
  if (training.told) await page.take(training.told);
  else await page.follow();
}

class Live {
  /** @type {Map<number, import("./told.js").Column[]>} */
  #columns = new Map();
  /** @type {Set<number>} */
  #kept = new Set();
  /** @type {Told | null} */
  #told = null;
  /** The recordings that are asked for and on show, by iteration. @type {number | null} */
  #wanted = null;
  /** @type {number | null} */
  #shown = null;
  #loading = false;
  #newest = true;
  #scrubbing = false;
  #gone = false;
  /** @type {import("../ui/book.js").Book | null} */
  #book = null;

  /** @param {Training} training @param {Play} play */
  constructor({ documents }, play) {
    this.documents = documents;
    this.play = play;
    this.strip = createTraining({
      onTime: (t) => this.#choose([...this.#columns.keys()][t - 1]),
      onScrub: (busy) => {
        this.#scrubbing = busy;
        if (!busy) this.#draw();
      },
    });
    const button = (/** @type {string} */ text, /** @type {() => void} */ act) =>
      h("button", { type: "button", class: "button small", onclick: act }, text);
    this.said = h("span", { class: "live-said" });
    this.where = h("span", { class: "live-where" });
    this.pause = button("Pause", () => void this.#ask(this.#held ? "go" : "pause"));
    this.step = button("One more", () => void this.#ask("step"));
    this.step.title = "Record one more iteration, then wait again";
    this.follows = button("Newest", () => this.#follow(!this.#newest));
    this.follows.title = "Show each recording when it arrives";
    this.found = h("ul", { class: "live-found", "aria-label": "Found so far" });
    const section = h(
      "section",
      { class: "live", "aria-label": "Training that is watched" },
      h("div", { class: "live-head" }, this.said, this.where, this.pause, this.step, this.follows),
      this.found,
      this.strip.element,
    );
    const narrow = matchMedia("(max-width: 560px), (max-width: 760px) and (orientation: portrait)");
    const place = () =>
      narrow.matches ? document.querySelector("main")?.before(section) : byId("timeline").prepend(section);
    narrow.addEventListener("change", place);
    place();
    document.addEventListener("visibilitychange", () => this.#arrived());
    this.found.addEventListener("click", ({ target }) => {
      const found = target instanceof Element ? target.closest("button") : null;
      if (found) void this.#open(Number(found.dataset.found));
    });
    this.#draw();
  }

  /** Ask for news until it is over. */
  async follow() {
    for (let failed = 0; failed < TIMES; ) {
      try {
        const version = this.#told?.version ?? -1;
        const answer = await fetch(`told?version=${version}&after=${Math.max(-1, ...this.#columns.keys())}`);
        if (!answer.ok) throw new Error(answer.statusText);
        failed = 0;
        void this.take(await answer.json());
        if (this.#told?.state === "over") return;
      } catch {
        failed++;
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    }
    this.#gone = true;
    this.#draw();
  }

  /** @param {Told} told */
  take(told) {
    for (const [iteration, columns] of told.columns) this.#columns.set(iteration, columns);
    const known = new Set(told.known);
    for (const iteration of this.#columns.keys()) if (!known.has(iteration)) this.#columns.delete(iteration);
    if (told.columns.length || told.kept.length !== this.#kept.size) this.#book = null;
    this.#kept = new Set(told.kept);
    this.#told = told;
    this.#draw();
    return this.#arrived();
  }

  get #held() {
    return this.#told?.state === "paused" || this.#told?.state === "pausing";
  }

  /** There may be a newer recording. */
  async #arrived() {
    const newest = Math.max(-1, ...this.#kept);
    const { playing, scrubbing } = store.get();
    const looking = document.hidden || playing || scrubbing || this.#scrubbing;
    if (newest >= 0 && this.#newest && (this.#shown === null || !looking)) await this.#load(newest);
  }

  /** @param {boolean} newest */
  #follow(newest) {
    this.#newest = newest;
    this.#draw();
    void this.#arrived();
  }

  /** @param {number | undefined} iteration */
  #choose(iteration) {
    if (iteration === undefined) return;
    this.#newest = iteration === Math.max(...this.#kept) && !this.documents && this.#newest;
    void this.#load(iteration);
  }

  /** Show a recording; of those asked for meanwhile the last one. @param {number} iteration */
  async #load(iteration) {
    this.#wanted = iteration;
    if (this.#loading) return;
    this.#loading = true;
    while (this.#wanted !== this.#shown) {
      const wanted = /** @type {number} */ (this.#wanted);
      try {
        const doc = await this.#document(wanted);
        if (this.#wanted !== wanted) continue;
        await this.play(doc);
        this.#shown = wanted;
      } catch (error) {
        toast(`Iteration ${wanted} cannot be shown: ${/** @type {Error} */ (error).message}`);
        if (this.#wanted === wanted) this.#wanted = this.#shown;
        if (this.#shown === null) break;
      }
    }
    this.#loading = false;
    this.#draw();
  }

  /** @param {number} iteration @returns {Promise<RunDocument>} */
  async #document(iteration) {
    if (!this.documents) {
      const answer = await fetch(`recorded/${iteration}`);
      if (!answer.ok) throw new Error("it is no longer kept");
      return answer.json();
    }
    const bytes = Uint8Array.from(atob(this.documents[iteration]), (letter) => letter.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
  }

  /** @param {number} index of what was found */
  async #open(index) {
    const found = this.#told?.findings[index];
    if (!found) return;
    this.#newest = false;
    await this.#load(found.first);
    if (this.#shown === found.first) openFinding(found.index);
  }

  /** @param {"pause" | "step" | "go"} what */
  async #ask(what) {
    try {
      await fetch(what, { method: "POST" });
    } catch {
      toast("The program that trains is not there any more.");
    }
  }

  #draw() {
    const told = this.#told;
    const ends = this.#gone || told?.state === "over";
    this.said.textContent = this.#gone
      ? "The program that trained has ended: what is on show stays."
      : told
        ? stateOf(told)
        : "Waiting for the first recording";
    this.where.textContent = this.#shown === null ? "" : `on show: iteration ${this.#shown.toLocaleString("en")}`;
    this.pause.hidden = this.step.hidden = this.follows.hidden = ends || !told;
    this.pause.textContent = this.#held ? "Go on" : "Pause";
    this.step.disabled = told?.state !== "paused";
    this.follows.setAttribute("aria-pressed", String(this.#newest));
    const findings = told?.findings ?? [];
    if (this.found.childElementCount !== findings.length || ends) {
      this.found.replaceChildren(...findings.map((found, i) => h("li", null, this.#row(found, i))));
    }
    this.found.hidden = findings.length === 0;
    if (this.#scrubbing || !told) return;
    this.#book ??= bookOf(this.#columns, this.#kept, told.iteration);
    const at = this.#shown === null ? -1 : [...this.#columns.keys()].indexOf(this.#shown);
    this.strip.render({ book: this.#book, t: at + 1 });
  }

  /** @param {import("./told.js").Found} found @param {number} i */
  #row(found, i) {
    const line = found.lines.length ? ` · line ${found.lines[0]}` : "";
    return h(
      "button",
      { type: "button", class: "live-finding", dataset: { found: i }, disabled: !this.#kept.has(found.first) },
      badge(i + 1, isWrong(/** @type {any} */ (found))),
      found.headline,
      h("small", null, ` iteration ${found.first.toLocaleString("en")}${line}`),
    );
  }
}
