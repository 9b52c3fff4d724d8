/** The figures of a run document (docs/schema/run.v1.json), for `tsc`. Nothing here exists at run time. */

export type Real = number | "NaN" | "Infinity" | "-Infinity";

export interface Axis {
  scale: "linear" | "log" | "symlog";
  limits: [Real, Real];
  label: string;
  ticks: Real[] | null;
  labels: string[] | null;
}

export interface Colormap {
  name: string;
  colors: string[];
  discrete: boolean;
}

interface Drawn {
  label: string | null;
  alpha: number;
}

export interface Line extends Drawn {
  kind: "line";
  x: Real[];
  y: Real[];
  of: number;
  color: string | null;
  style: string;
  width: number;
  marker: string | null;
  size: number;
  hollow: boolean;
  steps: string | null;
}

export interface Points extends Drawn {
  kind: "points";
  x: Real[];
  y: Real[];
  of: number;
  color: string | null;
  colors?: (string | null)[];
  values?: Real[];
  range?: [Real, Real];
  colormap?: Colormap;
  marker: string | null;
  sizes: Real[];
  edge: string | null;
}

export interface Bars extends Drawn {
  kind: "bars";
  x: Real[];
  y: Real[];
  width: Real[];
  height: Real[];
  of: number;
  upright: boolean;
  color: string | null;
  colors?: (string | null)[];
  edge: string | null;
  hollow: boolean;
}

export interface Fill extends Drawn {
  kind: "fill";
  x: Real[];
  low: Real[];
  high: Real[];
  of: number;
  upright: boolean;
  outline: boolean;
  color: string | null;
}

export interface Segments extends Drawn {
  kind: "segments";
  from: Real[][];
  to: Real[][];
  of: number;
  color: string | null;
  style: string;
  width: number;
  caps: boolean;
}

export interface Rule extends Drawn {
  kind: "rule";
  axis: "x" | "y";
  at: Real;
  part: Real[];
  color: string | null;
  style: string;
  width: number;
}

export interface Span extends Drawn {
  kind: "span";
  axis: "x" | "y";
  span: Real[];
  color: string | null;
}

export interface Words extends Drawn {
  kind: "text";
  text: string;
  x: Real;
  y: Real;
  where: "data" | "axes";
  across: string;
  upward: string;
  to: Real[] | null;
  offset: Real[] | null;
  color: string | null;
}

export interface Picture extends Drawn {
  kind: "image";
  extent: Real[];
  rows: number;
  columns: number;
  of: [number, number];
  values?: Real[][];
  levels?: number[][];
  rgb?: string[];
  range?: [Real, Real];
  colormap?: Colormap;
}

export interface Contour extends Drawn {
  kind: "contour";
  x: Real[];
  y: Real[];
  z: Real[][];
  of: [number, number];
  levels: Real[];
  filled: boolean;
  colors: (string | null)[];
  extend: "neither" | "min" | "max" | "both";
  width: number;
  style: string;
}

export type Series = Line | Points | Bars | Fill | Segments | Rule | Span | Words | Picture | Contour;

/** What the numbers of a document cannot tell, as matplotlib drew it. */
export interface Picture {
  svg: string;
  /** In points. */
  size: [Real, Real];
  texts: string[];
}

export interface Axes {
  place: { grid: [number, number]; row: number; column: number; rows: number; columns: number } | null;
  box: Real[] | null;
  title: string;
  x: Axis;
  y: Axis;
  frame: boolean;
  grid: boolean;
  equal: boolean;
  twin: number | null;
  series: Series[];
  left: number;
  legend: { title: string | null; entries: { label: string; series: number }[] } | null;
  colorbars: { series: number; label: string }[];
  omitted: string[];
  picture?: Picture | null;
}

export interface Figure {
  id: string;
  number: number | null;
  name: string | null;
  size: [Real, Real];
  title: string;
  axes: Axes[];
  left: number;
  picture?: Picture | null;
}

export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Something to draw, in pixels. A colour is that of the program; the theme may change it, unless it is `exact`. */
export interface Mark {
  d: string;
  fill?: string | null;
  stroke?: string | null;
  width?: number;
  dash?: string;
  opacity?: number;
  /** Of a colour map: drawn as it is. */
  exact?: boolean;
  /** Without smoothed edges, so that neighbours leave no gap. */
  crisp?: boolean;
  /** What is encircled twice is left out. */
  holes?: boolean;
}

export interface Label {
  text: string;
  x: number;
  y: number;
  anchor: "start" | "middle" | "end";
  /** Colour of the program; the page's own otherwise. */
  color?: string | null;
  /** It lies on a picture: drawn as it is. */
  exact?: boolean;
  role: "tick" | "title" | "label" | "text" | "legend" | "figure";
  /** It stands upright, read from below. */
  turned?: boolean;
}

export interface Panel {
  plot: Rect;
  frame: boolean;
  /** In pixels of the figure. */
  ticks: Mark[];
  grid: Mark[];
  labels: Label[];
  /** In pixels of the plot, and cut off at its border. */
  marks: Mark[];
  /** Texts within the plot, in pixels of the figure. */
  texts: Label[];
  /** Swatches of the legend and colour bars, in pixels of the figure. */
  beside: Mark[];
  /** Drawn by matplotlib, where `plot` is. */
  picture?: Picture;
}

export interface Sheet {
  width: number;
  height: number;
  labels: Label[];
  panels: Panel[];
}
