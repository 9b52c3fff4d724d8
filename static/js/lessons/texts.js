/** Lessons for the questions of the five texts. */

/** @typedef {import("./lessons.js").Lesson} Lesson */

/** @type {Record<string, Lesson>} by the example's id */
export const TEXTS = {
  seed4_graph: {
    captions: [
      {
        say: "While the program runs, autograd records how each tensor is made: e = c · d by MulBackward0.",
        at: "op e",
      },
      { say: "backward() starts at e with {weights}, the derivative of e with respect to itself.", at: "backward 1" },
      {
        say:
          "With respect to each factor, the derivative of a product is the other factor: " +
          "c gets {weights} × {d}, d gets {weights} × {c}.",
        at: "node MulBackward0",
      },
      { say: "A sum sends its gradient on unchanged, to both of its inputs.", at: "node AddBackward0" },
      {
        say: "Gradients end in the leaves. a.grad is {a.grad}: e changes {a.grad} times as fast as a.",
        at: "lands a",
        look: "a",
      },
      {
        say: "grad_fn and next_functions are these same circles and edges, one step at a time.",
        at: "read next_functions",
      },
    ],
    change: { say: "set d to −4: which gradients change sign?", from: "torch.tensor(4.0", to: "torch.tensor(-4.0" },
  },
  seed4_variable_ok: {
    captions: [
      { say: "e.grad_fn is MulBackward0, the node that will send e’s gradient on.", at: "op e", look: "e" },
      {
        say: "Its next_functions say where to: [1] is the AccumulateGrad of the leaf d.",
        at: "read next_functions",
        only: ["next_functions[1][0]"],
        look: "d",
      },
      {
        say: "AccumulateGrad adds what it receives to the .grad of its variable. Here the variable is d.",
        at: "read variable",
        only: ["next_functions[1][0]"],
        look: "d",
      },
      {
        say: "It has no next_functions of its own: the path ends at the leaf.",
        at: "read next_functions 2",
        only: ["next_functions[1][0]"],
        look: "d",
      },
      {
        say: "Every path ends this way: AddBackward0 leads to the AccumulateGrads of a and b.",
        at: "read next_functions 4",
        until: "end",
        look: "a b",
      },
    ],
    change: {
      say: "compute the gradients, too: add e.backward()",
      from: "print(ag.next_functions)",
      to: "print(ag.next_functions)\ne.backward()",
    },
  },
  seed0_mm_jvp: {
    captions: [
      {
        say:
          "The weights {weights} select y₀. Its derivatives with respect to x are one row of the Jacobian, the " +
          "table of all derivatives.",
        at: "backward 1",
        only: ["[[1,0]]"],
        look: "y",
      },
      { say: "x.grad is {x.grad}: the row of y₀.", at: "lands x 1", only: ["[[1,0]]"], look: "x" },
      { say: "x.grad is cleared, or the next pass would add to it.", at: "grad x 1", look: "x" },
      { say: "Now the weights {weights} select y₁, the other row.", at: "backward 2", only: ["[[0,1]]"], look: "y" },
      { say: "x.grad is {x.grad}: the row of y₁.", at: "lands x 2", only: ["[[0,1]]"], look: "x" },
      { say: "Cleared again.", at: "grad x 2", look: "x" },
      {
        say: "With {weights} each row is multiplied by its weight, and the products are added.",
        at: "backward 3",
        look: "y",
      },
      {
        say:
          "{weights 0}·{after x 1} + {weights 1}·{after x 2} = {x.grad}: backward() computes weights · Jacobian, a " +
          "weighted sum of the rows.",
        at: "lands x 3",
        until: "end",
        only: ["[[1,0]]", "[[0,1]]"],
        look: "x",
      },
    ],
    change: { say: "give y₁ a weight of 10", from: "[[1,1]]", to: "[[1,10]]" },
  },
  seed0_mm_jacobian_rows: {
    captions: [
      {
        say:
          "The Jacobian is the table of all derivatives: a row for each element of y, a column for each element of " +
          "x. The weights {weights} select the row of y₀.",
        at: "backward 1",
        only: ["onehot[0, i] = 1\n"],
        look: "y",
      },
      { say: "x.grad is {x.grad}: the row of y₀.", at: "lands x 1", only: ["onehot[0, i] = 1\n"], look: "x" },
      { say: "The row is copied, then x.grad is cleared.", at: "grad x 1", look: "x" },
      { say: "The weights {weights} select the row of y₁.", at: "backward 2", only: ["onehot[0, i] = 1\n"], look: "y" },
      {
        say: "x.grad is {x.grad}: the row of y₁. That completes the Jacobian.",
        at: "lands x 2",
        only: ["onehot[0, i] = 1\n"],
        look: "x",
      },
      { say: "Copied and cleared again.", at: "grad x 2", look: "x" },
      { say: "Now the weights are {weights}: each multiplies its row.", at: "backward 3", look: "y" },
      {
        say: "{weights 0}·{after x 1} + {weights 1}·{after x 2} = {x.grad}: the weighted sum of the rows.",
        at: "lands x 3",
        only: ["onehot[0, i] = 1\n"],
        look: "x",
      },
      {
        say: "The product that the program computes by hand gives the same numbers.",
        at: "read grad",
        until: "end",
        look: "x",
      },
    ],
    change: { say: "give y₀ a weight of −0.5", from: "[[0.5, 10]]", to: "[[-0.5, 10]]" },
  },
  seed0_blitz_fixed_input: {
    captions: [
      {
        say:
          "x was multiplied {ops mul} times to make y. It has {count y} elements, so backward() takes a weight for " +
          "each: {weights}.",
        at: "backward 1",
        look: "y",
      },
      {
        say: "Each MulBackward0 doubles the gradient on its way to x.",
        at: "node MulBackward0 1",
        only: ["x * 2", "y * 2"],
      },
      {
        say: "After {runs MulBackward0} doublings x.grad is {ratio x} times the weights.",
        at: "lands x",
        until: "end",
        only: ["x * 2", "y * 2"],
        look: "x",
      },
    ],
    change: {
      say: "set all weights to 1: x.grad becomes the derivative itself",
      from: "[0.1, 1.0, 0.0001]",
      to: "[1.0, 1.0, 1.0]",
    },
  },
  seed1_prosti_ex1: {
    captions: [
      {
        say: "y has {count y} elements, but only a single number can be differentiated. The weights make one: L = {L}.",
        at: "backward 1",
        look: "y",
      },
      { say: "Through log(c) the gradient is divided by c: c.grad is each weight over c.", at: "lands c", look: "c" },
      {
        say: "b is used twice, so two gradients arrive and are added: b.grad is {b.grad}.",
        at: "lands b",
        look: "b",
      },
      {
        say: "The derivative of y with respect to a is {ratio a}, so a.grad is {ratio a} times the weights: {a.grad}.",
        at: "lands a",
        look: "a",
      },
      {
        say: "The weights are yours to choose; they are not computed. All ones would give the gradient of y.sum().",
        at: "read grad",
        until: "end",
        look: "a b c",
      },
    ],
    change: { say: "set all weights to 1", from: "[0.1, 1.0, 0.0001]", to: "[1.0, 1.0, 1.0]" },
  },
  seed1_jdhao_weights: {
    captions: [
      { say: "The weights {weights} select z₀.", at: "backward 1", only: ["[[1, 0, 0, 0]]"], look: "z" },
      {
        say: "z₀ depends on x₀ alone, so only x₀ gets a gradient: x.grad is {x.grad}.",
        at: "lands x 1",
        only: ["[[1, 0, 0, 0]]"],
        look: "x",
      },
      { say: "x.grad is cleared, or the next pass would add to it.", at: "grad x 1", look: "x" },
      {
        say: "The weights {weights} select z₁. retain_graph=True kept the graph for this pass.",
        at: "backward 2",
        only: ["[[0, 1, 0, 0]]"],
        look: "z",
      },
      { say: "Now only x₁ gets a gradient: {x.grad}.", at: "lands x 2", only: ["[[0, 1, 0, 0]]"], look: "x" },
      { say: "The weights {weights} ask for all elements at once.", at: "backward 3", look: "z" },
      {
        say: "x.grad is {x.grad}: what each element alone would give, times its weight, added up.",
        at: "lands x 3",
        look: "x",
      },
      { say: "A single number needs no weights: loss.backward() starts from {weights}.", at: "backward 4" },
      { say: "A sum sends its gradient to every element: weights of one.", at: "node SumBackward1", look: "z" },
      {
        say: "x.grad is {x.grad}, as with all ones: ones are exactly the gradient of z.sum().",
        at: "lands x 4",
        until: "end",
        only: ["[[1, 1, 1, 1]]"],
        look: "x",
      },
    ],
    change: { say: "give the third element a weight of 10", from: "[[1, 1, 1, 1]]", to: "[[1, 1, 10, 1]]" },
  },
  seed2_is_leaf: {
    captions: [
      {
        say:
          "A leaf is a tensor that no recorded op made: you created y, a comes from x, which doesn’t require grad, " +
          "and c is detached. b was made by MulBackward0.",
        at: "read is_leaf",
        look: "y a b c",
      },
      {
        say: "Only tensors that require grad get a gradient: y, and b, which was computed from y.",
        at: "read requires_grad",
      },
      { say: "backward() follows the recorded ops from out down to the leaves.", at: "backward 1" },
      {
        say:
          "On its way to y, b’s gradient goes through the hook of line {hook line}: " +
          "{hook before} becomes {hook after}.",
        at: "hook 1",
        look: "b",
      },
      { say: "y is a leaf: y.grad keeps {y.grad}. b only passed its gradient on.", at: "lands y", look: "y" },
      {
        say: "a.grad is {a.grad}, y.grad is {y.grad}; b is not a leaf, so b.grad is None.",
        at: "read grad",
        until: "end",
        look: "a b y",
      },
    ],
    change: {
      say: "keep b’s gradient, too, with b.retain_grad()",
      from: "out.backward()\n",
      to: "b.retain_grad()\nout.backward()\n",
    },
  },
  seed2_jacobian_vector: {
    captions: [
      {
        say: "autograd.grad returns the gradient of l with respect to Y instead of storing it.",
        at: "backward 1",
        look: "l",
      },
      { say: "It returns {v}.", at: "done 1", look: "Y" },
      {
        say: "Y.backward(…) starts from these numbers instead of from one: the weights are {weights}.",
        at: "backward 2",
        look: "Y",
      },
      {
        say:
          "The Jacobian is the table of all derivatives, one row for each element of Y. X.grad is {X.grad}: its " +
          "rows times the weights, added up, without building the table.",
        at: "lands X 1",
        look: "X",
      },
      { say: "jacobian(f, …) does build the table: a pass for each of its rows.", at: "backward 3" },
      { say: "The product by hand gives the same as X.grad: {X.grad}.", at: "end", look: "X" },
    ],
    change: { say: "make l the plain sum: v becomes all ones", from: "(Y ** 2).sum()", to: "Y.sum()" },
  },
  seed2_nonscalar_error: {
    captions: [
      {
        say: "z has {count z} elements. A single number needs no argument; several need a weight each.",
        at: "error",
        look: "z",
      },
      {
        say: "Give them below the program: type weights, or press “ones” for the gradient of z.sum().",
        at: "error",
        look: "z",
      },
    ],
    change: { say: "reduce z to a single number first", from: "z.backward()", to: "z.sum().backward()" },
  },
  seed3_backward_target: {
    captions: [
      {
        say: "backward(gradient=…) takes {weights} as the weights of y: it differentiates L = {L}.",
        at: "backward 1",
        look: "y",
      },
      { say: "A matrix product multiplies the gradient by its matrix, transposed.", at: "node MvBackward0 1" },
      {
        say: "relu sends the gradient on where its input is positive, and stops it elsewhere.",
        at: "node ReluBackward0 1",
      },
      { say: "The hook on x sees {hook before}.", at: "hook 1", look: "x" },
      { say: "x.grad gets the same, {x.grad}: the hook has only looked.", at: "lands x 1", look: "x" },
      { say: "Now the same with a loss: (y * target).sum() starts from {weights}.", at: "backward 2" },
      {
        say: "With respect to y, the derivative of y * target is target: y gets {target}, as before.",
        at: "node MulBackward0 1",
        look: "y",
      },
      {
        say:
          "x.grad is {x.grad} both times: gradient=target differentiates (y * target).sum(). It does not compare y " +
          "with target.",
        at: "lands x 2",
        until: "end",
        look: "x",
      },
    ],
    change: {
      say: "set x₁ to −2: one relu closes",
      from: "x = torch.tensor([1., 2.]",
      to: "x = torch.tensor([1., -2.]",
    },
  },
  seed3_own_tape: {
    captions: [
      {
        say: "No PyTorch here: the tape has kept, for each operation, its inputs and how a gradient goes back to them.",
        at: "backward 1",
      },
      {
        say: "The tape is read from its end: z was made last, so its gradient is complete first.",
        at: "node SubBackward0",
      },
      {
        say: "x gets a number from each of its two uses. The += adds them to {x.grad}; y gets {y.grad}.",
        at: "end",
        look: "x y",
      },
    ],
    change: { say: "make x larger", from: "variable(0.5)", to: "variable(1.5)" },
  },
  own_tape_closures: {
    captions: [
      { say: "The pass begins at z: its derivative with respect to itself.", at: "backward 1", look: "z" },
      {
        say: "Each operation's closure knows its inputs and its result; nothing else has to be kept.",
        at: "node SubBackward0",
      },
      { say: "x is used twice, and += adds what comes from both: {x.grad}.", at: "end", look: "x" },
    ],
    change: {
      say: "write = for +=, and one of the two is lost",
      from: "self.grad += -math.sin(self.data) * out.grad",
      to: "self.grad = -math.sin(self.data) * out.grad",
    },
  },
  own_tape_and_torch: {
    captions: [
      {
        say: "An object for each operation: its class is the rule, its inputs are the edges, as in PyTorch's grad_fn.",
        at: "backward 1",
      },
      { say: "Now PyTorch, with the same expression.", at: "backward 2", look: "p" },
      { say: "x.grad is {x.grad}, p.grad is {p.grad}: the same sum over the same edges.", at: "end", look: "x p" },
    ],
    change: { say: "start from another number", from: "Node(0.5)", to: "Node(1.0)" },
  },
  seed3_one_pixel: {
    captions: [
      {
        say: "The network turns an image into an image. The gradient is one-hot: it selects a single output pixel.",
        at: "backward 1",
        look: "depth",
      },
      {
        say: "The last convolution spreads it over the patch of its input that this pixel was computed from.",
        at: "node ConvolutionBackward0 1",
      },
      {
        say:
          "After the first convolution it has reached {nonzero img} pixels: " +
          "the receptive field of that output pixel.",
        at: "lands img",
        until: "end",
        look: "img",
      },
    ],
    change: { say: "select a pixel in the corner", from: "one[0, 0, 3, 3]", to: "one[0, 0, 0, 0]" },
  },
};
