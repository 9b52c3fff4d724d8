/**
 * While time runs by, the picture comes first: the panes around it follow in the frames after, some at a time, so that
 * none of them holds up a frame.
 * @module
 */

/** ms that panes may take after a frame; one of them always has its turn. */
const SHARE = 1;

/**
 * @param {{next?: (go: () => void) => void, now?: () => number}} [clock]  next: call `go` after the next frame
 */
export function createPace({ next = afterFrame(), now = () => performance.now() } = {}) {
  /** @type {Map<string, () => void>} in turn: who was shown last comes last */
  const waiting = new Map();
  let asked = false;

  const ask = () => {
    if (asked || !waiting.size) return;
    asked = true;
    next(() => {
      asked = false;
      const started = now();
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
 * @returns {(go: () => void) => void}
 */
function afterFrame() {
  const { port1, port2 } = new MessageChannel();
  /** @type {(() => void)[]} */
  const todo = [];
  port1.onmessage = () => todo.shift()?.();
  return (go) =>
    requestAnimationFrame(() => {
      todo.push(go);
      port2.postMessage(null);
    });
}
