"""The run document (version 1) as types, from which the published JSON Schema is made.

Documents are written by the engine and are not validated again on the way out; tests hold real documents against these
models, and `python -m app.schema > docs/schema/run.v1.json` publishes the schema.

Changes are additive: readers must ignore what they do not know. Ids are short strings that are unique within their
list; lists are in creation order; times are indices into `events`.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field
from typing_extensions import TypeAliasType

from app.figures import Figure, FigureId, NonFinite

Number = bool | int | float | NonFinite
Nested = TypeAliasType("Nested", "Number | list[Nested]")
Tree = TypeAliasType("Tree", "str | bool | int | float | list[Tree] | None")
TensorId = Annotated[str, Field(description="Id of a tensor.", examples=["t0"])]
NodeId = Annotated[str, Field(description="Id of a node.", examples=["n0"])]
ValueId = Annotated[str, Field(description="Key into `values`.", examples=["v0"])]
Edge = Annotated[tuple[NodeId, int], Field(description="A node and the index of its input (its output_nr).")]
Line = Annotated[int | None, Field(description="Line of the program, from 1.")]
File = Annotated[int, Field(description="Which of `files` the line is in; left out for the main one.", ge=0)]


class Source(BaseModel):
    """What was run."""

    kind: Literal["code", "graph", "capture"]
    code: str | None = None
    graph: dict[str, Any] | None = None


class SourceFile(BaseModel):
    """A file of a captured run in which something was recorded."""

    name: str
    code: str = Field(description="Empty where the text is not to be had.")
    first_line: int = Field(description="The number of its first line.")


class Origin(BaseModel):
    """Where a captured run comes from: PyTorch itself, on somebody's machine."""

    kind: Literal["captured"]
    torch: str
    python: str
    platform: str
    device: str = Field(description="The devices of its tensors, besides the CPU where there are others.")
    client: str = Field(description="Version of the package `backlight` that recorded it.")
    argv: list[str] | None = Field(None, description="The command line, of a script.")


class Warning_(BaseModel):
    """A warning the program caused."""

    category: str
    message: str
    line: Line = None
    file: File = 0


class Cell(BaseModel):
    """A place in a notebook that was opened as one program."""

    number: int = Field(description="The number in the brackets of `In [3]`.")
    line: int = Field(description="Line within the cell, from 1.")


class Frame(BaseModel):
    """One level of the traceback."""

    line: Line
    file: File = 0
    function: str
    cell: Cell | None = Field(None, description="Where the line is in a notebook; left out elsewhere.")


class Error(BaseModel):
    """Why the program stopped: PyTorch's words, then ours, then where to look."""

    type: str
    message: str
    line: Line = None
    file: File = 0
    column: int | None = None
    end_line: Line = None
    end_column: int | None = None
    traceback: list[Frame] = []
    explanation: str | None = Field(None, description="Why it happened here.")
    fix: str | None = Field(None, description="The smallest change that helps.")
    suggestion: str | None = Field(
        None, description="What was meant, probably, by a name that is not there: another, or an import."
    )
    tensors: list[TensorId] = []
    nodes: list[NodeId] = []
    related_lines: list[int] = Field([], description="For example the in-place write that broke a saved tensor.")


class Module(BaseModel):
    """A module the program holds."""

    path: str
    type: str
    parameters: dict[str, TensorId]
    unreadable: bool = Field(False, description="It holds something else where its parameters, buffers or modules go.")


class WhyNoGrad(BaseModel):
    """What cut a tensor off from the graph."""

    cut: str = Field(examples=["detach", "no_grad", "integer", "leaf_without_requires_grad"])
    line: Line = None
    file: File = 0


