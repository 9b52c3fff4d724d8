# What stands in annotations: its text, its parts, what its texts mean, and protocols that isinstance checks
import typing
from collections.abc import Iterable as Each, Mapping, Sequence as Ordered
from typing import (
    Annotated, Any, Callable, Dict, Generic, List, Literal, NewType, Optional, Protocol, Tuple, Type, TypeVar, Union,
    get_args, get_origin, get_type_hints, runtime_checkable,
)
import torch
from torch import Tensor
T = TypeVar("T")
Size = NewType("Size", int)
for each in (
    Optional[int], List[Tensor], Dict[str, List[int]], Union[int, str, None], Union[int, Optional[int]],
    Tuple[int, ...], Tuple[()], Callable[[Tensor, int], Tensor], Callable[..., None], Literal["a", 2], Type[int],
    Annotated[int, "of a side"], List["Net"], Optional[torch.nn.Module], list[int] | None, int | None, Tensor | None,
    List[T], Dict[str, T][int], T, TypeVar("N", bound=int, covariant=True), Size, Any, Optional, Each[int], Mapping,
    type[int], tuple[int, ...], dict[str, Optional[Tensor]], List[int] | None,
):
    print(each, get_origin(each), get_args(each))
print(Optional[int] == Union[None, int], hash(List[int]) == hash(List[int]), List[int] == List[str])
print(get_origin(Optional[int]) is Union, Optional[int].__args__, T.__name__, T.__bound__)
class Net(torch.nn.Module):
    size: int = 3
    inner: Optional[Tensor] = None
    def forward(self, x: "Tensor", *, scale: Annotated[float, "a factor"] = 1.0, kids: List["Net"] = ()) -> Tensor:
        return x * scale
print(get_type_hints(Net.forward))
print(get_type_hints(Net)["size"], get_type_hints(Net)["inner"])
print(get_type_hints(Net.forward, include_extras=True)["scale"])
@runtime_checkable
class Scores(Protocol):
    bias: Any
    def forward(self, x): ...
class Loose(Protocol):
    def run(self): ...
print(isinstance(torch.nn.Linear(2, 2), Scores), isinstance(torch.nn.ReLU(), Scores), isinstance(3, Scores))
class Box(Generic[T]):
    made = 0
    def __init__(self, v: T): self.v = v
    @classmethod
    def empty(cls): return cls(None)
class Kid(Box[int]): pass
print(Box[int], Box[List[T]][int], Box[int](3).v, Box[int].empty().v, Box[str].made, Kid(4).v, isinstance(Kid(1), Box))
print(isinstance([], Each), isinstance("ab", Ordered), isinstance({}, (List, Mapping)), issubclass(dict, Mapping))
class Stack(List[int]): pass
class Table(Dict[str, int]): pass
class Row(list[int]): pass
print(Stack([1, 2]), Table(a=1), Row((3,)), isinstance(Stack(), list), Table.__mro__[1])
for wrong in (
    lambda: isinstance([], list[int]), lambda: isinstance([], List[int]), lambda: isinstance(Kid(1), Loose),
    lambda: Optional[int, str], lambda: Dict[str], lambda: List(), lambda: Optional(3), lambda: List[int][str],
    lambda: Callable[int], lambda: Union[()], lambda: get_type_hints(3), lambda: TypeVar("A", int),
    lambda: isinstance(3, Box[int]), lambda: T(), lambda: runtime_checkable(Box),
    lambda: Generic[int], lambda: Generic[T, T], lambda: isinstance(3, Any), lambda: Any(),
):
    try:
        print(wrong())
    except TypeError as e:
        print(e)
