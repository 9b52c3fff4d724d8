/** The keyboard: one table, used by the listener and by the help dialog. */

/**
 * @typedef {"play" | "next" | "previous" | "nextLeaf" | "previousLeaf" | "first" | "last" | "search" | "fit" | "error"
 *   | "finding" | "details" | "rule" | "fold" | "unfold" | "present" | "help" | "run" | "escape"} Command
 */

/**
 * @type {{keys: string, command: Command, about: string, match: (event: KeyboardEvent) => boolean, anywhere?:
 *   boolean}[]}
 */
export const KEYS = [
  { keys: "space", command: "play", about: "play or pause", match: (e) => e.key === " " },
  { keys: "→", command: "next", about: "next step", match: (e) => e.key === "ArrowRight" && !e.shiftKey },
  { keys: "←", command: "previous", about: "previous step", match: (e) => e.key === "ArrowLeft" && !e.shiftKey },
  {
    keys: "shift →",
    command: "nextLeaf",
    about: "next gradient landing in a leaf; in a training, next iteration",
    match: (e) => e.key === "ArrowRight" && e.shiftKey,
  },
  {
    keys: "shift ←",
    command: "previousLeaf",
    about: "the one before",
    match: (e) => e.key === "ArrowLeft" && e.shiftKey,
  },
  { keys: "Home", command: "first", about: "before the first line", match: (e) => e.key === "Home" },
  { keys: "End", command: "last", about: "after the last step", match: (e) => e.key === "End" },
  { keys: "/", command: "search", about: "search the graph", match: (e) => e.key === "/" },
  { keys: "f", command: "fit", about: "fit the graph", match: (e) => e.key === "f" },
  { keys: "e", command: "error", about: "go to the error", match: (e) => e.key === "e" },
  { keys: "n", command: "finding", about: "next finding", match: (e) => e.key === "n" },
  { keys: "d", command: "details", about: "details of the step", match: (e) => e.key === "d" },
  { keys: "r", command: "rule", about: "rule of the step, on the picture", match: (e) => e.key === "r" },
  { keys: "[", command: "fold", about: "fold scopes", match: (e) => e.key === "[" },
  { keys: "]", command: "unfold", about: "unfold scopes", match: (e) => e.key === "]" },
  { keys: "p", command: "present", about: "present to a room", match: (e) => e.key === "p" },
  { keys: "?", command: "help", about: "this list", match: (e) => e.key === "?" },
  {
    keys: "Ctrl or ⌘ Enter",
    command: "run",
    about: "run the program",
    match: (e) => e.key === "Enter" && (e.ctrlKey || e.metaKey),
    anywhere: true,
  },
  {
    keys: "Esc",
    command: "escape",
    about: "close, clear the selection, or end presenting",
    match: (e) => e.key === "Escape",
  },
];

/**
 * @param {(command: Command) => boolean | void} act returns false when there was nothing to do
 */
export function bindKeys(act) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey) return;
    const entry = KEYS.find((key) => key.match(event));
    if (!entry) return;
    if (!entry.anywhere && (event.ctrlKey || event.metaKey || takesKeys(event.target, event.key))) return;
    if (act(entry.command) !== false) event.preventDefault();
  });
}

/** Does the focused control need this key itself? @param {EventTarget | null} target @param {string} key */
function takesKeys(target, key) {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest("dialog[open], [role='menu'], [role='separator']")) return true;
  if (target.isContentEditable || target.matches("textarea, select, input:not([type='range'])")) return true;
  if (target.matches("input[type='range']")) return key.startsWith("Arrow") || key === "Home" || key === "End";
  if (key === " ") return target.matches("button, a, summary");
  // Inside the graph, arrows follow edges; the stage listens to them itself.
  return key.startsWith("Arrow") && target.closest("#stage") !== null && target.id !== "stage";
}
