"""The run document (version 1): every object in it, as a type that writers are held against.

Declared here and nowhere else. The published JSON Schema, the models of the service, the types of the page and the
tables of docs/trace.md are made from it: `python -m tools.document`.

`Annotated` adds to a type what it means, as a sentence, and further `Keywords` of JSON Schema. A `NotRequired` field is
left out where it says nothing. One that is `Defaulted` is always written, but documents from files need not have it.
Either is then null where it may be, else empty, 0 or false, unless it has a `default`. Changes are additive: readers
must ignore what they do not know.
"""

# No `from __future__ import annotations`: with it a TypedDict of Python 3.11 takes every key for required.
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from typing_extensions import TypeAliasType

from .figures import Figure, FigureId, NonFinite
from .notes import Defaulted, Keywords

Scalar = bool | int | float | NonFinite
Nested = TypeAliasType("Nested", "Scalar | list[Nested]")
Tree = TypeAliasType("Tree", "str | bool | int | float | list[Tree] | None")
TensorId = Annotated[str, "Id of a tensor.", Keywords(examples=("t0",))]
NodeId = Annotated[str, "Id of a node.", Keywords(examples=("n0",))]
ValueId = Annotated[str, "Key into `values`.", Keywords(examples=("v0",))]
StorageId = Annotated[str, "Id of a storage.", Keywords(examples=("s0",))]
Edge = Annotated[tuple[NodeId, int], "A node and the index of its input (its output_nr)."]
Line = Annotated[int | None, "Line of the program, from 1."]
File = Annotated[int, "Which of `files` the line is in; left out for the main one.", Keywords(minimum=0)]


class Source(TypedDict):
    """What was run."""

    kind: Literal["code", "graph", "capture"]
    code: Defaulted[str | None]
    graph: NotRequired[dict[str, Any] | None]
    changes: NotRequired[Annotated[list[str], "What became of the text that was sent, where `code` is another."]]


class SourceFile(TypedDict):
    """A file of a captured run in which something was recorded."""

    name: str
    code: Annotated[str, "Empty where the text is not to be had."]
    first_line: Annotated[int, "The number of its first line."]


class Origin(TypedDict):
    """Where a captured run comes from: PyTorch itself, on somebody's machine."""

    kind: Literal["captured"]
    torch: str
    python: str
    platform: str
    device: Annotated[str, "The devices of its tensors, besides the CPU where there are others."]
    client: Annotated[str, "Version of the package `backlight` that recorded it."]
    argv: NotRequired[Annotated[list[str] | None, "The command line, of a script."]]


class Warning_(TypedDict):
    """A warning the program caused."""

    category: str
    message: str
    line: Defaulted[Line]
    file: NotRequired[File]


class Cell(TypedDict):
    """A place in a notebook that was opened as one program."""

    number: Annotated[int, "The number in the brackets of `In [3]`."]
    line: Annotated[int, "Line within the cell, from 1."]


class Frame(TypedDict):
    """One level of the traceback."""

    line: Line
    file: NotRequired[File]
    function: str
    cell: NotRequired[Annotated[Cell | None, "Where the line is in a notebook; left out elsewhere."]]


class Pasted(TypedDict):
    """The program in a text that is none: a session, a page, a diff, a listing with line numbers."""

    code: str
    changes: Annotated[list[str], "What became of the text, in words that follow *the program*."]


class Error(TypedDict):
    """Why the program stopped: PyTorch's words, then ours, then where to look."""

    type: str
    message: str
    line: Defaulted[Line]
    file: NotRequired[File]
    column: Defaulted[int | None]
    end_line: Defaulted[Line]
    end_column: Defaulted[int | None]
    traceback: Defaulted[list[Frame]]
    explanation: Defaulted[Annotated[str | None, "Why it happened here."]]
    fix: Defaulted[Annotated[str | None, "The smallest change that helps."]]
    suggestion: Defaulted[
        Annotated[str | None, "What was meant, probably, by a name that is not there: another, or an import."]
    ]
    tensors: Defaulted[list[TensorId]]
    nodes: Defaulted[list[NodeId]]
    related_lines: Defaulted[Annotated[list[int], "For example the in-place write that broke a saved tensor."]]
    program: NotRequired[Annotated[Pasted | None, "The program that was meant, where the text is none as it is."]]


