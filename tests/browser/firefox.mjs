/**
 * A reader with Firefox, over WebDriver BiDi: `node firefox.mjs FIREFOX ADDRESS FOLDER`. Prints what was seen as JSON. Needs a
 * Node with WebSocket, which Playwright brings.
 */
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";

const [firefox, address, folder] = process.argv.slice(2);
const profile = join(folder, "profile");
const downloads = join(folder, "downloads");
for (const made of [profile, downloads]) mkdirSync(made);
const settings = {
  "browser.download.folderList": 2,
  "browser.download.dir": downloads,
  "browser.download.useDownloadDir": true,
  "browser.download.alwaysOpenPanel": false,
  "browser.shell.checkDefaultBrowser": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  "app.update.enabled": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "ui.prefersReducedMotion": 1,
};
const lines = Object.entries(settings).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`);
writeFileSync(join(profile, "user.js"), `${lines.join("\n")}\n`);

const browser = spawn(firefox, ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"]);
const socket = new WebSocket(`${await listening(browser)}/session`);
await new Promise((open, fail) => {
  socket.onopen = open;
  socket.onerror = () => fail(new Error("no connection to Firefox"));
});

const waiting = new Map();
const complaints = [];
/** A page that is left while modules of it are on their way says that they did not come. */
const CUT_OFF = "error loading dynamically imported module";
let leaving = false;
socket.onmessage = ({ data }) => {
  const { id, result, error, message, method, params } = JSON.parse(data);
  const complains = method === "log.entryAdded" && ["error", "warn"].includes(params.level);
  if (complains && !(leaving && params.text.includes(CUT_OFF))) complaints.push(params.text);
  const { done, fail } = waiting.get(id) ?? {};
  waiting.delete(id);
  if (error) fail?.(new Error(`${error}: ${message}`));
  else done?.(result);
};

/** Where it listens. */
function listening({ stderr }) {
  return new Promise((found, fail) => {
    let said = "";
    stderr.on("data", (data) => {
      said += data;
      const [address] = /ws:\/\/[^\s/]+/.exec(said) ?? [];
      if (address) found(address);
    });
    stderr.on("end", () => fail(new Error(`Firefox ended: ${said.slice(-1000)}`)));
  });
}

let count = 0;
const call = (method, params = {}) =>
  new Promise((done, fail) => {
    const id = ++count;
    waiting.set(id, { done, fail });
    socket.send(JSON.stringify({ id, method, params }));
  });

let context = "";
async function go(url) {
  leaving = true;
  await call("browsingContext.navigate", { context, url, wait: "complete" });
  leaving = false;
}
/** The value of an expression in the page, a text. */
async function value(expression) {
  const asked = { expression: `Promise.resolve(${expression}).then(String)`, target: { context }, awaitPromise: true };
  const { result, exceptionDetails } = await call("script.evaluate", asked);
  if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.text}`);
  return result.value;
}
/** Wait until an expression is true. */
async function until(expression, seconds = 20) {
  for (const end = Date.now() + 1000 * seconds; Date.now() < end; await sleep(100)) {
    if ((await value(`Boolean(${expression})`)) === "true") return;
  }
  throw new Error(`after ${seconds} s it is not so that ${expression}`);
}
const text = (selector) => value(`document.querySelector(${JSON.stringify(selector)})?.textContent.trim() ?? ""`);
const act = (...actions) => call("input.performActions", { context, actions });
const press = (...keys) =>
  act({
    type: "key",
    id: "keys",
    actions: [
      ...keys.map((key) => ({ type: "keyDown", value: key })),
      ...keys.toReversed().map((key) => ({ type: "keyUp", value: key })),
    ],
  });
const write = (words) =>
  act({
    type: "key",
    id: "keys",
    actions: [...words].flatMap((key) => ["keyDown", "keyUp"].map((type) => ({ type, value: key }))),
  });
/** Press at the first place, and go to the others. */
const drag = (...places) => {
  const [first, ...rest] = places.map(([x, y]) => ({ type: "pointerMove", x: Math.round(x), y: Math.round(y) }));
  const [down, up] = ["pointerDown", "pointerUp"].map((type) => ({ type, button: 0 }));
  const actions = [first, down, ...rest.flatMap((move) => [{ ...move, duration: 50 }]), up];
  return act({ type: "pointer", id: "mouse", parameters: { pointerType: "mouse" }, actions });
};
const centre = async (element) => {
  const box = `(() => { const {x, y, width, height} = (${element}).getBoundingClientRect();`;
  return JSON.parse(await value(`${box} return JSON.stringify([x + width / 2, y + height / 2]); })()`));
};
const click = async (selector) => drag(await centre(`document.querySelector(${JSON.stringify(selector)})`));
const at = async () => Number(await value(`document.querySelector(".track").getAttribute("aria-valuenow")`));
const KEYS = { Home: "\uE011", End: "\uE010", Right: "\uE014", Control: "\uE009", Escape: "\uE00C" };
const told = () => text("#story .say");
const shown = `document.querySelector("#story .say")?.textContent && document.querySelector(".stage-svg .item")`;
const menu = (words) =>
  `[...document.querySelectorAll("[role=menuitem]")].find((each) => each.textContent.startsWith(${JSON.stringify(words)}))`;