class Tensor(BaseModel):
    """A tensor the program made."""

    id: TensorId
    name: str | None = Field(None, description="The first variable bound to it.")
    path: str | None = Field(None, description="For parameters: where the module keeps it.")
    shape: list[int]
    dtype: str
    requires_grad: bool
    is_leaf: bool
    grad_fn: NodeId | None = None
    output_nr: int = 0
    retains_grad: bool = False
    version: int = Field(0, description="Version counter at the end: how often it was written in place.")
    value: ValueId = Field(description="At creation.")
    final: ValueId = Field(description="At the end; differs from `value` after in-place writes.")
    grad: ValueId | None = Field(None, description="`.grad` at the end; null is None.")
    line: Line = None
    file: File = 0
    device: str = Field("cpu", description="Left out for the CPU.")
    scope: str | None = None
    view_of: TensorId | None = None
    detached_from: TensorId | None = Field(
        None, description="What `detach()` or `.data` took it from; it shares that tensor's memory, not its history."
    )
    why_no_grad: WhyNoGrad | None = None


class Formula(BaseModel):
    """The derivative for one input, as it is run and as it is typeset."""

    text: str
    latex: str


class Node(BaseModel):
    """A node of the backward graph."""

    id: NodeId
    name: str = Field(examples=["MulBackward0", "AccumulateGrad"])
    sequence_nr: int | None = None
    next_functions: list[Edge | None] = Field(description="null is PyTorch's `(None, 0)`.")
    variable: TensorId | None = Field(None, description="AccumulateGrad: the leaf.")
    saved: dict[str, Any] = Field({}, description="Saved tensors by name, as keys into `values`.")
    attributes: dict[str, Any] = {}
    op: str | None = None
    line: Line = None
    file: File = 0
    scope: str | None = None
    formula: dict[str, Formula] = {}
    says: str | None = Field(None, description="The rule in words.")
    cut: bool = Field(False, description="Some of its `next_functions` were not recorded, and are null here.")


class Op(BaseModel):
    """One call that was recorded."""

    id: str
    name: str
    inputs: list[TensorId]
    outputs: list[TensorId]
    node: NodeId | None = None
    line: Line = None
    file: File = 0
    column: int | None = None
    end_line: Line = None
    end_column: int | None = None
    scope: str | None = None
    arguments: dict[str, Any] = {}


class Scope(BaseModel):
    """A part of the program that can be folded."""

    id: str
    parent: str | None = None
    kind: str = Field(examples=["program", "module", "function", "loop", "no_grad"])
    label: str
    line: Line = None
    file: File = 0
    iteration: int | None = None


class Statistics(BaseModel):
    """Summary of a large value."""

    min: Number | None = None
    max: Number | None = None
    mean: Number | None = None
    std: Number | None = None
    norm: Number | None = None
    nan: int = 0
    inf: int = 0
    zeros: int = 0


class Thumbnail(BaseModel):
    """A large value shrunk to be looked at."""

    shape: list[int]
    data: Nested


class Histogram(BaseModel):
    """How the elements of a large value are distributed."""

    edges: list[Number]
    counts: list[int]


class Value(BaseModel):
    """The elements of a tensor: nested lists, or null and a summary when there are too many of them."""

    shape: list[int]
    dtype: str
    data: Nested | None = Field(description="null: fetch /v1/runs/{id}/values/{name}.")
    layout: Literal["sparse_coo"] | None = Field(
        default=None, description="Of a sparse tensor; `data` is then the dense one that it stands for."
    )
    nnz: int | None = Field(default=None, description="How many values a sparse tensor names.")
    stats: Statistics | None = None
    thumbnail: Thumbnail | None = None
    histogram: Histogram | None = None


class OpEvent(BaseModel):
    """An op ran."""

    kind: Literal["op"]
    op: str
    line: Line = None
    file: File = 0


class BindEvent(BaseModel):
    """A name was bound to a tensor."""

    kind: Literal["bind"]
    name: str
    tensor: TensorId
    line: Line = None
    file: File = 0


class WriteEvent(BaseModel):
    """A tensor was written in place."""

    kind: Literal["write"]
    tensor: TensorId
    version: int
    value: ValueId
    line: Line = None
    file: File = 0
    by: str | None = Field(None, description="`unrecorded`: it was written where nothing was recorded.")


