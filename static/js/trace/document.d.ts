/** The run document, for `tsc`: `python -m tools.document` makes these types of engine/document. @module */

export type NonFinite = "NaN" | "Infinity" | "-Infinity";

export type Real = number | NonFinite;

/** From the low end of a range to its high end. */
export interface Colormap {
  name: string;
  colors: string[];
  /** The colours stay apart; else what lies between two of them is mixed. */
  discrete: boolean;
}

/** What all series have. */
export interface Drawn {
  label: string | null;
  /** 1 is opaque. */
  alpha: number;
}

/** Points joined by a line, or marked, or both. */
export interface LineSeries {
  label: string | null;
  /** 1 is opaque. */
  alpha: number;
  kind: "line";
  x: Real[];
  y: Real[];
  /** How many points the program gave; the document has fewer where that is more. */
  of: number;
  /** `#rrggbb` as matplotlib has it; null for no colour. */
  color: string | null;
  /** `-`, `--`, `-.`, `:`, or an empty text for no line. */
  style: string;
  /** Points of 1/72 inch. */
  width: number;
  /** One of matplotlib's, e.g. `o`. */
  marker: string | null;
  /** Of a marker, in points. */
  size: number;
  hollow: boolean;
  steps: string | null;
}

/** `scatter`. */
export interface PointSeries {
  label: string | null;
  /** 1 is opaque. */
  alpha: number;
  kind: "points";
  x: Real[];
  y: Real[];
  /** How many points the program gave; the document has fewer where that is more. */
  of: number;
  /** `#rrggbb` as matplotlib has it; null for no colour. */
  color: string | null;
  /** One for each point. */
  colors?: (string | null)[] | null;
  /** One for each point, which the map colours. */
  values?: Real[] | null;
  range?: [Real, Real] | null;
  colormap?: Colormap | null;
  marker: string | null;
  /** Square points; one for all, or one for each. */
  sizes: Real[];
  /** `#rrggbb` as matplotlib has it; null for no colour. */
  edge: string | null;
}

/** `bar`, `barh` and `hist`: the lower left corner and the size of each. */
export interface BarSeries {
  label: string | null;
  /** 1 is opaque. */
  alpha: number;
  kind: "bars";
  x: Real[];
  y: Real[];
  width: Real[];
  height: Real[];
  /** How many points the program gave; the document has fewer where that is more. */
  of: number;
  upright: boolean;
  /** `#rrggbb` as matplotlib has it; null for no colour. */
  color: string | null;
  colors?: (string | null)[] | null;
  /** `#rrggbb` as matplotlib has it; null for no colour. */
  edge: string | null;
  hollow: boolean;
}

/** `fill_between`; `outline`: a histogram drawn as steps. */
export interface FillSeries {
  label: string | null;
  /** 1 is opaque. */
  alpha: number;
  kind: "fill";
  x: Real[];
  low: Real[];
  high: Real[];
  /** How many points the program gave; the document has fewer where that is more. */
  of: number;
  /** If not, x and y are exchanged. */
  upright: boolean;
  outline: boolean;
  /** `#rrggbb` as matplotlib has it; null for no colour. */
  color: string | null;
}

/** Straight lines: the bars of `errorbar`, `hlines`, `vlines`, `stem`. */
export interface SegmentSeries {
  label: string | null;
  /** 1 is opaque. */
  alpha: number;
  kind: "segments";
  /** All x, then all y. */
  from: Real[][];
  to: Real[][];
  /** How many points the program gave; the document has fewer where that is more. */
  of: number;
  /** `#rrggbb` as matplotlib has it; null for no colour. */
  color: string | null;
  /** `-`, `--`, `-.`, `:`, or an empty text for no line. */
  style: string;
  width: number;
  caps: boolean;
}

/** `axhline` and `axvline`. */
export interface RuleSeries {
  label: string | null;
  /** 1 is opaque. */
  alpha: number;
  kind: "rule";
  /** The one that `at` lies on. */
  axis: "x" | "y";
  /** Six digits, or as many as a picture of it can show. */
  at: Real;
  /** From where to where across the axes, from 0 to 1. */
  part: Real[];
  /** `#rrggbb` as matplotlib has it; null for no colour. */
  color: string | null;
  /** `-`, `--`, `-.`, `:`, or an empty text for no line. */
  style: string;
  width: number;
}

