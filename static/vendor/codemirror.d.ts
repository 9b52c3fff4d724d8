// Everything of CodeMirror 6 the page uses, as one file: several copies of @codemirror/state would not recognise each other.
export { EditorState, StateEffect, StateField, Compartment, RangeSet, RangeSetBuilder, Prec, Annotation, Transaction } from "@codemirror/state";
export {
  EditorView, ViewPlugin, Decoration, WidgetType, GutterMarker, gutter, lineNumbers, keymap, drawSelection,
  highlightSpecialChars, highlightActiveLineGutter, placeholder,
} from "@codemirror/view";
export { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
export { syntaxHighlighting, HighlightStyle, bracketMatching, indentOnInput, indentUnit, syntaxTree } from "@codemirror/language";
export { pythonLanguage } from "@codemirror/lang-python";
export { LanguageSupport } from "@codemirror/language";
export { tags } from "@lezer/highlight";
