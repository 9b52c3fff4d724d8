/**
 * A text in which the service found another program than it is by itself: the cells of a notebook's file.
 * @module
 */

import { toast } from "../ui/toast.js";
import { list } from "../ui/words.js";
import { store } from "./state.js";

/** Show the program that was run in its place. @param {import("../trace/document").RunDocument["source"]} source */
export function takeIn({ code, changes }) {
  if (code) store.set({ code });
  if (changes) toast(`This is the program ${list(changes)}. Undo in the editor brings the text back.`);
}
