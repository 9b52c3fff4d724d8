/**
 * The run document (docs/trace.md) and the state of the picture, as types only.
 * @module
 */

/** @typedef {number | "NaN" | "Infinity" | "-Infinity" | boolean} Scalar  non-finite numbers travel as strings */
/** @typedef {Scalar | any[] | null} Nested  nested lists as deep as the shape is long */
/**
 * @typedef {{min?: Scalar, max?: Scalar, mean?: Scalar, std?: Scalar, norm?: Scalar, nan?: number, inf?: number,
 *   zeros?: number}} Stats
 */

/**
 * @template K, V
 * @typedef {import("./history.js").Lookup<K, V>} Lookup  a read-only map as it stood at time t
 */

/**
 * @typedef {object} Value
 * @property {number[]} shape
 * @property {string} dtype
 * @property {Nested} data  null when the value is too large to be inline
 * @property {Stats} [stats]
 * @property {{shape: number[], data: Nested}} [thumbnail]
 * @property {{edges: number[], counts: number[]}} [histogram]
 */

/**
 * @typedef {object} TensorRecord
 * @property {string} id
 * @property {string | null} name
 * @property {string | null} path
 * @property {number[]} shape
 * @property {string} dtype
 * @property {boolean} requires_grad
 * @property {boolean} is_leaf
 * @property {string | null} grad_fn
 * @property {number} output_nr
 * @property {boolean} retains_grad
 * @property {number} version
 * @property {string | null} value
 * @property {string | null} final
 * @property {string | null} grad
 * @property {number | null} line
 * @property {string | null} scope
 * @property {string | null} view_of
 * @property {string | null} [detached_from]  the tensor whose memory it shares without its history
 * @property {{cut: string, line: number | null} | null} why_no_grad
 */

/**
 * @typedef {object} NodeRecord
 * @property {string} id
 * @property {string} name
 * @property {number} sequence_nr
 * @property {([string, number] | null)[]} next_functions
 * @property {boolean} [cut]  where they led is not recorded
 * @property {string | null} variable
 * @property {Record<string, string | null | (string | null)[]>} saved
 * @property {Record<string, unknown>} attributes
 * @property {string | null} op
 * @property {number | null} line
 * @property {string | null} scope
 * @property {Record<string, {text: string, latex: string}>} [formula]
 * @property {string} [says]
 */

/**
 * @typedef {object} OpRecord
 * @property {string} id
 * @property {string} name
 * @property {string[]} inputs
 * @property {string[]} outputs
 * @property {string | null} node
 * @property {number | null} line
 * @property {number | null} [column]
 * @property {number | null} [end_line]
 * @property {number | null} [end_column]
 * @property {string | null} scope
 * @property {Record<string, unknown>} [arguments]
 */

/**
 * @typedef {object} ScopeRecord
 * @property {string} id
 * @property {string | null} parent
 * @property {string} kind
 * @property {string | null} label
 * @property {number | null} line
 * @property {number | null} iteration
 */

/**
 * @typedef {{to: string, input_nr: number, value: string | null, arrived: number, expected: number, sum: string |
 *   null}} Send
 */

/** @typedef {{kind: "op", op: string, line?: number}} OpEvent */
/** @typedef {{kind: "bind", name: string, tensor: string, line?: number}} BindEvent */
/** @typedef {{kind: "write", tensor: string, version: number, value: string, line?: number, by?: string}} WriteEvent */
/** @typedef {{kind: "print", text: string, line?: number}} PrintEvent */
/**
 * @typedef {{kind: "read", tensor?: string, node?: string, attribute: string, index: number[], value: boolean |
 *   string | null, line?: number}} ReadEvent  value: a flag, of `grad` a value, of `grad_fn` a node
 */
/**
 * @typedef {{kind: "figure", figure: string, how: "show" | "save" | "cell" | "end", file: string | null,
 *   line?: number | null}} FigureEvent
 */
/** @typedef {{kind: "warning", category: string, message: string, line?: number | null}} WarningEvent */
/**
 * @typedef {{kind: "backward", call: number, roots: [string, number][], gradients: (string | null)[], retain_graph:
 *   boolean, create_graph: boolean, inputs: string[] | null, line?: number, reachable: string[]}} BackwardEvent
 */