/** `axhspan` and `axvspan`. */
export interface SpanSeries {
  label: string | null;
  /** 1 is opaque. */
  alpha: number;
  kind: "span";
  axis: "x" | "y";
  span: Real[];
  /** `#rrggbb` as matplotlib has it; null for no colour. */
  color: string | null;
}

/** `text` and `annotate`. */
export interface TextSeries {
  label: string | null;
  /** 1 is opaque. */
  alpha: number;
  kind: "text";
  text: string;
  /** Six digits, or as many as a picture of it can show. */
  x: Real;
  /** Six digits, or as many as a picture of it can show. */
  y: Real;
  /** What x and y count in: `data`, or shares of the `axes`. */
  where: "data" | "axes";
  across: string;
  upward: string;
  /** Where its arrow points. */
  to: Real[] | null;
  /** Points that it stands beside its place. */
  offset: Real[] | null;
  /** `#rrggbb` as matplotlib has it; null for no colour. */
  color: string | null;
}

/** `imshow`, `matshow`, `pcolormesh`: `values`, or `levels`, or `rgb`, the row of the lowest y first. */
export interface ImageSeries {
  label: string | null;
  /** 1 is opaque. */
  alpha: number;
  kind: "image";
  /** From and to along x, then along y; the lower first. */
  extent: Real[];
  rows: number;
  columns: number;
  /** Rows and columns the program gave. */
  of: [number, number];
  values?: Real[][] | null;
  /** Where in the range, from 0 to 255; -1 for NaN. */
  levels?: number[][] | null;
  /** A row each, six hexadecimal digits a cell. */
  rgb?: string[] | null;
  range?: [Real, Real] | null;
  colormap?: Colormap | null;
}

/** `contour` and `contourf` over a grid. */
export interface ContourSeries {
  label: string | null;
  /** 1 is opaque. */
  alpha: number;
  kind: "contour";
  x: Real[];
  y: Real[];
  z: Real[][];
  of: [number, number];
  levels: Real[];
  filled: boolean;
  /** One for each level, or for what lies between two. */
  colors: (string | null)[];
  extend: "neither" | "min" | "max" | "both";
  width: number;
  /** `-`, `--`, `-.`, `:`, or an empty text for no line. */
  style: string;
}

export type AnySeries =
  | LineSeries
  | PointSeries
  | BarSeries
  | FillSeries
  | SegmentSeries
  | RuleSeries
  | SpanSeries
  | TextSeries
  | ImageSeries
  | ContourSeries;

/** Where axes stand in a grid of rows and columns. */
export interface Place {
  grid: [number, number];
  row: number;
  column: number;
  rows: number;
  columns: number;
}

/** One direction of axes. */
export interface Axis {
  scale: "linear" | "log" | "symlog";
  /** The first is larger where the axis is inverted. */
  limits: [Real, Real];
  label: string;
  /** Where the program wants them. */
  ticks: Real[] | null;
  labels: string[] | null;
}

/** One line of a legend. */
export interface LegendEntry {
  label: string;
  series: number;
}

/** A legend. */
export interface FigureLegend {
  title: string | null;
  entries: LegendEntry[];
}

/** What the colours of a series stand for. */
export interface Colorbar {
  series: number;
  label: string;
}

/** What the numbers of a document cannot tell, as matplotlib draws it: an image, which runs nothing. */
export interface Picture {
  /** SVG without scripts; its letters are paths. */
  svg: string;
  /** Width and height in points. */
  size: [Real, Real];
  /** What is written in it: titles, labels, legends. */
  texts: string[];
}

/** A coordinate system and what is drawn in it, lowest first. */
export interface Axes {
  place: Place | null;
  /** Left, bottom, width, height as shares of the figure. */
  box: Real[] | null;
  title: string;
  x: Axis;
  y: Axis;
  /** Its frame and ticks are shown. */
  frame: boolean;
  grid: boolean;
  /** A unit is as long in both directions. */
  equal: boolean;
  /** The axes of this figure that it lies upon. */
  twin: number | null;
  series: AnySeries[];
  /** Series that did not fit. */
  left: number;
  legend: FigureLegend | null;
  colorbars: Colorbar[];
  /** What was drawn by the program and is not told here. */
  omitted: string[];
  /** These axes as drawn, with those upon them; no series then. */
  picture?: Picture | null;
}

