/** Lessons for what everybody meets sooner or later. */

/** @typedef {import("./lessons.js").Lesson} Lesson */

/** @type {Record<string, Lesson>} by the example's id */
export const CLASSICS = {
  accumulation: {
    captions: [
      { say: "w.grad was None; the first backward() puts 2 there.", at: "lands w 1", look: "w" },
      { say: "The second adds another 2. Nothing told it to start afresh.", at: "lands w 2", look: "w" },
      { say: "zero_() empties it.", at: "grad w 1", look: "w" },
      { say: "After that the gradient is right again.", at: "lands w 3", look: "w" },
    ],
    change: { say: "forget to reset it", from: "w.grad.zero_()", to: "# w.grad.zero_()" },
  },
  retain_graph_error: {
    captions: [
      { say: "PowBackward0 has saved x: its slope 2x needs it.", at: "op loss" },
      { say: "It has used the saved value, so autograd lets go of it to free the memory.", at: "node PowBackward0 1" },
      { say: "A second backward() gets this far and finds it gone.", at: "error" },
    ],
    change: {
      say: "keep it for the second call",
      from: "loss.backward()\nprint",
      to: "loss.backward(retain_graph=True)\nprint",
    },
  },
  retain_graph: {
    captions: [
      { say: "retain_graph=True: the saved values stay where they are.", at: "node PowBackward0 1" },
      { say: "So the second pass can use them again.", at: "node PowBackward0 2" },
      { say: "And since .grad accumulates, it doubles.", at: "lands x 2", look: "x" },
    ],
    change: { say: "see what happens without it", from: "retain_graph=True", to: "" },
  },
  api_register_hook: {
    captions: [
      { say: "The hook sees the gradient just before it arrives and returns twice as much.", at: "hook 1" },
      { say: "That is what lands in v.grad.", at: "lands v 1", look: "v" },
      { say: "After h.remove() the gradient arrives as it was sent.", at: "lands v 2", look: "v" },
    ],
    change: { say: "turn the gradient around", from: "grad * 2", to: "-grad" },
  },
  detach_cut: {
    captions: [
      { say: "y is used twice, once through detach().", at: "op z" },
      { say: "AddBackward0 has nowhere to send the second gradient: the path is cut.", at: "node AddBackward0" },
      { say: "x.grad is the slope of y alone, 2x = 4. The factor 10 has left no trace.", at: "lands x", look: "x" },
    ],
    change: { say: "heal the cut", from: "y.detach()", to: "y" },
  },
  notes_inplace_version: {
    captions: [
      { say: "exp is its own slope, so ExpBackward0 saves its result, y at version 0.", at: "op y", look: "y" },
      { say: "add_ writes into y: version 1.", at: "write y" },
      {
        say: "In the backward pass ExpBackward0 finds another version than the one it saved, and refuses to use it.",
        at: "error",
      },
    ],
    change: { say: "make a new tensor instead", from: "y.add_(1)", to: "y = y.add(1)" },
  },
  training_loop: {
    captions: [
      { say: "Forward: the loss says how wrong w and b are.", at: "op loss 1" },
      { say: "Backward: w.grad says which way the loss grows.", at: "lands w 1", look: "w" },
      { say: "Step: w moves the other way, inside no_grad so that the step itself is not recorded.", at: "write w 1" },
      { say: "Zero: without it the next gradient would be added to this one.", at: "grad w 1" },
      { say: "Five times later the loss is small.", at: "end", look: "loss" },
    ],
    change: { say: "take steps ten times as large", from: "w -= 0.1", to: "w -= 1.0" },
  },
  api_double_backward: {
    captions: [
      { say: "autograd.grad returns the derivative instead of adding it to .grad.", at: "backward 1" },
      {
        say: "create_graph=True records the backward pass as well, so d1 has a grad_fn of its own.",
        at: "backward 2",
        look: "d1",
      },
      { say: "Differentiating that gives the second derivative, and so on.", at: "end", look: "d3" },
    ],
    change: { say: "start from another power", from: "x ** 4", to: "x ** 5" },
  },
  diamond: {
    captions: [
      {
        say: "x is used twice: in x * 3 and in x ** 2. Autograd records both, in order.",
        at: "op out",
      },
      {
        say:
          "The backward pass goes through what was recorded from the end. The first gradient reaches x, and x " +
          "waits.",
        at: "node PowBackward0",
      },
      { say: "The second arrives: gradients of all uses are added.", at: "lands x", look: "x" },
    ],
    change: { say: "use x a third time", from: "left * right", to: "left * right * x" },
  },
  broadcast_bias: {
    captions: [
      { say: "b is one number, added to three elements.", at: "op y" },
      { say: "So three gradients come back to it, and they are added: un-broadcasting.", at: "lands b", look: "b" },
      {
        say: "The row w was stretched over three rows of x; its gradient is summed over them.",
        at: "lands w",
        look: "w",
      },
    ],
    change: { say: "let only the first element count", from: "torch.ones(3)", to: "torch.tensor([1.0, 0.0, 0.0])" },
  },
  lost_grad: {
    captions: [
      { say: "w is a leaf: its gradient is kept.", at: "lands w", look: "w" },
      {
        say: "A gradient passed through h as well, but h was computed, so it is not kept: h.grad is None.",
        at: "end",
        look: "h",
      },
    ],
    change: { say: "ask h to keep it", from: "loss = h ** 2", to: "h.retain_grad()\nloss = h ** 2" },
  },
  vanishing: {
    captions: [
      { say: "Eight sigmoids in a row. The slope of a sigmoid is at most a quarter.", at: "op h 8" },
      { say: "Every step back multiplies by such a slope: watch the gradient shrink.", at: "node SigmoidBackward0 4" },
      { say: "What reaches x is almost nothing.", at: "lands x", look: "x" },
    ],
    change: { say: "use tanh, whose slope is up to 1", from: "torch.sigmoid", to: "torch.tanh" },
  },
};
