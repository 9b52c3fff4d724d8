import assert from "node:assert/strict";
import { test } from "node:test";
import { untilWhen } from "../../static/js/share/kept.js";

test("how long a run is kept is said in the words of the store", () => {
  assert.equal(
    untilWhen({ store: { value: 256 * 2 ** 20, unit: "bytes" } }),
    "until 256 MB of newer runs push them out",
  );
  const hours = (/** @type {number} */ n) => untilWhen({ store_time: { value: n * 3600, unit: "seconds" } });
  assert.equal(hours(168), "until nobody has asked for them for 7 days");
  assert.equal(hours(5), "until nobody has asked for them for 5 h");
  assert.equal(untilWhen({}), "for a while");
});
