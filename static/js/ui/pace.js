/**
 * While time runs by, the picture comes first: the panes around it follow in the frames after, some at a time, so that
 * none of them holds up a frame.
 * @module
 */

/** ms that panes may take after a frame; one of them always has its turn. */
const SHARE = 1;

/** ms that a frame may have taken when panes come; after one that took longer they wait, but not for ever. */
const FULL = 8;
const PATIENCE = 2;

/**
 * @param {{next?: (go: (began: number) => void) => void, now?: () => number}} [clock]  next: call `go` after the next
 *   frame, with the time that it began
 */
export function createPace({ next = afterFrame(), now = () => performance.now() } = {}) {
  /** @type {Map<string, () => void>} in turn: who was shown last comes last */
  const waiting = new Map();
  let asked = false;
  let waited = 0;

  const ask = () => {
    if (asked || !waiting.size) return;
    asked = true;
    next((began) => {
      asked = false;
      const started = now();
      if (started - began > FULL && waited < PATIENCE) {
        waited++;
        ask();
        return;
      }
      waited = 0;
      for (const [pane, show] of waiting) {
        waiting.delete(pane);
        show();
        if (now() - started > SHARE) break;
      }
      ask();
    });
  };

  return {
    /** Show a pane soon. What it waits to show is replaced. @param {string} pane @param {() => void} show */
    soon(pane, show) {
      waiting.set(pane, show);
      ask();
    },

    /** Show at once whatever waits. */
    catchUp() {
      for (const [pane, show] of waiting) {
        waiting.delete(pane);
        show();
      }
    },
  };
}

/**
 * Once a frame has been painted, reading positions costs no layout.
 * @returns {(go: (began: number) => void) => void}
 */
function afterFrame() {
  const { port1, port2 } = new MessageChannel();
  /** @type {(() => void)[]} */
  const todo = [];
  port1.onmessage = () => todo.shift()?.();
  return (go) =>
    requestAnimationFrame((began) => {
      todo.push(() => go(began));
      port2.postMessage(null);
    });
}

/** Runs with more events than this are long. */
const LONG = 3000;

/**
 * Let whatever waits go first; for a short run do not even wait a turn.
 * @param {{events: readonly unknown[]}} run
 * @returns {Promise<void>}
 */
export const breathe = async (run) => {
  if (run.events.length > LONG) await new Promise((/** @type {(value?: unknown) => void} */ go) => setTimeout(go));
};
