"""Shapes, indices, dtypes, data, conversions, matrices and random numbers."""

from __future__ import annotations

TABLE: list[tuple[str, str, str, str]] = [
    # Shapes
    (
        "RuntimeError",
        r"The size of tensor a \((?P<a>\d+)\) must match the size of tensor b \((?P<b>\d+)\) at non-singleton "
        r"dimension (?P<dim>\d+)",
        "Shapes are compared from the last dimension backwards; two sizes go together if they are equal or one of them "
        "is 1. In dimension {dim} they are {a} and {b}.",
        "Print both shapes; use unsqueeze() or view() to put a dimension of size 1 where the other tensor varies.",
    ),
    (
        "RuntimeError",
        r"mat1 and mat2 shapes cannot be multiplied \((?P<n>\d+)x(?P<a>\d+) and (?P<b>\d+)x(?P<m>\d+)\)",
        "In a matrix product the columns of the first and the rows of the second are summed over, so the inner sizes "
        "must agree. Here they are {a} and {b}.",
        "Transpose one of them ({first:x}.T) if it lies the wrong way round. In a Linear layer, the last size of "
        "the input must be its in_features, {b}.",
    ),
    (
        "RuntimeError",
        r"(inconsistent tensor size, expected tensor|size mismatch, got|Expected size for first two dimensions of "
        r"batch2"
        r"|vector \+ matrix @ vector|1D tensors expected|\w+ must be a (matrix|3D tensor)|both arguments to \w+ need "
        r"to "
        r"be at least 1D|\w+: (Expected 1-D argument|expected a matrix)|inner\(\) the last dimension)",
        "The operands do not have the dimensions this product is made for: dot takes two vectors of one length, mv a "
        "matrix and a vector, mm two matrices, bmm two stacks of matrices; inner sizes must agree. `@` chooses among "
        "them by the number of dimensions, and for single numbers the product is `*`.",
        "Print both shapes, then transpose, view() or unsqueeze() one of them.",
    ),
    (
        "RuntimeError",
        r"shape '(?P<shape>\[.*?\])' is invalid for input of size (?P<size>\d+)",
        "view and reshape keep all elements: the sizes must multiply to {size}, and those of {shape} do not.",
        "Choose sizes whose product is {size}; one of them may be -1 and is then computed.",
    ),
    (
        "RuntimeError",
        r"only one dimension can be inferred",
        "-1 means: whatever size is left over. Two of them would leave it open.",
        "Write all sizes but one.",
    ),
    (
        "RuntimeError",
        r"(invalid shape dimension -?\d+ at index|cannot reshape tensor of 0 elements|Trying to create tensor with "
        r"negative dimension)",
        "A size in the shape is negative, or cannot be computed from the number of elements.",
        "Give sizes of 0 or more.",
    ),
    (
        "RuntimeError",
        r"view size is not compatible with input tensor's size and stride",
        "view shares memory and so needs the elements to lie in order. After a transpose, permute or expand they do "
        "not.",
        "Use reshape(), which copies when it must, or contiguous().view().",
    ),
    (
        "IndexError",
        r"Dimension out of range \(expected to be in range of \[(?P<low>-?\d+), (?P<high>\d+)\], but got "
        r"(?P<dim>-?\d+)\)",
        "The tensor has no dimension {dim}: dimensions are counted from 0, or from -1 backwards, and run from {low} to "
        "{high} here.",
        "Use a dim between {low} and {high}, or unsqueeze() the tensor to add one.",
    ),
    (
        "RuntimeError",
        r"(dim \d+ appears multiple times|permute\(|t\(\) expects|tensor\.\w+ is only supported|flatten\(\) has invalid"
        r"|unflatten: Provided|\w+: input tensor must have at least 2|diag\(\): Supports|expected total dims"
        r"|shifts and dimensions must align|diagonal dimensions)",
        "The dimensions named do not fit the tensor: one is named twice, one is missing, or there are too many or too "
        "few of them for this operation.",
        "Print x.shape and name each dimension once; t() and .mT are for matrices, permute() and transpose(a, b) for "
        "any number of dimensions.",
    ),
    (
        "RuntimeError",
        r"(The expanded size of the tensor|expand\(|The number of sizes provided|Number of dimensions of repeat)",
        "expand can stretch only dimensions of size 1, and add new ones at the front.",
        "unsqueeze() a dimension first, or use repeat() to copy. A bias has to have as many elements as the layer has "
        "outputs.",
    ),
    (
        "RuntimeError",
        r"Sizes of tensors must match except in dimension (?P<dim>\d+)\. Expected size (?P<want>\d+) but got size "
        r"(?P<got>\d+) for tensor number (?P<number>\d+)",
        "cat joins along dimension {dim}; in all others the sizes have to agree, and tensor {number} has {got} where "
        "the "
        "first has {want}.",
        "Join along the dimension that differs (dim=...), or reshape tensor {number}.",
    ),
    (
        "RuntimeError ValueError",
        r"(Tensors must have same number of dimensions|stack expects each tensor|\S+ expects a non-empty"
        r"|torch\.cat\(\): "
        r"expected a non-empty)",
        "cat joins tensors along a dimension they have, stack along a new one; either needs at least one tensor, and "
        "shapes that fit.",
        "Check that the list is not empty and print the shapes; unsqueeze() a tensor that lacks a dimension.",
    ),
    (
        "RuntimeError",
        r"(split_size can only|split expects|split_with_sizes expects|chunk expects|start \(\d+\) \+ length)",
        "The pieces do not add up to the size of the dimension.",
        "Choose sizes whose sum is that size.",
    ),
    (
        "RuntimeError IndexError",
        r"(\w+\(\): Expected reduction dim|aminmax\(\): cannot compute|selected index k out of range|kthvalue\(\))",
        "There are fewer elements than the operation needs; the maximum of nothing, for one, does not exist.",
        "Check that the tensor is not empty, and that k is at most its size.",
    ),
    (
        "RuntimeError ValueError",
        r"einsum\(\)",
        "In an einsum equation each operand has one letter per dimension, and a letter stands for one size throughout.",
        "Compare the letters of each operand with its shape; letters after -> must occur before it.",
    ),
    (
        "RuntimeError",
        r"(contracted dimensions need to match|linalg\.cross)",
        "The dimensions that are summed over must have the same size (3 for cross).",
        "Print both shapes and name the dimensions with dims= or dim=.",
    ),
    # Indices
    (
        "IndexError RuntimeError",
        r"(index_copy_\(\): )?index (?P<index>-?\d+) is out of bounds for dimension (?P<dim>\d+) with size "
        r"(?P<size>\d+)",
        "Dimension {dim} has {size} elements, counted from 0, so the index {index} points past its end.",
        "Use an index between -{size} and {size} - 1.",
    ),
    (
        "IndexError",
        r"invalid index of a 0-dim tensor",
        "A 0-d tensor is a single number and has nothing to index. In PyTorch before 0.4 losses were vectors of one "
        "element, and old programs still say loss.data[0].",
        "Write loss.item().",
    ),
    (
        "IndexError",
        r"too many indices for tensor of dimension (?P<ndim>\d+)",
        "There are more indices than the tensor has dimensions, {ndim}.",
        "Print x.shape and leave out an index, or add a dimension with None.",
    ),
    (
        "IndexError TypeError",
        r"(only integers, slices \(`:`\), ellipsis|tensors used as indices must be|only integer tensors of a single "
        r"element can be converted to an index)",
        "Positions are integers; this index is something else, such as a float or a tensor of floats.",
        "Convert it: int(i), or index.long().",
    ),
    (
        "ValueError RuntimeError",
        r"(step must be greater than zero|slice step)",
        "Slices of a tensor cannot run backwards, because a view has no negative steps.",
        "Use {first:x}.flip(0) to turn it round.",
    ),
    (
        "IndexError",
        r"The shape of the mask (?P<mask>\[.*?\]) at index \d+ does not match the shape of the indexed tensor "
        r"(?P<shape>\[.*?\])",
        "A mask says yes or no for each element, so it needs the tensor's shape: {mask} does not fit {shape}.",
        "Compute the mask from the tensor itself, as in x[x > 0].",
    ),
    (
        "IndexError RuntimeError",
        r"shape mismatch: (indexing tensors|value tensor)",
        "Index lists are used side by side, element by element, so their lengths must agree; and what is assigned must "
        "fit what they pick.",
        "Make the lists the same length, or use slices for a rectangular block.",
    ),
    (
        "TypeError",
        r"can't assign a (?P<kind>\w+) to a",
        "Elements of a tensor are numbers, and a {kind} is none.",
        "Assign a number or a tensor.",
    ),
    (
        "IndexError RuntimeError",
        r"(index out of range in self|select\(\)|out of range: tried to access|slice\(\) cannot|Index tensor must have"
        r"|\w+\(\): (Expected dtype int|Number of indices))",
        "An index is past the end of its dimension, or the index tensor has the wrong dtype or shape. For an "
        "embedding, "
        "indices run from 0 to num_embeddings - 1.",
        "Print {first:index}.min(), {first:index}.max() and the shape; convert with .long() if it holds floats.",
    ),
    (
        "RuntimeError",
        r"(where expected condition|masked_fill_ only supports|masked_select: expected)",
        "The condition must be of bools.",
        "Write a comparison (x > 0), or convert with .bool().",
    ),
    # Dtypes
    (
        "RuntimeError",
        r"(expected m1 and m2 to have the same dtype|mat1 and mat2 must have the same dtype|\w+ and mat2 must have the "
        r"same dtype|expected scalar type (?P<want>\w+) but found|dot : expected both vectors|addmv input tensors"
        r"|expected .* to have the same dtype|Found dtype)",
        "Matrix products, convolutions and some losses do not convert between dtypes; both operands need the same. "
        "Data from Python integers is int64 and from numpy float64, while layers are float32.",
        "Convert one of them: {first:x}.float(), or {first:x}.to(weight.dtype).",
    ),
    (
        "RuntimeError",
        r"mean\(\): could not infer output dtype.*Got: (?P<dtype>\w+)",
        "The mean of whole numbers is usually none, and mean() keeps the dtype, {dtype}.",
        "Convert first: {first:x}.float().mean().",
    ),
    (
        "RuntimeError",
        r"(std and var only support|linalg\.\w+: Expected a floating point|\w+ distribution is a continuous"
        r"|multinomial only supports)",
        "This is computed with real numbers, and the tensor holds integers.",
        "Convert first with .float().",
    ),
    (
        "NotImplementedError RuntimeError",
        r"(.*(does|do|is) not (support(ed)?|intended to support)( for)? complex|\w+ not implemented for complex)",
        "Complex numbers have no order, and this operation needs one or is defined for real numbers only.",
        "Apply it to a real part: z.abs(), z.real, z.imag or z.angle().",
    ),
    (
        "RuntimeError",
        r"(topk does not support bool|Unsupported input type encountered|cdist only supports floating-point)",
        "PyTorch has no version of this operation for the tensor's dtype.",
        "Convert to a dtype it has, usually with .float() or .long().",
    ),
    (
        "NotImplementedError",
        r"\"(?P<kernel>\w+)\" not implemented for '(?P<dtype>\w+)'",
        "PyTorch has no version of this operation for {dtype}.",
        "Convert to a dtype it has, usually with .float().",
    ),
    (
        "NotImplementedError",
        r"torch\.(?P<name>complex32|chalf) is not available in Backlight yet",
        "Backlight computes with numpy, which has no {name}.",
        "Use torch.complex64.",
    ),
    (
        "NotImplementedError",
        r"(?P<name>torch[\w.]*) is not available in Backlight yet",
        "PyTorch has {name}; Backlight's own engine has not, so the program stops here instead of guessing.",
        "Write it with operations that GET /v1/ops lists, or leave this line out.",
    ),
    (
        "RuntimeError TypeError",
        r"(Promotion for uint16|Unknown Complex|torch\.[fi]info\(\) requires|torch\.bool is not supported by "
        r"torch.iinfo"
        r"|only floating-point types are supported as the default|invalid dtype object)",
        "The dtype is not of the kind this needs.",
        "The default dtype is a float; finfo is for floats and iinfo for integers.",
    ),
    (
        "RuntimeError",
        r"(Subtraction|Negation), the `-` operator, (with|on) (a|two) bool tensor",
        "Bools are not numbers to subtract.",
        "Use ~mask to invert and mask1 ^ mask2 for the difference, or convert with .float().",
    ),
    (
        "RuntimeError",
        r"ZeroDivisionError",
        "Integers have no infinity to stand for a division by zero.",
        "Divide floats, or make sure that the divisor is not 0.",
    ),
    (
        "RuntimeError",
        r"Integers to negative integer powers are not allowed",
        "The result would be a fraction, which an integer tensor cannot hold.",
        "Convert first: {first:x}.float() ** -1.",
    ),
    (
        "RuntimeError ValueError OverflowError",
        r"(value cannot be converted to type|int too big to convert|Overflow when unpacking|.* is out of bounds for)",
        "The number does not fit the type it is meant for.",
        "Use a smaller number or a wider dtype.",
    ),
    # Making tensors
    (
        "ValueError",
        r"expected sequence of length (?P<want>\d+) at dim (?P<dim>\d+) \(got (?P<got>\d+)\)",
        "A tensor is rectangular: in dimension {dim} the first list has {want} elements and a later one {got}.",
        "Fill the lists up to one length.",
    ),
    (
        "RuntimeError TypeError ValueError",
        r"(Could not infer dtype of (?P<kind>\w+)|new\(\): (invalid data type|data must be a sequence)|too many "
        r"dimensions 'str'|must be real number, not|expected np\.ndarray|can't convert np\.ndarray)",
        "Tensors are made of numbers and bools, in lists of lists of equal length; there is something else in here.",
        "Print the data and convert it to numbers first.",
    ),
    (
        "RuntimeError",
        r"This function was deprecated since version 1\.9 and is now removed\.",
        "Functions of linear algebra have moved to torch.linalg, and the old ones are gone. The text says how this one "
        "is written today.",
        "Write what the text gives in its place, and mind which half of a matrix it reads by default.",
    ),
    (
        "ValueError",
        r"only one element tensors can be converted to Python scalars",
        "int(), float(), % formatting and the math module need one number, and the tensor has several (or none).",
        "Reduce it first ({first:x}.sum(), {first:x}[0]), or use torch.sin instead of math.sin.",
    ),
    (
        "RuntimeError",
        r"a Tensor with (?P<count>\d+) elements cannot be converted to Scalar",
        "item() gives the one number of a tensor, and this one has {count}.",
        "Use {first:x}.tolist() for all of them, {first:x}[0].item() for one, or reduce it first.",
    ),
    (
        "RuntimeError",
        r"Boolean value of Tensor with more than one value is ambiguous",
        "if, while, and, or, not need one yes or no, and the tensor has several.",
        "Write {whole:x}.any() or {whole:x}.all(); combine masks with & and | instead of and/or, and use "
        "torch.maximum instead of max.",
    ),
    (
        "RuntimeError",
        r"Boolean value of Tensor with no values is ambiguous",
        "An empty tensor is neither true nor false.",
        "Test x.numel() instead.",
    ),
    (
        "TypeError",
        r"(len\(\) of a 0-d tensor|iteration over a 0-d tensor)",
        "A 0-d tensor is a single number, without a length.",
        "Use {whole:x}.item() for the number, or {whole:x}.unsqueeze(0) for a vector of one.",
    ),
    (
        "TypeError",
        r"unsupported format string passed to (?P<kind>\w+)\.__format__",
        "A format such as :.2f is for one number; only a 0-d tensor has one.",
        "Use .item() on one element, or print the tensor and choose the digits with torch.set_printoptions.",
    ),
    (
        "RuntimeError",
        r"(upper bound and lower bound inconsistent|step must be nonzero|number of steps must be|n must be greater or "
        r"equal to 0)",
        "These bounds and steps describe no sequence.",
        "The step must lead from start towards end, and counts must not be negative.",
    ),
    # Devices
    (
        "AssertionError RuntimeError TypeError",
        r"(Torch not compiled with CUDA|Cannot initialize CUDA without|PyTorch was compiled without CUDA|"
        r"torch\.cuda\.Stream requires|Cannot execute \w+\(\) without MPS|"
        r"type torch\.cuda\.\w+ not available|Cannot access accelerator device|"
        r"pin_memory=True requires|Device type \w+ is "
        r"not "
        r"supported|Cannot get CUDA generator)",
        "Backlight computes on the CPU, as PyTorch does on a machine without a graphics card. Gradients are the same "
        "on "
        "either.",
        "Leave out .cuda(), device='cuda' and pin_memory, or choose with torch.cuda.is_available().",
    ),
    (
        "RuntimeError",
        r"(Expected one of cpu, cuda|Invalid device string|Device string must not|type \(string\) must not|Device "
        r"index "
        r"must)",
        "This does not name a device.",
        "Write 'cpu'.",
    ),
    # Linear algebra
    (
        "_LinAlgError LinAlgError",
        r".*singular",
        "The matrix has no inverse: some row is a combination of the others, so its determinant is 0.",
        "Check how the matrix is built; adding a small multiple of the identity (A + 1e-6 * torch.eye(n)) makes it "
        "invertible.",
    ),
    (
        "_LinAlgError LinAlgError",
        r".*not positive-definite",
        "A Cholesky factorization exists only for symmetric matrices whose eigenvalues are all positive.",
        "Check that the matrix is symmetric; adding a small multiple of the identity helps against rounding.",
    ),
    (
        "RuntimeError",
        r"(linalg\.\w+: (A must be|The input tensor|Incompatible)|linalg\.matrix_norm: Order)",
        "This is defined for matrices (or stacks of them) of certain shapes.",
        "Print the shape; det, inv and eigh need as many rows as columns.",
    ),
    # The rest of shapes
    (
        "RuntimeError IndexError",
        r"(zero-dimensional tensor|[\w.]+\(\) cannot be applied to a 0-dim|[\w.]+ (expects|expected) at least a "
        r"1-dimensional|Dimension specified as|Input must be >= 2-d|torch\.\w+ requires a tensor with at least"
        r"|Expect a 1D vector|torch\.block_diag: |torch\.meshgrid: Expected|\S+: The input tensor \S+ must have)",
        "The tensor has too few dimensions for this operation, or too many.",
        "Print x.shape; unsqueeze(0) adds a dimension, squeeze() and flatten() take some away.",
    ),
    (
        "RuntimeError",
        r"(Attempting to broadcast a dimension|size \{.*\} is not expandable|non-broadcast dimensions must match)",
        "Shapes are compared from the last dimension backwards; two sizes go together if they are equal or one of them "
        "is 1.",
        "Print both shapes; use unsqueeze() to put a dimension of size 1 where the other tensor varies.",
    ),
    (
        "RuntimeError",
        r"(movedim: |expected (total )?rotation dims|`shifts` required|unflatten: )",
        "The dimensions named do not fit the tensor or each other.",
        "Print x.shape and name each dimension once.",
    ),
    (
        "RuntimeError",
        r"(tensordot expects|both dimension lists|multi_dot\(\)|both inputs should have same dtype|Input dtypes must "
        r"be "
        r"the same)",
        "The factors of this product do not fit: in their inner sizes, their number of dimensions or their dtypes.",
        "Print the shapes and dtypes of all factors.",
    ),
    (
        "RuntimeError",
        r"(torch\.histogram|histogramdd:)",
        "Bins are counted by a positive number or given as edges, one vector for each dimension of the points; a range "
        "is a low and a high end, and weights are one for each point.",
        "Give bins=10 or a 1-d tensor of edges in the dtype of the input.",
    ),
    (
        "RuntimeError",
        r"(.*torch\.linalg\.ldl_factor: Unknown error|torch\.linalg\.ldl_solve: )",
        "The factors do not belong together, or the matrix has none: a zero on the diagonal of D means that it is "
        "singular.",
        "Pass both results of torch.linalg.ldl_factor() of a regular matrix.",
    ),
    (
        "RuntimeError IndexError",
        r"(narrow\(\): |start out of range|number of sections must|torch\.\w+ attempted to split|maximum size for "
        r"tensor"
        r"|size is -?\d+ but must|step is -?\d+ but must|Repeats must be|repeats must have|Length of pad should"
        r"|\w+: Dimension size must|Expect a non-negative number)",
        "The piece or the count that was asked for does not fit the size of the dimension.",
        "Print x.shape and choose numbers within it.",
    ),
    (
        "RuntimeError ValueError",
        r"(setStorage: |Tensor: invalid storage offset|requested resize|mismatch in length of strides|as_strided: "
        r"|cannot resize variables|At least one stride|self\.size\(-1\) must be divisible)",
        "This asks for memory that the tensor does not have, or lays it out as no tensor can be.",
        "Use reshape(), expand() or clone(), which take care of memory themselves; copy a numpy array first.",
    ),
    (
        "RuntimeError ValueError",
        r"(torch\.clamp: At least one|approximate argument must|glu does not|min_val cannot|div expected rounding_mode"
        r"|polygamma\(|All elements must be greater|unsupported "
        r"range|torch\.meshgrid: indexing must)",
        "An argument is missing or outside the values it may take.",
        "The text names what is allowed.",
    ),
    (
        "RuntimeError",
        r"The `\+` operator, on a bool tensor",
        "Bools are not numbers.",
        "Convert with .int() or .float().",
    ),
    (
        "TypeError ValueError RuntimeError",
        r"(expected TensorOptions|too many dimensions '|not a sequence|dtype must be a type|Tensor\.__contains__)",
        "The data or the type is not one that this accepts.",
        "Use torch.tensor(data, dtype=...), with numbers in lists of equal length.",
    ),
    # Random numbers
    (
        "RuntimeError ValueError",
        r"(normal expects|uniform_ expects|random_ expects|bernoulli_ expects|Expected p_in|log_normal_ expects"
        r"|exponential_ expects|geometric_ expects|cauchy_ expects|dropout probability|cannot sample n_sample"
        r"|probability tensor contains|invalid multinomial|prob_dist must be)",
        "The parameters do not describe a distribution: probabilities lie between 0 and 1, weights are not negative "
        "and not all 0, standard deviations are not negative, and the upper end is above the lower.",
        "Print the parameters.",
    ),
    (
        "RuntimeError TypeError ValueError",
        r"(manual_seed expected|RNG state must|Expected a CPUGeneratorImplState)",
        "A seed is an integer, and a generator's state the tensor that get_state() returned.",
        "Pass an int, such as torch.manual_seed(0).",
    ),
    (
        "ValueError",
        r"precision must be between",
        "No number has that many digits.",
        "Choose a precision of at most 17; more digits carry no information.",
    ),
]
