// The parts of D3 the page uses. d3-dsv must stay out: it builds functions from text, which the page's CSP forbids.
export { select } from "d3-selection";
export { zoom, zoomIdentity } from "d3-zoom";
