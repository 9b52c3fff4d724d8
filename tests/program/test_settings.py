"""What programs change in the engine is a setting: reset for the next program, and put back for the caller."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import FunctionType, MethodType, ModuleType
from typing import Any

import pytest

import engine
from engine import hashes, settings
from engine.core.registry import GRAPH, NUMPY
from engine.core.state import state
from engine.kernels import random
from engine.limits import Limits, meter
from engine.program import execute
from engine.torch import overrides
from engine.trace import Recorder
from engine.types import naming

PROGRAMS = {
    "defaults": """\
import torch
torch.set_default_dtype(torch.float64)
torch.set_printoptions(precision=2)
torch.set_float32_matmul_precision("high")
torch.autograd.set_detect_anomaly(True)
torch.serialization.add_safe_globals([dict])
torch.seed()
torch.ones(2) + torch.tensor(1.5).to(torch.bfloat16)
torch.sparse_coo_tensor([[0]], [1.0], (2,))
(torch.ones(2, requires_grad=True) * 2).sum().backward(create_graph=True)
""",
    "hooks": """\
import torch
from torch.nn.modules import module
module.register_module_forward_pre_hook(lambda m, args: None)
module.register_module_forward_hook(lambda m, args, out: None, with_kwargs=True, always_call=True)
module.register_module_full_backward_pre_hook(lambda m, grad_output: None)
module.register_module_full_backward_hook(lambda m, grad_input, grad_output: None)
module.register_module_buffer_registration_hook(lambda m, name, buffer: None)
module.register_module_module_registration_hook(lambda m, name, module: None)
module.register_module_parameter_registration_hook(lambda m, name, parameter: None)
torch.optim.optimizer.register_optimizer_step_pre_hook(lambda *args: None)
torch.optim.optimizer.register_optimizer_step_post_hook(lambda *args: None)
""",
    "registers": """\
import torch
from torch.distributions import Distribution, Normal, kl
class Mine(Normal): pass
class Region(torch.distributions.constraints.Constraint): pass
Distribution.set_default_validate_args(False)
kl.register_kl(Mine, Mine)(lambda p, q: 0)
Normal.arg_constraints["shape"] = Region()
torch.distributions.biject_to.register(Region, lambda constraint: None)
torch.distributions.transform_to.register(Region, lambda constraint: None)
torch.distributions.transforms.identity_transform.parts.append(1)
torch.distributions.constraints.real.mine = 1
torch.utils._pytree.register_pytree_node(Mine, lambda a: ([], None), lambda a, b: a)
@torch.library.custom_op("mine::twice", mutates_args=())
def twice(x: torch.Tensor) -> torch.Tensor:
    return x * 2
""",
    "left open": """\
import torch
from torch.overrides import TorchFunctionMode
class Mode(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))
class Named(torch.Tensor): pass
def pack(x): return x
weight = torch.nn.utils.parametrizations.orthogonal(torch.nn.Linear(2, 2))
torch.nn.utils.parametrize.cached().__enter__()
weight(torch.ones(2))
torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.MATH).__enter__()
torch.autograd.graph.saved_tensors_hooks(pack, pack).__enter__()
torch.utils.checkpoint.set_checkpoint_early_stop(False).__enter__()
torch.autograd.forward_ad.enter_dual_level()
torch.autocast("cpu").__enter__()
torch.no_grad().__enter__()
torch.inference_mode().__enter__()
torch.ones(2).as_subclass(Named) * 2
Mode().__enter__()
torch.ones(2) * 2
torch._C.DisableTorchFunction().__enter__()
torch._C.DisableTorchFunctionSubclass().__enter__()
""",
    "ends within": """\
import torch
class Layer(torch.nn.Module):
    def forward(self, x): raise SystemExit
def leave(*args): raise SystemExit
x = torch.ones(2, requires_grad=True)
x.register_hook(leave)
for call in (
    x.sum().backward, lambda: torch.func.vmap(leave)(x), lambda: torch.func.grad(leave)(x),
    lambda: torch.func.jvp(leave, (x,), (x,)),
):
    try: call()
    except SystemExit: pass