class Module(TypedDict):
    """A module the program holds."""

    path: str
    type: str
    parameters: dict[str, TensorId]
    unreadable: NotRequired[Annotated[bool, "It holds something else where its parameters, buffers or modules go."]]


class WhyNoGrad(TypedDict):
    """What cut a tensor off from the graph."""

    cut: Annotated[str, Keywords(examples=("detach", "no_grad", "integer", "leaf_without_requires_grad"))]
    line: Defaulted[Line]
    file: NotRequired[File]


class Tensor(TypedDict):
    """A tensor the program made."""

    id: TensorId
    name: Defaulted[Annotated[str | None, "The first variable bound to it."]]
    path: Defaulted[Annotated[str | None, "For parameters: where the module keeps it."]]
    shape: list[int]
    dtype: str
    requires_grad: bool
    is_leaf: bool
    grad_fn: Defaulted[NodeId | None]
    output_nr: Defaulted[int]
    retains_grad: Defaulted[bool]
    version: Defaulted[Annotated[int, "Version counter at the end: how often it was written in place."]]
    value: Annotated[ValueId, "At creation."]
    final: Annotated[ValueId, "At the end; differs from `value` after in-place writes."]
    grad: Defaulted[Annotated[ValueId | None, "`.grad` at the end; null is None."]]
    line: Defaulted[Line]
    file: NotRequired[File]
    device: NotRequired[Annotated[str, "Left out for the CPU.", Keywords(default="cpu")]]
    scope: Defaulted[str | None]
    view_of: Defaulted[TensorId | None]
    detached_from: Defaulted[
        Annotated[
            TensorId | None, "What `detach()` or `.data` took it from; it shares that tensor's memory, not its history."
        ]
    ]
    why_no_grad: Defaulted[WhyNoGrad | None]


class Formula(TypedDict):
    """The derivative for one input, as it is run and as it is typeset."""

    text: str
    latex: str


class Kept(TypedDict):
    """A tensor that a node keeps for its gradient, from its `op` event until its `release` event."""

    name: Annotated[
        str,
        "As in `saved`, of lists with the place (`indices[0]`); `ctx.mask` is what a custom Function stored on its ctx,"
        " which `release` does not free.",
        Keywords(examples=("self", "result", "saved_tensors[0]", "ctx.mask")),
    ]
    storage: StorageId
    shape: list[int]
    dtype: str
    bytes: Annotated[int, "Of this tensor alone: the number of elements times the size of one."]
    tensor: Defaulted[Annotated[TensorId | None, "The recorded tensor that it is, if there is one."]]


class Storage(TypedDict):
    """Memory that nodes keep, once however many tensors of however many nodes lie in it."""

    id: StorageId
    bytes: Annotated[int, "Of the whole block."]
    kind: Annotated[
        Literal["parameter", "buffer", "input", "activation"],
        "`parameter`: of a leaf that requires grad; `buffer`: of a module; `input`: of another tensor without a"
        " history, made outside of modules; `activation`: of all that was computed.",
    ]
    tensor: Defaulted[
        Annotated[TensorId | None, "The parameter or buffer, else the first recorded tensor in it, if there is one."]
    ]


class Node(TypedDict):
    """A node of the backward graph."""

    id: NodeId
    name: Annotated[str, Keywords(examples=("MulBackward0", "AccumulateGrad"))]
    sequence_nr: Defaulted[int | None]
    next_functions: Annotated[list[Edge | None], "null is PyTorch's `(None, 0)`."]
    variable: Defaulted[Annotated[TensorId | None, "AccumulateGrad: the leaf."]]
    saved: Defaulted[Annotated[dict[str, Any], "Saved tensors by name, as keys into `values`."]]
    attributes: Defaulted[dict[str, Any]]
    op: Defaulted[str | None]
    line: Defaulted[Line]
    file: NotRequired[File]
    scope: Defaulted[str | None]
    formula: Defaulted[dict[str, Formula]]
    says: Defaulted[Annotated[str | None, "The rule in words."]]
    cut: NotRequired[Annotated[bool, "Some of its `next_functions` were not recorded, and are null here."]]
    keeps: NotRequired[Annotated[list[Kept], "What it keeps for its gradient; left out where that is nothing."]]
    freed: NotRequired[
        Annotated[
            int | None,
            "Index into `events`: of what it keeps and no `release` event frees, the time from which, as far as names"
            " and calls tell, nothing of the program leads to the node. Left out where something does in the end.",
        ]
    ]