/** What one call of `show` or `savefig` shows. */
export interface Figure {
  /** Id of a figure. */
  id: string;
  number: number | null;
  name: string | null;
  /** Inches. */
  size: [Real, Real];
  title: string;
  axes: Axes[];
  /** Axes that did not fit. */
  left: number;
  /** The whole figure as drawn; no axes then. */
  picture?: Picture | null;
}

export type Scalar = Real | boolean;

export type Nested = Scalar | Nested[];

export type Tree = string | boolean | number | Tree[] | null;

/** What was run. */
export interface Source {
  kind: "code" | "graph" | "capture";
  code: string | null;
  graph?: Record<string, unknown> | null;
  /** What became of the text that was sent, where `code` is another. */
  changes?: string[];
}

/** A file of a captured run in which something was recorded. */
export interface SourceFile {
  name: string;
  /** Empty where the text is not to be had. */
  code: string;
  /** The number of its first line. */
  first_line: number;
}

/** Where a captured run comes from: PyTorch itself, on somebody's machine. */
export interface Origin {
  kind: "captured";
  torch: string;
  python: string;
  platform: string;
  /** The devices of its tensors, besides the CPU where there are others. */
  device: string;
  /** Version of the package `backlight` that recorded it. */
  client: string;
  /** The command line, of a script. */
  argv?: string[] | null;
}

/** A warning the program caused. */
export interface Warning_ {
  category: string;
  message: string;
  /** Line of the program, from 1. */
  line: number | null;
  /** Which of `files` the line is in; left out for the main one. */
  file?: number;
}

/** A place in a notebook that was opened as one program. */
export interface Cell {
  /** The number in the brackets of `In [3]`. */
  number: number;
  /** Line within the cell, from 1. */
  line: number;
}

/** One level of the traceback. */
export interface Frame {
  /** Line of the program, from 1. */
  line: number | null;
  /** Which of `files` the line is in; left out for the main one. */
  file?: number;
  function: string;
  /** Where the line is in a notebook; left out elsewhere. */
  cell?: Cell | null;
}

/** The program in a text that is none: a session, a page, a diff, a listing with line numbers. */
export interface Pasted {
  code: string;
  /** What became of the text, in words that follow *the program*. */
  changes: string[];
}

/** Why the program stopped: PyTorch's words, then ours, then where to look. */
export interface Error {
  type: string;
  message: string;
  /** Line of the program, from 1. */
  line: number | null;
  /** Which of `files` the line is in; left out for the main one. */
  file?: number;
  column: number | null;
  /** Line of the program, from 1. */
  end_line: number | null;
  end_column: number | null;
  traceback: Frame[];
  /** Why it happened here. */
  explanation: string | null;
  /** The smallest change that helps. */
  fix: string | null;
  /** What was meant, probably, by a name that is not there: another, or an import. */
  suggestion: string | null;
  tensors: string[];
  nodes: string[];
  /** For example the in-place write that broke a saved tensor. */
  related_lines: number[];
  /** The program that was meant, where the text is none as it is. */
  program?: Pasted | null;
}

/** A module the program holds. */
export interface Module {
  path: string;
  type: string;
  parameters: Record<string, string>;
  /** It holds something else where its parameters, buffers or modules go. */
  unreadable?: boolean;
}

/** What cut a tensor off from the graph. */
export interface WhyNoGrad {
  cut: string;
  /** Line of the program, from 1. */
  line: number | null;
  /** Which of `files` the line is in; left out for the main one. */
  file?: number;
}

/** A tensor the program made. */
export interface Tensor {
  /** Id of a tensor. */
  id: string;
  /** The first variable bound to it. */
  name: string | null;
  /** For parameters: where the module keeps it. */
  path: string | null;
  shape: number[];
  dtype: string;
  requires_grad: boolean;
  is_leaf: boolean;
  grad_fn: string | null;
  output_nr: number;
  retains_grad: boolean;
  /** Version counter at the end: how often it was written in place. */
  version: number;
  /** At creation. */
  value: string;
  /** At the end; differs from `value` after in-place writes. */
  final: string;
  /** `.grad` at the end; null is None. */
  grad: string | null;
  /** Line of the program, from 1. */
  line: number | null;
  /** Which of `files` the line is in; left out for the main one. */
  file?: number;
  /** Left out for the CPU. */
  device?: string;
  scope: string | null;
  view_of: string | null;
  /** What `detach()` or `.data` took it from; it shares that tensor's memory, not its history. */
  detached_from: string | null;
  why_no_grad: WhyNoGrad | null;
}