Layer()(x)
""",
}

NO_SETTINGS = {
    "codegen.deferred._known": "code that was compiled",
    "codegen.deferred._pending": "code that was not compiled yet",
    "codegen.deferred._used": "code that was compiled",
    "codegen.publish.TORCH": "filled on import",
    "figures.remembered.GRIDS": "goes with the program's figures",
    "figures.remembered.NAMED": "goes with the program's figures",
    "figures.shown._active": "left with the program",
    "kernels.names.NUMPY": "filled on import",
    "kernels.random.default_generator": "its state is a setting",
    "libraries._mended": "libraries that were mended",
    "nn.module._running": "left with the call",
    "program.surface._known": "names of PyTorch's classes",
    "program.surroundings._ready": "made for the next program",
    "settings._ahead": "whether all have been reset for the next program",
    "settings._settings": "the register itself",
    "torch._utils._memories": "goes with the program's tensors",
    "torch.overrides._as_they_are": "filled when functions begin to ask",
    "torch.overrides._attributes": "filled when functions begin to ask",
    "torch.utils.workers._running": "left with the worker",
    "types.naming._kept": "text that C points to",
}
"""What functions change in their module, and why the next program does not mind."""

SEEN_TO = ("errors.", "codegen.deferred.", "program.places.Placed.places")
"""Names that are made when they are first asked for, or set by every run."""
OBJECTS_SEEN_TO = (GRAPH, NUMPY, hashes._hashes, meter, naming._kept, random.default_generator)
"""Objects of which the same is true."""
CHANGES = frozenset("add append clear discard extend insert pop popitem remove setdefault update".split())


@pytest.fixture(scope="module", autouse=True)
def asking() -> None:
    overrides.begin()  # which is for good


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    settings.fresh()
    yield
    settings.fresh()


def run(code: str) -> None:
    """Run a program, and reset nothing."""
    limits = Limits()
    random.seed_entropy(0)
    state.watch(recorder := Recorder(limits))
    try:
        outcome = execute(code, limits=limits, recorder=recorder, seed=0)
    finally:
        state.watch(None)
    assert outcome.error is None, outcome.error


def snapshot() -> dict[str, Any]:
    """Every name of the engine's modules, of classes and objects in them, and of what is in containers."""
    found: dict[str, Any] = {}
    seen = set(map(id, OBJECTS_SEEN_TO))

    def look(path: str, value: Any, depth: int) -> None:
        found[path] = comparable(value)
        if id(value) in seen or isinstance(value, ModuleType | FunctionType):
            return
        seen.add(id(value))
        if isinstance(value, dict | list | set):
            inside = list(value.items()) if isinstance(value, dict) else list(value)
            found[f"{path} holds"] = [part for item in inside for part in (item if type(item) is tuple else [item])]
            if depth and isinstance(value, dict):
                for key, item in inside:
                    look(f"{path}[{key!r}]", item, depth - 1) if isinstance(item, dict | list | set) else None
        elif depth and (value if isinstance(value, type) else type(value)).__module__.startswith(("engine", "torch")):
            members = dict(getattr(value, "__dict__", {}))
            for name in () if isinstance(value, type) else getattr(type(value), "__slots__", ()):
                with suppress(AttributeError):
                    members[name] = object.__getattribute__(value, name)
            for name, member in members.items():
                look(f"{path}.{name}", member, depth - 1)

    for module, names in [(m, vars(sys.modules[m])) for m in sorted(sys.modules) if m.startswith("engine.")]:
        for name, value in list(names.items()):
            if not name.startswith("__"):
                look(f"{module.removeprefix('engine.')}.{name}", value, 2)
    return found


def comparable(value: Any) -> Any:
    """The value, or how far it has come if it counts."""
    return repr(getattr(value, "__self__", value)) if type(value).__name__ in ("count", "method-wrapper") else value


def differ(a: Any, b: Any) -> bool:
    if type(a) is list and type(b) is list:
        return len(a) != len(b) or any(map(differ, a, b))
    if isinstance(a, MethodType) and isinstance(b, MethodType):
        return a.__func__ is not b.__func__
    return a is not b and (type(a) is not type(b) or type(a) is str and a != b or type(a) is not str and bool(a or b))


