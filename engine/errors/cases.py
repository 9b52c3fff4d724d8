"""Errors whose words depend on more than a row of a table says."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from engine.errors.wording import short_node_name, type_name

Shape = Sequence[int]


def unpacked(count: int, wanted: int) -> ValueError:
    """Python's words for a sequence of another length than there are names for."""
    if count > wanted:
        return ValueError(f"too many values to unpack (expected {wanted})")
    return ValueError(f"not enough values to unpack (expected {wanted}, got {count})")


def refused_kind(text: str, *, implemented: bool) -> Exception:
    """An op that does not take elements of some kind, in words of its own."""
    return RuntimeError(text) if implemented else NotImplementedError(text)


def _torch_names() -> dict[str, frozenset[str]]:
    lines = (Path(__file__).parent / "names.txt").read_text().splitlines()
    return {space: frozenset(names.split()) for space, _, names in (line.partition(":") for line in lines)}


TORCH_NAMES = _torch_names()
"""The public names of PyTorch's namespaces. Read at once: a locked-down process opens no files later."""


def module_attribute(module: str, name: str) -> AttributeError | NotImplementedError:
    """``torch.foo``: a name that PyTorch does not have, or one that Backlight does not have yet."""
    if name in TORCH_NAMES.get(module, ()):
        return NotImplementedError(f"{module}.{name} is not available in Backlight yet")
    return AttributeError(f"module '{module}' has no attribute '{name}'")


def conv_kernel_empty(kernel: Shape) -> RuntimeError:
    if len(kernel) == 3:
        return RuntimeError(f"kernel size should be greater than zero, but got: {' x '.join(map(str, kernel))} (TxHxW)")
    height, width = kernel if len(kernel) == 2 else (1, *kernel)
    return RuntimeError(
        f"kernel size should be greater than zero, but got kernel_height: {height} kernel_width: {width}"
    )


def output_padding(output: Shape, stride: Shape, dilation: Shape) -> RuntimeError:
    sides = ("depth", "height", "width")[-len(output) :]
    values = [
        f"{name}_{side}: {value}"
        for name, sizes in (("output_padding", output), ("stride", stride), ("dilation", dilation))
        for side, value in zip(sides, sizes, strict=True)
    ]
    return RuntimeError(f"output padding must be smaller than either stride or dilation, but got {' '.join(values)}")


def pool_option(function: str, name: str, count: str, given: int, optional: bool) -> RuntimeError:
    if function == "avg_pool1d":
        return RuntimeError(f"avg_pool1d() argument '{name}' should contain one int (got {given})")
    if function == "max_pool1d":
        kinds = "None, an int, list of ints," if optional else "an int, list of ints"
        comma = "," if name == "padding" else ""
        wanted = f"{kinds}{comma} or tuple of ints of size 1"
        return RuntimeError(f"max_pool1d() {name} must be {wanted} but got size {given}")
    if name == "dilation":
        return RuntimeError(f"{function}: dilation must be either a single int, or a tuple of {count} ints")
    either = "" if function == "avg_pool3d" else "either "
    omitted = "be omitted, a single int" if optional else "be a single int"
    return RuntimeError(f"{function}: {name} must {either}{omitted}, or a tuple of {count} ints")


def adaptive_count(function: str, rank: int, count: int) -> RuntimeError:
    if rank == 1:
        return RuntimeError(f"{function}() argument 'output_size' should contain one int (got {count})")
    if "max" in function:
        return RuntimeError(f"{function}(): internal error: output_size.size() must be {rank}")
    return RuntimeError(f"{function}: output_size must be {rank}")


def function_vmap_out_dims(out_dims: object, output: object) -> RuntimeError:
    def structure(value: object) -> str:
        leaves = ",\n  ".join("*" * len(value)) if isinstance(value, tuple) else ""
        return f"TreeSpec(tuple, None, [{leaves}])" if isinstance(value, tuple) else "*"

    return RuntimeError(
        "The autograd.Function's vmap staticmethod returned an incompatible (output, out_dims) tuple. Expected "
        f"out_dims={out_dims} to be compatible with the structure of `output`. out_dims has structure "
        f"{structure(out_dims)} but output has structure {structure(output)}. For more details, please see "
        "https://pytorch.org/docs/main/notes/extending.func.html"
    )


def resize_empty(source: Shape, target: Shape) -> RuntimeError:
    def shown(sizes: Shape) -> str:
        return ", ".join(f"{letter}: {size}" for letter, size in zip("DHW"[-len(sizes) :], sizes, strict=True))

    and_ = " and" if len(source) == 1 else ""
    return RuntimeError(
        f"Input and output sizes should be greater than 0, but got input ({shown(source)}){and_} output "
        f"({shown(target)})"
    )


