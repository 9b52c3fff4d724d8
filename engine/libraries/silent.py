"""Libraries that only dress a program: they report, draw elsewhere or log. Calls are taken, and nothing happens.

What such a call gives can be passed on and written, and is never a number, a truth or a tensor: an error says what it
is. What the program itself gave to one (`wandb.config`) it gets back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

from engine.core.state import state
from engine.torch.utils import tensorboard

Show = Callable[[Any], None]
_LIBRARIES = (
    "IPython altair bokeh comet_ml google.colab graphviz hiddenlayer ipywidgets livelossplot matplotlib_inline netron"
    " neptune plotly tensorboard tensorboardX tensorboard_logger torchinfo torchsummary torchviz visdom wandb"
).split()
OURS = frozenset({"IPython", "matplotlib_inline"})
"""Those whose work is done here in another way, whether they are installed or not."""


class Silent:
    """What a library gives that is not here: its functions, objects and their attributes."""

    __array_ufunc__ = None

    def __init__(self, path: str, **given: Any) -> None:
        vars(self)["*path"] = path
        vars(self).update(given)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        made = vars(self)[name] = Silent(f"{_path(self)}.{name}")
        return made

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if len(args) == 1 and not kwargs and callable(args[0]) and not isinstance(args[0], Silent):
            return args[0]  # as a decorator
        return Silent(f"{_path(self)}()")

    def __repr__(self) -> str:
        return f"<{_path(self)}, which is not here>"

    def __format__(self, spec: str) -> str:
        if spec:
            raise _no_value(self)
        return repr(self)

    def __mro_entries__(self, bases: Any) -> tuple[type, ...]:
        return (_Base,)

    def __enter__(self) -> Silent:
        return self

    def __exit__(self, *exception: object) -> None:
        pass

    __hash__ = object.__hash__

    @classmethod
    def __torch_function__(cls, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        raise _no_value(next(each for each in _flat((args, kwargs)) if isinstance(each, Silent)))


class _Base:
    """What a class inherits that is derived from one of a library that is not here."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        pass


def _refused(self: Silent, *args: Any) -> Any:
    raise _no_value(self)


_VALUES = (
    "abs add and array bool bytes complex contains delitem divmod eq float floordiv ge getitem gt iadd iand ifloordiv"
    " ilshift imatmul imod imul index int invert ior ipow irshift isub iter itruediv ixor le len lshift lt matmul mod"
    " mul ne neg next or pos pow radd rand rdivmod reversed rfloordiv rlshift rmatmul rmod rmul ror round rpow rrshift"
    " rshift rsub rtruediv rxor setitem sub truediv trunc xor"
)
for _name in _VALUES.split():
    setattr(Silent, f"__{_name}__", _refused)
"""What needs a value."""


class _Run(Silent):
    """A run that has begun, which programs ask for."""

    def __bool__(self) -> bool:
        return True


def _flat(values: Any) -> Any:
    if isinstance(values, tuple | list):
        for each in values:
            yield from _flat(each)
    elif isinstance(values, dict):
        yield from _flat(list(values.values()))
    else:
        yield values


def _path(value: Silent) -> str:
    path: str = vars(value)["*path"]
    return path


def _no_value(value: Silent) -> TypeError:
    path = _path(value)
    root = path.partition(".")[0]
    return TypeError(f"{path} has no value here: calls of {root} are accepted, and nothing comes of them")


