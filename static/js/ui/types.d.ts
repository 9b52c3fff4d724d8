/** Types of the page, for `tsc`. Nothing here exists at run time. */

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