def pad_too_small(given: Shape, output: Shape) -> RuntimeError:
    """A tensor from which padding takes away more than there is; sizes of its last one or two dimensions."""
    if len(given) == 1:
        return RuntimeError(f"input (W: {given[0]}) is too small. Calculated output W: {output[0]}")
    return RuntimeError(
        f"input (H: {given[0]}, W: {given[1]} ) is too small. Calculated output H: {output[0]} W: {output[1]}"
    )


def view_modified(origin: str, node: str | None, number: int, indirect: bool) -> RuntimeError:
    """A view that may not be written to. ``origin``: how it was made, as ``DifferentiableViewMeta.creation_meta``."""
    what = "its base or another view of its base has been" if indirect else "is being"
    output = "" if node is None else f"Output {number} of {short_node_name(node)} is a view"
    if origin == "inference" and node is None:
        head = f"A view was created in inference mode and {what} modified inplace in normal mode."
    elif origin in ("inference", "no_grad") or node is None:
        mode = "inference" if origin == "inference" else "no_grad"
        first = f"{output} of a view which" if output else "A view"
        head = f"{first} was created in {mode} mode and {what} modified inplace with grad mode enabled."
    else:
        head = f"{output} and {what} modified inplace."
    tail = {
        "multiple": " This view is the output of a function that returns multiple views. Such functions do not allow "
        "the output views to be modified inplace. You should replace the inplace operation by an out-of-place one.",
        "no_grad": " Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code "
        "by moving both the view and the inplace either both inside the no_grad block (if you don't want the inplace "
        "to be tracked) or both outside (if you want the inplace to be tracked).",
        "inference": " Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your "
        "code by moving both the view and the inplace either both inside the inference_mode block (if you don't want "
        "the inplace to be tracked) or both outside (if you want the inplace to be tracked).",
        "function": " This view was created inside a custom Function (or because an input was returned as-is) and the "
        "autograd logic to handle view+inplace would override the custom backward associated with the custom Function, "
        "leading to incorrect gradients. This behavior is forbidden. You can fix this by cloning the output of the "
        "custom Function.",
    }[origin]
    return RuntimeError(head + tail)


def movedim_kinds(source: object, destination: object) -> TypeError:
    """One of them an int, the other a tuple."""
    forms, notes = ("int source, int destination", "tuple of ints source, tuple of ints destination"), []
    for form, expected in zip(forms, (int, tuple | list), strict=True):
        shown = []
        for value in (source, destination):
            kind = "int" if isinstance(value, int) else f"tuple of ({', '.join('int' for _ in value)})"  # type: ignore[attr-defined]
            wrong = not isinstance(value, expected)
            shown.append(f"!{kind}!" if wrong else kind)
        notes.append(
            f" * ({form})\n      didn't match because some of the arguments have invalid types: ({', '.join(shown)})\n"
        )
    names = ", ".join(type_name(value) for value in (source, destination))
    return TypeError(
        f"movedim() received an invalid combination of arguments - got ({names}), but expected one of:\n"
        f"{''.join(notes)}"
    )


def not_of_dtype(value: object, real: bool) -> TypeError:
    """``torch.tensor(None, dtype=…)``; ``real``: of a floating point or complex dtype."""
    name = type_name(value)
    if real:
        return TypeError(f"must be real number, not {name}")
    return TypeError(f"'{name}' object cannot be interpreted as an integer")


def no_device(kind: str) -> Exception:
    """Anything put on another device than the CPU."""
    if kind in ("cuda", "xpu"):
        return AssertionError(f"Torch not compiled with {kind.upper()} enabled")
    if kind == "meta":
        return NotImplementedError(
            "Tensors on the meta device have no numbers, and are not available in Backlight: leave the device out, and"
            " take smaller sizes where what is built is too large"
        )
    return RuntimeError(f"PyTorch is not linked with support for {kind} devices")


def copy_shape(own: Shape, source: Shape) -> RuntimeError:
    """``copy_`` of a tensor that does not expand to the destination."""
    extra = len(own) - len(source)
    if extra < 0:
        return RuntimeError(f"output with shape {list(own)} doesn't match the broadcast shape {list(source)}")
    for dim in range(len(own) - 1, extra - 1, -1):
        a, b = own[dim], source[dim - extra]
        if a != b and 1 not in (a, b):
            return RuntimeError(
                f"The size of tensor a ({a}) must match the size of tensor b ({b}) at non-singleton dimension {dim}"
            )
    broadcast = [max(a, b) for a, b in zip(own, [1] * extra + list(source), strict=True)]
    return RuntimeError(f"output with shape {list(own)} doesn't match the broadcast shape {broadcast}")