class Given(dict[str, Any]):
    """Settings that the program made itself, by item and by attribute, as `wandb.config` has them."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.__dict__["*path"] = path

    def __getattr__(self, name: str) -> Any:
        if name in self:
            return self[name]
        raise AttributeError(f"{self.__dict__['*path']} has no {name!r}: it has what the program gives it, and no more")

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value

    def __missing__(self, name: str) -> Any:
        raise KeyError(name)

    def take(self, values: Any) -> None:
        """Add settings in any of the forms that are taken."""
        if isinstance(values, Mapping):
            super().update(values)
        elif hasattr(values, "__dict__"):
            super().update(vars(values))

    def update(self, values: Any = (), allow_val_change: bool = False, **more: Any) -> None:  # type: ignore[override]
        """Add settings."""
        self.take(values)
        super().update(more)

    def setdefaults(self, values: Any) -> None:
        """Add those that are not there."""
        super().update({name: value for name, value in dict(values).items() if name not in self})

    def as_dict(self) -> dict[str, Any]:
        """The settings."""
        return dict(self)


class SilentModule(ModuleType):
    """A library that is not here, or a part of one."""

    __path__: list[str] = []

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        made = vars(self)[name] = Silent(f"{self.__name__}.{name}")
        return made


def _wandb(module: ModuleType, show: Show) -> dict[str, Any]:
    config, summary = Given("wandb.config"), Given("wandb.summary")

    def init(project: Any = None, *args: Any, **options: Any) -> Silent:
        given = vars(module)["config"]
        settings = given if isinstance(given, Given) else config
        settings.take(options.pop("config", None))
        settings.take(given)
        known = {name: value for name, value in options.items() if value is not None}
        run = _Run("wandb.run", **known, project=project, config=settings, summary=summary, log=_none, finish=finish)
        vars(module).update(run=run, config=settings)
        return run

    def finish(*args: Any, **options: Any) -> None:
        vars(module)["run"] = None

    def agent(*args: Any, **options: Any) -> None:
        raise NotImplementedError("wandb.agent() runs nothing here: call the function itself, with one configuration")

    return {"config": config, "summary": summary, "run": None, "init": init, "finish": finish, "log": _none,
            "watch": _none, "agent": agent}  # fmt: skip


def _none(*args: Any, **options: Any) -> None:
    """Take what would be reported."""


def _display(module: ModuleType, show: Show) -> dict[str, Any]:
    def display(*values: Any, **options: Any) -> None:
        """Show values as a notebook shows the last one of a cell."""
        for value in values:
            show(value)

    kinds = "Audio HTML Image JSON Javascript Latex Markdown Math Pretty SVG Video"
    made = {name: type(name, (_Base,), {"__module__": "IPython.core.display"}) for name in kinds.split()}
    return {"display": display, "clear_output": _none, "update_display": _none, **made}


def _tensorboard(module: ModuleType, show: Show) -> dict[str, Any]:
    return dict(vars(tensorboard))


_CONTENTS: dict[str, Callable[[ModuleType, Show], dict[str, Any]]] = {
    "IPython": lambda module, show: {"get_ipython": lambda: Silent("IPython.get_ipython()")},
    "IPython.core.display": _display,
    "IPython.display": _display,
    "tensorboardX": _tensorboard,
    "tensorboard_logger": lambda module, show: {"configure": _none, "log_value": _none},
    "wandb": _wandb,
}  # fmt: skip


def in_notebooks(show: Show) -> dict[str, Any]:
    """What notebooks give programs without an import."""
    return {
        "display": _display(ModuleType("IPython.display"), show)["display"],
        "get_ipython": lambda: Silent("IPython.get_ipython()"),
    }


class Dressing:
    """The silent libraries of one run; `show` shows a value as the last one of a notebook's cell is shown."""

    def __init__(self, show: Show) -> None:
        self.show = show
        self.modules: dict[str, SilentModule] = {}

    def module(self, name: str) -> SilentModule:
        """A silent module, of which it is said once that it is one."""
        whole = library(name)
        if whole not in OURS and whole not in self.modules:
            state.notice(f"{whole} is accepted here, and nothing comes of it: nothing is sent, shown or written.")
        within = ""
        for part in name.split("."):
            package, within = within, f"{within}.{part}" if within else part
            if within not in self.modules:
                made = self.modules[within] = SilentModule(within)
                contents = _CONTENTS.get(within)
                vars(made).update(contents(made, self.show) if contents else {})
                if package:
                    vars(self.modules[package])[part] = made
                for each in _CONTENTS:  # those that a program finds in it without an import of their own
                    if each.startswith(f"{within}."):
                        self.module(each)
        return self.modules[name]


def library(name: str) -> str | None:
    """The silent library that a module belongs to."""
    return next((each for each in _LIBRARIES if name == each or name.startswith(f"{each}.")), None)
