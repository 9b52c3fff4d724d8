"""Layers, losses, modules, initialisation and optimizers."""

from __future__ import annotations

OF_LAYERS: list[tuple[str, str, str, str]] = [
    (
        "RuntimeError",
        r"mat1 and mat2 shapes cannot be multiplied \((?P<n>\d+)x(?P<a>\d+) and (?P<b>\d+)x(?P<m>\d+)\)",
        "The layer was made for {b} numbers in the last dimension of its input, its in_features, and {a} come: the "
        "input is {n}x{a}.",
        "Make the layer with in_features={a}, as in nn.Linear({a}, {m}), or bring {first:its input} to that size.",
    ),
    (
        "RuntimeError",
        r"result type (?P<got>\w+) can't be cast to the desired output type (Long|Int|Bool|Byte|Short|Char)",
        "The loss computes with its targets, and these are integers where numbers of type {got} are needed.",
        "Convert the targets: {second:targets}.float().",
    ),
]
"""Read first where what raised is the call of a layer."""

TABLE: list[tuple[str, str, str, str]] = [
    (
        "UnpicklingError",
        r"Weights only load failed",
        "torch.load gives back tensors and containers of them; a whole module or another object is more than that.",
        "Save model.state_dict() instead of the model, or load with weights_only=False.",
    ),
    # Losses
    (
        "IndexError",
        r"Target (?P<target>-?\d+) is out of bounds",
        "The target is the number of a class, counted from 0; there is no class {target}.",
        "Give the model one output per class, and number the classes from 0.",
    ),
    (
        "ValueError",
        r"Expected input batch_size \((?P<inputs>\d+)\) to match target batch_size \((?P<targets>\d+)\)",
        "There are predictions for {inputs} samples and targets for {targets}.",
        "cross_entropy takes an input of shape (samples, classes) and a target of shape (samples).",
    ),
    (
        "RuntimeError",
        r"expected target dtype to be Long or Byte",
        "The target of cross_entropy names one class per sample, so it is a vector of integers; or, as probabilities, "
        "of exactly the input's shape.",
        "Use {second:target}.long(), and squeeze() or argmax(1) to make it one-dimensional.",
    ),
    (
        "RuntimeError",
        r"only batches of spatial targets supported \(3D tensors\) but got targets of dimension: (?P<got>\d+)",
        "The input has the shape (samples, classes, rows, columns), so the target names one class for each pixel: its "
        "shape is (samples, rows, columns), not one of {got} dimensions.",
        "Use squeeze(1) where there is a channel of size 1, and argmax(1) where classes are one-hot.",
    ),
    (
        "RuntimeError",
        r"0D or 1D target tensor expected",
        "The target of cross_entropy names one class per sample, so it has one dimension; this one has more. Only "
        "probabilities, which are floats, have the input's shape.",
        "Use {second:target}.squeeze(1) for a column of classes, {second:target}.argmax(1) for rows that are one-hot.",
    ),
    (
        "ValueError",
        r"(Using a target size|Target size \()",
        "The target and the input have different shapes.",
        "Bring the target to the input's shape: {second:target}.view_as(input), or unsqueeze(1).",
    ),
    (
        "RuntimeError",
        r"all elements of (input|target) should be between 0 and 1",
        "binary_cross_entropy takes probabilities, and some values are not.",
        "Apply sigmoid first, or use binary_cross_entropy_with_logits on the raw outputs.",
    ),
    (
        "ValueError",
        r"(?P<name>\S+) is not a valid value for reduction",
        "A loss can be reduced in three ways: 'mean', 'sum' or 'none'.",
        "Choose one of them.",
    ),
    (
        "RuntimeError ValueError",
        r"(weight tensor should be defined|label_smoothing must be|huber_loss does not|smooth_l1_loss does not|For 1D "
        r"input, 1D target)",
        "A parameter of the loss does not fit its input.",
        "weight has one entry per class; label_smoothing lies between 0 and 1; delta is positive.",
    ),
    # Layers
    (
        "RuntimeError",
        r"Given groups=\d+, weight of size (?P<weight>\[.*?\]), expected input\[1, (?P<got>\d+), \d+, \d+\] to have 1 "
        r"channels",
        "The layer was made for 1 channel, and {got} come. An input of three dimensions is one picture, whose channels "
        "come first: a batch of {got} pictures has a dimension for their channel, too.",
        "Write {first:x}.unsqueeze(1) where {got} counts pictures, {first:x}.permute(0, 3, 1, 2) where channels come "
        "last; where it counts channels, set in_channels to {got}.",
    ),
    (
        "RuntimeError",
        r"Given (groups|transposed)=\d+, weight of size (?P<weight>\[.*?\]), expected input(?P<input>\[.*?\]) to have "
        r"(?P<want>\d+) channels, but got (?P<got>\d+) channels",
        "The layer was made for {want} channels and the input, of shape {input}, has {got}. Channels are the second "
        "dimension: (batch, channels, height, width).",
        "Set in_channels to {got}, or move the channels with permute(0, 3, 1, 2).",
    ),
    (
        "RuntimeError",
        r"Expected \dD \(unbatched\) or \dD \(batched\) input to (?P<name>\w+), but got input of size: "
        r"(?P<size>\[.*?\])",
        "{name} takes (batch, channels, then the spatial dimensions), and the input has shape {size}.",
        "Add what is missing with unsqueeze(0).",
    ),
    (
        "RuntimeError",
        r"(Calculated padded input size|Given input size:|max_pool1d\(\) Invalid|non-empty 3D or 4D|pad should be at "
        r"most)",
        "The image has become smaller than the window that moves over it.",
        "Use a smaller kernel, more padding, fewer pooling layers, or larger images.",
    ),
    (
        "RuntimeError ValueError",
        r"(non-positive stride|negative padding|Invalid padding string|padding='same'|Given groups=|Given weight of "
        r"size"
        r"|\w+_channels must be divisible|Padding length|either size or scale_factor)",
        "The convolution's parameters do not fit each other.",
        "Strides are positive, paddings are not negative, and groups divides both in_channels and out_channels.",
    ),
    (
        "ValueError",
        r"Expected more than 1 value per channel when training, got input size (?P<size>.*)",
        "In training, batch norm subtracts the mean over the batch; with one value per channel nothing would be left.",
        "Use a larger batch, or model.eval().",
    ),
    (
        "RuntimeError ValueError AssertionError",
        r"(Given normalized_shape|running_\w+ should contain|weight should contain|expected \d.*D input|num_channels"
        r"|Expected number of channels|Halving dimension|embed_dim must be)",
        "The layer was made for another number of features than the input has.",
        "Compare the layer's size with x.shape.",
    ),
    (
        "RuntimeError AssertionError",
        r"(Expected tensor for argument #1 'indices'|Padding_idx must|Class values must|one_hot is only)",
        "Embeddings and one_hot take whole numbers that count classes from 0.",
        "Convert with .long(), and make the number of classes large enough.",
    ),
    (
        "RuntimeError",
        r"input\.size\(-1\) must be equal to input_size\. Expected (?P<want>\d+), got (?P<got>\d+)",
        "The layer was made for {want} numbers at each step, its input_size, and {got} come in the last dimension.",
        "Make the layer with input_size={got}, or bring the last dimension of {first:its input} to {want}.",
    ),
    (
        "RuntimeError ValueError",
        r"(input\.size\(-1\) must be equal to input_size|\w+: Expected input to be|Expected hidden|input has "
        r"inconsistent"
        r"|Unknown nonlinearity)",
        "The input or the hidden state does not fit the recurrent layer: input is (time, batch, input_size), or "
        "(batch, "
        "time, input_size) with batch_first=True, and hidden (layers, batch, hidden_size).",
        "Print the shapes and compare.",
    ),
    # Modules
    (
        "NotImplementedError",
        r"Module \[(?P<name>\w+)\] is missing the required \"forward\" function",
        "Calling a module runs its forward method, and {name} has none. It may be misspelt, or be indented so that it "
        "lies inside __init__.",
        "Add def forward(self, x): to the class.",
    ),
    (
        "AttributeError",
        r"cannot assign (?P<what>\w+) before Module\.__init__\(\) call",
        "A module keeps its parameters in a register that its own __init__ creates, and that has not run yet.",
        "Make super().__init__() the first line of __init__.",
    ),
    (
        "TypeError",
        r"cannot assign '(?P<kind>.*?)' (as|object to) (parameter|buffer|child module) '(?P<name>\w+)'",
        "{name} is registered with the module as one kind of thing, and a {kind} is another.",
        "Assign nn.Parameter(tensor), or change the numbers in place under torch.no_grad(): "
        "layer.weight.copy_(tensor).",
    ),
    (
        "ValueError",
        r"Cannot assign non-leaf Tensor to parameter '(?P<name>\w+)'",
        "A parameter is a leaf that the optimizer changes, and this tensor is the result of a computation.",
        "Keep what it is computed from as the parameter, and compute {name} in forward().",
    ),
    (
        "KeyError",
        r"((parameter|buffer|module) name|attribute '(?P<name>.*?)' already exists)",
        "Names of parameters, buffers and submodules are attribute names: not empty, without dots, and each used once.",
        "Choose another name.",
    ),
    (
        "TypeError",
        r"(?P<kind>\S+) is not a Module subclass",
        "A container of modules was given a {kind}. A function is not a module, and a class has to be called to make "
        "one.",
        "Write nn.ReLU() with parentheses; for lists use nn.Sequential(*layers).",
    ),
    (
        "AttributeError",
        r"'(?P<owner>\w+)' object has no attribute 'weight'",
        "{owner} has no weight. In a container the layers hold the weights.",
        "Go through the layer: model[0].weight.",
    ),
    (
        "RuntimeError",
        r"Error\(s\) in loading state_dict.*Missing key\(s\).*Unexpected key\(s\) in state_dict: "
        r"\"(?P<prefix>_orig_mod|module)\.",
        "The names that were saved begin with {prefix}., those of the model do not: torch.compile and DataParallel "
        "hold a module under such a name.",
        "Save the module inside, or take the prefix off: "
        "{{name.removeprefix('{prefix}.'): value for name, value in state.items()}}.",
    ),
    (
        "RuntimeError",
        r"Error\(s\) in loading state_dict.*Missing key\(s\) in state_dict: \"(?P<prefix>_orig_mod|module)\.",
        "The names of the model begin with {prefix}., those that were saved do not: torch.compile and DataParallel "
        "hold a module under such a name.",
        "Load into the module inside, model.{prefix}, or load before the model is wrapped.",
    ),
    (
        "RuntimeError",
        r"Error\(s\) in loading state_dict.*?size mismatch for (?P<name>\S+): copying a param with shape "
        r"torch\.Size\((?P<saved>\[[^]]*\])\) from checkpoint, the shape in current model is "
        r"torch\.Size\((?P<own>\[[^]]*\])\)",
        "{name} was saved with the shape {saved}, and in the model it has {own}: its layers are of other sizes.",
        "Build the model with the sizes that it had when it was saved; strict=False does not help with sizes.",
    ),
    (
        "RuntimeError TypeError",
        r"(Error\(s\) in loading state_dict|Expected state_dict to be)",
        "The saved parameters and those of the model differ in names or shapes.",
        "Build the model as it was when it was saved, or pass strict=False to skip names that do not match.",
    ),
    (
        "TypeError ValueError IndexError AttributeError RuntimeError",
        r"(nn\.Module\.to only accepts|training mode is expected|index -?\d+ is out of range|\w+ has no attribute `"
        r"|`\w+` is not an? |The total norm of order)",
        "The module does not have, or cannot take, what it was asked for.",
        "Print the module to see its parts.",
    ),
    (
        "ValueError",
        r"(Fan in and fan out|Mode \w+ not supported|Unsupported nonlinearity|Only tensors with)",
        "This initialisation is made for weight matrices and scales by the number of inputs and outputs.",
        "Use it on weights of two or more dimensions; fill biases with zeros_().",
    ),
    (
        "RuntimeError",
        r"(Backward hook for Modules where no input|forward pre-hook must return)",
        "What a module's hook returns takes the place of what it was given, and must have the same form.",
        "Return nothing to keep it, or a tuple like the one that came in.",
    ),
    (
        "ValueError",
        r"(dim 0 must be divisible|negative_slope .* not a valid|Cannot set the submodule)",
        "An argument is outside the values it may take.",
        "The text names what is allowed.",
    ),
    (
        "TypeError ValueError IndexError",
        r"(unsupported operand type\(s\) for \*: <class|Non-positive multiplication factor|add operator supports only"
        r"|Index out of range: |\S+ should be called with|\S+ update sequence|\w+ name should be a string)",
        "A container of modules takes modules, in the ways a list or dict does.",
        "Build it anew: nn.Sequential(*layers).",
    ),
    (
        "ValueError TypeError",
        r"(sampler option is mutually|Sum of input lengths|default_collate)",
        "The data set and the loader's options do not fit each other.",
        "Lengths must add up to the size of the data set; use either shuffle=True or a sampler.",
    ),
    # Optimizers
    (
        "ValueError",
        r"can't optimize a non-leaf Tensor",
        "An optimizer changes the tensors that backward fills .grad of, and those are leaves. This one is the result "
        "of "
        "a computation: torch.randn(3, requires_grad=True) * 0.1, or .to(), is no leaf.",
        "Compute first and set the flag last: (torch.randn(3) * 0.1).requires_grad_().",
    ),
    (
        "ValueError",
        r"optimizer got an empty parameter list",
        "The optimizer was given no parameters. A generator such as model.parameters() can be used up only once, and "
        "layers in a plain list are not seen by the module.",
        "Pass model.parameters() directly, and keep layers in nn.ModuleList.",
    ),
    (
        "TypeError",
        r"(params argument given to the optimizer|optimizer can only optimize Tensors|optimizer parameters need to be"
        r"|param_group must be)",
        "An optimizer takes a list of tensors, or a list of dicts with a list under 'params'.",
        "Write [w, b], also for a single tensor: [w].",
    ),
    (
        "ValueError",
        r"(Invalid |Nesterov momentum|Tensor lr must|some parameters appear|loaded state dict|LBFGS doesn't|\w+ "
        r"requires)",
        "A parameter of the optimizer is outside its range.",
        "Rates and decays are not negative, betas lie between 0 and 1, and each tensor belongs to one group.",
    ),
    (
        "TypeError ValueError",
        r"(\w+ is not an Optimizer|You must define either total_steps|Expected \d+ lr_lambdas|Factor should be|mode .* "
        r"is "
        r"unknown)",
        "The scheduler was not given what it needs.",
        "Pass the optimizer first, then the schedule.",
    ),
]
