import assert from "node:assert/strict";
import test from "node:test";
import { decode, encode, withReads } from "../../static/js/share/link.js";

test("a link brings back the program, the step and the selection", async () => {
  const program = "import torch\nx = torch.tensor(2.0)  # größer — ✓\n" + "y = x * x\n".repeat(200);
  const fragment = await encode({ program, t: 17, selection: { kind: "node", id: "n3" } });
  assert.match(fragment, /^#v1:[A-Za-z0-9_-]+$/);
  assert.ok(fragment.length < 300, `${fragment.length} characters`);
  assert.deepEqual(await decode(fragment), { program, t: 17, selection: { kind: "node", id: "n3" } });
});

test("a link brings back an edge that was chosen", async () => {
  const selection = { kind: "edge", id: "n3:1" };
  assert.deepEqual((await decode(await encode({ program: "", selection }))).selection, selection);
});

test("an empty program and a missing step are fine", async () => {
  assert.deepEqual(await decode(await encode({ program: "" })), { program: "", selection: null });
});

test("links of others and broken links are no links", async () => {
  for (const fragment of ["", "#", "#graph", "#v2:AAAA", "#v1:", "#v1:!!!", "#v1:AAAA", "#v1:" + "A".repeat(1000)]) {
    assert.equal(await decode(fragment), null, fragment);
  }
});

test("a link cannot unpack to gigabytes", async () => {
  const bomb = await encode({ program: "a".repeat(3_000_000) });
  assert.equal(await decode(bomb), null);
});

test("a link made before documents told what a program looks at still means its step", async () => {
  const raw = async (object) => {
    const stream = new Blob([JSON.stringify(object)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    return "#v1:" + Buffer.from(await new Response(stream).arrayBuffer()).toString("base64url");
  };
  assert.deepEqual(await decode(await raw({ program: "x", t: 3 })), { program: "x", t: 3, old: true, selection: null });
  const events = ["bind", "read", "read", "op", "print", "backward", "read"].map((kind) => ({ kind }));
  assert.deepEqual(
    [0, 1, 2, 4, 9].map((t) => withReads(events, t)),
    [0, 1, 4, 6, 7],
  );
});

test("what a link holds is checked, not trusted", async () => {
  const raw = async (object) => {
    const stream = new Blob([JSON.stringify(object)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    return "#v1:" + Buffer.from(bytes).toString("base64url");
  };
  assert.equal(await decode(await raw({ t: 3 })), null);
  assert.equal(await decode(await raw([1])), null);
  assert.deepEqual(await decode(await raw({ program: "x", t: -1, select: "window:open" })), {
    program: "x",
    selection: null,
  });
});