class Op(TypedDict):
    """One call that was recorded."""

    id: str
    name: str
    inputs: list[TensorId]
    outputs: list[TensorId]
    node: Defaulted[NodeId | None]
    line: Defaulted[Line]
    file: NotRequired[File]
    column: Defaulted[int | None]
    end_line: Defaulted[Line]
    end_column: Defaulted[int | None]
    scope: Defaulted[str | None]
    arguments: Defaulted[dict[str, Any]]
    seconds: NotRequired[Annotated[float | None, "How long it ran, where a captured run measured that: see `timing`."]]


class Scope(TypedDict):
    """A part of the program that can be folded."""

    id: str
    parent: Defaulted[str | None]
    kind: Annotated[str, Keywords(examples=("program", "module", "function", "loop", "no_grad"))]
    label: str
    line: Defaulted[Line]
    file: NotRequired[File]
    iteration: Defaulted[int | None]


class Statistics(TypedDict):
    """Summary of a large value."""

    min: Defaulted[Scalar | None]
    max: Defaulted[Scalar | None]
    mean: Defaulted[Scalar | None]
    std: Defaulted[Scalar | None]
    norm: Defaulted[Scalar | None]
    nan: Defaulted[int]
    inf: Defaulted[int]
    zeros: Defaulted[int]


class Thumbnail(TypedDict):
    """A large value shrunk to be looked at."""

    shape: list[int]
    data: Nested


class Histogram(TypedDict):
    """How the elements of a large value are distributed."""

    edges: list[Scalar]
    counts: list[int]


class Value(TypedDict):
    """The elements of a tensor: nested lists, or null and a summary when there are too many of them."""

    shape: list[int]
    dtype: str
    data: Annotated[Nested | None, "null: fetch /v1/runs/{id}/values/{name}."]
    layout: NotRequired[
        Annotated[Literal["sparse_coo"] | None, "Of a sparse tensor; `data` is then the dense one that it stands for."]
    ]
    nnz: NotRequired[Annotated[int | None, "How many values a sparse tensor names."]]
    stats: NotRequired[Statistics | None]
    thumbnail: NotRequired[Thumbnail | None]
    histogram: NotRequired[Histogram | None]


class OpEvent(TypedDict):
    """An op ran."""

    kind: Literal["op"]
    op: str
    line: Defaulted[Line]
    file: NotRequired[File]


class BindEvent(TypedDict):
    """A name was bound to a tensor."""

    kind: Literal["bind"]
    name: str
    tensor: TensorId
    line: Defaulted[Line]
    file: NotRequired[File]


class WriteEvent(TypedDict):
    """A tensor was written in place."""

    kind: Literal["write"]
    tensor: TensorId
    version: int
    value: ValueId
    line: Defaulted[Line]
    file: NotRequired[File]
    by: NotRequired[Annotated[str | None, "`unrecorded`: it was written where nothing was recorded."]]


class ReadEvent(TypedDict):
    """A line that prints, asserts or follows it looked at an attribute of a tensor or a node, and did nothing else with
    it (at most 100 of one place)."""

    kind: Literal["read"]
    tensor: NotRequired[TensorId | None]
    node: NotRequired[NodeId | None]
    attribute: Annotated[str, Keywords(examples=("is_leaf", "grad", "grad_fn", "next_functions", "_saved_self"))]
    index: Defaulted[Annotated[list[int], "The subscripts after it: [0, 0] of `next_functions[0][0]`."]]
    value: Annotated[
        bool | ValueId | NodeId | None,
        "A flag; of `grad` a key into `values`; of `grad_fn` a node; null for None and for all else.",
    ]
    line: Defaulted[Line]


class PrintEvent(TypedDict):
    """The program printed."""

    kind: Literal["print"]
    text: str
    line: Defaulted[Line]
    file: NotRequired[File]


