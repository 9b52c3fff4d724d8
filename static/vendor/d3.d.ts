// The parts of D3 the page uses. d3-dsv is left out on purpose: it builds functions from text, which the page's CSP forbids.
export { select, selectAll, pointer, create } from "d3-selection";
export { zoom, zoomIdentity, zoomTransform } from "d3-zoom";
export { drag } from "d3-drag";
export { transition, interrupt, active } from "d3-transition";
export { easeLinear, easeCubicInOut, easeCubicOut, easeQuadOut, easeSinInOut } from "d3-ease";
export { line, curveBasis, curveMonotoneX, curveBumpX, curveCatmullRom, curveLinear, linkHorizontal } from "d3-shape";
export { interpolate, interpolateNumber, interpolateRgb, interpolateLab, interpolateZoom, piecewise } from "d3-interpolate";
export { scaleLinear, scaleSymlog, scaleLog, scaleSqrt } from "d3-scale";
export { timer, timeout, now } from "d3-timer";
