/**
 * What goes into a layout and what comes out: plain arrays, so that both cross to a worker without copying objects.
 * The drawing falls as gradients do: forward runs upwards, so ranks (forward time) are levels, the last one on top.
 * All lengths are in pixels at zoom 1.
 * @module
 */

/**
 * @typedef {object} LayoutInput
 * @property {Float64Array} width  per vertex
 * @property {Float64Array} height  per vertex
 * @property {Float64Array} anchor  per vertex: how far right of its centre edges meet it
 * @property {Uint8Array} floor  per vertex: 1 for one that stays on the lowest level
 * @property {Int32Array} group  per vertex: index of its innermost group, −1 for none
 * @property {Int32Array} groupParent  per group: index of the group around it, −1 for none
 * @property {Int32Array} source  per edge
 * @property {Int32Array} target  per edge
 * @property {Float64Array} labelWidth  per edge: room for what is written on it, 0 for nothing
 * @property {Float64Array} labelHeight
 * @property {Float64Array} labelRest  per edge: how much of that height covers the edge
 * @property {Float64Array | null} seed  per vertex: its x in the drawing before an edit, NaN where it is new
 * @property {Partial<LayoutOptions>} [options]
 */

/**
 * @typedef {object} LayoutOptions
 * @property {number} nodeGap  between vertices of one rank
 * @property {number} rankGap  between ranks
 * @property {number} wire  least height of a level of labels: that much of an edge is seen between two vertices
 * @property {number} steepest  how much wider a gap between ranks becomes for edges that go far aside
 * @property {number} groupPad  kept free around a group, per nesting level
 * @property {number} aspect  width ÷ height of the place the drawing must fit into
 * @property {number} sweeps  of crossing reduction
 * @property {number} dummyBudget  how many bends long edges may have together
 */

/**
 * @typedef {object} LayoutOutput
 * @property {Float64Array} x  per vertex, its centre
 * @property {Float64Array} y
 * @property {Float64Array[]} paths  per edge: cubic pieces, x0 y0 then x1 y1 x2 y2 x3 y3 for each
 * @property {Float64Array} labelX  per edge: the centre of what is written on it
 * @property {Float64Array} labelY
 * @property {{x: number, y: number, width: number, height: number}} bounds
 * @property {number} crossings  in the order that was chosen
 */

/** @type {LayoutOptions} */
export const DEFAULTS = Object.freeze({
  nodeGap: 26,
  rankGap: 46,
  wire: 22,
  steepest: 80,
  groupPad: 16,
  aspect: 1.3,
  sweeps: 24,
  dummyBudget: 24000,
});
