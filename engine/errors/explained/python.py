"""Python's own errors, and arguments and attributes that do not exist."""

from __future__ import annotations

from .imports import IMPORTS

_NO_TENSOR = r"(?P<function>\w+)\(\): argument '(?P<argument>\w+)' (\(position \d+\) )?must be Tensor, not "

TABLE: list[tuple[str, str, str, str]] = [
    (
        "AttributeError",
        r"'NoneType' object has no attribute '(?P<name>zero_|data|detach|norm|clone|abs|sum|mean|item|numpy|fill_|shape"
        r"|mul_|add_|sub_|div_|tolist)'",
        "Something here is None. If it is .grad: it is None until a backward pass has reached this leaf, stays None "
        "for "
        "results of computations, and becomes None again after optimizer.zero_grad().",
        "Call backward first, check that the tensor is a leaf with requires_grad=True, or guard with: if "
        "{first:x.grad} is not None.",
    ),
    (
        "AttributeError",
        r"'NoneType' object has no attribute '(?P<name>\w+)'",
        "The value before .{name} is None. A function without return gives None, grad_fn of a leaf is None, and so is "
        ".grad before a backward pass.",
        "Print the value to see where the None comes from.",
    ),
    (
        "AttributeError",
        r"'(?P<node>\w+Backward\d*|AccumulateGrad)' object has no attribute 'variable'",
        "Only AccumulateGrad nodes, the ends of the graph, belong to a tensor. {node} is an operation and has none.",
        "Follow next_functions until a node is of type AccumulateGrad.",
    ),
    (
        "AttributeError",
        r"'(?P<node>\w+Backward\d*|AccumulateGrad)' object has no attribute '(?P<name>_saved_\w+|_raw_saved_\w+)'",
        "{node} did not save that: a node keeps only what its own formula needs.",
        "dir(y.grad_fn) lists what there is; names begin with _saved_.",
    ),
    (
        "AttributeError",
        r"'(?P<node>\w+Backward\d*|AccumulateGrad)' object has no attribute '(?P<name>\w+)'",
        "{node} is a node of the graph and has no {name}. creator and previous_functions were the names of old.",
        "Use y.grad_fn and node.next_functions.",
    ),
    (
        "AttributeError",
        r"'(builtin_function_or_method|method|function)' object has no attribute '(?P<name>\w+)'",
        "This is a function that was not called: the parentheses behind its name are missing.",
        "Call it first, as in y.sum().{name}.",
    ),
    (
        "AttributeError",
        r"'Tensor' object has no attribute 'creator'",
        "creator was the name of grad_fn before PyTorch 0.2.",
        "Use y.grad_fn.",
    ),
    (
        "AttributeError",
        r"'(?P<owner>Tensor|Parameter)' object has no attribute '(names|has_names|refine_names|rename_?|align_to)'",
        "Dimensions of tensors had names in older versions of PyTorch; they have them no more.",
        "Leave the names out, and say which dimension is which in a comment.",
    ),
    (
        "AttributeError",
        r"'(?P<owner>Tensor|Parameter)' object has no attribute '(?P<name>\w+)'",
        "Tensors have no {name}. It is misspelt, belongs to numpy or another library, or is not part of Backlight.",
        "Check the spelling; many functions are also found in torch or torch.nn.functional.",
    ),
    (
        "AttributeError",
        r"(module 'numpy' has no attribute '\w+'\.\n)?`np\.(?P<name>\w+)` was (removed|a deprecated alias)",
        "NumPy 2 has {name} no more; the text names what took its place.",
        "Write what the text names.",
    ),
    (
        "AttributeError",
        r"module 'numpy' has no attribute 'asscalar'",
        "asscalar is the old name of a method of arrays, which NumPy removed.",
        "Write a.item() instead of np.asscalar(a).",
    ),
    (
        "AttributeError",
        r"module '(?P<module>(?!torch\b)[\w.]+)' has no attribute '(?P<name>\w+)'",
        "{module} has no {name}. It is misspelt, belongs to another module, or is not part of Backlight.",
        "Check the spelling and the module, or write what it does with torch.",
    ),
    (
        "AttributeError",
        r"module '(?P<module>[\w.]+)' has no attribute '(?P<name>\w+)'",
        "{module} has no {name}. It is misspelt, belongs to another module, was removed from PyTorch, or is not part "
        "of "
        "Backlight.",
        "Check the spelling and the module; layers are in torch.nn, functions in torch and torch.nn.functional.",
    ),
    (
        "AttributeError",
        r"'(_(Single|Multi)Process\w*Iter|generator|\w*iterator|enumerate|zip|map)' object has no attribute 'next'",
        "Iterators had a method next in Python 2; since then a function asks them for what follows.",
        "Write next(it) instead of it.next().",
    ),
    (
        "AttributeError",
        r"'(?P<kind>float|int|list|ndarray|numpy\.(ndarray|float32|float64))' object has no attribute "
        r"'(?P<name>backward|grad|grad_fn|requires_grad_?|retain_grad|is_leaf|detach|item|zero_grad)'",
        "This is a {kind} and no tensor any more: .item(), float(), .tolist() and .numpy() take the number out of the "
        "graph, and no gradient goes back from there.",
        "Keep the tensor, and take its number only where it is printed or stored.",
    ),
    (
        "AttributeError",
        r"'(?P<owner>[\w.]+)' object has no attribute '(?P<name>\w+)'",
        "{owner} has no {name}. It is misspelt, or was not set yet: attributes of a class are set in __init__ as "
        "self.{name} = ...",
        "Check the spelling and what the object is.",
    ),
    (
        "TypeError",
        r"'Tensor' object is not callable",
        "A tensor is followed by parentheses, as if it were a function. Often a product sign is missing, x(y + 1) for "
        "x * (y + 1), or a tensor has taken the name of a function.",
        "Write the operator, or give the tensor another name.",
    ),
    (
        "TypeError",
        r"'(?P<kind>[\w.]+)' object is not callable",
        "A {kind} is followed by parentheses, as if it were a function. The name may have been given to something else "
        "further up.",
        "Remove the parentheses, or rename the variable that hides the function.",
    ),
    (
        "TypeError",
        r"cannot pickle 'generator' object",
        "A generator gives its items once and cannot be copied; model.parameters() is one.",
        "Copy the model itself, or a list of what the generator gives: copy.deepcopy(list(model.parameters())).",
    ),
    (
        "TypeError",
        r"cannot pickle '(?P<kind>\w+)' object",
        "Copies are made of objects that hold data, and there is a {kind} among what is to be copied.",
        "Copy a list of what it gives, or do not keep it in the object that is copied.",
    ),
    (
        "TypeError",
        r"only (0-dimensional|length-1) arrays can be converted to Python scalars",
        "int(), float() and the math module need one number, and the array has a dimension.",
        "Use {first:a}.item() if it holds one number, {first:a}[0] for one of several, np.sqrt instead of math.sqrt.",
    ),
    (
        "ValueError",
        r"The truth value of an array with more than one element is ambiguous",
        "if, while, and, or and not ask one question, and this array answers one for each of its elements.",
        "Use .any() or .all(), and & and | between comparisons in parentheses.",
    ),
    (
        "ValueError",
        r"operands could not be broadcast together with shapes (?P<shapes>.*)",
        "Shapes are lined up from the right, and where two sizes differ one of them must be 1. These do not fit: "
        "{shapes}.",
        "Print both shapes, and reshape one of the arrays or add a dimension with a[:, None].",
    ),
    (
        "ValueError",
        r"matmul: Input operand 1 has a mismatch in its core dimension 0, .*\(size (?P<rows>\d+) is different from "
        r"(?P<columns>\d+)\)",
        "The columns of the left matrix meet the rows of the right one: {columns} and {rows} are not the same.",
        "Print both shapes and transpose one of them with .T where that is what is meant.",
    ),
    (
        "IndexError",
        r"index (?P<index>-?\d+) is out of bounds for axis (?P<axis>\d+) with size (?P<size>\d+)",
        "Axis {axis} has {size} positions, which count from 0; {index} is not one of them.",
        "Print the shape, and check where the index comes from.",
    ),
    (
        "OverflowError ValueError",
        r"cannot convert float (?P<value>infinity|NaN) to integer",
        "The number became {value} before, as by a division by zero, log(0) or a training whose steps are too large.",
        "Print the number further up, until it is one.",
    ),
    (
        "TypeError",
        r"slice indices must be integers or None or have an __index__ method",
        "Positions of a slice are whole numbers, and one of these is not: / gives a float even where nothing is left.",
        "Divide with //, or write int(…).",
    ),
    (
        "TypeError",
        r"'(?P<kind>float|int|bool)' object is not iterable",
        "A list is expected here, and a single {kind} was given. The gradient given to backward() must be a tensor.",
        "Wrap the number: torch.tensor(1.0), or [1.0] where a list belongs.",
    ),
    (
        "TypeError",
        r"'NoneType' object is not (iterable|subscriptable)|cannot unpack non-iterable NoneType",
        "The value is None. A function without return gives None, and so does .grad before a backward pass.",
        "Print the value to see where the None comes from.",
    ),
    (
        "TypeError",
        r"unsupported operand type\(s\) for (?P<operator>\S+): (?:'[\w.]+' and )?'NoneType'",
        "One of the two is None, and {operator} does nothing with None. If it is a .grad: it is None until backward() "
        "has reached this leaf, stays None for results of computations, and becomes None again after "
        "optimizer.zero_grad(). A function that ends without return gives None, too.",
        "Call backward() first, check that the tensor is a leaf with requires_grad=True, or return the value.",
    ),
    (
        "TypeError",
        r"unsupported operand type\(s\) for (?P<operator>\S+): '(?P<left>[\w.]+)' and '(?P<right>[\w.]+)'",
        "{operator} is not defined between a {left} and a {right}. Tensors calculate with tensors and numbers.",
        "Convert the other value with torch.tensor(...), or check why it is a {right}.",
    ),
    (
        "TypeError",
        r"'(?P<operator>\S+)' not supported between instances of '(?P<left>[\w.]+)' and '(?P<right>[\w.]+)'",
        "A {left} and a {right} cannot be ordered.",
        "Convert one of them first.",
    ),
    (
        "TypeError",
        _NO_TENSOR + r"torch\.return_types\.(?P<of>\w+)$",
        "{of} gave several tensors together, and {function} computes with one.",
        "Take one, as in result[0] or by its name (max and sort: .values), or unpack them: values, indices = ...",
    ),
    (
        "TypeError",
        _NO_TENSOR + r"tuple$",
        "{function} computes with one tensor, and {argument} is a tuple, as functions with several results return it: "
        "nn.LSTM gives its output and its state, nn.MultiheadAttention its output and its weights.",
        "Unpack it: out, state = lstm(x); or take the part that is meant: out[0].",
    ),
    (
        "TypeError",
        _NO_TENSOR + r"list$",
        "{function} computes with tensors, and {argument} is a list.",
        "Numbers: torch.tensor(...). Tensors of one shape: torch.stack(...), or torch.cat(...) to join them.",
    ),
    (
        "TypeError",
        _NO_TENSOR + r"numpy\.\w+$",
        "{function} computes with tensors, and {argument} comes from numpy.",
        "Make a tensor of it: torch.from_numpy(...) shares the memory of an array, torch.tensor(...) copies.",
    ),
    (
        "TypeError",
        _NO_TENSOR + r"NoneType$",
        "{argument} is None. A function that ends without return gives None, as a forward() that forgets it.",
        "Return the result, or print the value to see where the None comes from.",
    ),
    (
        "TypeError",
        _NO_TENSOR + r"(builtin_function_or_method|method|function)$",
        "{argument} is a function that was not called: the parentheses behind its name are missing.",
        "Call it first, as in x.relu() instead of x.relu.",
    ),
    (
        "TypeError",
        _NO_TENSOR + r"(?P<kind>[A-Z]\w*)$",
        "{function} computes with tensors, and {argument} is an object of the class {kind}.",
        "Give the tensor that it holds; of a module, what it returns: module(x).",
    ),
    (
        "TypeError",
        _NO_TENSOR + r"(?P<kind>\w+)",
        "{function} computes with tensors, and {argument} is a {kind}.",
        "Wrap it: torch.tensor(...). For plain numbers there is the math module.",
    ),
    (
        "TypeError",
        r"(?P<function>[\w.]+)\(\): argument '(?P<argument>\w+)' (\(position \d+\) )?(must be|failed to unpack)",
        "The argument {argument} of {function} has the wrong type.",
        "Look at the text: it says which type is expected.",
    ),
    (
        "TypeError",
        r"(?P<function>\w+)\(\) received an invalid combination of arguments",
        "{function} can be called in the ways listed, and this call is none of them.",
        "Compare the types in the first line with the list; a list or number may have to be a tensor.",
    ),
    (
        "TypeError",
        r"(expected Tensor as element (?P<index>\d+) in argument)",
        "The list must hold tensors only; element {index} is something else.",
        "Wrap it: torch.tensor(...).",
    ),
    (
        "TypeError",
        r"(?P<function>\w*(LR|Plateau|Restarts))\.__init__\(\) got an unexpected keyword argument 'verbose'",
        "{function} had an argument verbose in older versions of PyTorch; schedulers say nothing by themselves now.",
        "Leave verbose out, and print scheduler.get_last_lr() after each step.",
    ),
    (
        "TypeError",
        r"(?P<function>[\w.<>]+)\(\) got an unexpected keyword argument 'retain_variables'",
        "retain_variables was the name of retain_graph before PyTorch 0.2.",
        "Write retain_graph=True, if the graph is needed once more, or leave it out.",
    ),
    (
        "TypeError",
        r"(?P<function>[\w.<>]+)\(\) got an unexpected keyword argument '(?P<name>\w+)'",
        "{function} has no argument named {name}. It is misspelt, or the function is another one than meant.",
        "Check the spelling, or leave it out.",
    ),
    (
        "TypeError",
        r"(?P<function>[\w.<>]+)\(\) missing \d+ required (positional|keyword-only) arguments?: (?P<names>.*)",
        "{function} was called without {names}. For a method this also happens when the class is used instead of an "
        "instance of it.",
        "Pass {names}, or make the instance first, with parentheses.",
    ),
    (
        "TypeError",
        r"(?P<function>[\w.<>]+)\(\) takes .* positional arguments? but",
        "{function} was given more arguments than it takes. In a class, the instance itself counts as the first.",
        "Leave some out, pass them by name, or add self to the method.",
    ),
    (
        "TypeError",
        r"(TensorBase\.|torch\.(\w+\.)*)?(?P<function>[\w.]+)\(\) takes (no (keyword )?arguments|exactly one argument)",
        "What is between the parentheses of {function}() is not what it takes. A method works on the tensor before the "
        "dot, which is not given again.",
        "Remove what it does not take; a function of the same name in torch may take more.",
    ),
    (
        "TypeError",
        r"(unbound method TensorBase\.\w+\(\) needs|descriptor '\w+' for 'torch\._C\.TensorBase')",
        "A method that is taken from the class torch.Tensor needs the tensor as its first argument.",
        "Call it on a tensor: x.method(...).",
    ),
    (
        "TypeError",
        r"(?P<function>[\w.<>]+)\(\) got multiple values for (keyword )?argument '(?P<name>\w+)'",
        "{name} is given twice to {function}: by its position and by its name.",
        "Remove one of them.",
    ),
    (
        "TypeError",
        r"bad operand type for unary (?P<operator>\S+): '(?P<kind>[\w.]+)'",
        "{operator} is not defined for a {kind}.",
        "Convert it first, for example with torch.tensor(...).",
    ),
    (
        "TypeError",
        r"object of type '(?P<kind>[\w.]+)' has no len\(\)",
        "A list or a tensor is expected here, and a {kind} was given.",
        "Print the value; a single number may have to be written as a list: [1].",
    ),
    (
        "TypeError",
        r"(?P<name>\w+) (must be|should be of type|should be) .*(but found|got)",
        "{name} is of another type than this takes.",
        "Give it what the text names.",
    ),
    (
        "TypeError",
        r"(float|int)\(\) argument must be|must be real number, not|expected torch\.Tensor, but got",
        "The value is of another type than is needed here.",
        "Print type(value) to see what it is.",
    ),
    (
        "RuntimeError",
        r"all inputs have to be Tensors or GradientEdges, but got (?P<kind>[\w.]+)",
        "Gradients are wanted of tensors, and one of the inputs is a {kind}.",
        "Pass the tensor itself, or a list of tensors.",
    ),
    (
        "TypeError",
        r"(torch\.Size\(\) takes|cannot create|can only concatenate|.* object cannot be interpreted as an integer|.*is "
        r"not "
        r"subscriptable|.*does not support item assignment|.*is not iterable|device\(\) received|argument must be)",
        "The value is of another type than the operation works on.",
        "Print type(value) to see what it is.",
    ),
    (
        "NameError",
        r"name '(?P<name>\w+)' is not defined here: programs cannot run text as code",
        "{name} makes code of text, and no text is handed to Python here: only what is written in the program runs.",
        "Write what {name} would run into the program itself; int(...) and float(...) read numbers.",
    ),
    (
        "NameError",
        r"name '(?P<name>\w+)' is not defined here: use an import statement",
        "{name} is what an import statement calls, and it is not there by itself.",
        "Write import and the module's name.",
    ),
    (
        "NameError",
        r"name '(?P<name>In|Out)' is not defined$",
        "{name} [ ]: is what a notebook writes before its cells and what they show; it was copied along.",
        "Remove the prompts In [ ]: and Out[ ]:, and what was shown.",
    ),
    (
        "NameError",
        r"name 'tensor' is not defined$",
        "tensor(...) without torch. before it is how a tensor prints: a result may have been copied along.",
        "Remove the printed result, or write torch.tensor(...).",
    ),
    (
        "NameError",
        rf"name '(?P<name>{'|'.join(IMPORTS)})' is not defined$",
        "{name} is what programs import, and nothing has been imported under this name here: the import is missing, or "
        "comes later.",
        "Import {name} above this line.",
    ),
    (
        "NameError",
        r"name '(?P<name>\w+)' is not defined",
        "Nothing has been called {name} at this point: it is misspelt, defined further down or in a branch that did "
        "not "
        "run, or not imported.",
        "Define or import {name} above this line.",
    ),
    (
        "UnboundLocalError",
        r"(cannot access local variable|local variable) '(?P<name>\w+)'",
        "{name} is assigned somewhere in this function, which makes it local to it, and is read before that.",
        "Assign it first, pass it as an argument, or declare it with global or nonlocal.",
    ),
    (
        "ImportError",
        r"cannot import name '(?P<name>\w+)' from '(?P<module>[\w.]+)'",
        "{module} has no {name}. It is misspelt, belongs to another module, is of another version, or is not part of "
        "Backlight.",
        "Check the spelling and the module.",
    ),
    (
        "ModuleNotFoundError",
        r"No module named '(?P<name>torch\.[\w.]+)'",
        "There is no {name}. It is misspelt, of another version, or not part of Backlight.",
        "Check the spelling, or leave the import and its uses out.",
    ),
    (
        "ModuleNotFoundError ImportError",
        r"(No module named|cannot import name)",
        "This library is not installed where Backlight runs programs.",
        "Leave the import and its uses out.",
    ),
    (
        "IndexError",
        r"(list|tuple|string|pop) (index|assignment index|from empty list)",
        "The position is past the end; positions are counted from 0.",
        "Print the length.",
    ),
    (
        "FileNotFoundError",
        r"(\[Errno 2\] No such file or directory: |.* not found)",
        "Programs see no files here but those that they write themselves.",
        "Put the data into the program, as text, a list or a tensor, or make some with torch.randn.",
    ),
    (
        "PermissionError",
        r"\[Errno 1\] Operation not permitted$",
        "Programs start no others here, and reach no network.",
        "Leave the line out.",
    ),
    (
        "KeyError",
        r".*",
        "The dictionary has no entry under this key.",
        "Print its keys, or use .get().",
    ),
    (
        "ZeroDivisionError",
        r".*",
        "Python numbers cannot be divided by zero; tensors of floats would give inf or nan.",
        "Make sure that the divisor is not 0.",
    ),
    (
        "ValueError",
        r"(not enough values to unpack|too many values to unpack)",
        "There are not as many names on the left as values on the right.",
        "Print the value on the right, and count.",
    ),
    (
        "ValueError",
        r"(Unknown format code|Invalid format specifier|could not convert string|invalid literal for)",
        "The text is not written as this conversion needs it.",
        "For a 0-d tensor, :.4f formats floats and :d integers.",
    ),
    (
        "ValueError",
        r"invalid type: '(?P<name>.*?)'",
        "'{name}' names no tensor type.",
        "Write a dtype (torch.float64) or a name such as 'torch.DoubleTensor'.",
    ),
    (
        "AssertionError",
        r".*",
        "The condition after assert is false.",
        "Print the values that it compares. Floats are compared with torch.allclose.",
    ),
    (
        "RecursionError",
        r".*",
        "A function calls itself without end, or too deeply.",
        "Check the condition that should stop it, or use a loop.",
    ),
    (
        "IndentationError",
        r"unexpected indent",
        "The line is indented further than the one before it, and no block begins there. Code that was copied out of a "
        "text, or out of a function, may have kept the indentation that it had.",
        "Begin the line in the column where its block begins.",
    ),
    (
        "IndentationError",
        r"expected an indented block",
        "A block belongs to the line before it and is indented further. Code that was copied often loses that.",
        "Indent the lines of the block by four spaces.",
    ),
    (
        "TabError",
        r".*",
        "Some lines are indented by tabs and others by spaces: how far a tab reaches is not the same everywhere.",
        "Indent all lines by spaces.",
    ),
    (
        "IndentationError TabError",
        r".*",
        "The line does not begin in the column that its block needs.",
        "Indent the lines of a block by the same number of spaces.",
    ),
    (
        "SyntaxError",
        r"invalid (non-printable )?character",
        "Python knows the signs of the keyboard alone. Pages and word processors write others that look like them: "
        "curly quotes, long dashes, blanks that do not break.",
        "Write the plain sign.",
    ),
    (
        "SyntaxError",
        r"Missing parentheses in call to '(?P<name>print|exec)'",
        "In Python 2 {name} was a statement; since Python 3 it is a function.",
        "Put what follows {name} in parentheses.",
    ),
    (
        "SyntaxError",
        r"multiple exception types must be parenthesized",
        "In Python 2 a comma gave the exception its name; since Python 3 as does.",
        "Write as in place of the comma.",
    ),
    (
        "SyntaxError",
        r"expected ':'$",
        "What begins a block (def, class, if, else, for, while, with, try) ends in a colon.",
        "Put a colon at the end.",
    ),
    (
        "SyntaxError",
        r"(invalid syntax|cannot assign to .* here)\. Maybe you meant '=='",
        "One = gives a name its value; two, ==, compare.",
        "Write == to compare.",
    ),
    (
        "SyntaxError",
        r"'(?P<bracket>.)' was never closed",
        "What {bracket} opens here is closed nowhere below, so that all that follows belongs to it.",
        "Close it where it ends.",
    ),
    (
        "SyntaxError",
        r"(closing parenthesis|unmatched) '(?P<bracket>.)'",
        "{bracket} closes a bracket that was not opened, or one of another kind.",
        "Count the brackets of the line, and of those above it.",
    ),
    (
        "SyntaxError",
        r"invalid syntax\. Perhaps you forgot a comma",
        "Two values stand side by side with nothing between them.",
        "Put a comma or an operator between them.",
    ),
    (
        "SyntaxError",
        r"unterminated (triple-quoted )?string literal|EOL while scanning",
        "A text begins with a quote here, and no such quote ends it.",
        "End the text with the quote that it begins with; one over several lines takes three.",
    ),
    (
        "SyntaxError",
        r".*",
        "The text is not Python from here on. Often the line is two lines that lost their line break, a prompt (>>>) "
        "or "
        "an output that was copied along, or a bracket that is not closed on the line before.",
        "Compare the line with its source, and the one above it.",
    ),
    (
        "StopIteration",
        r".*",
        "The iterator has no more elements.",
        "Use a for loop, or next(iterator, None).",
    ),
    (
        "LimitExceeded",
        r"The program takes too many steps.*",
        "Every turn of a loop, call and tensor operation costs a little; this program used up what one run may cost. A "
        "loop that never ends does that, and so does one with very many turns.",
        "Check that the loop's condition becomes false, or run fewer turns: a few show the same picture.",
    ),
    (
        "LimitExceeded",
        r"The program takes too much processor time.*",
        "One run has a limited time of the processor, and this program used it up. A loop that never ends does that, "
        "and so does one with very many turns. On a processor with less to do it may come further.",
        "Check that the loop's condition becomes false, run fewer turns, or use smaller tensors: a few show the same "
        "picture.",
    ),
    (
        "LimitExceeded",
        r"(This tensor is too large|The tensors of this program take too much memory).*",
        "Runs here are for looking at, so one run has a limited amount of memory.",
        "Use smaller tensors; the graph and the way gradients flow stay the same.",
    ),
    (
        "LimitExceeded",
        r"The program is too long.*",
        "One run takes a limited amount of text, and this program has more: often a notebook with its outputs, or data "
        "that was written into it.",
        "Paste the cells that lead to backward() only, and make large data with torch.randn instead.",
    ),
    (
        "LimitExceeded",
        r"This sequence would be too long.*",
        "One run may only use a limited amount of memory and text.",
        "Make it smaller.",
    ),
]
