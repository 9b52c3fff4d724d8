/**
 * Asks for a layout; a new request cancels the one before.
 * @module
 */
import { isWhole } from "../ui/dom.js";
import { layout } from "./layered.js";

/** @typedef {import("./types.js").LayoutInput} LayoutInput */
/** @typedef {import("./types.js").LayoutOutput} LayoutOutput */

/** Below this many vertices a layout takes less time than a message to a worker. */
const AT_ONCE = 150;

/**
 * The one script this page starts by address; pages that enforce trusted types want it vouched for.
 * @returns {string | URL}
 */
function workerUrl() {
  const url = new URL("../layout/layout.worker.js", import.meta.url);
  /**
   * @type {{createPolicy: (name: string, rules: {createScriptURL: (url: string) => string}) => {createScriptURL: (url:
   *   string) => string}} | undefined}
   */
  const trusted = Reflect.get(globalThis, "trustedTypes");
  policy ??= trusted?.createPolicy("backlight-layout", { createScriptURL: (text) => text });
  return policy ? policy.createScriptURL(url.href) : url;
}

/** @type {{createScriptURL: (url: string) => string} | undefined} */
let policy;

/**
 * Whether two drawings have the same parts of the same sizes, as the turns of a training have: then they lie alike.
 * @param {LayoutInput} a @param {LayoutInput} b
 */
export function samePicture(a, b) {
  const { seed: _, options: one = {}, ...rest } = a;
  const { options: other = {} } = b;
  return (
    Object.keys(other).every((name) => Reflect.get(one, name) === Reflect.get(other, name)) &&
    Object.entries(rest).every(([name, before]) => {
      const now = /** @type {Float64Array} */ (Reflect.get(b, name));
      return now.length === before.length && before.every((x, i) => x === now[i]);
    })
  );
}

export class LayoutClient {
  constructor() {
    /** @type {Worker | null} */
    this.worker = null;
    this.busy = false;
    this.latest = 0;
    /** @type {{input: LayoutInput, output: LayoutOutput} | null} */
    this.last = null;
  }

  /**
   * @param {LayoutInput} input
   * @returns {Promise<LayoutOutput | null>}  null when a later request took over
   */
  async request(input) {
    if (this.last && samePicture(this.last.input, input)) {
      this.latest++;
      if (this.busy) this.stop();
      return this.last.output;
    }
    const output = await this.lay(input);
    this.last = output && { input, output };
    return output;
  }

  /** @param {LayoutInput} input @returns {Promise<LayoutOutput | null>} */
  async lay(input) {
    const id = ++this.latest;
    if (this.busy) this.stop();
    if (input.width.length <= AT_ONCE || typeof Worker === "undefined" || isWhole()) return layout(input);
    if (globalThis.origin === "null") return layout(input); // a frame with `sandbox`, where a worker is another site's
    this.worker ??= new Worker(workerUrl(), { type: "module" });
    const { worker } = this;
    this.busy = true;
    return new Promise((resolve, reject) => {
      this.cancel = () => resolve(null);
      worker.onmessage = ({ data }) => {
        if (data.id !== id) return;
        this.busy = false;
        if (data.error) reject(new Error(data.error));
        else resolve(data.output);
      };
      worker.onerror = () => {
        this.stop();
        resolve(id === this.latest ? layout(input) : null);
      };
      worker.postMessage({ id, input });
    });
  }

  stop() {
    this.worker?.terminate();
    this.worker = null;
    this.busy = false;
    this.cancel?.();
  }
}
