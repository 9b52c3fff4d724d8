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
  column?: number | null;
  end_line?: number | null;
  end_column?: number | null;
  traceback?: { line: number; function: string }[];
}

/** How much of a run is meant. */
export interface Amounts {
  ops: number;
  passes: number;
  events: number;
}

/** The passes that one line began; numbers are strings where JSON has none for them. */
export interface SeriesRecord {
  line: number;
  column: number;
  passes: number;
  stride: number;
  calls: number[];
  loss: unknown[];
  peak: unknown[] | null;
  parameters: { tensor: string; grad: unknown[]; weight: unknown[]; update: unknown[] }[];
}

export interface RunDocument extends T.RunDocument {
  training?: SeriesRecord[];
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
