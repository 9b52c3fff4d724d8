"""Hooks, custom autograd Functions, saved tensors."""

from __future__ import annotations

from typing import Any

from engine.errors.arguments import type_name


def hook_without_requires_grad() -> RuntimeError:
    return RuntimeError("cannot register a hook on a tensor that doesn't require gradient")


def post_accumulate_hook_returned(value: object) -> RuntimeError | TypeError:
    if not hasattr(value, "_array"):
        return hook_returned_non_tensor(value)
    return RuntimeError("Tensor post accumulate grad hooks should return None.")


def post_accumulate_hook_non_leaf() -> RuntimeError:
    return RuntimeError("post accumulate grad hooks cannot be registered on non-leaf tensors")


def hook_returned_non_tensor(value: object) -> TypeError:
    return TypeError(f"expected Variable, but hook returned '{type_name(value)}'")


def hook_replaced_none() -> RuntimeError:
    """A hook returned a gradient where none had arrived."""
    return RuntimeError("can't replace a None gradient with a non-None value")


def hook_changed_size(hook: str) -> RuntimeError:
    return RuntimeError(f"hook '{hook}' has changed the size of value")


def hook_changed_type(hook: str, was: str, got: str) -> RuntimeError:
    return RuntimeError(f"hook '{hook}' has changed the type of value (was {was} got {got})")


def hook_wrong_count(hook: str, got: int, expected: int) -> RuntimeError:
    return RuntimeError(
        f"hook '{hook}' has returned an incorrect number of values (got {got}, but expected {expected})"
    )


def save_non_tensor(index: int, value: object) -> TypeError:
    kind = type(value).__name__
    return TypeError(f"save_for_backward can only save variables, but argument {index} is of type {kind}")


def function_gradient_count(node: str, expected: int, got: int) -> RuntimeError:
    return RuntimeError(f"function {node} returned an incorrect number of gradients (expected {expected}, got {got})")


def function_gradient_of_non_tensor(node: str, position: int) -> RuntimeError:
    return RuntimeError(
        f"function {node} returned a gradient different than None at position {position}, but the corresponding "
        "forward input was not a Variable"
    )


def marked_dirty_non_tensor() -> RuntimeError:
    return RuntimeError("mark_dirty can only accept variables, but argument ")


def marked_non_differentiable_non_tensor() -> RuntimeError:
    return RuntimeError("mark_non_differentiable only accepts variable arguments, but got ")


def materialize_grads_type() -> TypeError:
    return TypeError(
        "set_materialize_grads received an invalid combination of arguments - got (), but expected (bool)"
    )


def function_returned_non_tensor(value: object) -> RuntimeError:
    return RuntimeError(f"expected Variable or None (got {type_name(value)})")


_EXTENDING = "https://pytorch.org/docs/main/notes/extending.func.html"


def function_vmap(name: str) -> RuntimeError:
    return RuntimeError(
        f"You tried to vmap over {name}, but it does not have vmap support. Please override and implement the vmap "
        f"staticmethod or set generate_vmap_rule=True. For more details, please see {_EXTENDING}"
    )


def function_two_vmap_rules(name: str) -> RuntimeError:
    return RuntimeError(
        f"You tried to vmap over {name}, but it has both generate_vmap_rule=True and an overridden vmap staticmethod. "
        "Please set generate_vmap_rule=False or delete the overridden vmap staticmethod to avoid ambiguity. For more "
        f"details, please see {_EXTENDING}"
    )


def function_vmap_result(kind: type) -> RuntimeError:
    return RuntimeError(
        "Expected the vmap staticmethod to have two returns, an output and out_dims with pytree structure compatible "
        f"with the output. Got a {kind} instead"
    )


def function_vmap_out_dims(out_dims: object, output: object) -> RuntimeError:
    def structure(value: object) -> str:
        leaves = ",\n  ".join("*" * len(value)) if isinstance(value, tuple) else ""
        return f"TreeSpec(tuple, None, [{leaves}])" if isinstance(value, tuple) else "*"

    return RuntimeError(
        "The autograd.Function's vmap staticmethod returned an incompatible (output, out_dims) tuple. Expected "
        f"out_dims={out_dims} to be compatible with the structure of `output`. out_dims has structure "
        f"{structure(out_dims)} but output has structure {structure(output)}. For more details, please see {_EXTENDING}"
    )