/** The derivative for one input, as it is run and as it is typeset. */
export interface Formula {
  text: string;
  latex: string;
}

/** A tensor that a node keeps for its gradient, from its `op` event until its `release` event. */
export interface Kept {
  /**
   * As in `saved`, of lists with the place (`indices[0]`); `ctx.mask` is what a custom Function stored on its ctx,
   * which `release` does not free.
   */
  name: string;
  /** Id of a storage. */
  storage: string;
  shape: number[];
  dtype: string;
  /** Of this tensor alone: the number of elements times the size of one. */
  bytes: number;
  /** The recorded tensor that it is, if there is one. */
  tensor: string | null;
}

/** Memory that nodes keep, once however many tensors of however many nodes lie in it. */
export interface Storage {
  /** Id of a storage. */
  id: string;
  /** Of the whole block. */
  bytes: number;
  /**
   * `parameter`: of a leaf that requires grad; `buffer`: of a module; `input`: of another tensor without a history,
   * made outside of modules; `activation`: of all that was computed.
   */
  kind: "parameter" | "buffer" | "input" | "activation";
  /** The parameter or buffer, else the first recorded tensor in it, if there is one. */
  tensor: string | null;
}

/** A node of the backward graph. */
export interface Node {
  /** Id of a node. */
  id: string;
  name: string;
  sequence_nr: number | null;
  /** null is PyTorch's `(None, 0)`. */
  next_functions: ([string, number] | null)[];
  /** AccumulateGrad: the leaf. */
  variable: string | null;
  /** Saved tensors by name, as keys into `values`. */
  saved: Record<string, unknown>;
  attributes: Record<string, unknown>;
  op: string | null;
  /** Line of the program, from 1. */
  line: number | null;
  /** Which of `files` the line is in; left out for the main one. */
  file?: number;
  scope: string | null;
  formula: Record<string, Formula>;
  /** The rule in words. */
  says: string | null;
  /** Some of its `next_functions` were not recorded, and are null here. */
  cut?: boolean;
  /** What it keeps for its gradient; left out where that is nothing. */
  keeps?: Kept[];
  /**
   * Index into `events`: of what it keeps and no `release` event frees, the time from which, as far as names and calls
   * tell, nothing of the program leads to the node. Left out where something does in the end.
   */
  freed?: number | null;
}

/** One call that was recorded. */
export interface Op {
  id: string;
  name: string;
  inputs: string[];
  outputs: string[];
  node: string | null;
  /** Line of the program, from 1. */
  line: number | null;
  /** Which of `files` the line is in; left out for the main one. */
  file?: number;
  column: number | null;
  /** Line of the program, from 1. */
  end_line: number | null;
  end_column: number | null;
  scope: string | null;
  arguments: Record<string, unknown>;
  /** How long it ran, where a captured run measured that: see `timing`. */
  seconds?: number | null;
}

/** A part of the program that can be folded. */
export interface Scope {
  id: string;
  parent: string | null;
  kind: string;
  label: string;
  /** Line of the program, from 1. */
  line: number | null;
  /** Which of `files` the line is in; left out for the main one. */
  file?: number;
  iteration: number | null;
}

/** Summary of a large value. */
export interface Statistics {
  min: Scalar | null;
  max: Scalar | null;
  mean: Scalar | null;
  std: Scalar | null;
  norm: Scalar | null;
  nan: number;
  inf: number;
  zeros: number;
}

/** A large value shrunk to be looked at. */
export interface Thumbnail {
  shape: number[];
  data: Nested;
}

/** How the elements of a large value are distributed. */
export interface Histogram {
  edges: Scalar[];
  counts: number[];
}

/** The elements of a tensor: nested lists, or null and a summary when there are too many of them. */
export interface Value {
  shape: number[];
  dtype: string;
  /** null: fetch /v1/runs/{id}/values/{name}. */
  data: Nested | null;
  /** Of a sparse tensor; `data` is then the dense one that it stands for. */
  layout?: "sparse_coo" | null;
  /** How many values a sparse tensor names. */
  nnz?: number | null;
  stats?: Statistics | null;
  thumbnail?: Thumbnail | null;
  histogram?: Histogram | null;
}

/** An op ran. */
export interface OpEvent {
  kind: "op";
  op: string;
  /** Line of the program, from 1. */
  line: number | null;
  /** Which of `files` the line is in; left out for the main one. */
  file?: number;
}

