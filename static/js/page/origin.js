/** Where a run that came as a file is from. */

import { h } from "../ui/dom.js";

/** @typedef {import("../trace/document").RunDocument} RunDocument */

/**
 * @param {HTMLElement} element its content is replaced
 * @param {RunDocument | null} document null for runs of the service
 */
export function showOrigin(element, document) {
  element.hidden = document === null;
  if (document === null) return;
  const { origin, files, engine } = document;
  const name = files?.[0]?.name;
  element.replaceChildren(
    ...(origin
      ? [
          h("b", null, "Captured"),
          ` from PyTorch ${origin.torch} on ${origin.device}${name ? `: ${name}` : ""}`,
          h("small", null, `Python ${origin.python} · ${origin.platform} · ${contents(files ?? [])}`),
        ]
      : [h("b", null, "Recorded"), ` by Backlight ${engine}`]),
  );
}

/**
 * What of the program's files somebody sees who is given the page.
 * @param {NonNullable<RunDocument["files"]>} files
 */
function contents(files) {
  const texts = files.filter(({ code }) => code).length;
  if (!texts) return "contains no source";
  return texts === 1 ? "contains its file’s text and path" : `contains the text and paths of ${texts} files`;
}
