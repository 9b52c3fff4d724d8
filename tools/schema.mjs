/**
 * Write static/js/share/schema.js: the schema of the run document without what only people read, so that the page can
 * hold documents from files against it. Run `npm run schema` after docs/schema/run.v1.json has changed.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** What the ids of a document are keys into, by the example that the schema gives. */
const REFERENCES = { t0: "tensors", n0: "nodes", v0: "values" };

/** @param {any} schema @returns {any} */
function compact(schema) {
  if (typeof schema !== "object" || schema === null) return {};
  const [example] = schema.examples ?? [];
  const reference = REFERENCES[/** @type {keyof typeof REFERENCES} */ (example)];
  const { mapping } = schema.discriminator ?? {};
  const all = (/** @type {any[] | undefined} */ list) => list?.map(compact);
  const named = (/** @type {Record<string, any> | undefined} */ of) =>
    of && Object.fromEntries(Object.entries(of).map(([name, each]) => [name, compact(each)]));
  const parts = {
    type: schema.type,
    $ref: schema.$ref && nameOf(schema.$ref),
    kinds: mapping && Object.fromEntries(Object.entries(mapping).map(([kind, ref]) => [kind, { $ref: nameOf(ref) }])),
    anyOf: all(schema.anyOf),
    enum: "const" in schema ? [schema.const] : schema.enum,
    items: schema.items && compact(schema.items),
    prefixItems: all(schema.prefixItems),
    values: typeof schema.additionalProperties === "object" ? compact(schema.additionalProperties) : undefined,
    properties: named(schema.properties),
    required: schema.required,
    reference: schema.type === "string" ? reference : undefined,
  };
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined));
}

const nameOf = (/** @type {string} */ ref) => ref.replace("#/$defs/", "");

/** @returns {string} the file */
export function schemaText() {
  const schema = JSON.parse(readFileSync(join(root, "docs", "schema", "run.v1.json"), "utf8"));
  const defs = Object.fromEntries(Object.entries(schema.$defs).map(([name, each]) => [name, compact(each)]));
  const text = JSON.stringify({ ...compact(schema), $defs: defs });
  const head = "/** What run documents are held against, of docs/schema/run.v1.json (npm run schema). @module */";
  const lines = [""]; // cut at commas, which compresses better than anywhere
  for (const part of text.split(/(?<=,)/)) {
    if (lines[lines.length - 1].length + part.length > 118) lines.push("");
    lines[lines.length - 1] += part;
  }
  const parsed = `/* @__PURE__ */ JSON.parse(\n  '\\\n${lines.join("\\\n")}',\n)`;
  return `${head}\n\n/** @type {import("./document.js").Whole} */\nexport const SCHEMA = ${parsed};\n`;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  writeFileSync(join(root, "static", "js", "share", "schema.js"), schemaText());
}