class ReadEvent(BaseModel):
    """The program looked at an attribute of a tensor or a node, and did nothing else with it."""

    kind: Literal["read"]
    tensor: TensorId | None = None
    node: NodeId | None = None
    attribute: str = Field(examples=["is_leaf", "grad", "grad_fn", "next_functions", "_saved_self"])
    index: list[int] = Field([], description="The subscripts after it: [0, 0] of `next_functions[0][0]`.")
    value: bool | ValueId | NodeId | None = Field(
        description="A flag; of `grad` a key into `values`; of `grad_fn` a node; null for None and for all else."
    )
    line: Line = None


class PrintEvent(BaseModel):
    """The program printed."""

    kind: Literal["print"]
    text: str
    line: Line = None
    file: File = 0


class WarningEvent(BaseModel):
    """The program caused a warning."""

    kind: Literal["warning"]
    category: str
    message: str
    line: Line = None
    file: File = 0


class FigureEvent(BaseModel):
    """A figure was shown, or saved in a file."""

    kind: Literal["figure"]
    figure: FigureId
    how: Literal["show", "save", "cell", "end"] = Field(
        description="`cell` and `end`: by no call, but as notebooks show what is open when a cell or the program ends."
    )
    file: str | None = Field(None, description="The name it was saved under; nothing is written.")
    line: Line = None


class BackwardEvent(BaseModel):
    """A run of the backward engine begins."""

    kind: Literal["backward"]
    call: int
    roots: list[Edge | None]
    gradients: list[ValueId | None]
    retain_graph: bool
    create_graph: bool
    inputs: list[TensorId] | None = None
    line: Line = None
    file: File = 0
    reachable: list[NodeId]


class Send(BaseModel):
    """A gradient on its way to the input of another node."""

    to: NodeId
    input_nr: int
    value: ValueId | None = Field(description="null: no gradient (a part of zeros that was never made).")
    arrived: int = Field(description="Gradients that have reached this node in this run, this one included.")
    expected: int = Field(description="Gradients it waits for.")
    sum: ValueId | None = Field(description="What that input holds now.")


class NodeEvent(BaseModel):
    """A node ran."""

    kind: Literal["node"]
    call: int
    node: NodeId
    grad_outputs: list[ValueId | None]
    grad_inputs: list[ValueId | None]
    sends: list[Send]
    ready: list[NodeId] = Field(description="The ready queue afterwards, next first.")


class HookEvent(BaseModel):
    """A hook ran."""

    kind: Literal["hook"]
    on: str = Field(examples=["tensor", "node", "node_pre", "post_accumulate", "module"])
    target: str | None = Field(
        description="The tensor or node; a module's path, or its class where no variable leads to it."
    )
    before: list[ValueId | None]
    after: list[ValueId | None]
    registered: Line = Field(default=None, description="Line where the hook was registered; `line` is the call's.")
    line: Line = None
    file: File = 0


class AccumulateEvent(BaseModel):
    """AccumulateGrad added to a leaf's `.grad`."""

    kind: Literal["accumulate"]
    call: int
    node: NodeId
    tensor: TensorId
    before: ValueId | None
    incoming: ValueId | None
    after: ValueId | None


class ReleaseEvent(BaseModel):
    """A node's saved tensors were freed."""

    kind: Literal["release"]
    call: int
    node: NodeId


class BackwardEndEvent(BaseModel):
    """The backward run is over."""

    kind: Literal["backward_end"]
    call: int


class GradEvent(BaseModel):
    """`.grad` changed outside the engine."""

    kind: Literal["grad"]
    tensor: TensorId
    before: ValueId | None
    after: ValueId | None
    line: Line = None
    file: File = 0
    by: str = Field(examples=["zero_grad", "unrecorded"])