def changed(before: dict[str, Any]) -> set[str]:
    """What is another object now than it was then, but for what is seen to elsewhere."""
    now = snapshot()
    return {
        path for path in before.keys() | now.keys()
        if not path.startswith(SEEN_TO) and (path not in now or path not in before or differ(before[path], now[path]))
    }  # fmt: skip


def is_default(setting: Any) -> bool:
    if isinstance(setting, settings._Contents):
        return settings._same(setting.held, setting.initial)
    return not differ(comparable(getattr(setting.owner, setting.name)), comparable(setting.make()))


def test_what_programs_change_is_reset() -> None:
    run("import torch\nprint(torch.ones(2, requires_grad=True).sum())")
    for name, code in PROGRAMS.items():
        settings.fresh()
        before = snapshot()
        run(code)
        assert changed(before), name
        settings.fresh()
        assert not changed(before), name


def test_what_the_caller_has_set_is_put_back() -> None:
    for name, code in PROGRAMS.items():
        settings.fresh()
        run(code)
        before = snapshot()
        for other in ("print(1)", code):
            engine.run(code=other, seed=0)
            assert not changed(before), (name, other)


def test_every_setting_is_changed_by_one_of_these_programs() -> None:
    alike = engine.torch.distributions._changeable
    checked = [s for s in settings._settings if isinstance(s, settings._Variable | settings._Contents)]
    checked = [s for s in checked if not any(getattr(s, "held", None) is held for held in alike)]
    for code in PROGRAMS.values():
        settings.fresh()
        run(code)
        checked = [setting for setting in checked if is_default(setting)]
    assert not [getattr(setting, "name", setting) for setting in checked]


def test_a_setting_that_is_not_registered_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    everything = list(settings._settings)
    run(PROGRAMS["defaults"])
    touched = [s for s in everything if not isinstance(s, settings._Variable | settings._Contents) or not is_default(s)]
    settings.fresh()
    for setting in (touched[0], touched[-1], state):
        before = snapshot()
        run(PROGRAMS["defaults"])
        with monkeypatch.context() as patch:
            patch.setattr(settings, "_settings", [s for s in everything if s is not setting])
            settings.fresh()
            found = changed(before)
        settings.fresh()
        assert found


def module_state() -> Iterator[tuple[str, str]]:
    """Names of modules that functions in them bind anew, or change the contents of."""
    root = Path(*engine.__path__)
    for file in sorted(root.rglob("*.py")):
        parts = file.relative_to(root).with_suffix("").parts
        inside = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        tree = ast.parse(file.read_text("utf-8"))
        bound = {
            name.id for statement in tree.body if isinstance(statement, ast.Assign | ast.AnnAssign)
            for name in ast.walk(statement) if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
        }  # fmt: skip
        statements = [*tree.body, *(s for c in tree.body if isinstance(c, ast.ClassDef) for s in c.body)]
        functions = [statement for statement in statements if isinstance(statement, ast.FunctionDef)]
        for name in sorted(set().union(*map(written, functions)) & bound):
            yield inside, name


def written(function: ast.FunctionDef) -> set[str]:
    """Names that are not the function's own and that it binds, or writes to what they name."""
    own, anew, changed = set[str](), set[str](), set[str]()
    for node in ast.walk(function):
        if isinstance(node, ast.Global):
            anew |= set(node.names)
        elif isinstance(node, ast.arg):
            own.add(node.arg)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            own.add(node.id)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGES:
            changed |= {node.func.value.id} if isinstance(node.func.value, ast.Name) else set()
        elif isinstance(node, ast.Subscript | ast.Attribute) and isinstance(node.ctx, ast.Store | ast.Del):
            changed |= {node.value.id} if isinstance(node.value, ast.Name) else set()
    return anew | changed - own


def test_state_of_modules_is_a_setting_or_says_why_not() -> None:
    registered = [s.held for s in settings._settings if isinstance(s, settings._Contents)]
    variables = {(id(s.owner), s.name) for s in settings._settings if isinstance(s, settings._Variable)}
    found = set()
    for inside, name in module_state():
        module = sys.modules.get(f"engine.{inside}")
        value = getattr(module, name, None)
        known = any(held is value or held is getattr(value, "__dict__", None) for held in registered)
        if not known and (id(module), name) not in variables:
            found.add(f"{inside}.{name}")
    assert found == NO_SETTINGS.keys()