def function_vmap_outputs() -> AssertionError:
    return AssertionError("flat_bdims must not be None")


def function_saves_returned_input() -> RuntimeError:
    return RuntimeError(
        "An input that has been returned as-is as output is being saved for backward. This is not supported if you "
        "override setup_context. You should return and save a view of the input instead, e.g. with x.view_as(x) or "
        "setup ctx inside the forward function itself."
    )


def function_transformed() -> RuntimeError:
    return RuntimeError(
        "In order to use an autograd.Function with functorch transforms (vmap, grad, jvp, jacrev, ...), it must "
        f"override the setup_context staticmethod. For more details, please see {_EXTENDING}"
    )


def function_without_vmap() -> NotImplementedError:
    return NotImplementedError(
        "To use autograd.Function with vmap, you must either override the vmap staticmethod or set "
        "generate_vmap_rule=True."
    )


def function_keyword(name: str) -> TypeError:
    return TypeError(f"forward() got an unexpected keyword argument '{name}'")


def function_argument_twice(name: str) -> TypeError:
    return TypeError(f"forward() got multiple values for argument '{name}'")


def function_argument_missing(name: str, place: int) -> TypeError:
    return TypeError(f"forward() missing required argument: '{name}' (position {place})")


def function_two_backwards() -> RuntimeError:
    return RuntimeError(
        "Implementing both 'backward' and 'vjp' for a custom Function is not allowed. You should only implement one of "
        "them."
    )


def function_without_forward() -> NotImplementedError:
    return NotImplementedError("You must implement the forward function for custom autograd.Function.")


def function_without_setup_context() -> NotImplementedError:
    return NotImplementedError("setup_context is not implemented.")


def function_without_backward() -> NotImplementedError:
    return NotImplementedError(
        "You must implement either the backward or vjp method for your custom autograd.Function to use it with "
        "backward mode AD."
    )


def legacy_function() -> RuntimeError:
    return RuntimeError(
        "Legacy autograd function with non-static forward method is deprecated. Please use new-style autograd function "
        "with static forward method. (Example: https://pytorch.org/docs/stable/autograd.html#torch.autograd.Function)"
    )


def once_differentiable() -> RuntimeError:
    return RuntimeError("trying to differentiate twice a function that was marked with @once_differentiable")


def saved_tensor_made() -> RuntimeError:
    return RuntimeError("Trying to create a SavedTensor object from Python is forbidden.")


def saved_tensor_hooks_type(pack_hook: object, unpack_hook: object) -> TypeError:
    return TypeError(
        "_push_saved_tensors_default_hooks(): incompatible function arguments. The following argument types are "
        "supported:\n    1. (arg0: collections.abc.Callable, arg1: collections.abc.Callable) -> None\n\nInvoked with: "
        f"{pack_hook!r}, {unpack_hook!r}"
    )


def register_hooks_type(saved: object, pack_hook: object, unpack_hook: object) -> TypeError:
    return TypeError(
        "register_hooks(): incompatible function arguments. The following argument types are supported:\n    1. (self: "
        "torch._C._autograd.SavedTensor, arg0: collections.abc.Callable, arg1: collections.abc.Callable) -> None\n\n"
        f"Invoked with: {saved!r}, {pack_hook!r}, {unpack_hook!r}"
    )


def saved_hooks_of_nothing() -> RuntimeError:
    """A Function saved None."""
    return RuntimeError("Calling register_hooks on a saved tensor with value None is forbidden")


def saved_hooks_twice() -> RuntimeError:
    return RuntimeError(
        "Calling register_hooks on a saved tensor whose hooks have already been set. Hint: only one pair of hooks is "
        "allowed at a time."
    )


