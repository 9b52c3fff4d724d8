/** Lessons for the questions of the five texts. */

/** @typedef {import("./lessons.js").Lesson} Lesson */

/** @type {Record<string, Lesson>} by the example's id */
export const TEXTS = {
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
      say: "let d be −4: which gradients change their sign?",
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
      say: "ask for the gradients as well: add e.backward()",
      from: "print(ag.next_functions)",
      to: "print(ag.next_functions)\ne.backward()",
    },
  },
  seed0_mm_jvp: {
    captions: [
      {
        say:
          "y has two elements. The weights [1, 0] ask for y₀ alone: how much does it grow with each element of " +
          "x? Its two slopes are a row of the Jacobian, the table of all slopes.",
        at: "backward 1",
        look: "y",
      },
      { say: "[0, 1] asks for y₁ alone, the other row.", at: "lands x 2", look: "x" },
      {
        say:
          "[1, 1] weighs both rows with 1 and adds them: [1, 3] + [2, 4] = [3, 7]. backward() always gives such " +
          "a weighted sum of rows.",
        at: "lands x 3",
        look: "x",
      },
    ],
    change: { say: "weigh y₁ ten times", from: "[[1,1]]", to: "[[1,10]]" },
  },
  seed0_mm_jacobian_rows: {
    captions: [
      {
        say:
          "The Jacobian is the table of all slopes: a row for each element of y, a number in it for each " +
          "element of x. A weight of 1 for y₀ alone asks for its row.",
        at: "backward 1",
        look: "y",
      },
      { say: "The second pass asks for the row of y₁. That is the whole table.", at: "lands x 2", look: "x" },
      { say: "Now the weights are 0.5 and 10: each multiplies its row.", at: "backward 3", look: "y" },
      {
        say:
          "0.5·[1, 3] + 10·[2, 4] = [20.5, 41.5]: what backward() leaves is the weighted sum of the rows, and " +
          "the product by hand agrees.",
        at: "end",
        look: "x",
      },
    ],
    change: { say: "let y₀ pull down: −0.5", from: "[[0.5, 10]]", to: "[[-0.5, 10]]" },
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
      say: "give every element the weight 1: x.grad becomes the slope itself",
      from: "[0.1, 1.0, 0.0001]",
      to: "[1.0, 1.0, 1.0]",
    },
  },
  seed1_prosti_ex1: {
    captions: [
      {
        say:
          "y has three elements, but backward() needs one number. So you say how much each element counts in " +
          "it: 0.1, 1 and 0.0001.",
        at: "backward 1",
        look: "y",
      },
      {
        say:
          "On its way down each weight is multiplied by the slopes it passes. b is reached twice, so two " +
          "results are added.",
        at: "lands b",
        look: "b",
      },
      {
        say:
          "The answer: a.grad is 3 times the weights, because the slope of y by a is 3. The weights are chosen " +
          "by you, not computed; all ones would be the gradient of y.sum().",
        at: "end",
        look: "a b c",
      },
    ],
    change: { say: "make all three 1", from: "[0.1, 1.0, 0.0001]", to: "[1.0, 1.0, 1.0]" },
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
    change: { say: "weigh the third element ten times", from: "[[1, 1, 1, 1]]", to: "[[1, 1, 10, 1]]" },
  },
  seed2_is_leaf: {
    captions: [
      { say: "y was made by you and asks for a gradient: a leaf.", at: "bind y", look: "y" },
      {
        say:
          "a was computed, but from x, which asks for none: nothing recorded leads to it, so it is a leaf, too. " +
          "b was computed from y: not a leaf.",
        at: "op b",
        look: "a b",
      },
      {
        say: "On its way to y the gradient of b goes through the hook of line 11, which doubles it: 2 becomes 4.",
        at: "hook 1",
        look: "b",
      },
      {
        say: "A leaf is where the way back ends. a and y keep what arrived; b only passed it on, so b.grad is None.",
        at: "end",
        look: "a b y",
      },
    ],
    change: {
      say: "keep b’s too, with b.retain_grad()",
      from: "out.backward()\n",
      to: "b.retain_grad()\nout.backward()\n",
    },
  },
  seed2_jacobian_vector: {
    captions: [
      { say: "l depends on Y. The gradient of l with respect to Y is the vector v.", at: "end", look: "v" },
      { say: "Y.backward(v) starts the pass with v instead of 1.", at: "backward 2" },
      {
        say:
          "The Jacobian is the table of all slopes, a row for each element of Y. What lands in X is its rows, " +
          "weighed by " +
          "v and added: the gradient of l, without ever building the table.",
        at: "lands X 1",
        look: "X",
      },
    ],
    change: { say: "let l be the plain sum: v becomes all ones", from: "(Y ** 2).sum()", to: "Y.sum()" },
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
        say: "Below the program you can say so: type weights, or press “ones” for the gradient of the sum.",
        at: "error",
        look: "z",
      },
    ],
    change: { say: "reduce it to one number first", from: "z.backward()", to: "z.sum().backward()" },
  },
  seed3_backward_target: {
    captions: [
      {
        say:
          "y.backward(gradient=target) starts with target as the weights of y: it differentiates the single " +
          "number 0.5·y₀ + 2·y₁.",
        at: "backward 1",
        look: "y",
      },
      {
        say: "Both ReLUs are open, so they pass the gradient on; each matrix multiplies it by its slopes.",
        at: "node ReluBackward0 1",
      },
      {
        say:
          "The hook on x sees [22.5, −0.5], and the same lands in x.grad: a hook that changes nothing sees what " +
          "x.grad gets.",
        at: "lands x 1",
        look: "x",
      },
      {
        say: "loss = (y * target).sum() is that very number: what its product sends to y is target again.",
        at: "node MulBackward0 1",
        look: "y",
      },
      {
        say:
          "x.grad is the same both ways. gradient=target computes the gradient of sum(y * target); it does not " +
          "compare " +
          "y with target.",
        at: "end",
        look: "x",
      },
    ],
    change: { say: "close a ReLU: let x₁ be −2", from: "x = torch.tensor([1., 2.]", to: "x = torch.tensor([1., -2.]" },
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
    change: { say: "choose a pixel in the corner", from: "one[0, 0, 3, 3]", to: "one[0, 0, 0, 0]" },
  },
};