class WarningEvent(TypedDict):
    """The program caused a warning."""

    kind: Literal["warning"]
    category: str
    message: str
    line: Defaulted[Line]
    file: NotRequired[File]


class FigureEvent(TypedDict):
    """A figure was shown, saved in a file, or was open when a cell or the program ended."""

    kind: Literal["figure"]
    figure: FigureId
    how: Annotated[
        Literal["show", "save", "cell", "end"],
        "`cell` and `end`: by no call, but as notebooks show what is open when a cell or the program ends.",
    ]
    file: Defaulted[Annotated[str | None, "The name it was saved under; nothing is written."]]
    line: Defaulted[Line]


class BackwardEvent(TypedDict):
    """A run of the backward engine begins, also inside `autograd.grad`, `jacobian` and the like."""

    kind: Literal["backward"]
    call: int
    roots: list[Edge]
    gradients: list[ValueId | None]
    retain_graph: bool
    create_graph: bool
    inputs: Defaulted[list[TensorId] | None]
    line: Defaulted[Line]
    file: NotRequired[File]
    reachable: list[NodeId]


class Send(TypedDict):
    """A gradient on its way to the input of another node."""

    to: NodeId
    input_nr: int
    value: Annotated[ValueId | None, "null: no gradient (a part of zeros that was never made)."]
    arrived: Annotated[int, "Gradients that have reached this node in this run, this one included."]
    expected: Annotated[int, "Gradients it waits for."]
    sum: Annotated[ValueId | None, "What that input holds now."]


class NodeEvent(TypedDict):
    """A node ran: the gradients it received and returned, where each went, and the ready queue afterwards."""

    kind: Literal["node"]
    call: int
    node: NodeId
    grad_outputs: list[ValueId | None]
    grad_inputs: list[ValueId | None]
    sends: list[Send]
    ready: Annotated[list[NodeId], "The ready queue afterwards, next first."]
    seconds: NotRequired[Annotated[float | None, "How long it ran, where a captured run measured that: see `timing`."]]
    line: NotRequired[Annotated[Line, "Of a program's own tape: where it stores what the node sends."]]


class HookEvent(TypedDict):
    """A hook ran: the gradients before and after it."""

    kind: Literal["hook"]
    on: Annotated[str, Keywords(examples=("tensor", "node", "node_pre", "post_accumulate", "module"))]
    target: Annotated[str | None, "The tensor or node; a module's path, or its class where no variable leads to it."]
    before: list[ValueId | None]
    after: list[ValueId | None]
    registered: Defaulted[Annotated[Line, "Line where the hook was registered; `line` is the call's."]]
    line: Defaulted[Line]
    file: NotRequired[File]


class AccumulateEvent(TypedDict):
    """AccumulateGrad added to a leaf's `.grad`: what was there before, what came in, and what is there after."""

    kind: Literal["accumulate"]
    call: int
    node: NodeId
    tensor: TensorId
    before: ValueId | None
    incoming: ValueId | None
    after: ValueId | None


class ReleaseEvent(TypedDict):
    """A node's saved tensors were freed."""

    kind: Literal["release"]
    call: int
    node: NodeId


class BackwardEndEvent(TypedDict):
    """The backward run is over."""

    kind: Literal["backward_end"]
    call: int


class GradEvent(TypedDict):
    """`.grad` changed outside the engine (`zero_grad`, an assignment; `tape`: a program's own pass stored it)."""

    kind: Literal["grad"]
    tensor: TensorId
    before: ValueId | None
    after: ValueId | None
    line: Defaulted[Line]
    file: NotRequired[File]
    by: Annotated[str, Keywords(examples=("zero_grad", "unrecorded", "tape"))]


class GapEvent(TypedDict):
    """The run went on here and was not recorded. What it changed follows, as `unrecorded` writes and grads."""

    kind: Literal["gap"]
    ops: int
    passes: Annotated[int, "Backward passes."]
    events: Annotated[int, "Steps of the timeline, about."]


class ErrorEvent(TypedDict):
    """The program stopped here."""

    kind: Literal["error"]


Event = (
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
    | ErrorEvent
)


class Amounts(TypedDict):
    """How much of a run is meant."""

    ops: int
    passes: int
    events: int