def saved_hooks_after_release() -> RuntimeError:
    return RuntimeError(
        "Calling register_hooks on a saved tensor after it has been freed. Saved intermediate values of the graph are "
        "freed when you call .backward() or autograd.grad(). Specify retain_graph=True if you need to backward through "
        "the graph a second time or if you need to access saved variables after calling backward."
    )


def hook_returned_non_tuple(value: object) -> TypeError:
    """A hook of a node."""
    return TypeError(f"expected tuple, but hook returned '{type_name(value)}'")


def out_requires_grad(op: str) -> RuntimeError:
    """``torch.add(x, y, out=z)``."""
    return RuntimeError(
        f"{op}(): functions with out=... arguments don't support automatic differentiation, but one of the arguments "
        "requires grad."
    )


def dirty_not_returned() -> RuntimeError:
    return RuntimeError(
        "Some elements marked as dirty during the forward method were not returned as output. The inputs that are "
        "modified inplace must all be outputs of the Function."
    )


def dirty_view_of_several() -> RuntimeError:
    return RuntimeError(
        "If your Function modifies inplace an input that is a view of another Tensor, your Function cannot return more "
        "than one Tensor. This is not supported by the current autograd engine. You should either make sure the "
        "input is not a view (using .clone() for example) or make your Function only return one Tensor (potentially "
        "splitting it into two Functions: one doing the inplace that returns a single Tensor and a second one that "
        "does the other operations). You can ask on the forum https://discuss.pytorch.org/ if you need help to do this "
        "change."
    )


def dirty_leaf() -> RuntimeError:
    return RuntimeError("a leaf Variable that requires grad has been used in an in-place operation.")


def unpack_returned_non_tensor(value: object) -> TypeError:
    return TypeError(
        f"Output of saved tensor unpack_hook expected to be a Tensor but got result of type {type(value).__name__}"
    )


def pack_modified_input() -> RuntimeError:
    return RuntimeError(
        "A saved tensor pack hook is modifying its input in place. Tensors provided as input to pack hook cannot be "
        "modified by in-place operations as this can lead to unexpected side-effects. Please open an issue if you need "
        "to perform in-place operations on the input to a pack hook."
    )


def mutation_context_nested() -> RuntimeError:
    return RuntimeError("allow_mutation_on_saved_tensors contexts cannot be nested")


def mutation_context_left() -> AssertionError:
    return AssertionError(
        "Trying to backward outside of the 'allow_mutation_on_saved_tensors' context"
        "in which the graph was originally recorded."
    )


# --- checkpoint


def checkpoint_keywords(names: list[str]) -> ValueError:
    return ValueError("Unexpected keyword arguments: " + ",".join(names))


def checkpoint_reentrant_context() -> ValueError:
    return ValueError("Passing `context_fn` or `debug` is only supported when use_reentrant=False.")


def checkpoint_debug_context() -> ValueError:
    return ValueError("debug=True is incompatible with non-default context_fn")


def checkpoint_suppressed() -> RuntimeError:
    """The context of a checkpointed function swallowed what the function raised."""
    return RuntimeError(
        "torch.utils.checkpoint: the forward context provided by context_fn suppressed an exception raised during the "
        "checkpointed forward. This is not supported because checkpoint cannot return a value for a failed forward."
    )


def checkpoint_no_output() -> RuntimeError:
    return RuntimeError("none of output has requires_grad=True, this checkpoint() is not necessary")


class CheckpointError(RuntimeError):
    """The second run of a checkpointed function differs from the first."""

    __module__ = "torch.utils.checkpoint"


_CHECKPOINT_TIP = """
Tip: To see a more detailed error message, either pass `debug=True` to
`torch.utils.checkpoint.checkpoint(...)` or wrap the code block
with `with torch.utils.checkpoint.set_checkpoint_debug_enabled(True):` to
enable checkpoint‑debug mode globally.

If this error occurs under torch.compile with automatic_dynamic_shapes enabled,
it may be because the recomputation selected a different compiled graph than the
forward pass (e.g., a dynamic graph instead of the original static graph).
To fix this, either:
  - Use torch._dynamo.mark_dynamic() to explicitly mark varying dimensions as
    dynamic upfront, avoiding the static-to-dynamic transition.
  - Call torch._C._dynamo.eval_frame._set_lru_cache(False) to disable LRU cache
    reordering, which can change which graph is checked first between forward
    and recompute.
See https://github.com/pytorch/pytorch/issues/166926 for more details and
workaround examples.
"""


