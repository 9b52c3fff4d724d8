/**
 * Write templates/preload.html, and preload-embed.html for frames of other sites: a modulepreload link for every module
 * the first picture needs, so that the browser asks for all of them at once instead of discovering one import after
 * another. Run `npm run preload` after adding a module.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Templates and the modules that the pages with them begin with. */
export const PRELOADED = { "preload.html": "js/main.js", "preload-embed.html": "js/embed.js" };

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Modules reached from js/main.js by static imports, in the order of their discovery.
 * @returns {string[]} paths below static/
 */
export function modules(entry = "js/main.js") {
  const found = [entry];
  for (const module of found) {
    if (module.startsWith("vendor/")) continue;
    const text = readFileSync(join(root, "static", module), "utf8");
    for (const [, path] of text.matchAll(/^(?:import|export)\s[^;]*?\bfrom "(\.[^"]+)";/gm)) {
      const target = posix.join(posix.dirname(module), /** @type {string} */ (path));
      if (!found.includes(target)) found.push(target);
    }
  }
  return found;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const [template, entry] of Object.entries(PRELOADED)) {
    const link = (/** @type {string} */ module) =>
      `<link rel="modulepreload" href="{{ root }}static/{{ assets }}/${module}">`;
    writeFileSync(join(root, "templates", template), `${modules(entry).map(link).join("\n")}\n`);
  }
}