/** A name was bound to a tensor. */
export interface BindEvent {
  kind: "bind";
  name: string;
  /** Id of a tensor. */
  tensor: string;
  /** Line of the program, from 1. */
  line: number | null;
  /** Which of `files` the line is in; left out for the main one. */
  file?: number;
}

/** A tensor was written in place. */
export interface WriteEvent {
  kind: "write";
  /** Id of a tensor. */
  tensor: string;
  version: number;
  /** Key into `values`. */
  value: string;
  /** Line of the program, from 1. */
  line: number | null;
  /** Which of `files` the line is in; left out for the main one. */
  file?: number;
  /** `unrecorded`: it was written where nothing was recorded. */
  by?: string | null;
}

/**
 * A line that prints, asserts or follows it looked at an attribute of a tensor or a node, and did nothing else with it
 * (at most 100 of one place).
 */
export interface ReadEvent {
  kind: "read";
  tensor?: string | null;
  node?: string | null;
  attribute: string;
  /** The subscripts after it: [0, 0] of `next_functions[0][0]`. */
  index: number[];
  /** A flag; of `grad` a key into `values`; of `grad_fn` a node; null for None and for all else. */
  value: boolean | string | null;
  /** Line of the program, from 1. */
  line: number | null;
}

/** The program printed. */
export interface PrintEvent {
  kind: "print";
  text: string;
  /** Line of the program, from 1. */
  line: number | null;
  /** Which of `files` the line is in; left out for the main one. */
  file?: number;
}

/** The program caused a warning. */
export interface WarningEvent {
  kind: "warning";
  category: string;
  message: string;
  /** Line of the program, from 1. */
  line: number | null;
  /** Which of `files` the line is in; left out for the main one. */
  file?: number;
}

/** A figure was shown, saved in a file, or was open when a cell or the program ended. */
export interface FigureEvent {
  kind: "figure";
  /** Id of a figure. */
  figure: string;
  /** `cell` and `end`: by no call, but as notebooks show what is open when a cell or the program ends. */
  how: "show" | "save" | "cell" | "end";
  /** The name it was saved under; nothing is written. */
  file: string | null;
  /** Line of the program, from 1. */
  line: number | null;
}

/** A run of the backward engine begins, also inside `autograd.grad`, `jacobian` and the like. */
export interface BackwardEvent {
  kind: "backward";
  call: number;
  roots: [string, number][];
  gradients: (string | null)[];
  retain_graph: boolean;
  create_graph: boolean;
  inputs: string[] | null;
  /** Line of the program, from 1. */
  line: number | null;
  /** Which of `files` the line is in; left out for the main one. */
  file?: number;
  reachable: string[];
}

/** A gradient on its way to the input of another node. */
export interface Send {
  /** Id of a node. */
  to: string;
  input_nr: number;
  /** null: no gradient (a part of zeros that was never made). */
  value: string | null;
  /** Gradients that have reached this node in this run, this one included. */
  arrived: number;
  /** Gradients it waits for. */
  expected: number;
  /** What that input holds now. */
  sum: string | null;
}

/** A node ran: the gradients it received and returned, where each went, and the ready queue afterwards. */
export interface NodeEvent {
  kind: "node";
  call: number;
  /** Id of a node. */
  node: string;
  grad_outputs: (string | null)[];
  grad_inputs: (string | null)[];
  sends: Send[];
  /** The ready queue afterwards, next first. */
  ready: string[];
  /** How long it ran, where a captured run measured that: see `timing`. */
  seconds?: number | null;
  /** Of a program's own tape: where it stores what the node sends. */
  line?: number | null;
}

/** A hook ran: the gradients before and after it. */
export interface HookEvent {
  kind: "hook";
  on: string;
  /** The tensor or node; a module's path, or its class where no variable leads to it. */
  target: string | null;
  before: (string | null)[];
  after: (string | null)[];
  /** Line where the hook was registered; `line` is the call's. */
  registered: number | null;
  /** Line of the program, from 1. */
  line: number | null;
  /** Which of `files` the line is in; left out for the main one. */
  file?: number;
}

/** AccumulateGrad added to a leaf's `.grad`: what was there before, what came in, and what is there after. */
export interface AccumulateEvent {
  kind: "accumulate";
  call: number;
  /** Id of a node. */
  node: string;
  /** Id of a tensor. */
  tensor: string;
  before: string | null;
  incoming: string | null;
  after: string | null;
}

