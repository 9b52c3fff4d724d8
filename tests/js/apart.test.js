/** Long names of parameters are cut where they can still be told apart. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { cutApart, cutName } from "../../static/js/trace/apart.js";

const LORA = [0, 1].flatMap((layer) =>
  ["q_proj", "v_proj"].flatMap((at) =>
    ["lora_A", "lora_B"].map((side) => `model.layers.${layer}.self_attn.${at}.${side}.default.weight`),
  ),
);

test("names that end alike keep what differs", () => {
  const found = cutApart([...LORA, "model.embed.weight", "x"], 22);
  assert.equal(found.size, LORA.length);
  assert.equal(new Set(found.values()).size, LORA.length, "each has its own");
  assert.equal(found.get(LORA[2]), "…0…v_proj.lora_A…weight");
  for (const short of found.values()) assert.ok(short.length <= 24 && short.endsWith("weight"), short);
});

test("as much of the rest stays as has room", () => {
  const names = ["encoder.attention.query.weight", "decoder.attention.query.weight"];
  assert.deepEqual([...cutApart(names, 24).values()], ["encoder…query.weight", "decoder…query.weight"]);
});

test("others are cut at the front, if they are too long", () => {
  const tensors = new Map(
    ["encoder.layers.0.linear1.weight", "w", "a_long_name_without_any_dots", "first + second * third"].map((name) => [
      name,
      {},
    ]),
  );
  const trace = { tensors, label: (id) => id };
  const cut = [...tensors.keys()].map((name) => cutName(trace, name, 16));
  assert.deepEqual(cut, ["….linear1.weight", "w", "…ithout_any_dots", "first + second …"]);
});
