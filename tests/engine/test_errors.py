"""Every error and warning reads as PyTorch's does, and every one that people meet is explained."""

import json
import warnings
from pathlib import Path

import pytest

import engine
from engine import errors, settings
from engine.errors.explained import Expression
from tests.engine.data.prelude import PRELUDE

CASES = json.loads((Path(__file__).parent / "data" / "errors.json").read_text())["cases"]


def test_programs_get_the_errors_and_warnings_of_pytorch() -> None:
    wrong = []
    for program, kind, category, text in CASES:
        document = engine.run(code=PRELUDE + program).document
        if kind == "warning":
            said = [[w["category"], w["message"]] for w in document["warnings"]]
        else:
            said = [[document["error"]["type"], document["error"]["message"]]] if document["error"] else []
        if [category, repr(text) if category == "KeyError" else text] not in said:
            wrong.append((program, text, said))
    assert len(CASES) > 300
    assert not wrong, "\n".join(map(str, wrong[:10]))


def test_once_means_once_per_run() -> None:
    settings.fresh()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        errors.warn_create_graph()
        errors.warn_create_graph()
        errors.warn_implicit_dim("softmax")
        errors.warn_implicit_dim("softmax")
    assert len(caught) == 3
    settings.fresh()
    with pytest.warns(UserWarning, match="create a reference cycle"):
        errors.warn_create_graph()


def test_a_singular_matrix_is_a_runtime_error_of_its_own() -> None:
    error = errors.singular("linalg.inv", 1)
    assert isinstance(error, RuntimeError)
    assert repr(type(error)) == "<class 'torch._C._LinAlgError'>"


MISTAKES = {
    "nn.MultiheadAttention(10": "divide embed_dim",
    "nn.MultiheadAttention(8, 2)(A(4, 2, 6)": "embed_dim=6",
    "A(4, 2, 8), attn_mask": "batch_first=True",
    "A(4, 2, 8), key_padding_mask": "batch_first=True",
    "nn.BatchNorm2d(3)(A(4": "for 2 dimensions",
    "nn.BatchNorm2d(16)": "num_features=8",
    "nn.GroupNorm(3": "divide 4",
    "nn.Conv1d(16": "transpose(1, 2)",
    "nn.Conv2d(1, 1, 3)(A(1, 1, 4, 4).half": "model.half()",
    "nn.Dropout(1.5": "from 0 to 1",
    "F.pad(A(1, 1, 3), (3, 3)": "replicate",
    "F.interpolate(A(1, 4, 4), scale": "unsqueeze(0)",
    "nn.Upsample(scale_factor=2, mode='bilinear')(A(4": "unsqueeze(0)",
    "torch.zeros(3, 4).scatter_(1, torch.tensor([[0]]), torch.ones(1, 1, d": "src.to(",
    "nn.CrossEntropyLoss()(A(2, 5": "transpose(1, 2)",
    "nn.BCELoss()(torch.rand(4": "target.float()",
    "nn.utils.rnn.pack_padded_sequence(A(3, 2, 1), torch.tensor([1": "enforce_sorted=False",
    "nn.ModuleList([nn.Linear(1": "nn.Sequential(",
    "torch.zeros_like((": "torch.zeros(2, 3)",
    "torch.randint(5)": "torch.randint(5, (2, 3))",
    "torch.optim.SGD([{'params': [x]}, {'params': x": "Leave it out of one",
    "torch.optim.lr_scheduler.OneCycleLR(torch.optim.SGD([x], lr=0.1), max_lr=0.1)": "total_steps=",
    "torch.optim.lr_scheduler.ReduceLROnPlateau(torch.optim.SGD([x], lr=0.1)).step()": "step(val_loss)",
    "torch.utils.data.TensorDataset(A(2": "first size",
    "torch.utils.data.random_split(list(range(10)), [5": "len(dataset)",
    "next(iter(torch.utils.data.DataLoader([None": "collate_fn",
    "next(torch.utils.data.DataLoader([1": "next(iter(",
    "[x.sum(), x.sum()].backward": "sum(losses)",
}
"""How programs begin with mistakes that are often made, and words of what helps."""


def test_what_helps_against_mistakes_that_are_often_made() -> None:
    for start, words in MISTAKES.items():
        found = [errors.explain(case[2], case[3]) for case in CASES if start in case[0] and case[1] == "error"]
        assert found and all(each is not None and words in each.fix for each in found), (start, found)


def test_every_recorded_error_is_explained() -> None:
    unexplained = []
    for _, kind, type_name, message in CASES:
        if kind == "error":
            found = errors.explain(type_name, message)
            if found is None or not found.explanation or not found.fix:
                unexplained.append((type_name, message))
    assert not unexplained, "\n".join(map(str, unexplained))


