"""What clients send: a program, or a graph that means the same as one."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, FailFast, Field, JsonValue, model_validator
from typing_extensions import TypeAliasType

NonFinite = Literal["NaN", "Infinity", "-Infinity"]
# The first thing that does not fit says enough; looking at all of a hostile body would take a second.
DataList = TypeAliasType("DataList", "Annotated[list[Data], FailFast()]")
Data = TypeAliasType("Data", "bool | int | float | NonFinite | DataList")
OperandList = TypeAliasType("OperandList", "Annotated[list[Operand], FailFast()]")
Operand = TypeAliasType("Operand", "str | bool | int | float | None | OperandList")
Name = Annotated[str, Field(min_length=1, max_length=200)]
STEP = re.compile(r"\d{1,6}", re.ASCII)  # of a run, in an address


class Strict(BaseModel):
    """Unknown fields are refused: a misspelt one must not pass in silence."""

    model_config = ConfigDict(extra="forbid", strict=True)


class GraphTensor(Strict):
    """A tensor the graph starts from."""

    data: Data = Field(description="A number or nested lists of numbers.")
    dtype: str | None = Field(None, max_length=40, description="As in PyTorch; left out, PyTorch's rule decides.")
    requires_grad: bool = False


class GraphOp(Strict):
    """One call: `output = op(*inputs, **arguments)`."""

    op: Name = Field(
        description="Where /v1/ops has an op `available_as` (`torch.linalg.inv`, `Tensor.add_`), or its name.",
    )
    inputs: Annotated[list[Operand], FailFast()] = Field(
        description="Names of tensors, plain numbers, or lists of them (cat, stack); the equation of einsum."
    )
    output: Name | None = Field(None, description="Name of the result.")
    outputs: list[Name] | None = Field(None, description="Instead of `output`: names of several results.")
    arguments: dict[str, JsonValue] = Field(
        {}, description="Options by name; text that names a tensor or a dtype stands for that."
    )


class GraphBackward(Strict):
    """One call of `tensor.backward(...)`."""

    tensor: Name
    gradient: Name | Data | None = Field(
        None, description="Needed unless the tensor is a scalar: elements in its shape, or the name of a tensor."
    )
    retain_graph: bool | None = None
    create_graph: bool | None = None
    inputs: list[Name] | None = Field(None, description="The leaves to compute gradients for; left out, all.")


class Graph(Strict):
    """A computation written as data."""

    tensors: dict[Name, GraphTensor]
    ops: Annotated[list[GraphOp], FailFast()] = []
    backward: Annotated[list[GraphBackward], FailFast()] = []


class Options(Strict):
    """What may be chosen besides the program."""

    seed: int | None = Field(
        None,
        ge=0,
        lt=1 << 63,
        description="Picks the random numbers of a program that sets no seed. Left out, they follow from the program.",
    )


EITHER = {
    "oneOf": [
        {"required": ["code"], "properties": {"code": {"type": "string"}, "graph": {"type": "null"}}},
        {"required": ["graph"], "properties": {"code": {"type": "null"}, "graph": {"type": "object"}}},
    ]
}


class RunRequest(Strict):
    """Exactly one of `code` and `graph`."""

    model_config = ConfigDict(extra="forbid", strict=True, json_schema_extra=EITHER)  # type: ignore[typeddict-item]

    code: str | None = Field(None, description="A program, as you would paste it into Python.")
    graph: Graph | None = None
    options: Options = Field(default_factory=Options)

    @model_validator(mode="after")
    def exactly_one(self) -> RunRequest:
        if (self.code is None) == (self.graph is None):
            raise ValueError("give exactly one of code and graph")
        return self