class Usage(TypedDict):
    """What the run used of its limits, and how much of it the document tells."""

    fuel_used: int
    ops: Annotated[int, "Operations recorded."]
    truncated: Defaulted[
        Annotated[
            str | bool | None, "The limit that ended recording, or cut the output, if one did; the run itself went on."
        ]
    ]
    recorded: Defaulted[Amounts | None]
    skipped: Defaulted[Annotated[Amounts | None, "What was not recorded; null when all was."]]


class Clock(TypedDict):
    """What measured the seconds of what ran on a device."""

    device: Annotated[str, Keywords(examples=("cpu", "cuda:0 (NVIDIA H100)"))]
    by: Annotated[
        Literal["perf_counter", "events"], "`events`: of the device's stream, from one to the next that it comes to."
    ]
    op: Annotated[float, "What is measured of an op that computes nothing: the `seconds` of each include as much."]
    node: Annotated[float, "What is measured of a node that computes nothing."]


class Timing(TypedDict):
    """What the `seconds` of ops and nodes are: those of this one run on that machine. What ran inside of another op or
    node, as an op in the backward of a custom Function, is not counted in the outer one again; neither are hooks."""

    wall: Annotated[float, "From the beginning of the recording to its end, with all that recording costs."]
    threads: Annotated[int, "Threads with which PyTorch computes one op on the CPU."]
    clocks: list[Clock]


class TrainedParameter(TypedDict):
    """A leaf over the passes of a series. Norms have four digits; null where a pass did not reach it."""

    tensor: TensorId
    grad: Annotated[list[Scalar | None], "Norm of `.grad` after the pass."]
    weight: Annotated[list[Scalar | None], "Norm of its value then."]
    update: Annotated[list[Scalar | None], "Norm of what changed until the next pass."]


class Series(TypedDict):
    """The backward passes that one line of the program began, all of them or evenly spaced ones."""

    line: int
    file: NotRequired[File]
    column: int
    passes: Annotated[int, "How many there were."]
    stride: Annotated[int, "1 where all are kept, 4 where every fourth is, and the last one."]
    calls: Annotated[list[int], "The passes that are kept, by `call`."]
    loss: Annotated[list[Scalar | None], "What they began at, where that is a number."]
    peak: Annotated[
        list[Scalar | None] | None,
        "The largest loss of a kept pass and of those left out after it; null when none is left out.",
    ]
    parameters: list[TrainedParameter]


class CheckedElement(TypedDict):
    """One number of a gradient beside central differences."""

    index: list[int]
    agrees: bool
    value: Annotated[Nested, "What was moved a little to both sides."]
    autograd: Annotated[Nested, "What the backward pass added. Complex numbers are pairs."]
    numeric: Annotated[Nested, "The numerical derivative of the loss: central differences in float64."]
    left: NotRequired[Annotated[Nested | None, "The derivative to the left, at a corner or a jump."]]
    right: NotRequired[Nested | None]


class CheckReason(TypedDict):
    """Why numbers differ, or are what they are."""

    kind: Literal[
        "corner", "jump", "not_finite", "custom_function", "hook", "rule", "precision", "unknown", "unchecked"
    ]
    text: str
    op: Annotated[str | None, "The op that makes it so."]
    line: Line


class Check(TypedDict):
    """One leaf's gradient of one backward pass beside central differences."""

    asked: Annotated[str, "The name that was asked for."]
    tensor: TensorId | None
    status: Literal["agrees", "differs", "unchecked"]
    call: NotRequired[Annotated[int | None, "The backward pass."]]
    elements: NotRequired[Annotated[list[CheckedElement], "All elements, or the largest and some between."]]
    of: NotRequired[Annotated[int | None, "How many elements there are."]]
    largest_error: NotRequired[Scalar | None]
    step: NotRequired[Annotated[float | None, "By how much an element was moved."]]
    reason: CheckReason | None


class OptimizerUse(TypedDict):
    """A call of an optimizer."""

    what: Literal["step", "zero_grad"]
    line: Defaulted[Line]
    file: NotRequired[File]
    passes: Annotated[int, "Backward passes that had begun by then."]
    lr: NotRequired[
        Annotated[Scalar | None, "`step`: the learning rate, where all groups of parameters have the same."]
    ]


