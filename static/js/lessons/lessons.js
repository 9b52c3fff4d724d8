/**
 * Guided tours of the examples. A caption points at a moment of the run (see locate.js for the notation) and, with
 * `look`, at a tensor to open; `change` is something to try, as text to replace in the program.
 * @module
 */

/** @typedef {{say: string, at: string, look?: string}} Caption */
/** @typedef {{captions: Caption[], change: {say: string, from: string, to: string}}} Lesson */

/** @type {Record<string, Lesson>} by the example's id */
export const LESSONS = {
  seed4_graph: {
    captions: [
      { say: "While the program runs, autograd writes down how e was made: c × d.", at: "op e" },
      { say: "backward() starts at e with 1: if e changes by a little, e changes by just as much.", at: "backward 1" },
      {
        say: "For a product each input's slope is the other input. The gradient is multiplied by it on its way back.",
        at: "node MulBackward0",
      },
      { say: "A sum passes the gradient on as it is, to both of its inputs.", at: "node AddBackward0" },
      {
        say: "Gradients end in the leaves: a.grad says how much e grows when a grows by one.",
        at: "lands a",
        look: "a",
      },
    ],
    change: {
      say: "Let d be −4: which gradients change their sign?",
      from: "torch.tensor(4.0",
      to: "torch.tensor(-4.0",
    },
  },
  seed4_variable_ok: {
    captions: [
      { say: "e remembers the function that will carry its gradient back: MulBackward0.", at: "op e" },
      {
        say:
          "Its next_functions are where the gradients go: " +
          "to AddBackward0 for c, to an AccumulateGrad for the leaf d.",
        at: "op e",
        look: "d",
      },
      {
        say: "Only AccumulateGrad has a variable, because only it belongs to a tensor you made.",
        at: "end",
        look: "a",
      },
    ],
    change: {
      say: "Ask for the gradients as well: add e.backward().",
      from: "print(ag.next_functions)",
      to: "print(ag.next_functions)\ne.backward()",
    },
  },
  seed0_blitz_fixed_input: {
    captions: [
      { say: "x is doubled until its norm passes 1000. Every round records one more multiplication.", at: "op y 1" },
      {
        say: "y has three elements, so backward() asks how much each one counts: 0.1, 1.0 and 0.0001.",
        at: "backward 1",
      },
      {
        say: "These numbers are where the gradient starts; each MulBackward0 doubles them.",
        at: "node MulBackward0 1",
      },
      {
        say: "x.grad is the three weights times 1024, the slope that ten doublings build up.",
        at: "lands x",
        look: "x",
      },
    ],
    change: {
      say: "Give every element the weight 1: x.grad becomes the slope itself.",
      from: "[0.1, 1.0, 0.0001]",
      to: "[1.0, 1.0, 1.0]",
    },
  },
  seed1_jdhao_weights: {
    captions: [
      { say: "Weight 1 for the first element of z and 0 for the rest: the gradient of z₀ alone.", at: "backward 1" },
      { say: "Only x₀ matters for z₀, so only it gets a gradient.", at: "lands x 1", look: "x" },
      { say: "The second call asks for z₁. retain_graph=True kept the saved values for it.", at: "backward 2" },
      { say: "All ones: the sum of all those rows.", at: "lands x 3", look: "x" },
      {
        say: "loss = z.sum() gives the same, because all ones is exactly what a sum sends back.",
        at: "lands x 4",
        look: "x",
      },
    ],
    change: { say: "Weigh the third element ten times.", from: "[[1, 1, 1, 1]]", to: "[[1, 1, 10, 1]]" },
  },
  accumulation: {
    captions: [
      { say: "w.grad was None; the first backward() puts 2 there.", at: "lands w 1", look: "w" },
      { say: "The second adds another 2. Nothing told it to start afresh.", at: "lands w 2", look: "w" },
      { say: "zero_() empties it.", at: "grad w 1", look: "w" },
      { say: "After that the gradient is right again.", at: "lands w 3", look: "w" },
    ],
    change: { say: "Forget to reset it.", from: "w.grad.zero_()", to: "# w.grad.zero_()" },
  },
  retain_graph_error: {
    captions: [
      { say: "PowBackward0 has saved x: its slope 2x needs it.", at: "op loss" },
      { say: "It has used the saved value, so autograd lets go of it to free the memory.", at: "node PowBackward0 1" },
      { say: "A second backward() gets this far and finds it gone.", at: "error" },
    ],
    change: {
      say: "Keep it for the second call.",
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
    change: { say: "See what happens without it.", from: "retain_graph=True", to: "" },
  },
  seed2_is_leaf: {
    captions: [
      { say: "A tensor you made is a leaf, whether it requires a gradient or not.", at: "bind y", look: "y" },
      { say: "b was computed from y, so it is not a leaf: it has a grad_fn.", at: "op b", look: "b" },
      { say: "c is detached: the same numbers, but a leaf without history.", at: "end", look: "c" },
      { say: "Only leaves that require a gradient keep one in .grad.", at: "end", look: "y" },
    ],
    change: { say: "Use the detached copy instead of b.", from: "(a * b)", to: "(a * c)" },
  },
  seed2_jacobian_vector: {
    captions: [
      { say: "l depends on Y. The gradient of l with respect to Y is the vector v.", at: "end", look: "v" },
      { say: "Y.backward(v) starts the pass with v instead of 1.", at: "backward 2" },
      {
        say:
          "What lands in X is the transposed Jacobian times v: " +
          "the gradient of l, without ever building the Jacobian.",
        at: "lands X 1",
        look: "X",
      },
    ],
    change: { say: "Let l be the plain sum: v becomes all ones.", from: "(Y ** 2).sum()", to: "Y.sum()" },
  },
  api_register_hook: {
    captions: [
      { say: "The hook sees the gradient just before it arrives and returns twice as much.", at: "hook 1" },
      { say: "That is what lands in v.grad.", at: "lands v 1", look: "v" },
      { say: "After h.remove() the gradient arrives as it was sent.", at: "lands v 2", look: "v" },
    ],
    change: { say: "Turn the gradient around.", from: "grad * 2", to: "-grad" },
  },
  detach_cut: {
    captions: [
      { say: "y is used twice, once through detach().", at: "op z" },
      { say: "AddBackward0 has nowhere to send the second gradient: the path is cut.", at: "node AddBackward0" },
      { say: "x.grad is the slope of y alone, 2x = 4. The factor 10 has left no trace.", at: "lands x", look: "x" },
    ],
    change: { say: "Heal the cut.", from: "y.detach()", to: "y" },
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
    change: { say: "Make a new tensor instead.", from: "y.add_(1)", to: "y = y.add(1)" },
  },
  seed3_one_pixel: {
    captions: [
      {
        say: "The network turns an image into an image. One output pixel is chosen: one-hot, a single 1.",
        at: "backward 1",
      },
      { say: "The convolution spreads that 1 over a 3 × 3 patch of its input.", at: "node ConvolutionBackward0 1" },
      {
        say: "After the second one it has reached 5 × 5 pixels: the receptive field of that output pixel.",
        at: "lands img",
        look: "img",
      },
    ],
    change: { say: "Choose a pixel in the corner.", from: "one[0, 0, 3, 3]", to: "one[0, 0, 0, 0]" },
  },
  training_loop: {
    captions: [
      { say: "Forward: the loss says how wrong w and b are.", at: "op loss 1" },
      { say: "Backward: w.grad says which way the loss grows.", at: "lands w 1", look: "w" },
      { say: "Step: w moves the other way, inside no_grad so that the step itself is not recorded.", at: "write w 1" },
      { say: "Zero: without it the next gradient would be added to this one.", at: "grad w 1" },
      { say: "Five times later the loss is small.", at: "end", look: "loss" },
    ],
    change: { say: "Take steps ten times as large.", from: "w -= 0.1", to: "w -= 1.0" },
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
    change: { say: "Start from another power.", from: "x ** 4", to: "x ** 5" },
  },
  diamond: {
    captions: [
      {
        say: "x is used twice: in x * 3 and in x ** 2. That is the tape: one row for each operation, in order.",
        at: "op out",
      },
      {
        say: "The backward pass reads the tape from the end. The first gradient reaches x, and x waits.",
        at: "node PowBackward0",
      },
      { say: "The second arrives: gradients of all uses are added.", at: "lands x", look: "x" },
    ],
    change: { say: "Use x a third time.", from: "left * right", to: "left * right * x" },
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
    change: { say: "Let only the first element count.", from: "torch.ones(3)", to: "torch.tensor([1.0, 0.0, 0.0])" },
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
    change: { say: "Ask h to keep it.", from: "loss = h ** 2", to: "h.retain_grad()\nloss = h ** 2" },
  },
  vanishing: {
    captions: [
      { say: "Eight sigmoids in a row. The slope of a sigmoid is at most a quarter.", at: "op h 8" },
      { say: "Every step back multiplies by such a slope: watch the gradient shrink.", at: "node SigmoidBackward0 4" },
      { say: "What reaches x is almost nothing.", at: "lands x", look: "x" },
    ],
    change: { say: "Use tanh, whose slope is up to 1.", from: "torch.sigmoid", to: "torch.tanh" },
  },
  seed2_nonscalar_error: {
    captions: [
      {
        say:
          "z has three elements. For a single number backward() starts with 1; " +
          "for three it does not know how much each one counts.",
        at: "error",
      },
      {
        say: "On the left you can say so: give weights, or press “ones” for the gradient of the sum.",
        at: "error",
        look: "z",
      },
    ],
    change: { say: "Reduce it to one number first.", from: "z.backward()", to: "z.sum().backward()" },
  },
  seed0_mm_jvp: {
    captions: [
      {
        say: "[1, 0] asks for the first output alone: the gradient is the first column of M.",
        at: "lands x 1",
        look: "x",
      },
      { say: "[0, 1] asks for the second.", at: "lands x 2", look: "x" },
      {
        say:
          "[1, 1] weighs both with 1, so it gives the sum of the two. " +
          "backward() is a weighted sum of rows of the Jacobian.",
        at: "lands x 3",
        look: "x",
      },
    ],
    change: { say: "Weigh the second output ten times.", from: "[[1,1]]", to: "[[1,10]]" },
  },
};
