import assert from "node:assert/strict";
import test from "node:test";
import { pack, unpack, withReads } from "../../static/js/share/link.js";

/** What a link of someone else's making holds. */
async function raw(object) {
  const stream = new Blob([JSON.stringify(object)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return "v1:" + Buffer.from(await new Response(stream).arrayBuffer()).toString("base64url");
}

test("a link brings back the program", async () => {
  const program = "import torch\nx = torch.tensor(2.0)  # größer — ✓\n" + "y = x * x\n".repeat(200);
  const packed = await pack({ program });
  assert.match(packed, /^v1:[A-Za-z0-9_-]+$/);
  assert.ok(packed.length < 300, `${packed.length} characters`);
  assert.deepEqual(await unpack(packed), { program, selection: null });
});

test("a link brings back the program to compare with", async () => {
  assert.deepEqual(await unpack(await pack({ program: "", with: "x" })), { program: "", with: "x", selection: null });
});

test("links of others and broken links are no links", async () => {
  for (const text of ["", "graph", "v2:AAAA", "v1:", "v1:!!!", "v1:AAAA", "v1:" + "A".repeat(1000)]) {
    assert.equal(await unpack(text), null, text);
  }
});

test("a link cannot unpack to gigabytes", async () => {
  const bomb = await pack({ program: "a".repeat(3_000_000) });
  assert.equal(await unpack(bomb), null);
});

test("a link made before documents told what a program looks at still means its step", async () => {
  assert.deepEqual(await unpack(await raw({ program: "x", t: 3 })), { program: "x", t: 3, old: true, selection: null });
  const events = ["bind", "read", "read", "op", "print", "backward", "read"].map((kind) => ({ kind }));
  assert.deepEqual(
    [0, 1, 2, 4, 9].map((t) => withReads(events, t)),
    [0, 1, 4, 6, 7],
  );
});

test("a link made before addresses said so brings back the step and an edge that was chosen", async () => {
  assert.deepEqual(await unpack(await raw({ program: "x", at: 3, select: "edge:n3:1" })), {
    program: "x",
    t: 3,
    selection: { kind: "edge", id: "n3:1" },
  });
});

test("what a link holds is checked, not trusted", async () => {
  assert.equal(await unpack(await raw({ t: 3 })), null);
  assert.equal(await unpack(await raw([1])), null);
  assert.deepEqual(await unpack(await raw({ program: "x", t: -1, select: "window:open" })), {
    program: "x",
    selection: null,
  });
});