def checkpoint_unpacked() -> CheckpointError:
    return CheckpointError(
        "torch.utils.checkpoint: Unpack is being triggered for a tensor that was already unpacked once. If you are "
        "calling ctx.saved_tensors in backward, make sure to do so only once. Otherwise please open an issue with "
        "details on your use case."
    )


def checkpoint_determinism(allowed: list[str], given: Any) -> ValueError:
    return ValueError(f"determinism_check should be one of {allowed}, but got {given}")


def checkpoint_more() -> CheckpointError:
    return CheckpointError(
        "torch.utils.checkpoint: trying to save more tensors during recomputation than during the original forward "
        f"pass.\n{_CHECKPOINT_TIP}"
    )


def checkpoint_count(first: int, second: int) -> CheckpointError:
    return CheckpointError(
        "torch.utils.checkpoint: A different number of tensors was saved during the original forward and "
        f"recomputation.\nNumber of tensors saved during forward: {first}\n"
        f"Number of tensors saved during recomputation: {second}.\n{_CHECKPOINT_TIP}"
    )


def checkpoint_metadata(differing: dict[int, tuple[Any, Any]]) -> CheckpointError:
    """`differing`: what was saved and what was saved again, by position."""
    lines = [
        f"tensor at position {position}:\nsaved metadata: {saved}\nrecomputed metadata: {again}\n"
        for position, (saved, again) in differing.items()
    ]
    return CheckpointError(
        "torch.utils.checkpoint: Recomputed values for the following tensors have different metadata than during the "
        f"forward pass.\n{''.join(lines)}.\n{_CHECKPOINT_TIP}"
    )


def checkpoint_grad() -> RuntimeError:
    """Re-entrant ``checkpoint`` under ``autograd.grad`` or ``backward(inputs=…)``."""
    return RuntimeError(
        "When use_reentrant=True, torch.utils.checkpoint is incompatible with .grad() or passing an `inputs` parameter "
        "to .backward(). To resolve this error, you can either set use_reentrant=False, or call .backward() without "
        "passing the `inputs` argument."
    )


def requires_grad_in_transform() -> RuntimeError:
    return RuntimeError(
        "You are attempting to call Tensor.requires_grad_() (or perhaps using torch.autograd.functional.* APIs) inside "
        "of a function being transformed by a functorch transform. This is unsupported, please attempt to use the "
        "functorch transforms (e.g. grad, vjp, jacrev, jacfwd, hessian) or call requires_grad_() outside of a function "
        "being transformed instead."
    )


def backward_in_transform() -> RuntimeError:
    return RuntimeError(
        "backward() called inside a functorch transform. This is not supported, please use functorch.grad or "
        "functorch.vjp instead or call backward() outside of functorch transforms."
    )


def node_keywords(node: str, method: str) -> TypeError:
    return TypeError(f"{node}.{method}() takes no keyword arguments")


def node_arguments(node: str, method: str, given: int, takes: int) -> TypeError:
    return TypeError(f"{node}.{method}() takes {'exactly one argument' if takes else 'no arguments'} ({given} given)")


def node_call_keywords() -> TypeError:
    return TypeError("keyword arguments are not supported")


def node_call_count(expected: int, given: int) -> TypeError:
    return TypeError(f"expected {expected} arguments, got {given} instead")


def node_call_type(place: int) -> TypeError:
    return TypeError(f"argument {place} is not a Variable")


def save_for_forward_non_tensor() -> AssertionError:
    return AssertionError(
        "save_for_forward expects all arguments to be tensors; you should save non-tensors as attributes on ctx."
    )


def jvp_count(expected: int, given: int) -> RuntimeError:
    return RuntimeError(
        f"Function's jvp returned an invalid number of forward gradients (expected {expected} but got {given})"
    )


