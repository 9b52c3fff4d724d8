/** Long lines are wrapped, and what is wrapped stands further in than the line begins. */

import { Decoration, EditorView, WidgetType } from "../../vendor/codemirror.js";

/** Deepest indentation that is told apart, and how far in a wrapped part stands, in columns. */
const DEEPEST = 24;
const FURTHER = 4;

const indented = Array.from({ length: DEEPEST + 1 }, (_, columns) => Decoration.line({ class: `cm-hang-${columns}` }));

/** Styles of the editor's theme: the page's policy forbids style attributes, so each indentation has a class. */
export const HANGING = Object.fromEntries(
  indented.map((_, columns) => [
    `.cm-line.cm-hang-${columns}`,
    { paddingLeft: `calc(.35rem + ${columns + FURTHER}ch)`, textIndent: `-${columns + FURTHER}ch` },
  ]),
);

/**
 * A word this long may break behind a point, a parenthesis or an underscore; else it would leave the row it begins in
 * empty.
 */
const LONG_WORD = /\S{34,}/g;
const JOINT = /[.(_]/g;

class Joint extends WidgetType {
  eq() {
    return true;
  }

  toDOM() {
    return document.createElement("wbr");
  }
}

const joint = Decoration.widget({ widget: new Joint(), side: 1 });

/** The extension. */
export const hanging = EditorView.decorations.compute(["doc"], ({ doc }) => {
  const found = [];
  for (let n = 1; n <= doc.lines; n++) {
    const { from, text } = doc.line(n);
    found.push(indented[Math.min(DEEPEST, text.length - text.trimStart().length)].range(from));
    for (const word of text.matchAll(LONG_WORD)) {
      for (const { index } of word[0].matchAll(JOINT)) found.push(joint.range(from + word.index + index + 1));
    }
  }
  return Decoration.set(found);
});