const opensExport = `[...document.querySelectorAll("button")].find((each) => each.textContent.startsWith("Export"))`;
async function choose(words) {
  await drag(await centre(opensExport));
  await until(`${menu(words)}?.checkVisibility()`);
  await value(`${menu(words)}.click()`);
}

/** What an entry of the menu of exports saves: its name and size. */
async function exported(words, seconds = 20) {
  const before = readdirSync(downloads);
  await choose(words);
  for (const end = Date.now() + 1000 * seconds; Date.now() < end; await sleep(100)) {
    const [name] = readdirSync(downloads).filter((each) => !before.includes(each) && !each.endsWith(".part"));
    if (name && statSync(join(downloads, name)).size) return [name, statSync(join(downloads, name)).size];
  }
  throw new Error(`${words}: nothing was saved in ${seconds} s`);
}

const seen = {};
try {
  await call("session.new", { capabilities: {} });
  await call("session.subscribe", { events: ["log.entryAdded"] });
  context = (await call("browsingContext.getTree")).contexts[0].context;
  await call("browsingContext.setViewport", { context, viewport: { width: 1440, height: 900 } });
  await go(`${address}/`);
  await until(shown);
  await until(`document.querySelector(".cm-content")`);

  await press(KEYS.Home);
  await press(" ");
  await until(`document.querySelector(".track").getAttribute("aria-valuenow") > 0`);
  await press(" ");
  seen.played = await at();
  const box = JSON.parse(await value(`JSON.stringify(document.querySelector(".track").getBoundingClientRect())`));
  const middle = box.y + box.height / 2;
  await drag([box.x + 8, middle], [box.x + box.width / 2, middle], [box.x + box.width - 4, middle]);
  seen.scrubbed = await at();
  seen.last = Number(await value(`document.querySelector(".track").getAttribute("aria-valuemax")`));

  const two = `[...document.querySelectorAll(".stage-shelf text")].find((each) => each.textContent === "2")`;
  const [x, y] = await centre(two);
  await drag([x, y], [x + 30, y], [x + 60, y]);
  await until(`/a = torch.tensor\\((?!2\\.0)/.test(document.querySelector(".cm-content").textContent)`);
  seen.dragged = (await text(".cm-content")).slice(0, 40);

  await click(".cm-content");
  await press(KEYS.Control, "a");
  await write("import torch\nw = torch.tensor([1.0, 2.0], requires_grad=True)\nL = (w * w).sum()\nL.backward()\n");
  await until(`/^Line 4/.test(document.querySelector("#story .say").textContent)`);
  await value(`document.querySelector("#graph").focus()`);
  await click("#details");
  await until(`document.querySelector("#ledger .katex, #ledger math")`);
  seen.rule = await text("#ledger");
  await click("#details");
  await press(KEYS.End);
  seen.told = await told();
  seen.address = await value("location.hash");
  await click("#share");
  await until(`document.querySelector("dialog[open]")`);
  seen.shared = await text("dialog[open]");
  await press(KEYS.Escape);

  seen.png = await exported("PNG");
  seen.page = await exported("Web page");
  await choose("Video");
  await until(`document.querySelector("dialog[open] progress")?.value > 0`, 40); // some frames: all take a minute
  await press(KEYS.Escape);
  await go(`${address}/embed/l/training_loop`);
  await until(`document.documentElement.dataset.embed === "" && ${shown}`);
  seen.embedded = await text(".say");
  await go(`${address}/${seen.address}`);
  await until(`${shown} && document.querySelector(".cm-content")?.textContent.includes("L.backward()")`);
  await go(pathToFileURL(join(downloads, seen.page[0])).href);
  await until(`document.querySelector(".say")?.textContent && document.querySelector(".stage-svg .item")`);
  await press(KEYS.End);
  seen.fromDisk = await text(".say");
} catch (error) {
  seen.failed = String(error);
} finally {
  socket.close();
  browser.kill();
}
process.stdout.write(`${JSON.stringify({ ...seen, complaints })}\n`);