/** A node's saved tensors were freed. */
export interface ReleaseEvent {
  kind: "release";
  call: number;
  /** Id of a node. */
  node: string;
}

/** The backward run is over. */
export interface BackwardEndEvent {
  kind: "backward_end";
  call: number;
}

/** `.grad` changed outside the engine (`zero_grad`, an assignment; `tape`: a program's own pass stored it). */
export interface GradEvent {
  kind: "grad";
  /** Id of a tensor. */
  tensor: string;
  before: string | null;
  after: string | null;
  /** Line of the program, from 1. */
  line: number | null;
  /** Which of `files` the line is in; left out for the main one. */
  file?: number;
  by: string;
}

/** The run went on here and was not recorded. What it changed follows, as `unrecorded` writes and grads. */
export interface GapEvent {
  kind: "gap";
  ops: number;
  /** Backward passes. */
  passes: number;
  /** Steps of the timeline, about. */
  events: number;
}

/** The program stopped here. */
export interface ErrorEvent {
  kind: "error";
}

export type Event =
  | OpEvent
  | BindEvent
  | WriteEvent
  | ReadEvent
  | PrintEvent
  | WarningEvent
  | FigureEvent
  | BackwardEvent
  | NodeEvent
  | HookEvent
  | AccumulateEvent
  | ReleaseEvent
  | BackwardEndEvent
  | GradEvent
  | GapEvent
  | ErrorEvent;

/** How much of a run is meant. */
export interface Amounts {
  ops: number;
  passes: number;
  events: number;
}

/** What the run used of its limits, and how much of it the document tells. */
export interface Usage {
  fuel_used: number;
  /** Operations recorded. */
  ops: number;
  /** The limit that ended recording, or cut the output, if one did; the run itself went on. */
  truncated: string | boolean | null;
  recorded: Amounts | null;
  /** What was not recorded; null when all was. */
  skipped: Amounts | null;
}

/** What measured the seconds of what ran on a device. */
export interface Clock {
  device: string;
  /** `events`: of the device's stream, from one to the next that it comes to. */
  by: "perf_counter" | "events";
  /** What is measured of an op that computes nothing: the `seconds` of each include as much. */
  op: number;
  /** What is measured of a node that computes nothing. */
  node: number;
}

/**
 * What the `seconds` of ops and nodes are: those of this one run on that machine. What ran inside of another op or
 * node, as an op in the backward of a custom Function, is not counted in the outer one again; neither are hooks.
 */
export interface Timing {
  /** From the beginning of the recording to its end, with all that recording costs. */
  wall: number;
  /** Threads with which PyTorch computes one op on the CPU. */
  threads: number;
  clocks: Clock[];
}

/** A leaf over the passes of a series. Norms have four digits; null where a pass did not reach it. */
export interface TrainedParameter {
  /** Id of a tensor. */
  tensor: string;
  /** Norm of `.grad` after the pass. */
  grad: (Scalar | null)[];
  /** Norm of its value then. */
  weight: (Scalar | null)[];
  /** Norm of what changed until the next pass. */
  update: (Scalar | null)[];
}

/** The backward passes that one line of the program began, all of them or evenly spaced ones. */
export interface Series {
  line: number;
  /** Which of `files` the line is in; left out for the main one. */
  file?: number;
  column: number;
  /** How many there were. */
  passes: number;
  /** 1 where all are kept, 4 where every fourth is, and the last one. */
  stride: number;
  /** The passes that are kept, by `call`. */
  calls: number[];
  /** What they began at, where that is a number. */
  loss: (Scalar | null)[];
  /** The largest loss of a kept pass and of those left out after it; null when none is left out. */
  peak: (Scalar | null)[] | null;
  parameters: TrainedParameter[];
}

/** One number of a gradient beside central differences. */
export interface CheckedElement {
  index: number[];
  agrees: boolean;
  /** What was moved a little to both sides. */
  value: Nested;
  /** What the backward pass added. Complex numbers are pairs. */
  autograd: Nested;
  /** The numerical derivative of the loss: central differences in float64. */
  numeric: Nested;
  /** The derivative to the left, at a corner or a jump. */
  left?: Nested | null;
  right?: Nested | null;
}

/** Why numbers differ, or are what they are. */
export interface CheckReason {
  kind: "corner" | "jump" | "not_finite" | "custom_function" | "hook" | "rule" | "precision" | "unknown" | "unchecked";
  text: string;
  /** The op that makes it so. */
  op: string | null;
  /** Line of the program, from 1. */
  line: number | null;
}

