// Only render(): it sets styles through the CSSOM, which a strict CSP allows; renderToString needs style attributes.
import katex from "katex";
export const render = katex.render;