@pytest.mark.parametrize(
    ("type_name", "message", "word"),
    [
        ("NameError", "name 'y' is not defined", "y"),
        ("AttributeError", "'NoneType' object has no attribute 'zero_'", ".grad"),
        ("AttributeError", "'NoneType' object has no attribute 'foo'", "None"),
        ("AttributeError", "'AddBackward0' object has no attribute 'variable'", "AccumulateGrad"),
        ("AttributeError", "module 'torch' has no attribute 'gels'", "gels"),
        ("AttributeError", "'Net' object has no attribute 'fc3'", "fc3"),
        ("TypeError", "'Tensor' object is not callable", "parentheses"),
        ("TypeError", "'float' object is not iterable", "backward"),
        ("TypeError", "SGD.__init__() missing 1 required positional argument: 'params'", "'params'"),
        ("TypeError", "forward() takes 1 positional argument but 2 were given", "instance"),
        ("TypeError", "forward() got an unexpected keyword argument 'foo'", "foo"),
        ("ModuleNotFoundError", "No module named 'tensorflow'", "import"),
        ("ModuleNotFoundError", "No module named 'functorch.compile'", "functorch.compile"),
        ("SyntaxError", "invalid syntax", "line"),
        ("ValueError", "not enough values to unpack (expected 3, got 2)", "names"),
        ("ZeroDivisionError", "float division by zero", "zero"),
        ("NameError", "name 'eval' is not defined here: programs cannot run text as code", "makes code of text"),
        ("NameError", "name '__import__' is not defined here: use an import statement", "Write import"),
        ("AttributeError", "'_SingleProcessDataLoaderIter' object has no attribute 'next'", "next(it)"),
        ("AttributeError", "`np.Inf` was removed in the NumPy 2.0 release. Use `np.inf` instead.", "NumPy 2 has Inf"),
        ("AttributeError", "module 'os' has no attribute 'fork'", "what it does with torch"),
        ("AttributeError", "'builtin_function_or_method' object has no attribute 'backward'", "parentheses"),
        ("TypeError", "cannot pickle 'generator' object", "list(model.parameters())"),
        ("TypeError", "cannot pickle 'module' object", "a module"),
        ("TypeError", "only 0-dimensional arrays can be converted to Python scalars", ".item()"),
        ("ValueError", "The truth value of an array with more than one element is ambiguous. Use a.any()", ".all()"),
        ("ValueError", "operands could not be broadcast together with shapes (2,) (3,) ", "(2,) (3,)"),
        ("IndexError", "index 5 is out of bounds for axis 0 with size 3", "3 positions"),
        ("OverflowError", "cannot convert float infinity to integer", "infinity"),
        ("TypeError", "slice indices must be integers or None or have an __index__ method", "//"),
        ("LimitExceeded", "The program is too long (limit source_bytes: 262,144 bytes, needed: 360,000)", "cells"),
    ],
)
def test_pythons_own_errors_are_explained(type_name: str, message: str, word: str) -> None:
    found = errors.explain(type_name, message)
    assert found is not None and word in found.explanation + found.fix


def test_explanations_speak_of_the_case_at_hand() -> None:
    found = errors.explain("RuntimeError", str(errors.mm_shapes((2, 3), (4, 5))))
    assert found is not None and "3 and 4" in found.explanation
    error = errors.modified_inplace("Float", (2,), "ExpBackward0", 0, 2, 1)
    found = errors.explain("RuntimeError", str(error))
    assert found is not None and "result of Exp" in found.explanation and "version 2" in found.explanation
    pieces = errors.modified_inplace("Float", (10, 1), "torch::autograd::CopySlices", 0, 10, 9)
    found = errors.explain("RuntimeError", str(pieces))
    assert found is not None and "piece by piece" in found.explanation and "torch.stack" in found.fix
    found = errors.explain("RuntimeError", str(errors.modified_inplace("Float", (3, 1), "AsStridedBackward0", 0, 2, 1)))
    assert found is not None and "optimizer.step()" in found.explanation and "before the update" in found.fix


@pytest.mark.parametrize(
    ("error", "word"),
    [
        (errors.function_saves_returned_input(), "view_as"),
        (errors.function_transformed(), "setup_context"),
        (errors.function_without_vmap(), "generate_vmap_rule"),
        (errors.dual_function(), "jvp"),
        (errors.vmap_running_statistics(), "GroupNorm"),
        (errors.partial_overlap(), "overlap"),
        (errors.view_modified("function", "Alias", 0, indirect=True), "later"),
        (errors.view_modified("multiple", "SelectBackward0", 0, indirect=False), "for loop"),
        (errors.view_modified("multiple", "SplitBackward0", 1, indirect=False), "Split returned"),
    ],
)
def test_errors_of_experts_are_explained(error: Exception, word: str) -> None:
    found = errors.explain(type(error).__name__, str(error))
    assert found is not None and word in found.explanation + found.fix, str(error)


