/**
 * The layout off the main thread. One request, one answer; the client ends the worker to cancel.
 * @module
 */
import { layout } from "./layered.js";

addEventListener(
  "message",
  (/** @type {MessageEvent<{id: number, input: import("./types.js").LayoutInput}>} */ { data }) => {
    try {
      postMessage({ id: data.id, output: layout(data.input) });
    } catch (error) {
      postMessage({ id: data.id, error: String(error) });
    }
  },
);