/**
 * @typedef {{kind: "node", call: number, node: string, grad_outputs: (string | null)[], grad_inputs: (string | null)[],
 *   sends: Send[], ready: string[]}} NodeEvent
 */
/**
 * @typedef {{kind: "hook", on: string, target: string, before: (string | null)[], after: (string | null)[],
 *   registered?: number | null, line?: number}} HookEvent
 */
/**
 * @typedef {{kind: "accumulate", call: number, node: string, tensor: string, before: string | null, incoming: string |
 *   null, after: string | null}} AccumulateEvent
 */
/** @typedef {{kind: "release", call: number, node: string}} ReleaseEvent */
/** @typedef {{kind: "backward_end", call: number}} BackwardEndEvent */
/**
 * @typedef {{kind: "grad", tensor: string, before: string | null, after: string | null, line?: number, by?: string}}
 *   GradEvent
 */
/** @typedef {{kind: "gap", ops: number, passes: number, events: number}} GapEvent  what is not recorded here */
/** @typedef {{kind: "error"}} ErrorEvent */
/**
 * @typedef {OpEvent | BindEvent | WriteEvent | ReadEvent | PrintEvent | WarningEvent | FigureEvent | BackwardEvent |
 *   NodeEvent | HookEvent | AccumulateEvent | ReleaseEvent | BackwardEndEvent | GradEvent | GapEvent |
 *   ErrorEvent} TraceEvent
 */

/**
 * @typedef {object} RunError
 * @property {string} type
 * @property {string} message
 * @property {number | null} line
 * @property {number | null} [column]
 * @property {number | null} [end_line]
 * @property {number | null} [end_column]
 * @property {string} [explanation]
 * @property {string} [fix]
 * @property {string | null} [suggestion]  what a name that is not there was meant to be, or the import that gives it
 * @property {string[]} [tensors]
 * @property {string[]} [nodes]
 * @property {number[]} [related_lines]
 */

/**
 * The passes that one line began; numbers are strings where JSON has none for them.
 * @typedef {object} SeriesRecord
 * @property {number} line
 * @property {number} column
 * @property {number} passes
 * @property {number} stride
 * @property {number[]} calls
 * @property {unknown[]} loss
 * @property {unknown[] | null} peak
 * @property {{tensor: string, grad: unknown[], weight: unknown[], update: unknown[]}[]} parameters
 */

/**
 * @typedef {object} RunDocument
 * @property {string} id
 * @property {number} version
 * @property {"ok" | "error"} status
 * @property {{kind: string, code?: string | null, graph?: unknown}} source
 * @property {RunError | null} error
 * @property {TensorRecord[]} tensors
 * @property {NodeRecord[]} nodes
 * @property {OpRecord[]} ops
 * @property {ScopeRecord[]} scopes
 * @property {{path: string, type: string, parameters: Record<string, string>}[]} [modules]
 * @property {Record<string, string>} [globals]  what top-level names hold at the end, members of lists among them
 * @property {SeriesRecord[]} [training]
 * @property {Record<string, Value>} values
 * @property {TraceEvent[]} events
 * @property {Record<string, unknown>} [formulas]  trees of the formulas of nodes, by their text
 * @property {Record<string, unknown>} [expressions]  trees of what made tensors without a name, by their text
 * @property {import("../figures/types").Figure[]} [figures]  what matplotlib drew
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
 * @property {TraceEvent | null} event  the event that was applied last, apart from what was printed or warned of
 * @property {number | null} line  the line of the program to look at
 * @property {string} stdout
 * @property {Lookup<string, TensorState>} tensors
 * @property {Lookup<string, NodeState>} nodes
 * @property {Lookup<string, EdgeState>} edges  by `edgeKey(node, index)`
 * @property {readonly string[]} ready  nodes in the engine's queue, next first
 * @property {{call: number, band: Band} | null} backward  the call that is running, or null between calls
 * @property {Lookup<number, string>} lineValues  the value each line produced last
 */

/**
 * @typedef {{call: number, start: number, end: number, retain_graph: boolean, create_graph: boolean, line: number |
 *   null, outer?: Band}} Band events [start, end) of one backward call; outer: the one that was running already
 */

export {};
