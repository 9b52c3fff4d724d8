/** Lessons for what everyone runs into sooner or later. */

/** @typedef {import("./lessons.js").Lesson} Lesson */

/** @type {Record<string, Lesson>} by the example's id */
export const CLASSICS = {
  accumulation: {
    captions: [
      { say: "w.grad was None; the first backward() puts {w.grad} there.", at: "lands w 1", look: "w" },
      {
        say: "The second adds {incoming w}: w.grad is {w.grad}. backward() never replaces .grad.",
        at: "lands w 2",
        look: "w",
      },
      { say: "zero_() sets it to {w.grad}.", at: "grad w 1", look: "w" },
      { say: "Now w.grad is right again: {w.grad}.", at: "lands w 3", until: "end", look: "w" },
    ],
    change: { say: "forget to zero it", from: "w.grad.zero_()", to: "# w.grad.zero_()" },
  },
  retain_graph_error: {
    captions: [
      { say: "PowBackward0 saved x, because its derivative needs it.", at: "op loss", look: "x" },
      { say: "PowBackward0 has used x, so autograd frees it to save memory.", at: "node PowBackward0 1", look: "x" },
      { say: "The second backward() gets as far as PowBackward0 and finds x freed.", at: "error", look: "x" },
    ],
    change: {
      say: "retain the graph for the second call",
      from: "loss.backward()\nprint",
      to: "loss.backward(retain_graph=True)\nprint",
    },
  },
  retain_graph: {
    captions: [
      { say: "retain_graph=True: PowBackward0 keeps the x that it saved.", at: "node PowBackward0 1", look: "x" },
      { say: "So the second pass can use x again.", at: "node PowBackward0 2", look: "x" },
      { say: ".grad accumulates: {before x} + {incoming x} = {x.grad}.", at: "lands x 2", until: "end", look: "x" },
    ],
    change: { say: "see what happens without it", from: "retain_graph=True", to: "" },
  },
  api_register_hook: {
    captions: [
      {
        say: "Before it reaches v.grad, the hook gets {hook before} and returns {hook after}.",
        at: "hook 1",
        look: "v",
      },
      { say: "v.grad is what the hook returned: {v.grad}.", at: "lands v 1", look: "v" },
      { say: "h.remove() has removed the hook, and v.grad starts afresh.", at: "grad v 1", look: "v" },
      { say: "Without the hook v.grad is {v.grad}.", at: "lands v 2", until: "end", look: "v" },
    ],
    change: { say: "flip the sign of the gradient", from: "grad * 2", to: "-grad" },
  },
  detach_cut: {
    captions: [
      { say: "y is used twice, once through detach().", at: "op z", look: "y" },
      {
        say: "AddBackward0 has only one path to send its gradient along: detach() cut the other.",
        at: "node AddBackward0",
      },
      {
        say: "x.grad is {x.grad}, the derivative of y alone: the detached term counts as a constant.",
        at: "lands x",
        until: "end",
        look: "x",
      },
    ],
    change: { say: "remove detach()", from: "y.detach()", to: "y" },
  },
  notes_inplace_version: {
    captions: [
      { say: "exp is its own derivative, so ExpBackward0 saves its result, y.", at: "op y", look: "y" },
      { say: "add_() changes y in place, which raises its version to {version y}.", at: "write y", look: "y" },
      {
        say: "ExpBackward0 finds another version of y than the one it saved, and refuses to use it.",
        at: "error",
        look: "y",
      },
    ],
    change: { say: "make a new tensor instead", from: "y.add_(1)", to: "y = y.add(1)" },
  },
  training_loop: {
    captions: [
      { say: "Forward: the loss is {loss}.", at: "op loss 1", look: "loss" },
      { say: "Backward: w.grad is {w.grad}. The loss falls when w moves the other way.", at: "lands w 1", look: "w" },
      {
        say: "Update: w becomes {w}, under no_grad so that the update itself is not recorded.",
        at: "write w 1",
        look: "w",
      },
      { say: "Zero: otherwise the next gradient would be added to this one.", at: "grad w 1", look: "w" },
      { say: "After {passes} iterations the loss is {loss}.", at: "end", look: "loss" },
    ],
    change: { say: "make the steps ten times as large", from: "w -= 0.1", to: "w -= 1.0" },
  },
  api_double_backward: {
    captions: [
      { say: "autograd.grad returns the derivative of y instead of adding it to .grad.", at: "backward 1", look: "y" },
      {
        say: "create_graph=True recorded that pass, so d1 can be differentiated in turn.",
        at: "backward 2",
        look: "d1",
      },
      { say: "And so can d2: the next pass gives the third derivative.", at: "backward 3", look: "d2" },
    ],
    change: { say: "start from another power", from: "x ** 4", to: "x ** 5" },
  },
  diamond: {
    captions: [
      { say: "x is used twice, for left and for right. Autograd records both.", at: "op out", look: "x" },
      { say: "One gradient has reached x, which waits for the second.", at: "node PowBackward0", look: "x" },
      {
        say: "Both have arrived and are added: x.grad is {x.grad}.",
        at: "lands x",
        until: "end",
        look: "x",
      },
    ],
    change: { say: "use x a third time", from: "left * right", to: "left * right * x" },
  },
  broadcast_bias: {
    captions: [
      { say: "b is a single number, added to {count y} elements.", at: "op y", look: "b" },
      { say: "So b gets {count y} gradients, and they are added: b.grad is {b.grad}.", at: "lands b", look: "b" },
      {
        say: "w was repeated for every row of x, so its gradient is summed over the rows: {w.grad}.",
        at: "lands w",
        until: "end",
        look: "w",
      },
    ],
    change: {
      say: "give only the first element a weight",
      from: "torch.ones(3)",
      to: "torch.tensor([1.0, 0.0, 0.0])",
    },
  },
  lost_grad: {
    captions: [
      { say: "A gradient reaches h and is passed on to w.", at: "node MulBackward0", look: "h" },
      { say: "w is a leaf: w.grad keeps {w.grad}.", at: "lands w", look: "w" },
      { say: "h is not a leaf: its gradient was not kept, and h.grad is None.", at: "read grad 2", look: "h" },
    ],
    change: { say: "keep it with h.retain_grad()", from: "loss = h ** 2", to: "h.retain_grad()\nloss = h ** 2" },
  },
  vanishing: {
    captions: [
      {
        say: "Here are {ops sigmoid} sigmoids in a row. The derivative of a sigmoid is at most ¼.",
        at: "op h 8",
        only: ["range(8)"],
        look: "h",
      },
      {
        say: "Every SigmoidBackward0 multiplies the gradient by such a derivative: watch it shrink.",
        at: "backward 1",
      },
      {
        say: "x.grad is {x.grad}: almost nothing is left.",
        at: "lands x",
        until: "end",
        only: ["range(8)"],
        look: "x",
      },
    ],
    change: { say: "use tanh, whose derivative is up to 1", from: "torch.sigmoid", to: "torch.tanh" },
  },
};
