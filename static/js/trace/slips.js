/**
 * Where the autograd of a program's own goes wrong. Pure.
 * @module
 */

/**
 * Whether gradients that arrive at a tensor overwrite each other instead of being added.
 * @param {import("./document").RunDocument} document
 * @param {string | null} tensor
 * @param {number} [call] the pass; any, where it is left out
 */
export const overwritten = ({ tape }, tensor, call) =>
  (tape?.slips ?? []).some(
    (slip) => slip.kind === "overwritten" && slip.tensor === tensor && (call === undefined || slip.call === call),
  );