class Optimizer(TypedDict):
    """An optimizer: what it was given, and the first calls of it, recorded or not."""

    type: str
    name: Annotated[str | None, "The variable that holds it at the end."]
    line: Defaulted[Line]
    file: NotRequired[File]
    tensors: list[TensorId]
    uses: list[OptimizerUse]


class Exit(TypedDict):
    """Numbers of a tensor with a history were taken out of the graph."""

    tensor: TensorId
    how: Annotated[Literal["item", "tolist", "numpy", "tensor"], "`tensor`: a copy by `torch.tensor`."]
    line: Defaulted[Line]
    file: NotRequired[File]


class TapeGradient(TypedDict):
    """A gradient of the program's own, beside PyTorch's."""

    tensor: TensorId
    torch: Annotated[
        ValueId | None, "What PyTorch gives for the same expression; null where an operation is none of its own."
    ]
    agrees: Annotated[bool | None, "Whether the two are the same but for rounding."]


class TapeSlip(TypedDict):
    """Where a gradient of the program's own goes wrong."""

    kind: Annotated[
        Literal["overwritten", "early", "derivative", "kept"],
        "`overwritten`: by `=`, what had arrived is lost; `early`: a node ran before all that it waits for had arrived;"
        " `derivative`: what it sends is not its derivative; `kept`: a gradient of an earlier pass was sent again.",
    ]
    tensor: Annotated[TensorId, "The one whose gradient it is."]
    node: Annotated[NodeId | None, "The node that runs."]
    call: int
    line: Defaulted[Line]
    text: Annotated[str, "What is stored to there."]
    got: Annotated[ValueId | None, "What there is."]
    expected: Annotated[ValueId | None, "What there would be."]


class Tape(TypedDict):
    """A program's own scalar autograd. Its objects are the document's tensors; what made them, its ops and nodes by
    PyTorch's names; its gradients, what the events tell. A node may run more than once in a pass, or too early."""

    kind: Annotated[Literal["objects", "indices", "names", "callbacks"], "How it is written."]
    of: Annotated[str, "The class of its objects, or the function that makes them."]
    value: Annotated[str | None, "The attribute that is the value."]
    gradient: Annotated[str | None, "The attribute that is the gradient."]
    whole: Annotated[bool, "false: the run was too long, and the rest of it is not told."]
    gradients: list[TapeGradient]
    slips: list[TapeSlip]


class FindingEdit(TypedDict):
    """Text in place of other text; columns count characters, as those of `ops`."""

    line: int
    column: int
    end_line: int
    end_column: int
    new: str


class FindingFix(TypedDict):
    """What helps; `edits` where it is certain: the program without the finding."""

    text: str
    edits: NotRequired[list[FindingEdit]]


class Evidence(TypedDict):
    """What a finding is seen in. `events` are times; `values` numbers by what they are."""

    tensors: list[TensorId]
    nodes: list[NodeId]
    ops: list[str]
    events: list[int]
    values: dict[str, Any]


class Finding(TypedDict):
    """What the run's own numbers say is wrong (docs/findings.md)."""

    rule: str
    severity: Literal["error", "warning", "hint"]
    headline: Annotated[str, "One sentence in the program's own names and numbers."]
    why: str
    evidence: Evidence
    lines: Annotated[list[int], "The line to change first."]
    file: NotRequired[File]
    fix: FindingFix
    since: NotRequired[Annotated[int | None, "The turn of the loop in which it began."]]
    explains_error: NotRequired[Annotated[bool, "It is why the program raised."]]


