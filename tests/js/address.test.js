import assert from "node:assert/strict";
import test from "node:test";
import { isAnchor, isElsewhere, NOTHING, read, write } from "../../static/js/share/address.js";

const at = (/** @type {string} */ href) => read(new URL(href, "http://backlight.test"));

/** Numbers that look random, the same in every run. @param {number} seed */
function* numbers(seed) {
  for (let x = seed; ; ) {
    x = (x * 1103515245 + 12345) % 2 ** 31;
    yield x / 2 ** 31;
  }
}

/** @param {Generator<number>} random */
function anyAddress(random) {
  const next = () => /** @type {number} */ (random.next().value);
  const one = (/** @type {any[]} */ ...of) => of[Math.floor(next() * of.length)];
  const count = () => one(null, 0, 3, Math.floor(next() * 1e9));
  const ids = () => Array.from({ length: one(0, 0, 1, 3) }, () => one("s1", "loop:null:5:for i, j", "l4/ü&=#%", "+ ?"));
  const id = () => one("n3", "t12", "o7");
  const embed = next() < 0.2;
  const lesson = one(null, "seed4_graph", "why-1-1");
  return {
    embed,
    lesson,
    run: lesson ? null : one(null, "r4nd0m_id-x"),
    program: one(null, "v1:q1YqKMpPL0rMVbJSMlCqBQA", "v1:"),
    t: count(),
    selection: one(null, { kind: one("tensor", "node", "op"), id: id() }, { kind: "edge", id: `${id()}:1` }),
    finding: count(),
    caption: count(),
    names: one(true, false),
    present: one(true, false),
    look: {
      ops: one(true, false),
      opened: ids(),
      closed: ids(),
      camera: one(null, { k: 0.924512, x: -103.25, y: 0 }, { k: 4, x: 1e5, y: -0.0001 }),
    },
  };
}

test("reading what was written gives the same address, and writing what was read the same text", () => {
  const random = numbers(7);
  for (let i = 0; i < 2000; i++) {
    const address = anyAddress(random);
    const href = write(address);
    const { address: again, unread } = at(href);
    assert.deepEqual(again, address, href);
    assert.deepEqual(unread, [], href);
    assert.equal(write(again), href);
    assert.equal(isElsewhere(again, address), false);
  }
});

test("addresses are short where there is little to say", () => {
  assert.equal(write(NOTHING), "/");
  assert.equal(write({ ...NOTHING, t: 4 }), "/#t=4");
  assert.equal(write({ ...NOTHING, lesson: "seed4_graph" }), "/l/seed4_graph");
  assert.equal(write({ ...NOTHING, lesson: "seed4_graph", t: 0 }), "/l/seed4_graph/0");
  assert.equal(write({ ...NOTHING, lesson: "seed4_graph", program: "v1:AA", t: 3 }), "/l/seed4_graph#v1:AA&t=3");
  assert.equal(write({ ...NOTHING, run: "abc", t: 3, names: true }), "/r/abc/3#names=on");
  assert.equal(write({ ...NOTHING, embed: true, lesson: "abc", t: 3 }), "/embed/l/abc/3");
  assert.equal(write({ ...NOTHING, embed: true, run: "abc", names: true }), "/embed/r/abc#names=on");
  assert.deepEqual(at("/embed#lesson=abc&t=3").address, { ...NOTHING, embed: true, lesson: "abc", t: 3 });
  assert.deepEqual(at("/embedded/l/abc").address, { ...NOTHING });
});

test("a program never stands in what a service is sent", () => {
  const random = numbers(11);
  for (let i = 0; i < 500; i++) {
    const { pathname, search } = new URL(write(anyAddress(random)), "http://backlight.test");
    assert.doesNotMatch(pathname, /v1/);
    assert.match(search, /^([?]present)?$/);
  }
});

test("parts that mean nothing are left, and said", () => {
  for (const [href, unread] of Object.entries({
    "/l/abc/x7": ["x7"],
    "/l/abc/-1#t=2": ["-1"],
    "/#t=-1&t=1e9&t=&select=window:open&names=maybe": ["t=-1", "t=1e9", "t=", "select=window:open", "names=maybe"],
    "/#camera=0,1,2&camera=1,2&ops=&opened=%E0%A4%A": ["camera=0,1,2", "camera=1,2", "ops=", "opened=%E0%A4%A"],
    "/#v1:AA!&constructor=1&__proto__=2&toString": ["v1:AA!", "constructor=1", "__proto__=2", "toString"],
    "/elsewhere/r/abc#%": ["%"],
  })) {
    const found = at(href);
    assert.deepEqual(found.unread, unread, href);
    assert.equal(found.address.selection, null);
    assert.equal(found.address.look.camera, null);
    assert.equal(Object.getPrototypeOf(found.address), Object.prototype);
  }
  assert.equal(at("/l/abc/x7").address.lesson, "abc");
});

test("whatever stands in an address, it is read", () => {
  const random = numbers(13);
  const signs = "/lr#&=v1:%,._-tselectcamera0123456789é\u0000";
  for (let i = 0; i < 5000; i++) {
    const text = Array.from(
      { length: 24 },
      () => signs[Math.floor(/** @type {number} */ (random.next().value) * signs.length)],
    );
    const [pathname = "", ...rest] = `/${text.join("")}`.split("#");
    const { address } = read({ pathname, hash: rest.length ? `#${rest.join("#")}` : "" });
    assert.deepEqual(at(write(address)).address, address);
  }
});

test("below a path of another site addresses begin with it", () => {
  const root = "/user/l/backlight/";
  const below = (/** @type {string} */ href) => read(new URL(href, "http://site.test"), root).address;
  const lesson = { ...NOTHING, lesson: "seed4_graph", t: 3 };
  assert.equal(write(NOTHING, root), root);
  assert.equal(write({ ...NOTHING, embed: true, t: 4 }, root), `${root}embed#t=4`);
  assert.equal(write(lesson, root), `${root}l/seed4_graph/3`);
  assert.deepEqual(below(root), NOTHING); // not a lesson called "backlight"
  assert.deepEqual(below(`${root}l/seed4_graph/3`), lesson);
  assert.equal(below(`${root}embed`).embed, true);
  assert.deepEqual(below("/l/seed4_graph/3"), lesson); // a link of a service without a root, pasted
});

test("a place on the page is no part of an address", () => {
  assert.deepEqual(at("/#graph"), { address: { ...NOTHING }, unread: [] });
  assert.ok(isAnchor("#graph"));
  assert.ok(!isAnchor("#t=3"));
  assert.ok(!isAnchor(""));
});

test("steps share an entry of the history; programs, lessons and looks have their own", () => {
  const from = { ...NOTHING, lesson: "a", t: 3 };
  const look = { ...NOTHING.look };
  assert.equal(isElsewhere(from, { ...from, t: 4, caption: 2 }), false);
  assert.equal(isElsewhere(from, { ...from, look: { ...look, camera: { k: 1, x: 2, y: 3 } } }), false);
  for (const to of [
    { ...from, lesson: "b" },
    { ...from, program: "v1:AA" },
    { ...from, names: true },
    { ...from, selection: { kind: "tensor", id: "t1" } },
    { ...from, look: { ...look, ops: true } },
    { ...from, look: { ...look, closed: ["s1"] } },
  ]) {
    assert.ok(isElsewhere(from, /** @type {any} */ (to)));
  }
});
