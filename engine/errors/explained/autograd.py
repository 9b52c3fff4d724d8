"""Backward passes, leaves, .grad, in-place writes, views, grad modes, hooks, custom Functions."""

from __future__ import annotations

TABLE: list[tuple[str, str, str, str]] = [
    # Starting a backward pass
    (
        "RuntimeError",
        r"Trying to backward through the graph a second time",
        "A backward pass frees what the nodes saved for it as soon as it has gone through them. This one reached a "
        "node "
        "that an earlier pass had already emptied, so its formula has nothing left to compute with.",
        "Pass retain_graph=True to the earlier backward, add the losses and call backward once, or run the forward "
        "computation again before each backward.",
    ),
    (
        "RuntimeError",
        r"backward\(\) called inside a functorch transform",
        "torch.func.grad, vjp, vmap and their like differentiate or repeat a function from outside. backward() writes "
        "into .grad, which is a side effect that such a function may not have.",
        "Return the loss and let torch.func.grad or vjp take its gradient, or call backward() on what comes out.",
    ),
    (
        "RuntimeError",
        r"grad can be implicitly created only for scalar outputs",
        "backward() starts from the gradient of the output with respect to itself. For a single number that is 1 and "
        "can be left out; for several numbers there is no one derivative, only a product of the Jacobian with a vector "
        "that you choose.",
        "Reduce to one number first, as in {first:y}.sum().backward(), or give the vector: "
        "{first:y}.backward(torch.ones_like({first:y})).",
    ),
    (
        "RuntimeError",
        r"grad can be implicitly created only for real scalar outputs but got (?P<dtype>\S+)",
        "The output is {dtype}. A complex number has no single direction to start from, so the starting gradient of 1 "
        "is only assumed for real outputs.",
        "Differentiate something real, such as {first:y}.abs().sum(), or pass the starting gradient yourself.",
    ),
    (
        "RuntimeError",
        r"element (?P<index>\d+) of tensors does not require grad and does not have a grad_fn",
        "There is no graph behind this tensor. Either none of the tensors it was computed from had requires_grad=True, "
        "or the path was cut: by detach(), .data, .item(), torch.no_grad(), or an operation without a derivative such "
        "as a comparison, argmax or a conversion to integers.",
        "Set requires_grad=True on the inputs you want gradients for, before computing, and keep the path from them to "
        "the output free of cuts.",
    ),
    (
        "RuntimeError",
        r"element (?P<index>\d+) of gradients tuple is None",
        "Output {index} needs a starting gradient and was given None.",
        "Put a tensor of the output's shape in its place.",
    ),
    (
        "RuntimeError",
        r"Mismatch in shape: grad_output\[\d+\] has a shape of torch.Size\((?P<got>\[.*?\])\) and output\[\d+\] has a "
        r"shape of torch.Size\(\[\]\)",
        "The output is a single number (shape []), so its starting gradient must be one too, but it has shape {got}.",
        "Call backward() without an argument, or pass a 0-d tensor such as torch.tensor(1.0). To weight several "
        "outputs, call backward on the tensor before it was reduced.",
    ),
    (
        "RuntimeError",
        r"Mismatch in shape: grad_output\[\d+\] has a shape of torch.Size\((?P<got>\[.*?\])\) and output\[\d+\] has a "
        r"shape of torch.Size\((?P<want>\[.*?\])\)",
        "The gradient you start from has one number for each number of the output. The output has shape {want} and the "
        "gradient {got}; they are not broadcast.",
        "Make the gradient of shape {want}, for instance with torch.ones_like(output).",
    ),
    (
        "RuntimeError",
        r"For complex Tensors, both grad_output and output",
        "A complex gradient was given for a real output (or the other way round). Between real dtypes the gradient is "
        "converted; between real and complex it is not, because that would drop half of it.",
        "Give the gradient the output's dtype: gradient.real, or torch.ones_like(output).",
    ),
    (
        "TypeError",
        r"gradients can be either Tensors or None, but got (?P<kind>\w+)",
        "The starting gradient must be a tensor, and it is a {kind} (or a list of them).",
        "Wrap the numbers: {first:y}.backward(torch.tensor([1.0, 2.0])).",
    ),
    (
        "RuntimeError",
        r"got (?P<tensors>\d+) tensors and (?P<gradients>\d+) gradients",
        "{tensors} outputs were given together with {gradients} starting gradients; each output needs its own.",
        "Pass one gradient per output; None stands for the implicit 1 of a scalar.",
    ),
    (
        "RuntimeError",
        r"`inputs` argument to `(?P<function>\w+)\(\)` cannot be empty",
        "The list of tensors to differentiate with respect to is empty, so there is nothing to compute.",
        "List the tensors, or leave `inputs` out of backward() to fill .grad of every leaf.",
    ),
    (
        "RuntimeError",
        r"The differentiated Tensor at index (?P<index>\d+) appears to not have been used in the graph",
        "No path leads from the output back to input {index}: the output was not computed from this very tensor. It "
        "may "
        "have been replaced on the way (x = x * 2 makes a new x), or been detached.",
        "Differentiate with respect to the tensor that was used, or pass allow_unused=True to get None for it.",
    ),
    (
        "RuntimeError",
        r"One of the differentiated Tensors does not require grad",
        "torch.autograd.grad was asked for the gradient of a tensor whose requires_grad is False. The graph keeps "
        "nothing about such tensors.",
        "Call requires_grad_() on it before it is used.",
    ),
    (
        "ValueError",
        r"Expected allow_unused to be True or not passed when materialize_grads=True",
        "materialize_grads=True fills the gradients of unused inputs with zeros, which only makes sense if unused "
        "inputs are allowed.",
        "Leave allow_unused out.",
    ),
    (
        "RuntimeError",
        r"`grad_tensors` and `grad_variables`",
        "Both names mean the same argument: the starting gradients. grad_variables is the old one.",
        "Pass grad_tensors only.",
    ),
    (
        "RuntimeError ValueError",
        r"(The batched grad_outputs|Batching rule)",
        "With is_grads_batched=True the first dimension of each starting gradient counts the batch.",
        "Give all of them the same first size, followed by the output's shape.",
    ),
    # During a backward pass
    (
        "RuntimeError",
        r"one of the variables needed for gradient computation has been modified by an inplace operation: "
        r"\[(?P<kind>.*?)\], which is output \d+ of AsStrided, is at version (?P<now>\d+); expected version "
        r"(?P<then>\d+)",
        "A view was saved for a gradient formula, as a layer saves its weight transposed, and what it shows was "
        "changed in place since: it had version {then} when it was saved and has version {now} now. The usual causes "
        "are optimizer.step(), or an update under no_grad, between the forward computation and its backward, and a "
        "tensor that is filled piece by piece (h[t] = …) while it is read.",
        "Call backward before the update, or compute the forward pass again after it; collect pieces in a list and "
        "put them together with torch.stack.",
    ),
    (
        "RuntimeError",
        r"one of the variables needed for gradient computation has been modified by an inplace operation: "
        r"\[(?P<kind>.*?)\], which is output \d+ of torch::autograd::CopySlices, is at version (?P<now>\d+); expected "
        r"version (?P<then>\d+)",
        "A tensor that is filled piece by piece was saved for a gradient formula and then written to again: it had "
        "version {then} when it was saved and has version {now} now. Computing with the changed numbers would give a "
        "wrong gradient, so the pass stops.",
        "Collect the pieces in a list and put them together once (torch.stack, torch.cat), or compute with a clone() "
        "of what is written to later.",
    ),
    (
        "RuntimeError",
        r"one of the variables needed for gradient computation has been modified by an inplace operation: "
        r"\[(?P<kind>.*?)\], which is output \d+ of (?P<op>\w+), is at version (?P<now>\d+); expected version "
        r"(?P<then>\d+)",
        "The result of {op} was saved for its gradient formula and then changed in place: it had version {then} when "
        "it was saved and has version {now} now. Computing with the changed numbers would give a wrong gradient, so "
        "the pass stops.",
        "Replace the in-place step by one that makes a new tensor (y = y + 1 rather than y += 1 or y.add_(1)), or "
        "change a clone().",
    ),
    (
        "RuntimeError",
        r"one of the variables needed for gradient computation has been modified by an inplace operation: "
        r"\[(?P<kind>.*?)\] is at version (?P<now>\d+); expected version (?P<then>\d+)",
        "A leaf of this graph was saved for a gradient formula and then changed in place: it had version {then} when "
        "it was saved and has version {now} now. The usual cause is optimizer.step(), or an update under no_grad, "
        "between the forward computation and its backward.",
        "Call backward before the update, or compute the forward pass again after it.",
    ),
    (
        "RuntimeError",
        r"Function (?P<node>\w+) returned an invalid gradient at index (?P<index>\d+) - got (?P<got>\[.*?\]) but "
        r"expected shape compatible with (?P<want>\[.*?\])",
        "{node} computed a gradient of shape {got} for its input {index}, which has shape {want}. A gradient must have "
        "its input's shape, or one that broadcasts from it.",
        "Sum or reshape the gradient to {want} in backward().",
    ),
    (
        "RuntimeError",
        r"Function (?P<node>\w+) returned an invalid number of gradients",
        "{node} returned another number of gradients than it has inputs.",
        "Return one gradient per input, None where there is none.",
    ),
    (
        "RuntimeError",
        r"Function '(?P<node>\w+)' returned nan values in its (?P<index>\d+)th output",
        "Anomaly mode checks every gradient, and the one that {node} computed for its input {index} is not a number: "
        "its formula divides by zero or multiplies 0 by infinity at this input, as the derivatives of sqrt and norm do "
        "at 0, or of log and sqrt below 0.",
        "Keep the input away from the point where the derivative does not exist: add a small number or clamp it first.",
    ),
    (
        "RuntimeError",
        r"(trying to differentiate twice a function that was marked with @once_differentiable)",
        "The custom Function's backward is marked once_differentiable, so its own operations were not recorded.",
        "Remove the decorator and write backward() with differentiable operations.",
    ),
    (
        "RuntimeError NotImplementedError",
        r"(derivative for|the derivative for|derivative of) '?(aten::)?(?P<op>\w+)'? is not implemented",
        "PyTorch has no derivative formula for {op}.",
        "Use an operation that has one, or wrap the step in a custom autograd Function.",
    ),
    # Requires_grad and .grad
    (
        "RuntimeError",
        r"you can only change requires_grad flags of leaf variables\. If you want to use",
        "This tensor is the result of a computation. Its requires_grad follows from its inputs, and the graph behind "
        "it is what carries the gradient; it cannot be switched off afterwards.",
        "Take {first:y}.detach() for a tensor outside the graph, or set requires_grad=False on the leaves it is "
        "computed from.",
    ),
    (
        "RuntimeError",
        r"you can only change requires_grad flags of leaf variables\.$",
        "Only leaves, tensors that you made yourself, have a requires_grad of their own. This one is the result of a "
        "computation and requires grad already.",
        "Set requires_grad on the leaf; to read the gradient of a result, call retain_grad() on it before backward.",
    ),
    (
        "RuntimeError",
        r"[oO]nly Tensors of floating point (and complex )?dtype can require gradients",
        "A derivative asks what happens when a number changes a little, and integers and bools cannot change a little.",
        "Make it a float: write 1.0 instead of 1, pass dtype=torch.float32, or call .float() first.",
    ),
    (
        "RuntimeError",
        r"requires_grad must be a bool",
        "requires_grad is either True or False.",
        "Assign True or False.",
    ),
    (
        "RuntimeError",
        r"can't retain_grad on Tensor that has requires_grad=False",
        "No gradient will flow to this tensor, so there is none to keep.",
        "Let it depend on a tensor with requires_grad=True.",
    ),
    (
        "TypeError",
        r"assigned grad expected to be a Tensor or None but got grad of type (?P<kind>\w+)",
        ".grad holds a tensor of the same shape as the tensor itself, or None; a {kind} is neither.",
        "Assign None to clear it, or a tensor.",
    ),
    (
        "RuntimeError",
        r"can't assign Variable as its own grad",
        "A tensor cannot hold itself as its gradient.",
        "Assign another tensor, for instance x.detach().clone().",
    ),
    (
        "RuntimeError",
        r"attempting to assign a gradient of size '(?P<got>.*?)' to a tensor of size '(?P<want>.*?)'",
        "There is one derivative for each element, so .grad must have the tensor's shape, {want}, and not {got}.",
        "Assign a tensor of shape {want}.",
    ),
    (
        "RuntimeError",
        r"attempting to assign a gradient with dtype '(?P<got>.*?)' to a tensor with grad_dtype '(?P<want>.*?)'",
        "The gradient has another dtype ({got}) than the tensor ({want}).",
        "Convert it first: x.grad = g.to(x.dtype).",
    ),
    (
        "RuntimeError",
        r"Deleting tensor data is not allowed",
        "A tensor always has data.",
        "Delete the tensor itself, or assign other data.",
    ),
    (
        "TypeError",
        r"Variable data has to be a tensor, but got (?P<kind>\w+)",
        "This takes a tensor and got a {kind}.",
        "Wrap it: torch.tensor(...).",
    ),
    (
        "RuntimeError",
        r"data set to a tensor that requires gradients must be floating point",
        "The tensor requires gradients, and the new data is of integers, which have none.",
        "Convert the new data with .float().",
    ),
    (
        "RuntimeError",
        r"Can't call numpy\(\) on Tensor that requires grad",
        "numpy knows nothing of the graph: what is computed there would be missing from the gradient without a word. "
        "So a tensor that requires grad has to be taken out of the graph first, in the open.",
        "Write {first:x}.detach().numpy().",
    ),
    (
        "RuntimeError",
        r"Only Tensors created explicitly by the user",
        "deepcopy copies a tensor without the graph behind it, which for the result of a computation would lose its "
        "history.",
        "Copy {first:y}.detach().clone() instead, or deepcopy the leaves.",
    ),
    (
        "AttributeError",
        r"attribute '(?P<name>\w+)' of 'torch\._C\.TensorBase' objects is not writable",
        "{name} follows from how the tensor was computed and cannot be set.",
        "To cut a tensor out of its graph use detach(); to change its shape use view() or reshape().",
    ),
    # In-place writes and views
    (
        "RuntimeError",
        r"a leaf Variable that requires grad (is being|has been) used in an in-place operation",
        "The gradient is kept for the value this leaf has now. Written over in place, that value would be gone, and "
        "the leaf would become a result.",
        "Make a new tensor (y = x + 1 rather than x += 1), or, for an update such as gradient descent, write under "
        "torch.no_grad().",
    ),
    (
        "RuntimeError",
        r"a view of a leaf Variable that requires grad is being used in an in-place operation",
        "A slice or another view shares its memory with the leaf, so writing to it would change the leaf that "
        "gradients are computed for.",
        "Clone first (y = {first:x}.clone(); y[0] = 1), or write under torch.no_grad().",
    ),
    (
        "RuntimeError",
        r"Output (?P<number>\d+) of (?P<op>(?!Split|Unbind|Unsafe|Chunk)\w+) is a view and .* modified inplace\. "
        r"This view is the output of a function that returns multiple views",
        "Some function made several views of one tensor at once, as unbind, split, chunk and a for loop over a tensor "
        "do, and this is a part of one of them. Writing into it would change what the others share, and their common "
        "node cannot follow that.",
        "Write y = y + 1 instead of the in-place form, or index the tensor (x[i] in a loop over range(len(x))): such a "
        "view may be written to.",
    ),
    (
        "RuntimeError",
        r"Output (?P<number>\d+) of (?P<op>\w+) is a view and .* being modified inplace\. This view is the output of a "
        r"function that returns multiple views",
        "{op} returned several views of one tensor at once. Writing into one of them would change what the others "
        "share, and their common node cannot follow that.",
        "Write y = y + 1 instead of the in-place form, or index the tensor (x[0]) to get a view that may be written "
        "to.",
    ),
    (
        "RuntimeError",
        r"A view was created in (no_grad|inference) mode and .* modified inplace",
        "The view was made where nothing is recorded, and is written to where everything is. It is unclear whether the "
        "write should be part of the graph.",
        "Make the view and the write both inside the block, or both outside.",
    ),
    (
        "RuntimeError",
        r"Output (?P<number>\d+) of (?P<op>\w+) is a view and its base or another view of its base has been modified "
        r"inplace\. This view was created inside a custom Function",
        "The output of {op} shares memory with its input, and that memory was written to later. {op} has a backward of "
        "its own that does not know of the write.",
        "Return a clone from the forward of {op}, or do not write to what it was given.",
    ),
    (
        "RuntimeError",
        r"Output (?P<number>\d+) of (?P<op>\w+) is a view and is being modified inplace\. This view was created inside "
        r"a custom Function",
        "The output of {op} shares memory with its input, and {op} has a backward of its own that would not know of "
        "the write. A module with a full backward hook wraps its output in such a Function.",
        "Clone the output before changing it, or use the form that makes a new tensor.",
    ),
    (
        "RuntimeError",
        r"You are attempting to call Tensor\.requires_grad_\(\)",
        "Inside grad, vmap, jacrev and their like the transform itself decides what is differentiated; "
        "requires_grad_(), and torch.autograd.functional, which calls it, belong to the other way of asking.",
        "Use torch.func inside of torch.func (jacrev for functional.jacobian, hessian for functional.hessian).",
    ),
    (
        "RuntimeError",
        r"backward\(\) called inside a functorch transform",
        "Inside grad, vmap, jacrev and their like gradients are results and not kept in .grad.",
        "Return the loss, and let torch.func.grad or vjp differentiate the function.",
    ),
    (
        "RuntimeError NotImplementedError",
        r"(In order to use an autograd\.Function with functorch transforms|To use autograd\.Function with vmap, you "
        r"must|You tried to vmap over \w+, but it does not have vmap support)",
        "A transform such as grad or vmap runs a custom Function under its own rules, and has to know apart what it "
        "computes and what it keeps; vmap must also know how it treats a batch.",
        "Split forward(ctx, x) into forward(x) and setup_context(ctx, inputs, output), and for vmap set "
        "generate_vmap_rule = True in the class.",
    ),
    (
        "RuntimeError",
        r"An input that has been returned as-is as output is being saved for backward",
        "forward gives an input back as its output, and setup_context saves it: which of the two is meant, is unclear.",
        "Return x.view_as(x) from forward, or save nothing that is returned unchanged.",
    ),
    (
        "NotImplementedError RuntimeError",
        r"You must implement the jvp function for custom autograd\.Function",
        "Forward mode sends slopes along with the computation, and this Function only says how gradients go back.",
        "Add a static jvp(ctx, *tangents) to the class, or use reverse mode: jacrev, grad, backward.",
    ),
    (
        "RuntimeError",
        r"Batch norm got a batched tensor as input while the running_mean or running_var",
        "Under vmap each entry would write its own running statistics, and there is one place for all of them.",
        "Use GroupNorm, BatchNorm with track_running_stats=False, or eval() mode.",
    ),
    (
        "CheckpointError",
        r"torch\.utils\.checkpoint: (A different number of tensors was saved|trying to save more|Recomputed values)",
        "The checkpointed function ran again for the backward pass and did something else than the first time: it "
        "depends on something that has changed meanwhile, such as a counter, a mode or random numbers drawn elsewhere.",
        "Make the function depend on its arguments alone, and leave layers in the same mode until backward is over.",
    ),
    (
        "RuntimeError",
        r"The function '(?P<op>[\w.]+)' is not differentiable with respect to argument '(?P<argument>\w+)'",
        "{op} has a derivative, but none by its argument {argument}, which requires grad here.",
        "Detach {argument} before the call.",
    ),
    (
        "RuntimeError",
        r"unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory",
        "What is read and what is written overlap in memory without being the same elements, as x[1:] and x[:-1] do: "
        "some would be read after they have been overwritten.",
        "Clone what is read: {first:x[1:]}.add_(y.clone()).",
    ),
    (
        "RuntimeError",
        r"Can't detach views in-place",
        "detach_() would cut the view out of the graph but leave the tensor it shares memory with inside.",
        "Use {first:y}.detach().",
    ),
    (
        "RuntimeError",
        r"unsupported operation: more than one element of the written-to tensor refers to a single memory location",
        "An expanded tensor repeats the same memory instead of copying it, so one write would appear in many places.",
        "Write {first:x} = {first:x}.clone() first.",
    ),
    (
        "RuntimeError",
        r"output with shape (?P<got>\[.*?\]) doesn't match the broadcast shape (?P<want>\[.*?\])",
        "An in-place operation keeps the tensor's shape, {got}, but the result has shape {want}.",
        "Use the form that makes a new tensor: x = x + y.",
    ),
    (
        "RuntimeError",
        r"result type (?P<got>\w+) can't be cast to the desired output type (?P<want>\w+)",
        "An in-place operation keeps the tensor's dtype, {want}, which cannot hold a result of type {got}.",
        "Convert the tensor first ({first:x} = {first:x}.float()), or use the form that makes a new tensor.",
    ),
    (
        "RuntimeError",
        r"(?P<op>\w+)\(\): functions with out=\.\.\. arguments don't support automatic differentiation",
        "With out= the result overwrites a tensor that already exists, and the graph has no place for that.",
        "Leave out= away and use the result, or compute under torch.no_grad().",
    ),
    # Inference mode
    (
        "RuntimeError",
        r"Inference tensors cannot be saved for backward",
        "A tensor made in inference_mode has no version counter, so autograd could not notice if it were changed, and "
        "refuses to save it.",
        "Use y.clone() outside the block, or torch.no_grad() instead of torch.inference_mode().",
    ),
    (
        "RuntimeError",
        r"(Setting requires_grad=True on inference tensor|Inplace update to inference tensor|Inference tensors do not "
        r"track version counter)",
        "This tensor was made in inference_mode, which leaves out what autograd needs: the version counter and the "
        "link to a graph. Outside the block it may be read, but not take part.",
        "Use y.clone() outside the block to get an ordinary tensor.",
    ),
    # Hooks
    (
        "RuntimeError",
        r"cannot register a hook on a tensor that doesn't require gradient",
        "The hook would be called with the tensor's gradient, and this tensor will never get one.",
        "Set requires_grad=True on it, or on something it is computed from.",
    ),
    (
        "RuntimeError",
        r"post accumulate grad hooks cannot be registered on non-leaf tensors",
        "Such a hook runs after .grad has been accumulated, and that happens only for leaves.",
        "Use register_hook() on results.",
    ),
    (
        "TypeError",
        r"expected (Variable|tuple), but hook returned '(?P<kind>\w+)'",
        "What a hook returns takes the gradient's place, and a {kind} cannot.",
        "Return a tensor (a tuple of tensors from a hook on a node), or nothing to keep the gradient. A lambda returns "
        "the value of its expression; print() gives None, list.append() too.",
    ),
    (
        "RuntimeError",
        r"hook '(?P<name>.*?)' has changed the (size|type) of value",
        "The hook {name} returned a gradient of another shape or dtype than the one it was given.",
        "Return one of the same shape and dtype.",
    ),
    (
        "RuntimeError",
        r"(hook '(?P<name>.*?)' has returned an incorrect number of values|Backward (pre )?hook returned an invalid "
        r"number of)",
        "The hook returned another number of gradients than it was given.",
        "Return as many as came in, None for those that are None.",
    ),
    (
        "RuntimeError",
        r"Cannot use both regular backward hooks and full backward hooks",
        "The module has a hook of the other kind already.",
        "Use register_full_backward_hook for all of them.",
    ),
    (
        "RuntimeError",
        r"Calling register_hooks on a saved tensor|A saved tensor pack hook is modifying its input",
        "Hooks on saved tensors may replace what is saved but neither change it in place nor be set twice.",
        "Return a new tensor from pack, for instance t * 1, and register the pair once.",
    ),
    (
        "TypeError",
        r"Output of saved tensor unpack_hook expected to be a Tensor but got result of type (?P<kind>\w+)",
        "unpack must give back the tensor that pack was handed, and gave a {kind}.",
        "Return the tensor from unpack.",
    ),
    (
        "AssertionError ValueError RuntimeError",
        r"(Expects mode to be one of \('all', 'any'\)|Expected gradient function to be set|It is not possible to get "
        r"the gradient edge)",
        "This needs tensors that take part in a graph.",
        "Pass tensors with requires_grad=True; mode is 'all' or 'any'.",
    ),
    # Custom Functions
    (
        "RuntimeError",
        r"function (?P<name>\w+) returned an incorrect number of gradients \(expected (?P<want>\d+), got "
        r"(?P<got>\d+)\)",
        "backward() must return one value for each argument of forward() after ctx, {want} here, and returned {got}.",
        "Return {want} values; None for arguments that need no gradient, such as numbers.",
    ),
    (
        "RuntimeError",
        r"expected Variable or None \(got (?P<kind>\w+)\)",
        "backward() returned a {kind} where a gradient belongs.",
        "Return tensors, or None.",
    ),
    (
        "NotImplementedError",
        r"You must implement (either the backward or vjp method|the forward function) for (your )?custom "
        r"autograd\.Function",
        "The Function lacks the method that is called here. The name must be spelt exactly so, and the method be "
        "static.",
        "Add the missing one, for instance @staticmethod def backward(ctx, grad_output): ...",
    ),
    (
        "RuntimeError",
        r"Implementing both 'backward' and 'vjp'",
        "backward and vjp are two names of one method.",
        "Keep one of them.",
    ),
    (
        "RuntimeError",
        r"Legacy autograd function with non-static forward method",
        "A Function is not called by making an instance of it.",
        "Write MyFunction.apply(x) instead of MyFunction()(x), and put @staticmethod above forward and backward.",
    ),
    (
        "TypeError",
        r"save_for_backward can only save variables, but argument (?P<index>\d+) is of type (?P<kind>\w+)",
        "save_for_backward is for tensors; argument {index} is a {kind}.",
        "Keep other values as attributes: ctx.factor = factor.",
    ),
    (
        "RuntimeError",
        r"Some elements marked as dirty during the forward method were not returned as output",
        "mark_dirty names inputs that forward() changed in place, and those must be what it returns.",
        "Return the changed input itself.",
    ),
    (
        "NotImplementedError",
        r"setup_context is not implemented",
        "forward() without ctx goes together with a setup_context() that saves what backward needs.",
        "Add @staticmethod def setup_context(ctx, inputs, output), or give forward() a ctx.",
    ),
    # Checkpoint, functional, gradcheck
    (
        "ValueError RuntimeError",
        r"(Unexpected keyword arguments: |When use_reentrant=True, torch\.utils\.checkpoint is incompatible|none of "
        r"output has requires_grad=True)",
        "The re-entrant form of checkpoint runs a backward pass inside a backward pass and is limited in several ways.",
        "Pass use_reentrant=False.",
    ),
    (
        "RuntimeError",
        r"The (Tensor returned by the )?function given to (?P<name>\w+) should (contain a single element|return a "
        r"single Tensor)",
        "{name} differentiates a function of one real value, such as a loss; this one returns more.",
        "Reduce the result inside the function, for instance with .sum().",
    ),
    (
        "RuntimeError",
        r"(The vector v can only be None|v has invalid size|v is a tuple of invalid length|The given v should)",
        "The product needs a vector: of the output's shape for vjp, of the input's for jvp, vhp and hvp.",
        "Pass v with exactly that shape.",
    ),
    (
        "TypeError",
        r"The (outputs of the user-provided function|inputs|v) given to (?P<name>\w+) must be either a Tensor or a "
        r"tuple",
        "{name} works on tensors, and was handed something else. A function that returns .item() or float(...) has "
        "left the graph.",
        "Pass and return tensors.",
    ),
    (
        "RuntimeError",
        r"(Output \d+ of the user-provided function (does not require gradients|is independent)|While computing the)",
        "With strict=True every output has to depend on every input through recorded operations, and one does not.",
        "Look for a detach() or a constant in the function, or leave strict out to get zeros.",
    ),
    (
        "RuntimeError",
        r"grad_and_value\(f\)\(\*args\): Expected f\(\*args\) to return a",
        "torch.func.grad differentiates a function that returns one number.",
        "Reduce the result inside the function, or use jacrev for functions of several outputs.",
    ),
    (
        "RuntimeError ValueError",
        r"(Trying to create a dual Tensor|Trying to set a forward gradient|Nested forward mode|Dual level|Trying to "
        r"exit a forward|Making a dual Tensor|Expected (primal|tangent) to be floating point)",
        "A dual tensor is a value and a tangent of the same shape, and lives inside one `with dual_level():`.",
        "Call make_dual() and unpack_dual() inside the level; torch.func.jvp does all of it in one call.",
    ),
    (
        "RuntimeError ValueError",
        r"(jvp|vjp|linearize)\(f, |.*tangents? .* (same argspec|flattened pytree)|Thing passed to transform|argnums? "
        r"|Got argnum|Expected pytree structure",
        "A transform takes the function's tensors, and tangents or cotangents of the same structure and shapes.",
        "Pass tuples: jvp(f, (x,), (v,)); argnums counts positional arguments from 0.",
    ),
    (
        "AssertionError NotImplementedError RuntimeError",
        r"(Expected strategy to be|Computing Jacobian using forward-AD|torch\.autograd\.functional\.jacobian: )",
        "These options do not go together: forward mode is for vectorize=True without strict and create_graph.",
        "Leave strategy out; the result is the same.",
    ),
    (
        "ValueError RuntimeError",
        r"vmap",
        "vmap runs the function on slices along one dimension of its inputs, all at once. So the inputs must have that "
        "dimension, in the same size, and the function must not look at single numbers (item(), if x > 0).",
        "Check in_dims and the sizes; use torch.where in place of an if on values.",
    ),
    (
        "ValueError",
        r"gradcheck expects at least one input tensor to require gradient",
        "There is nothing to check: no input requires grad.",
        "Make the inputs with requires_grad=True and dtype=torch.float64.",
    ),
    (
        "GradcheckError",
        r"(Jacobian mismatch|Numerical gradient|Backward)",
        "The gradient from backward differs from the one measured by moving the inputs a little.",
        "Look for an error in the Function's backward; if the inputs are float32, use float64, since float32 is too "
        "coarse to measure.",
    ),
]
