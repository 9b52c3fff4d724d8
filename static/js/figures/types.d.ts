/** What is drawn of a figure, for `tsc`; those of the run document are in ../trace/document.d.ts. */

import type { Picture } from "../trace/document";

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