class RunDocument(TypedDict):
    """Everything that happened when a program ran: what it made, the graph behind it, and the backward passes."""

    id: Annotated[str, "Which run this is."]
    version: Annotated[Literal[1], "That of the document."]
    engine: Annotated[str, "What computed it: the version of the engine, or of PyTorch."]
    status: Annotated[
        Literal["ok", "error"], "`ok`, or `error` when the program raised; the document then goes up to that point."
    ]
    source: Annotated[Source, "The program or graph that was run."]
    origin: NotRequired[
        Annotated[Origin | None, "Of captured runs only: the PyTorch, Python, platform and device they ran on."]
    ]
    files: NotRequired[
        Annotated[
            list[SourceFile],
            "Of captured runs: the texts of the files in which something was recorded; the main file, that of"
            " `source.code`, first.",
        ]
    ]
    stdout: Annotated[str, "What the program printed."]
    warnings: Annotated[list[Warning_], "What it was warned of."]
    error: Annotated[
        Error | None,
        "Why it stopped: PyTorch's text, where it happened, why, what helps, the name that was meant by one that is not"
        " there, or the import that gives it (`suggestion`), and the tensors, nodes and lines to look at.",
    ]
    globals: Annotated[
        dict[str, TensorId],
        "What top-level names hold at the end: tensors, parameters of modules, members of lists and dicts.",
    ]
    modules: Annotated[list[Module], "The modules that these names hold, with their parameters."]
    tensors: Annotated[
        list[Tensor],
        "Every tensor: its name (a variable, or what holds it: `net.fc1.weight`, `layers[0].w`, `params['enc'][1]`),"
        " shape, dtype, whether it is a leaf, its `grad_fn`, its value at creation and at the end, its `.grad` at the"
        " end, why it has no gradient if it has none, and what it was detached from.",
    ]
    nodes: Annotated[
        list[Node],
        "Every node of the backward graph: `next_functions` as PyTorch has them (`null` is `(None, 0)`), what it saved,"
        " its formulas, and what it keeps in memory (`keeps`).",
    ]
    storages: NotRequired[Annotated[list[Storage], "The memory that nodes keep for their gradients."]]
    ops: Annotated[list[Op], "Every call that was recorded, with its place in the program."]
    scopes: Annotated[list[Scope], "Functions, modules and loop iterations, by which a large graph folds."]
    values: Annotated[dict[str, Value], "The numbers, referred to by name (`v0`) from everywhere else."]
    events: Annotated[list[Event], "The timeline; an index into it is a point in time."]
    formulas: NotRequired[Annotated[dict[str, Tree], "The formulas of `nodes` as syntax trees, by their text."]]
    derivatives: NotRequired[
        Annotated[
            dict[str, dict[str, str]],
            "What PyTorch computes for the gradients of `nodes`, by class and input, as its derivatives.yaml has it.",
        ]
    ]
    expressions: NotRequired[
        Annotated[dict[str, Tree], "Syntax trees, too: of the sources of tensors without a name, by their text."]
    ]
    figures: NotRequired[
        Annotated[
            list[Figure],
            "What matplotlib drew, as numbers: axes, their limits and series; `of` says how many points a series has"
            " where some are left out; what numbers cannot tell is a `picture` of one axes or of the whole figure: SVG"
            " by matplotlib, to be shown as an image; not in documents of programs that draw nothing.",
        ]
    ]
    training: NotRequired[
        Annotated[
            list[Series],
            "What the passes of a loop did, recorded or not: by line of the `backward` call, the loss, and for each"
            " leaf the norms of its gradient, its value and what the iteration changed.",
        ]
    ]
    timing: NotRequired[
        Annotated[
            Timing | None,
            "Of a captured run that was asked for seconds: how those of `ops` and of `node` events were measured.",
        ]
    ]
    checks: NotRequired[Annotated[list[Check], "Gradients beside central differences, where `?check=` asked for them."]]
    optimizers: NotRequired[
        Annotated[
            list[Optimizer],
            "Optimizers in the order they were made: the tensors that each was given, and its first 200 calls of `step`"
            " and `zero_grad` with the number of passes begun by then.",
        ]
    ]
    exits: NotRequired[
        Annotated[
            list[Exit],
            "Where numbers of tensors with a history left the graph: `item`, `tolist`, `numpy`, a copy by"
            " `torch.tensor`; the first 200 places.",
        ]
    ]
    tape: NotRequired[
        Annotated[
            Tape,
            "Of a program that brings its own scalar autograd: how it is written, and its gradients beside PyTorch's.",
        ]
    ]
    findings: NotRequired[
        Annotated[
            list[Finding],
            "What these numbers say is wrong, worst first: the lines to change, the evidence,"
            " and where it is certain the edits that mend it; left out where there is nothing.",
        ]
    ]
    limits: Annotated[Usage, "What the run used of its limits; how much of it is recorded, and how much is not."]
    numpy: Annotated[str, "Version of numpy that computed it; of captured runs the one at hand, or empty."]
