"""The protocol of observers of the engine. docs/architecture.md has the table of calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol

from engine.limits import meter

if TYPE_CHECKING:
    from engine.codegen.op import Op
    from engine.core.node import Node
    from engine.core.tensor import Tensor

Position = tuple[int, int, int, int]
"""Line, column, end line and end column of an expression of the program."""

HookKind = Literal["tensor", "node", "node_pre", "post_accumulate", "module"]
Send = tuple["Node", int, Any, int, int, Any]


class Observer(Protocol):
    """Called synchronously with engine objects; keeps references and formats later.

    `edges`: whether it wants to know what travels along the edges of a pass; it may have seen enough before the pass is
    over. If not, `node` says only which node ran, `reachable` no numbers, and `accumulate` not what was there before.
    `scopes`: whether it wants to know of modules and grad modes. `blind`: whether what computes many things one by one
    may do it all at once.
    """

    edges: bool

    @property
    def scopes(self) -> bool: ...

    @property
    def blind(self) -> bool: ...

    def create(self, tensor: Tensor) -> None: ...

    def op(self, op: Op, inputs: Sequence[Any], out: Tensor | Sequence[Tensor | None], node: Node | None) -> None:
        """An op ran, for which it charges a step."""

    def before_write(self, array: Any) -> None: ...

    def wrote(self, tensor: Tensor) -> None: ...

    def roots(self, tensors: Sequence[Any]) -> None:
        """The tensors (or edges of the graph) at which the backward pass that follows begins."""

    def backward_begin(
        self,
        roots: Sequence[tuple[Node | None, int]],
        gradients: Sequence[Any],
        retain_graph: bool,
        create_graph: bool,
        inputs: Sequence[Tensor] | None,
        reachable: Mapping[Node, int],
    ) -> None: ...

    def node(
        self,
        node: Node,
        grad_outputs: Sequence[Any],
        grad_inputs: Sequence[Any],
        sends: Sequence[Send],
        ready: Sequence[Node],
        released: bool,
    ) -> None: ...

    def hook(
        self, on: HookKind, target: Any, before: Sequence[Any], after: Sequence[Any], registered: Position | None
    ) -> None: ...

    def accumulate(self, node: Node, tensor: Tensor, before: Any, incoming: Any, after: Any) -> None: ...

    def backward_end(self) -> None: ...

    def grad_changed(self, tensor: Tensor, before: Any, after: Any, by: str) -> None: ...

    def optimizer(self, optimizer: Any, what: Literal["made", "added", "step", "zero_grad"]) -> None:
        """An optimizer was made, was given more parameters, takes a step or clears gradients."""

    def left(self, tensor: Tensor, how: Literal["item", "tolist", "numpy", "tensor"]) -> None:
        """The numbers of a tensor that requires grad are taken out of the graph."""

    def scope_enter(
        self,
        kind: str,
        label: str,
        line: int | None = None,
        iteration: int | None = None,
        remaining: int | None = None,
    ) -> None: ...

    def scope_exit(self) -> None: ...

    def forward_begin(self, name: str) -> Observer:
        """The forward of a custom Function begins; returns whom to tell of what happens in it."""
        ...

    def forward_end(self) -> None: ...


class PassesOnly:
    """Tells another observer of backward passes alone; for what runs inside the forward of a Function."""

    blind = True
    scopes = False

    def __init__(self, observer: Observer) -> None:
        self.edges = observer.edges
        self.roots = observer.roots
        self.backward_begin, self.backward_end = observer.backward_begin, observer.backward_end
        self.node, self.hook = observer.node, observer.hook
        self.accumulate, self.grad_changed = observer.accumulate, observer.grad_changed
        self.optimizer, self.left = observer.optimizer, observer.left

    def create(self, tensor: Tensor) -> None:
        """Not told."""

    def op(self, op: Op, inputs: Sequence[Any], out: Tensor | Sequence[Tensor | None], node: Node | None) -> None:
        """Not told."""
        meter.charge(1)

    def before_write(self, array: Any) -> None:
        """Not told."""

    def wrote(self, tensor: Tensor) -> None:
        """Not told."""

    def scope_enter(
        self,
        kind: str,
        label: str,
        line: int | None = None,
        iteration: int | None = None,
        remaining: int | None = None,
    ) -> None:
        """Not told."""

    def scope_exit(self) -> None:
        """Not told."""

    def forward_begin(self, name: str) -> Observer:
        return self

    def forward_end(self) -> None:
        """Not told."""
