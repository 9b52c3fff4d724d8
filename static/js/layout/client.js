/**
 * Asks for a layout; a new request cancels the one before.
 * @module
 */
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
  const url = new URL("./layout.worker.js", import.meta.url);
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

export class LayoutClient {
  constructor() {
    /** @type {Worker | null} */
    this.worker = null;
    this.busy = false;
    this.latest = 0;
  }

  /**
   * @param {LayoutInput} input
   * @returns {Promise<LayoutOutput | null>}  null when a later request took over
   */
  async request(input) {
    const id = ++this.latest;
    if (this.busy) this.stop();
    if (input.width.length <= AT_ONCE || typeof Worker === "undefined") return layout(input);
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