class GapEvent(BaseModel):
    """The run went on here and was not recorded. What it changed follows, as `unrecorded` writes and grads."""

    kind: Literal["gap"]
    ops: int
    passes: int = Field(description="Backward passes.")
    events: int = Field(description="Steps of the timeline, about.")


class ErrorEvent(BaseModel):
    """The program stopped here."""

    kind: Literal["error"]


Event = Annotated[
    OpEvent
    | BindEvent
    | WriteEvent
    | ReadEvent
    | PrintEvent
    | WarningEvent
    | FigureEvent
    | BackwardEvent
    | NodeEvent
    | HookEvent
    | AccumulateEvent
    | ReleaseEvent
    | BackwardEndEvent
    | GradEvent
    | GapEvent
    | ErrorEvent,
    Field(discriminator="kind"),
]


class Amounts(BaseModel):
    """How much of a run is meant."""

    ops: int
    passes: int
    events: int


class Usage(BaseModel):
    """What the run used of its limits, and how much of it the document tells."""

    fuel_used: int
    ops: int = Field(description="Operations recorded.")
    truncated: str | bool | None = Field(
        None, description="The limit that ended recording, or cut the output, if one did; the run itself went on."
    )
    recorded: Amounts | None = None
    skipped: Amounts | None = Field(None, description="What was not recorded; null when all was.")


class TrainedParameter(BaseModel):
    """A leaf over the passes of a series. Norms have four digits; null where a pass did not reach it."""

    tensor: TensorId
    grad: list[Number | None] = Field(description="Norm of `.grad` after the pass.")
    weight: list[Number | None] = Field(description="Norm of its value then.")
    update: list[Number | None] = Field(description="Norm of what changed until the next pass.")


class Series(BaseModel):
    """The backward passes that one line of the program began, all of them or evenly spaced ones."""

    line: int
    file: File = 0
    column: int
    passes: int = Field(description="How many there were.")
    stride: int = Field(description="1 where all are kept, 4 where every fourth is, and the last one.")
    calls: list[int] = Field(description="The passes that are kept, by `call`.")
    loss: list[Number | None] = Field(description="What they began at, where that is a number.")
    peak: list[Number | None] | None = Field(
        description="The largest loss of a kept pass and of those left out after it; null when none is left out."
    )
    parameters: list[TrainedParameter]


class CheckedElement(BaseModel):
    """One number of a gradient beside central differences."""

    index: list[int]
    agrees: bool
    value: Nested = Field(description="What was moved a little to both sides.")
    autograd: Nested = Field(description="What the backward pass added. Complex numbers are pairs.")
    numeric: Nested = Field(description="The slope of the loss: central differences in float64.")
    left: Nested | None = Field(None, description="The slope to the left, at a corner or a jump.")
    right: Nested | None = None


class CheckReason(BaseModel):
    """Why numbers differ, or are what they are."""

    kind: Literal[
        "corner", "jump", "not_finite", "custom_function", "hook", "rule", "precision", "unknown", "unchecked"
    ]
    text: str
    op: str | None = Field(description="The op that makes it so.")
    line: Line


class Check(BaseModel):
    """One leaf's gradient of one backward pass beside central differences."""

    asked: str = Field(description="The name that was asked for.")
    tensor: TensorId | None
    status: Literal["agrees", "differs", "unchecked"]
    call: int | None = Field(None, description="The backward pass.")
    elements: list[CheckedElement] = Field([], description="All elements, or the largest and some between.")
    of: int | None = Field(None, description="How many elements there are.")
    largest_error: Number | None = None
    step: float | None = Field(None, description="By how much an element was moved.")
    reason: CheckReason | None


class OptimizerUse(BaseModel):
    """A call of an optimizer."""

    what: Literal["step", "zero_grad"]
    line: Line = None
    file: File = 0
    passes: int = Field(description="Backward passes that had begun by then.")


class Optimizer(BaseModel):
    """An optimizer: what it was given, and the first calls of it, recorded or not."""

    type: str
    name: str | None = Field(description="The variable that holds it at the end.")
    line: Line = None
    file: File = 0
    tensors: list[TensorId]
    uses: list[OptimizerUse]