/** One leaf's gradient of one backward pass beside central differences. */
export interface Check {
  /** The name that was asked for. */
  asked: string;
  tensor: string | null;
  status: "agrees" | "differs" | "unchecked";
  /** The backward pass. */
  call?: number | null;
  /** All elements, or the largest and some between. */
  elements?: CheckedElement[];
  /** How many elements there are. */
  of?: number | null;
  largest_error?: Scalar | null;
  /** By how much an element was moved. */
  step?: number | null;
  reason: CheckReason | null;
}

/** A call of an optimizer. */
export interface OptimizerUse {
  what: "step" | "zero_grad";
  /** Line of the program, from 1. */
  line: number | null;
  /** Which of `files` the line is in; left out for the main one. */
  file?: number;
  /** Backward passes that had begun by then. */
  passes: number;
  /** `step`: the learning rate, where all groups of parameters have the same. */
  lr?: Scalar | null;
}

/** An optimizer: what it was given, and the first calls of it, recorded or not. */
export interface Optimizer {
  type: string;
  /** The variable that holds it at the end. */
  name: string | null;
  /** Line of the program, from 1. */
  line: number | null;
  /** Which of `files` the line is in; left out for the main one. */
  file?: number;
  tensors: string[];
  uses: OptimizerUse[];
}

/** Numbers of a tensor with a history were taken out of the graph. */
export interface Exit {
  /** Id of a tensor. */
  tensor: string;
  /** `tensor`: a copy by `torch.tensor`. */
  how: "item" | "tolist" | "numpy" | "tensor";
  /** Line of the program, from 1. */
  line: number | null;
  /** Which of `files` the line is in; left out for the main one. */
  file?: number;
}

/** A gradient of the program's own, beside PyTorch's. */
export interface TapeGradient {
  /** Id of a tensor. */
  tensor: string;
  /** What PyTorch gives for the same expression; null where an operation is none of its own. */
  torch: string | null;
  /** Whether the two are the same but for rounding. */
  agrees: boolean | null;
}

/** Where a gradient of the program's own goes wrong. */
export interface TapeSlip {
  /**
   * `overwritten`: by `=`, what had arrived is lost; `early`: a node ran before all that it waits for had arrived;
   * `derivative`: what it sends is not its derivative; `kept`: a gradient of an earlier pass was sent again.
   */
  kind: "overwritten" | "early" | "derivative" | "kept";
  /** The one whose gradient it is. */
  tensor: string;
  /** The node that runs. */
  node: string | null;
  call: number;
  /** Line of the program, from 1. */
  line: number | null;
  /** What is stored to there. */
  text: string;
  /** What there is. */
  got: string | null;
  /** What there would be. */
  expected: string | null;
}

/**
 * A program's own scalar autograd. Its objects are the document's tensors; what made them, its ops and nodes by
 * PyTorch's names; its gradients, what the events tell. A node may run more than once in a pass, or too early.
 */
export interface Tape {
  /** How it is written. */
  kind: "objects" | "indices" | "names" | "callbacks";
  /** The class of its objects, or the function that makes them. */
  of: string;
  /** The attribute that is the value. */
  value: string | null;
  /** The attribute that is the gradient. */
  gradient: string | null;
  /** false: the run was too long, and the rest of it is not told. */
  whole: boolean;
  gradients: TapeGradient[];
  slips: TapeSlip[];
}

/** Text in place of other text; columns count characters, as those of `ops`. */
export interface FindingEdit {
  line: number;
  column: number;
  end_line: number;
  end_column: number;
  new: string;
}

/** What helps; `edits` where it is certain: the program without the finding. */
export interface FindingFix {
  text: string;
  edits?: FindingEdit[];
}

/** What a finding is seen in. `events` are times; `values` numbers by what they are. */
export interface Evidence {
  tensors: string[];
  nodes: string[];
  ops: string[];
  events: number[];
  values: Record<string, unknown>;
}

/** What the run's own numbers say is wrong (docs/findings.md). */
export interface Finding {
  rule: string;
  severity: "error" | "warning" | "hint";
  /** One sentence in the program's own names and numbers. */
  headline: string;
  why: string;
  evidence: Evidence;
  /** The line to change first. */
  lines: number[];
  /** Which of `files` the line is in; left out for the main one. */
  file?: number;
  fix: FindingFix;
  /** The turn of the loop in which it began. */
  since?: number | null;
  /** It is why the program raised. */
  explains_error?: boolean;
}