def test_a_write_before_a_tensor_was_saved_is_not_blamed() -> None:
    lines = ["import torch", "w = torch.ones(2).add_(1).requires_grad_()", "y = w * w", "with torch.no_grad():"]
    error = engine.run(code="\n".join([*lines, "    w.add_(1)", "y.sum().backward()"]), seed=0).document["error"]
    assert error["related_lines"] == [5]


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("w1.sum(); w1.numpy()", "Write w1.detach().numpy()."),
        ("np.array(w1)", "Write w1.detach().numpy()."),
        ("np.stack([w1], 0)", "Stay with tensors, as in torch.stack(losses).mean()"),
        ("w1.item()", "Use w1.tolist()"),
        ("copy.deepcopy(w1 * 2)", "Copy y.detach().clone()"),
        ("h = w1 * 2; copy.deepcopy(h)", "Copy h.detach().clone()"),
        ("h = w1 * 2; h.backward()", "as in h.sum().backward()"),
        ("(w1 * 2).backward()", "as in y.sum().backward()"),
        ("if w1: pass", "Write w1.any()"),
        ("if w1 > 0: pass", "Write (w1 > 0).any()"),
        ("if not w1: pass", "Write w1.any()"),
        ("if w1 is not None and w1: pass", ".any()"),
        ("bool(w1)", "Write w1.any()"),
        ("for i in w1[0]: pass", "Use w1[0].item()"),
        ("len(w1[0])", "Use w1[0].item()"),
        ("w1[0] = 1", "y = w1.clone()"),
        ("m @ m", "one of them (m.T)"),
        ("m.mm(m)", "one of them (m.T)"),
        ("torch.mm(m, m)", "one of them (x.T)"),
        ("layer(m)", "in_features=4, as in nn.Linear(4, 2), or bring m to"),
        ("self.layer(m)", "in_features=4, as in nn.Linear(4, 2), or bring m to"),
        ("nn.Linear(3, 2)(m * 2)", "or bring its input to"),
        ("nn.Embedding(2, 2)(labels.long() + 2)", "Print index.min()"),
        ("i = labels.long() + 2; nn.Embedding(2, 2)(i)", "Print i.min()"),
        ("layer(w1.double())", "one of them: w1.double().float()"),
        ("self.layer(w1.double())", "one of them: w1.double().float()"),
        ("m.grad.zero_()", "if m.grad is not None"),
        ("F.cross_entropy(m, w1)", "Use w1.long()"),
        ("t = labels.long().unsqueeze(1); F.cross_entropy(m, t)", "Use t.squeeze(1)"),
        ("w1 - 0.1 * w1.grad", "Call backward() first"),
        ("torch.optim.SGD([w1 * 2], lr=0.1)", "Compute first and set the flag last"),
        ("criterion(m, labels)", "Use labels.long()"),
        ("é = w1; é.numpy()", "Write é.detach().numpy()."),
        ("layer.load_state_dict(torch.compile(layer).state_dict())", "name.removeprefix('_orig_mod.')"),
        ("layer.load_state_dict(nn.DataParallel(layer).state_dict())", "name.removeprefix('module.')"),
        ("torch.compile(layer).load_state_dict(layer.state_dict())", "model._orig_mod"),
        ("layer.load_state_dict(nn.Linear(4, 2).state_dict())", "the sizes that it had"),
        ("layer.load_state_dict({'weight': layer.weight})", "strict=False to skip names"),
        ("batch = torch.rand(16, 8, 8); nn.Conv2d(1, 2, 3)(batch)", "Write batch.unsqueeze(1) where 16 counts"),
        ("last = torch.rand(1, 8, 8, 1); nn.Conv2d(1, 2, 3)(last)", "last.permute(0, 3, 1, 2) where channels come"),
        ("series = torch.rand(5, 3, 8); nn.LSTM(10, 4)(series)", "input_size=8, or bring the last dimension of series"),
        ("s = torch.optim.lr_scheduler\ns.StepLR(torch.optim.SGD([w1], 1), 1, verbose=True)", "Leave verbose out"),
        ("m.names", "Leave the names out"),
        ("w1.sum().backward(retain_variables=True)", "Write retain_graph=True"),
        ("np.asscalar(np.ones(1))", "Write a.item()"),
        ("torch.sum(torch.max(m, dim=1))", "(max and sort: .values)"),
        ("layer(nn.LSTM(4, 3)(m))", "out, state = lstm(x)"),
        ("torch.relu([w1, w1])", "torch.stack(...)"),
        ("layer(np.ones(3))", "torch.from_numpy(...)"),
        ("layer(None)", "Return the result"),
        ("torch.relu(m.sum)", "x.relu() instead of x.relu"),
        ("F.relu(nn.ReLU())", "module(x)"),
        ("torch.relu(3.0)", "Wrap it: torch.tensor(...)"),
    ],
)
def test_fixes_name_what_the_program_names(code: str, words: str) -> None:
    setup = (
        "import copy, types, torch\nimport numpy as np\nimport torch.nn as nn\nfrom torch.nn import functional as F\n"
        "w1 = torch.ones(3, requires_grad=True)\nm = torch.ones(3, 4)\nlayer = nn.Linear(3, 2)\n"
        "self = types.SimpleNamespace(layer=layer)\ncriterion = nn.CrossEntropyLoss()\nlabels = torch.ones(3)\n"
    )
    error = engine.run(code=setup + code, seed=0).document["error"]
    assert words in error["fix"], error


