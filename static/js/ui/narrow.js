/**
 * On a narrow page everything stands in one column: program, picture, story, and below them what is looked up now and
 * then.
 */

import { byId } from "./dom.js";

/** Moved in the document and not by style alone, so that reading and the Tab key go in the order one sees. */
const LOOKED_UP = ["vector", "output", "tape"];

export function followWidth() {
  const narrow = matchMedia("(max-width: 760px)");
  const arrange = () => {
    const home = narrow.matches ? byId("ledger").parentElement : byId("program-scroll");
    home?.append(...LOOKED_UP.map(byId));
  };
  narrow.addEventListener("change", arrange);
  if (narrow.matches) arrange();
}