/** Everything that happened when a program ran: what it made, the graph behind it, and the backward passes. */
export interface RunDocument {
  /** Which run this is. */
  id: string;
  /** That of the document. */
  version: 1;
  /** What computed it: the version of the engine, or of PyTorch. */
  engine: string;
  /** `ok`, or `error` when the program raised; the document then goes up to that point. */
  status: "ok" | "error";
  /** The program or graph that was run. */
  source: Source;
  /** Of captured runs only: the PyTorch, Python, platform and device they ran on. */
  origin?: Origin | null;
  /**
   * Of captured runs: the texts of the files in which something was recorded; the main file, that of `source.code`,
   * first.
   */
  files?: SourceFile[];
  /** What the program printed. */
  stdout: string;
  /** What it was warned of. */
  warnings: Warning_[];
  /**
   * Why it stopped: PyTorch's text, where it happened, why, what helps, the name that was meant by one that is not
   * there, or the import that gives it (`suggestion`), and the tensors, nodes and lines to look at.
   */
  error: Error | null;
  /** What top-level names hold at the end: tensors, parameters of modules, members of lists and dicts. */
  globals: Record<string, string>;
  /** The modules that these names hold, with their parameters. */
  modules: Module[];
  /**
   * Every tensor: its name (a variable, or what holds it: `net.fc1.weight`, `layers[0].w`, `params['enc'][1]`), shape,
   * dtype, whether it is a leaf, its `grad_fn`, its value at creation and at the end, its `.grad` at the end, why it
   * has no gradient if it has none, and what it was detached from.
   */
  tensors: Tensor[];
  /**
   * Every node of the backward graph: `next_functions` as PyTorch has them (`null` is `(None, 0)`), what it saved, its
   * formulas, and what it keeps in memory (`keeps`).
   */
  nodes: Node[];
  /** The memory that nodes keep for their gradients. */
  storages?: Storage[];
  /** Every call that was recorded, with its place in the program. */
  ops: Op[];
  /** Functions, modules and loop iterations, by which a large graph folds. */
  scopes: Scope[];
  /** The numbers, referred to by name (`v0`) from everywhere else. */
  values: Record<string, Value>;
  /** The timeline; an index into it is a point in time. */
  events: Event[];
  /** The formulas of `nodes` as syntax trees, by their text. */
  formulas?: Record<string, Tree>;
  /** What PyTorch computes for the gradients of `nodes`, by class and input, as its derivatives.yaml has it. */
  derivatives?: Record<string, Record<string, string>>;
  /** Syntax trees, too: of the sources of tensors without a name, by their text. */
  expressions?: Record<string, Tree>;
  /**
   * What matplotlib drew, as numbers: axes, their limits and series; `of` says how many points a series has where some
   * are left out; what numbers cannot tell is a `picture` of one axes or of the whole figure: SVG by matplotlib, to be
   * shown as an image; not in documents of programs that draw nothing.
   */
  figures?: Figure[];
  /**
   * What the passes of a loop did, recorded or not: by line of the `backward` call, the loss, and for each leaf the
   * norms of its gradient, its value and what the iteration changed.
   */
  training?: Series[];
  /** Of a captured run that was asked for seconds: how those of `ops` and of `node` events were measured. */
  timing?: Timing | null;
  /** Gradients beside central differences, where `?check=` asked for them. */
  checks?: Check[];
  /**
   * Optimizers in the order they were made: the tensors that each was given, and its first 200 calls of `step` and
   * `zero_grad` with the number of passes begun by then.
   */
  optimizers?: Optimizer[];
  /**
   * Where numbers of tensors with a history left the graph: `item`, `tolist`, `numpy`, a copy by `torch.tensor`; the
   * first 200 places.
   */
  exits?: Exit[];
  /** Of a program that brings its own scalar autograd: how it is written, and its gradients beside PyTorch's. */
  tape?: Tape;
  /**
   * What these numbers say is wrong, worst first: the lines to change, the evidence, and where it is certain the edits
   * that mend it; left out where there is nothing.
   */
  findings?: Finding[];
  /** What the run used of its limits; how much of it is recorded, and how much is not. */
  limits: Usage;
  /** Version of numpy that computed it; of captured runs the one at hand, or empty. */
  numpy: string;
}