def test_what_nobody_knows_is_not_explained() -> None:
    assert errors.explain("RuntimeError", "{0} something of the program's own") is None
    assert errors.explain("MyError", "name 'y' is not defined") is None
    assert errors.explain("MyError", "name 'y' is not defined", bases=["NameError"]) is not None


NET = "import torch\nfrom torch import nn\nnet, x = nn.Linear(3, 1), torch.ones(2, 3)\n"


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("torch.optim.SGD(net.parameters, lr=0.1)", "Write net.parameters() with"),
        ("for name, p in net.named_parameters: pass", "Write net.named_parameters() with"),
        ("sum(p.numel for p in net.parameters())", "Write p.numel() with"),
        ("x.size[0]", "Write x.size() with"),
        ("len(net.parameters)", "Write net.parameters() with"),
        ("next(net.parameters)", "Write net.parameters() with"),
        ("1 + x.sum", "Write x.sum() with"),
        ("torch.stack([p.sum for p in net.parameters()])", "Write p.sum() with"),
        ("f = net.parameters\nlist(f)", "Write its name with"),
        ("sum(p.numel() for p in net.parameters)", "Write net.parameters() with"),
        ("net.load_state_dict(net.state_dict)", "Write net.state_dict() with"),
        ("x.sum.backward()", "Call it first: x.sum()."),
        ("torch.optim.SGD(net.parameters()).backward()", "Call loss.backward(), then"),
        ("net.step()", "torch.optim.SGD(net.parameters(), lr=0.1)"),
        ("print(net.requires_grad)", "for name, p in net.named_parameters(): print(name, p.requires_grad)"),
        ("nn.LSTM(3, 2)(x).mean()", "out, state = lstm(x)"),
        ("h = x.max(dim=1)\nh.sum()", "as in h[0]"),
        ("g = torch.autograd.grad(net(x).sum(), net.weight)\ng.shape", "as in g[0]"),
        ("import copy\ncopy.deepcopy(net(x))", "Copy net(x).detach().clone() if it is a tensor."),
        ("with torch.enable_grad: pass", "Write torch.enable_grad() with"),
        ("print(net.grad)", "for name, p in net.named_parameters(): print(name, p.grad)"),
        ("net.grad_fn", "out = net(x), then out.grad_fn"),
        ("net.backward()", "loss = net(x).sum(), then loss.backward()"),
        ("nn.MSELoss().backward()", "loss = nn.MSELoss()(input, target)"),
        ("net.sum()", "net(x).sum()"),
        ("x.requires_grad()", "Write x.requires_grad_() to set it"),
        ("x.is_leaf()", "read x.is_leaf without"),
        ("x.grad()", "Read x.grad without"),
        ("x.shape()", "Write x.shape without"),
        ("torch.optim.SGD(net, lr=0.1)", "Pass its parameters: net.parameters()"),
    ],
)
def test_what_helps_is_in_the_names_of_the_program(program: str, words: str) -> None:
    error = engine.run(code=NET + program).document["error"]
    assert words in error["fix"]


def test_attributes_of_what_is_no_module_are_no_modules() -> None:
    program = "class Value:\n    pass\nValue().backward()"
    assert "module" not in engine.run(code=program).document["error"]["explanation"]


def test_memory_that_ends_is_explained_and_callbacks_for_c_that_need_another_kind_of_it() -> None:
    found = errors.explain("MemoryError", "")
    assert found is not None and "CFUNCTYPE" in found.explanation and "smaller" in found.fix
    call = "ctypes.CFUNCTYPE(None)(print)"
    found = errors.explain("MemoryError", "", (), Expression(call, 1, 0, 1, len(call)))
    assert found is not None and "call back" in found.explanation and "callback" in found.fix
