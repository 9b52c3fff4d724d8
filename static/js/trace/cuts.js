/** What cuts a tensor off, in words: `python -m tools.document` makes them of engine/document/cuts.py. */

/** By the document's word for the cut. @type {Record<string, {short: string, long: string}>} */
export const CUTS = {
  detach: {
    short: "detach() cuts the graph",
    long: "detach() returned a tensor that shares the values but not the history. Gradients stop there.",
  },
  data: {
    short: ".data cuts the graph",
    long: ".data gives the values without the history, and unlike detach() it doesn't even detect in-place changes.",
  },
  no_grad: {
    short: "gradients are switched off here",
    long:
      "It was computed where gradients are switched off (no_grad, inference_mode or set_grad_enabled(False)), so " +
      "nothing was recorded.",
  },
  integer: {
    short: "only floating point tensors have gradients",
    long:
      "It holds integers or booleans. A derivative needs numbers that vary continuously, so only floating point and " +
      "complex tensors can have gradients.",
  },
  not_differentiable: {
    short: "this operation has no derivative",
    long: "The operation has no useful derivative (it is piecewise constant), so autograd does not record it.",
  },
  leaf_without_requires_grad: {
    short: "it was made without requires_grad=True",
    long: "It was made without requires_grad=True, so no gradient is computed for it.",
  },
  inputs_without_requires_grad: {
    short: "no input requires grad",
    long: "Nothing it was computed from required grad at the time, so there was nothing to record.",
  },
};
