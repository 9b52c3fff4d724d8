/** Types the page adds to those of the run document (../trace/types.js), for `tsc`. Nothing here exists at run time. */

import type * as T from "../trace/types.js";

export type {
  Value,
  Nested,
  Scalar,
  TensorRecord,
  NodeRecord,
  OpRecord,
  ScopeRecord,
  Send,
  TraceEvent,
  BackwardEvent,
  NodeEvent,
  HookEvent,
  AccumulateEvent,
  WriteEvent,
  GradEvent,
  NodeState,
  TensorState,
} from "../trace/types.js";

export interface RunError extends T.RunError {
  traceback?: { line: number; function: string }[];
}

/** How much of a run is meant. */
export interface Amounts {
  ops: number;
  passes: number;
  events: number;
}

export type SeriesRecord = T.SeriesRecord;

/** What the run's own numbers say is wrong (docs/findings.md). */
export interface Finding {
  rule: string;
  severity: "error" | "warning" | "hint";
  headline: string;
  why: string;
  evidence: {
    tensors: string[];
    nodes: string[];
    ops: string[];
    events: number[];
    values: Record<string, unknown>;
  };
  lines: number[];
  fix: {
    text: string;
    edits?: { line: number; column: number; end_line: number; end_column: number; new: string }[];
  };
  explains_error?: boolean;
  since?: number | null;
}

/** Where a captured run comes from. */
export interface Origin {
  torch: string;
  python: string;
  platform: string;
  device: string;
}

export interface RunDocument extends T.RunDocument {
  origin?: Origin | null;
  files?: { name: string; code: string; first_line: number }[];
  findings?: Finding[];
  engine: string;
  error: RunError | null;
  stdout: string;
  warnings: { category: string; message: string; line: number | null }[];
  globals: Record<string, string>;
  limits: {
    fuel_used: number;
    ops: number;
    truncated: string | null;
    recorded?: Amounts;
    skipped?: Amounts | null;
  };
}

/** What the reader pointed at; the id of an edge is that of its node and the index in next_functions, `n1:0`. */
export interface Item {
  kind: "tensor" | "node" | "op" | "edge";
  id: string;
}

/** A piece of a sentence: plain text, or a name or number that stands out and may be clicked. */
export interface Token {
  text: string;
  kind: "text" | "node" | "tensor" | "value" | "gradient" | "code";
  /** Of a gradient, the value it holds. */
  id?: string;
}

/** One example of GET /v1/examples. */
export interface Example {
  id: string;
  group: string;
  title: string;
  description: string;
  look: string;
  question: string;
  code: string;
}
