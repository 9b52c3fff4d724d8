/**
 * The state of the picture, as types only; those of the run document are in document.d.ts.
 * @module
 */

/**
 * @template K, V
 * @typedef {import("./history.js").Lookup<K, V>} Lookup  a read-only map as it stood at time t
 */

/**
 * A gradient in flight: `undefined` not yet · `"none"` a gradient that is None · otherwise the reference of its value.
 * @typedef {string | "none" | undefined} InFlight
 */

/**
 * What a tensor holds at time t. `grad` is `"none"` when `.grad` is None and null before the tensor exists.
 * @typedef {object} TensorState
 * @property {boolean} created
 * @property {string | null} value
 * @property {string | "none" | null} grad
 * @property {number} deposits  how often a backward pass added to `.grad` since it was last None or set
 * @property {number} version
 * @property {InFlight} inFlight  sum of the gradients that arrived in the current backward call
 * @property {"seed" | "passing" | "passed" | null} role  why `inFlight` is what it is
 * @property {{place: string, before: string | null, value: string | null} | null} hooked  what hooks made of the
 *   gradient summed at a place
 * @property {string | null} name
 */

/**
 * @typedef {{from: string | "seed", index: number, input_nr: number, value: string | null | undefined}} Slot value:
 *   undefined not yet, null None
 */

/**
 * @typedef {"idle" | "waiting" | "ready" | "running" | "done" | "handed"} Phase  handed: what was summed there went to
 *   the program, as `autograd.grad` does
 */

/**
 * What a node of the backward graph is doing at time t.
 * @typedef {object} NodeState
 * @property {Phase} phase
 * @property {number} arrived
 * @property {number} expected
 * @property {readonly Slot[]} slots  one per gradient the node will receive in this call, in order of arrival
 * @property {readonly Slot[]} [plan]  the slots as they will be at the end of the call
 * @property {string | null} sum  running sum of input 0, or of the last input that changed
 * @property {readonly (string | null | undefined)[]} sums  running sum per input_nr
 * @property {boolean} freed
 * @property {(string | null)[] | null} grad_outputs
 * @property {(string | null)[] | null} grad_inputs
 */

/** @typedef {{value: string | null, phase: "none" | "sent" | "arriving"}} EdgeState */

/**
 * The whole picture at time t, t being the number of events applied.
 * @typedef {object} State
 * @property {number} t
 * @property {import("./document").Event | null} event
 *   the event that was applied last, apart from what was printed or warned of
 * @property {number | null} line  the line of the program to look at
 * @property {string} stdout
 * @property {Lookup<string, TensorState>} tensors
 * @property {Lookup<string, NodeState>} nodes
 * @property {Lookup<string, EdgeState>} edges  by `edgeKey(node, index)`
 * @property {readonly string[]} ready  nodes in the engine's queue, next first
 * @property {{call: number, band: Band} | null} backward  the call that is running, or null between calls
 * @property {Lookup<number, string>} lineValues  the value each line produced last
 * @property {Lookup<number, readonly import("./unfold.js").Bound[]>} bound  the names each line bound last, in order
 */

/**
 * @typedef {{call: number, start: number, end: number, retain_graph: boolean, create_graph: boolean, line: number |
 *   null, outer?: Band}} Band events [start, end) of one backward call; outer: the one that was running already
 */

export {};