class Exit(BaseModel):
    """Numbers of a tensor with a history were taken out of the graph."""

    tensor: TensorId
    how: Literal["item", "tolist", "numpy", "tensor"] = Field(description="`tensor`: a copy by `torch.tensor`.")
    line: Line = None
    file: File = 0


class FindingEdit(BaseModel):
    """Text in place of other text; columns count characters, as those of `ops`."""

    line: int
    column: int
    end_line: int
    end_column: int
    new: str


class FindingFix(BaseModel):
    """What helps; `edits` where it is certain: the program without the finding."""

    text: str
    edits: list[FindingEdit] = []


class Evidence(BaseModel):
    """What a finding is seen in. `events` are times; `values` numbers by what they are."""

    tensors: list[TensorId]
    nodes: list[NodeId]
    ops: list[str]
    events: list[int]
    values: dict[str, Any]


class Finding(BaseModel):
    """What the run's own numbers say is wrong (docs/findings.md)."""

    rule: str
    severity: Literal["error", "warning", "hint"]
    headline: str = Field(description="One sentence in the program's own names and numbers.")
    why: str
    evidence: Evidence
    lines: list[int] = Field(description="The line to change first.")
    file: File = 0
    fix: FindingFix
    since: int | None = Field(None, description="The turn of the loop in which it began.")
    explains_error: bool = Field(False, description="It is why the program raised.")


class RunDocument(BaseModel):
    """Everything that happened when a program ran: what it made, the graph behind it, and the backward passes."""

    id: str
    version: Literal[1]
    engine: str
    status: Literal["ok", "error"] = Field(description="A program that raised has status `error` and its trace so far.")
    source: Source
    origin: Origin | None = Field(None, description="Of captured runs only.")
    files: list[SourceFile] = Field([], description="Of captured runs; the main file, that of `source.code`, first.")
    stdout: str
    warnings: list[Warning_]
    error: Error | None
    globals: dict[str, TensorId] = Field(description="What top-level names hold at the end.")
    modules: list[Module]
    tensors: list[Tensor]
    nodes: list[Node]
    ops: list[Op]
    scopes: list[Scope]
    values: dict[str, Value]
    events: list[Event] = Field(description="The timeline.")
    formulas: dict[str, Tree] = Field({}, description="The formulas of `nodes` as syntax trees, by their text.")
    expressions: dict[str, Tree] = Field({}, description="The sources of tensors without a name, too.")
    figures: list[Figure] = Field([], description="What the program drew with matplotlib: numbers, not pixels.")
    training: list[Series] = Field([], description="What a loop over backward passes did, recorded or not.")
    checks: list[Check] = Field([], description="Gradients beside central differences, where `?check=` asked for them.")
    optimizers: list[Optimizer] = Field([], description="Optimizers in the order they were made.")
    exits: list[Exit] = Field([], description="Where numbers left the graph; the first 200 places.")
    findings: list[Finding] = Field([], description="What is wrong, worst first.")
    limits: Usage
    numpy: str = Field(description="Version of numpy that computed it; of captured runs the one at hand, or empty.")


class CatalogueOp(BaseModel):
    """One op: an op with a derivative of its own, or (`composite`) one that is made of others."""

    name: str
    overload: str
    signature: str | None
    node: str | None = Field(description="Name of its node in the backward graph.")
    composite: bool
    differentiable: list[str] = Field(description="The inputs it has a formula for.")
    formula: dict[str, Formula]
    saved: list[str] = Field(description="What it saves for the backward pass.")
    says: str | None
    available_as: list[str] = Field(description="Where programs find it.")


class Catalogue(BaseModel):
    """Every op of the engine."""

    ops: list[CatalogueOp]


if __name__ == "__main__":
    print(json.dumps(RunDocument.model_json_schema(), indent=1))
