import { checkRun, NotARun } from "../share/document.js";
import { SCHEMA } from "../share/schema.js";
import { parseLong } from "./parse.js";
import { ROOT } from "./root.js";
import { dropToken, keepToken } from "./tokens.js";

/** @typedef {import("../trace/document").RunDocument} RunDocument */
/** @typedef {import("../ui/types").Example} Example */

/** An answer that is not the document asked for: RFC 9457 problem+json, or no answer at all. */
export class Problem extends Error {
  /** @param {{status: number, title: string, detail?: string, retryAfter?: number | null}} problem */
  constructor({ status, title, detail = "", retryAfter = null }) {
    super(detail || title);
    this.name = "Problem";
    this.status = status;
    this.title = title;
    this.detail = detail;
    this.retryAfter = retryAfter;
  }
}

/**
 * @param {string} path below the root of the service
 * @param {RequestInit} [init]
 * @returns {Promise<Response>} a successful one
 * @throws {Problem} otherwise; an abort stays an AbortError
 */
async function ask(path, init) {
  let response;
  try {
    response = await fetch(ROOT + path, init);
  } catch (error) {
    if (/** @type {Error} */ (error).name === "AbortError") throw error;
    throw new Problem({
      status: 0,
      title: "The service did not answer",
      detail: "Check the connection and run again.",
    });
  }
  if (response.ok) return response;
  const body = await response.json().catch(() => ({}));
  throw new Problem({
    status: response.status,
    title: body.title ?? response.statusText ?? `Error ${response.status}`,
    detail: typeof body.detail === "string" ? body.detail : "",
    retryAfter: Number(response.headers.get("Retry-After")) || null,
  });
}

/** Whether the page is in a frame with `sandbox` that leaves it no origin, and so nothing it may send. */
const isApart = () => globalThis.origin === "null";

/** Without a seed of its own a program's random numbers would follow from its text: each edit would draw others. */
const SEED = 0;

/**
 * Run a program. A program that raises is still a document (`status: "error"`).
 * @param {string} code
 * @param {AbortSignal} [signal]
 * @returns {Promise<RunDocument>}
 */
export async function run(code, signal) {
  if (isApart()) return runApart(code);
  const headers = { "Content-Type": "application/json", Accept: "application/json" };
  const response = await ask("v1/runs", {
    method: "POST",
    headers,
    body: JSON.stringify({ code, options: { seed: SEED } }),
    signal: signal ?? null,
  });
  keepToken(response.headers.get("Content-Location")?.split("/").at(-1), response.headers.get("Deletion-Token"));
  return documentOf(response, signal);
}

/** The run of a program where nothing can be sent: examples can be asked for. @param {string} code */
async function runApart(code) {
  const known = (await examples()).examples.find((/** @type {Example} */ each) => each.code.trim() === code.trim());
  if (known) return documentOf(await ask(`v1/examples/${encodeURIComponent(known.id)}/run`));
  throw new Problem({
    status: 0,
    title: "This frame runs no programs",
    detail: "This frame shows lessons and kept runs. To run a program, its sandbox needs allow-same-origin.",
  });
}

/** Have the service forget a run. @param {string} id @param {string} token */
export async function deleteRun(id, token) {
  await ask(`v1/runs/${encodeURIComponent(id)}`, { method: "DELETE", headers: { "Deletion-Token": token } });
  dropToken(id);
}

/** @param {string} id @returns {Promise<RunDocument>} */
export const getRun = async (id) => documentOf(await ask(`v1/runs/${encodeURIComponent(id)}`));

/**
 * @param {Response} response
 * @param {AbortSignal} [signal]
 * @returns {Promise<RunDocument>}
 * @throws {Problem} when it is none
 */
async function documentOf(response, signal) {
  const pause = () =>
    new Promise((go, stop) => {
      setTimeout(() => (signal?.aborted ? stop(signal.reason) : go(null)));
    });
  try {
    return checkRun(await parseLong((await response.text()).trim(), pause), SCHEMA);
  } catch (error) {
    if (!(error instanceof NotARun || error instanceof SyntaxError)) throw error;
    throw new Problem({ status: 0, title: "The answer is not a run", detail: `It cannot be shown. ${error.message}` });
  }
}

/**
 * All numbers of a value too large to lie in the document.
 * @param {string} run @param {string} value
 * @returns {Promise<import("../trace/document").Value>}
 */
export const fullValue = async (run, value) =>
  (await ask(`v1/runs/${encodeURIComponent(run)}/values/${encodeURIComponent(value)}`)).json();

/**
 * A leaf's gradient beside central differences.
 * @param {string} run @param {string} leaf `t3@0`: the id of the tensor and the pass
 * @returns {Promise<import("../ledger/checked.js").Check>}
 */
export const gradientCheck = async (run, leaf) =>
  (await ask(`v1/runs/${encodeURIComponent(run)}/checks/${encodeURIComponent(leaf)}`)).json();

/** @param {string} id @param {"dot" | "mmd"} format @returns {Promise<string>} */
export const graphText = async (id, format) => (await ask(`v1/runs/${encodeURIComponent(id)}/graph.${format}`)).text();

/** @returns {Promise<any>} the raw answer of /v1/limits */
export const limits = async () => (await ask("v1/limits")).json();

/** @returns {Promise<any>} the raw answer of /v1/examples */
export const examples = async () => (await ask("v1/examples")).json();