def jvp_type(place: int, value: object) -> RuntimeError:
    return RuntimeError(f"expected Variable or None (got {type_name(value)}) for grad output {place}.")


def jvp_not_differentiable(place: int) -> RuntimeError:
    return RuntimeError(
        f"Function's jvp returned a gradient at position {place}, but  the corresponding forward output is not a "
        "differentiable Tensor.You should return None at that position instead."
    )


def jvp_not_a_view() -> RuntimeError:
    return RuntimeError(
        "A custom Function's forward is returning a view (or an input as-is) but the jvp is not returning a view."
    )


def jvp_other_view(of: str) -> RuntimeError:
    """`of`: the tensor that the tangent should be a view of."""
    return RuntimeError(f"A custom Function is returning a view but the jvp is not returning a view of {of}.")


def jvp_not_in_place() -> RuntimeError:
    return RuntimeError(
        "An inplace custom Function is not modifying the forward mode gradients inplace. If the forward is modifying "
        "an input inplace, then the jvp function must modify the corresponding gradient inplace."
    )


def node_not_callable(kind: str) -> TypeError:
    return TypeError(f"'{kind}' object is not callable")


def custom_op_name(name: str) -> ValueError:
    return ValueError(
        f'Expected `qualname` to be of the form "namespace::name", but got {name}. The qualname passed to the '
        "torch.library APIs must consist of a namespace and a name, e.g. aten::sin"
    )


def custom_op_schema(what: str, signature: str) -> ValueError:
    return ValueError(f"infer_schema(func): {what} Got func with signature {signature})")


def custom_op_mutates(names: str) -> str:
    return (
        f"{names} in mutates_args were not found in the custom op's signature. mutates_args should contain the names "
        "of all args that the custom op mutates, or just the string 'unknown' if you don't know."
    )


def custom_op_missing(op: str, name: str, declaration: str) -> RuntimeError:
    return RuntimeError(f"{op}() is missing value for argument '{name}'. Declaration: {declaration}")


def custom_op_unknown_keyword(op: str, name: str, declaration: str) -> RuntimeError:
    return RuntimeError(f"Unknown keyword argument '{name}' for operator '{op}'. Schema: {declaration}")


def custom_op_positions(op: str, most: int, given: int, declaration: str) -> RuntimeError:
    return RuntimeError(
        f"{op}() takes {most} positional argument(s) but {given} was/were given.  Declaration: {declaration}"
    )


def custom_op_too_many(op: str, most: int, given: int, declaration: str) -> RuntimeError:
    return RuntimeError(
        f"{op}() expected at most {most} argument(s) but received {given} argument(s). Declaration: {declaration}"
    )


def custom_op_tensor(op: str, name: str, place: int, value: object, shown: str, declaration: str) -> RuntimeError:
    return RuntimeError(
        f"{op}() Expected a value of type 'Tensor' for argument '{name}' but instead found type '{type_name(value)}'.\n"
        f"Position: {place}\nValue: {shown}\nDeclaration: {declaration}\n"
        f"Cast error details: Unable to cast {shown} to Tensor"
    )


def custom_op_alias(name: str) -> RuntimeError:
    return RuntimeError(
        f"{name} (with implementation in <module 'torch._library.custom_ops'>): The output of this custom operator (1) "
        "must not also be an input to this custom operator and (2) may not alias any inputs to this custom operator or "
        "other returns. The most common way to trigger this error is if we have y = custom_op(x) and y and x are the "
        "same Tensor. Please instead return a clone of the offending output tensor(s) (e.g. return x.clone()) or "
        "refactor the custom operator to not return y."
    )


def custom_op_backward(op: str) -> RuntimeError:
    return RuntimeError(
        f"Trying to backward through {op} but no autograd formula was registered. Please use register_autograd to add "
        "one."
    )


def custom_op_mutating_autograd(op: object, schema: str) -> RuntimeError:
    return RuntimeError(
        f"Cannot register autograd formula for non-functional operator {op} with schema {schema}. Please create a "
        "functional operator and register an autograd formula for that."
    )


def custom_op_unknown(name: str) -> RuntimeError:
    return RuntimeError(f"operator {name} does not exist")
