"""`torch.func`, `autograd.functional`, `gradcheck` and gradient hooks of several tensors."""

from __future__ import annotations

from typing import Any


def functional_not_tensor(
    what: str, function: str, is_tuple: bool, index: int, values: object, item: object
) -> TypeError:
    if what == "inputs" or what == "v":
        if is_tuple:
            return TypeError(
                f"The {what} given to {function} must be either a Tensor or a tuple of Tensors but the value at index "
                f"{index} has type {type(item)}."
            )
        return TypeError(
            f"The {what} given to {function} must be either a Tensor or a tuple of Tensors but the given {what} has "
            f"type {type(values)}."
        )
    if is_tuple:
        return TypeError(
            f"The {what} given to {function} must be either a Tensor or a tuple of Tensors but the value at index "
            f"{index} has type {type(item)}."
        )
    return TypeError(
        f"The {what} given to {function} must be either a Tensor or a tuple of Tensors but the given {what} has type "
        f"{type(values)}."
    )


def functional_independent(index: int, output: int | None = None) -> RuntimeError:
    """Strict mode; ``output``: which, where PyTorch says it."""
    what = "The output" if output is None else f"Output {output}"
    return RuntimeError(
        f"{what} of the user-provided function is independent of input {index}. This is not allowed in strict mode."
    )


def functional_constant(what: str, index: int) -> RuntimeError:
    """``what``: jacobian or hessian, which should have had a graph."""
    return RuntimeError(
        f"The {what} of the user-provided function is independent of input {index}. This is not allowed in strict mode "
        "when create_graph=True."
    )


def functional_linear(index: int) -> RuntimeError:
    return RuntimeError(
        "While computing the hessian, found that the jacobian of the user-provided function with respect to input "
        f"{index} is independent of the input. This is not allowed in strict mode. You should ensure that "
        "your function is twice differentiable and that the jacobian depends on the inputs (this would be violated by "
        "a linear function for example)."
    )


def jacobian_strategy() -> AssertionError:
    return AssertionError(
        'Expected strategy to be either "forward-mode" or "reverse-mode". Hint: If your function has more outputs than '
        'inputs, "forward-mode" tends to be more performant. Otherwise, prefer to use "reverse-mode".'
    )


def jacobian_forward(option: str) -> Exception:
    """``option``: create_graph or strict."""
    kind = NotImplementedError if option == "create_graph" else RuntimeError
    return kind(
        f'torch.autograd.functional.jacobian: `{option}=True` and `strategy="forward-mode"` are not supported together '
        f'(yet). Please either set `{option}=False` or `strategy="reverse-mode"`.'
    )


def jacobian_forward_loop() -> NotImplementedError:
    return NotImplementedError(
        "Computing Jacobian using forward-AD or forward-over-reverse Hessian isonly implemented for `vectorize=True`."
    )


def jacobian_vectorized() -> RuntimeError:
    return RuntimeError(
        "torch.autograd.functional.jacobian: `strict=True` and `vectorized=True` are not supported together. Please "
        "either set `strict=False` or `vectorize=False`."
    )


def hessian_strategy() -> AssertionError:
    return AssertionError('Expected strategy to be either "forward-mode" or "reverse-mode".')


def functional_not_differentiable(index: int) -> RuntimeError:
    return RuntimeError(
        f"Output {index} of the user-provided function does not require gradients. The outputs must be computed in a "
        "differentiable manner from the input when running in strict mode."
    )


def hessian_not_scalar(many: bool) -> RuntimeError:
    if many:
        return RuntimeError("The function given to hessian should return a single Tensor")
    return RuntimeError("The Tensor returned by the function given to hessian should contain a single element")


def functional_scalar_output(function: str, many: bool) -> RuntimeError:
    if many:
        return RuntimeError(f"The function given to {function} should return a single Tensor")
    return RuntimeError(f"The Tensor returned by the function given to {function} should contain a single element")


def functional_v_required(function: str) -> RuntimeError:
    if function == "vjp":
        return RuntimeError(
            "The vector v can only be None if the user-provided function returns a single Tensor with a single element."
        )
    return RuntimeError(
        "The vector v can only be None if the input to the user-provided function is a single Tensor with a single "
        "element."
    )


def functional_v_count(expected: int, got: int, many: bool) -> RuntimeError:
    """``many``: what ``v`` goes with is a tuple."""
    if not many:
        return RuntimeError("The given v should contain a single Tensor.")
    return RuntimeError(f"v is a tuple of invalid length: should be {expected} but got {got}.")


def functional_v_size(expected: tuple[int, ...], got: tuple[int, ...], entry: int | None) -> RuntimeError:
    """``entry``: which one of a tuple."""
    which = "" if entry is None else f"Entry {entry} in "
    return RuntimeError(
        f"{which}v has invalid size: should be torch.Size({list(expected)}) but got torch.Size({list(got)})."
    )


# --- torch.func


def func_not_tensor(value: object) -> ValueError:
    return ValueError(f"Thing passed to transform API must be Tensor, got {type(value)}")


def func_grad_not_tensor(out: object) -> RuntimeError:
    return RuntimeError(f"grad_and_value(f)(*args): Expected f(*args) to return a Tensor, got {type(out)}")


def func_grad_not_scalar(ndim: int) -> RuntimeError:
    return RuntimeError(
        f"grad_and_value(f)(*args): Expected f(*args) to return a scalar Tensor, got tensor with {ndim} dims. "
        "Maybe you wanted to use the vjp or jacrev APIs instead?"
    )


def func_aux_not_tensor(got: object) -> RuntimeError:
    return RuntimeError(f"Expected tensors, got unsupported type {type(got)}")


def func_aux(name: str) -> RuntimeError:
    """``name``: the transform as it was called."""
    return RuntimeError(f"{name}: output of function f should be a tuple: (output, aux) if has_aux is True")


def func_no_outputs(name: str, given: list[Any]) -> RuntimeError:
    return RuntimeError(f"{name}: Expected f to be a function that has non-empty output (got output = {given})")


def func_saved_tensor_hooks() -> RuntimeError:
    return RuntimeError(
        "torch.func.{grad, vjp, jacrev, hessian} don't yet support saved tensor hooks. Please open an issue with your "
        "use case."
    )


def func_outputs(name: str, value: object) -> RuntimeError:
    return RuntimeError(f"{name}: expected f(*primals) to return only tensors, got unsupported type {type(value)}")


def func_outputs_not_continuous(dtype: object) -> RuntimeError:
    return RuntimeError(
        f"vjp(f, ...): All outputs of f must be floating-point or complex Tensors, got Tensor with dtype {dtype}"
    )


def func_argnum(number: int, count: int) -> RuntimeError:
    return RuntimeError(f"Got argnum={number}, but only {count} positional inputs")


def func_argnum_type(number: object) -> RuntimeError:
    return RuntimeError(f"argnum must be int, got: {type(number)}")


def func_argnums_type(argnums: object) -> RuntimeError:
    return RuntimeError(f"argnums must be int or Tuple[int, ...], got: {type(argnums)}")


def func_argnums_empty() -> RuntimeError:
    return RuntimeError("argnums must be non-empty")


def func_argnums_repeated(argnums: object) -> RuntimeError:
    return RuntimeError(f"argnums elements must be unique, got {argnums}")


def func_cotangents(given: object, expected: object) -> RuntimeError:
    return RuntimeError(
        "Expected pytree structure of cotangents to be the same as pytree structure of outputs to the function. "
        f"cotangents: {given}, primal output: {expected}"
    )


def func_primals(name: str) -> RuntimeError:
    return RuntimeError(f"{name}: Expected primals to be a tuple. E.g. it should be valid to call f(*primals).")


def func_no_primals(name: str) -> RuntimeError:
    return RuntimeError(f"{name}: Expected primals to contain at least one Tensor.")


def func_primal_type(name: str, what: str, value: object) -> RuntimeError:
    """``what``: primals or tangents."""
    return RuntimeError(f"{name}: Expected {what} to only contain Tensors, got {type(value)}")


def func_tangents(name: str, primals: object, tangents: object) -> RuntimeError:
    return RuntimeError(
        f"{name}: Expected primals and tangents to have the same python structure. For example, if primals is a tuple "
        f"of 3 tensors, tangents also must be. Got primals with structure {primals} and tangents with structure "
        f"{tangents}"
    )


def forward_gradient_size(primal: tuple[int, ...], tangent: tuple[int, ...]) -> RuntimeError:
    return RuntimeError(
        "Trying to set a forward gradient that has a different size than that of the original Tensor, this is not "
        f"supported. Tensor is of size {list(primal)} while the given forward gradient is of size {list(tangent)}."
    )


def func_linear_structure(tangents: object, primals: object) -> RuntimeError:
    return RuntimeError(f"Expected the tangents {tangents} to have the same argspec as the primals {primals}")


def func_linear_shape(place: int, given: tuple[int, ...], expected: tuple[int, ...]) -> RuntimeError:
    return RuntimeError(
        f"tangent:{place} with shape torch.Size({list(given)}) in flattened pytree doesn't match the shape "
        f"torch.Size({list(expected)}) of the corresponding primal."
    )


def func_linear_dtype(place: int, given: object, expected: object) -> RuntimeError:
    return RuntimeError(
        f"tangent:{place} with dtype {given} in flattened pytree doesn't match the dtype {expected} of the "
        "corresponding primal."
    )


def func_independent() -> RuntimeError:
    return RuntimeError(
        "jvp(f, primals, tangents, strict=True): The output of f is independent of the inputs. This is not allowed "
        "with strict=True."
    )


def jacobian_complex(function: str, what: str, place: int) -> RuntimeError:
    """``what``: input or output."""
    return RuntimeError(
        f"{function}: Expected all {what}s to be real but received complex tensor at flattened input idx: {place}"
    )


def func_chunk_size() -> ValueError:
    return ValueError("jacrev: `chunk_size` should be greater than 0.")


def functionalize_remove(remove: object) -> RuntimeError:
    return RuntimeError(
        f"functionalize(f, remove='mutations'): received invalid argument for remove={remove}. Valid options are:\n"
        "     remove='mutations': all inplace and out= operators will be removed from the program, and replaced with "
        "their out-of-place equivalents.\n"
        "     remove='mutations_and_views': In addition to the above, all aliasing operators {view} will be replaced "
        "with their non-aliasing counterparts, {view}_copy.\n"
    )


# --- vmap


def vmap_sizes(sizes: list[int]) -> ValueError:
    return ValueError(
        f"vmap: Expected all tensors to have the same size in the mapped dimension, got sizes {sizes} for the mapped "
        "dimension"
    )


def vmap_randomness(randomness: object) -> RuntimeError:
    return RuntimeError(f"Only allowed values for randomness are 'error', 'different', or 'same'. Got {randomness}")


def vmap_random() -> RuntimeError:
    return RuntimeError(
        "vmap: called random operation while in randomness error mode. Please either use the 'same' or 'different' "
        "randomness flags on vmap or perform the randomness operation out of vmap"
    )


def vmap_chunk_size(size: int) -> ValueError:
    return ValueError(f"vmap: chunk_size should be None or greater than 0. (got {size})")


def vmap_in_dims_type(name: str, in_dims: object) -> ValueError:
    return ValueError(
        f"vmap({name}, in_dims={in_dims}, ...)(<inputs>): expected `in_dims` to be int or a (potentially nested) tuple "
        f"matching the structure of inputs, got: {type(in_dims)}."
    )


def vmap_no_inputs(name: str) -> ValueError:
    return ValueError(
        f"vmap({name})(<inputs>): got no inputs. Maybe you forgot to add inputs, or you are trying to vmap over a "
        "function with no inputs. The latter is unsupported."
    )


def vmap_in_dims_structure(name: str, in_dims: object, given: object, expected: object) -> ValueError:
    return ValueError(
        f"vmap({name}, in_dims={in_dims}, ...)(<inputs>): in_dims is not compatible with the structure of `inputs`. "
        f"in_dims has structure {given} but inputs has structure {expected}."
    )


def vmap_in_dim_type(name: str, in_dims: object, dim: object) -> ValueError:
    return ValueError(
        f"vmap({name}, in_dims={in_dims}, ...)(<inputs>): Got in_dim={dim} for an input but in_dim must be either an "
        "integer dimension or None."
    )


def vmap_not_tensor(name: str, in_dims: object, dim: int, value: object) -> ValueError:
    return ValueError(
        f"vmap({name}, in_dims={in_dims}, ...)(<inputs>): Got in_dim={dim} for an input but the input is of type "
        f"{type(value)}. We cannot vmap over non-Tensor arguments, please use None as the respective in_dim"
    )


def batched_without_dimension() -> ValueError:
    """``autograd.grad(loss, x, is_grads_batched=True)`` of a single number, whose gradient would be a batch."""
    return ValueError(
        "vmap(vjp, in_dims=0, ...)(<inputs>): Got in_dim=0 for some input, but that input is a Tensor of "
        "dimensionality 0 so expected in_dim to satisfy 0 <= in_dim < 0."
    )


def vmap_in_dim(name: str, in_dims: object, dim: int, ndim: int) -> ValueError:
    return ValueError(
        f"vmap({name}, in_dims={in_dims}, ...)(<inputs>): Got in_dim={dim} for some input, but that input is a Tensor "
        f"of dimensionality {ndim} so expected in_dim to satisfy -{ndim} <= in_dim < {ndim}."
    )


def vmap_nothing_mapped() -> ValueError:
    return ValueError("vmap: Expected at least one Tensor to vmap over")


def vmap_output(name: str, value: object) -> ValueError:
    return ValueError(
        f"vmap({name}, ...): `{name}` must only return Tensors, got type {type(value)}. Did you mean to set out_dims= "
        "to None for output?"
    )


def vmap_out_dims_type(name: str, out_dims: object) -> ValueError:
    return ValueError(
        f"vmap({name}, ..., out_dims={out_dims}): `out_dims` must be an int, None or a python collection of ints "
        "representing where in the outputs the vmapped dimension should appear."
    )


def vmap_out_dims(name: str, out_dims: object, given: object, expected: object) -> ValueError:
    return ValueError(
        f"vmap({name}, ..., out_dims={out_dims})(<inputs>): out_dims is not compatible with the structure of "
        f"`outputs`. out_dims has structure {given} but outputs has structure {expected}."
    )


def vmap_out_dim_none(name: str) -> ValueError:
    return ValueError(f"vmap({name}, ...): `{name}` can not return a BatchedTensor when out_dim is None")


def vmap_item() -> RuntimeError:
    return RuntimeError(
        "vmap: It looks like you're calling .item() on a Tensor. We don't support vmap over calling .item() on a "
        "Tensor, please try to rewrite what you're doing with other operations. If error is occurring somewhere inside "
        "PyTorch internals, please file a bug report."
    )


def vmap_data() -> RuntimeError:
    return RuntimeError("accessing `data` under vmap transform is not allowed")


def vmap_memory() -> RuntimeError:
    return RuntimeError("Cannot access data pointer of Tensor that doesn't have storage")


def vmap_inplace() -> RuntimeError:
    return RuntimeError(
        "vmap: inplace arithmetic(self, *extra_args) is not possible because there exists a Tensor `other` in "
        "extra_args that has more elements than `self`. This happened due to `other` being vmapped over but `self` not "
        "being vmapped over in a vmap. Please try to use out-of-place operators instead of inplace arithmetic. If said "
        "operator is being called inside the PyTorch framework, please file a bug report instead."
    )


def vmap_inplace_random() -> RuntimeError:
    return RuntimeError(
        "vmap: Cannot ask for different inplace randomness on an unbatched tensor. This will appear like same "
        "randomness. If this is necessary for your usage, please file an issue with functorch."
    )


def vmap_same_randomness() -> RuntimeError:
    return RuntimeError(
        "Vmap does not currently support same randomness with a batched tensor input. Please file an issue with "
        "functorch"
    )


def vmap_running_statistics() -> RuntimeError:
    return RuntimeError(
        "Batch norm got a batched tensor as input while the running_mean or running_var, which will be updated in "
        "place, were not batched.\nIf you are using a module and do not need eval mode, please set "
        "`track_running_stats` to be False.If you are using a prebuilt module and do not need eval mode, please see "
        "the functorch website for resources on how to patch your module to work with vmap"
    )


def vmap_batched_gradients() -> RuntimeError:
    """`is_grads_batched` for what a `vmap` has mapped: PyTorch looks for a boolean there."""
    return RuntimeError("Batching rule not implemented for aten::is_nonzero. We could not generate a fallback.")


def vmap_control_flow() -> RuntimeError:
    return RuntimeError(
        "vmap: It looks like you're attempting to use a Tensor in some data-dependent control flow. We don't support "
        "that yet, please file an issue at https://github.com/pytorch/pytorch/issues ."
    )


def vmap_either() -> RuntimeError:
    """A number read, or a branch taken, inside another transform inside vmap."""
    return RuntimeError(
        "vmap: It looks like you're either (1) calling .item() on a Tensor or (2) attempting to use a Tensor in some "
        "data-dependent control flow or (3) encountering this error in PyTorch internals. For (1): we don't support "
        "vmap over calling .item() on a Tensor, please try to rewrite what you're doing with other operations. For "
        "(2): we don't support data-dependent control flow in vmap yet, please file an issue at "
        "https://github.com/pytorch/pytorch/issues . For (3): please file an issue."
    )


def vmap_dynamic(name: str) -> RuntimeError:
    if name == "masked_select":
        return RuntimeError(
            "vmap: Attempted to vmap over `mask` in torch.masked_select(self, mask) We cannot support this because for "
            "each batch this would return a differently shaped Tensor. Please file an issue at "
            "https://github.com/pytorch/pytorch/issues if you need this feature."
        )
    return RuntimeError(
        "vmap: We do not support batching operators that can output dynamic shape. Attempted to vmap over "
        f"aten::{name}. Please file an issue at https://github.com/pytorch/pytorch/issues if you need this feature."
    )


def vmap_mask() -> RuntimeError:
    return RuntimeError(
        "vmap: We do not support batching operators that can support dynamic shape. Attempting to batch over indexing "
        "with a boolean mask."
    )


# --- forward mode


def dual_without_level() -> RuntimeError:
    return RuntimeError(
        "Trying to create a dual Tensor for forward AD but no level exists, make sure to enter_dual_level() first."
    )


def dual_level_number() -> RuntimeError:
    return RuntimeError("Dual level must be a positive number.")


def dual_nested() -> RuntimeError:
    return RuntimeError("Nested forward mode AD is not supported at the moment")


def dual_exit() -> RuntimeError:
    return RuntimeError(
        "Trying to exit a forward AD level that was not the last one that was created. This is not supported."
    )


def dual_dtype(what: str, dtype: object) -> ValueError:
    """``what``: primal or tangent."""
    return ValueError(f"Expected {what} to be floating point or complex, but got: {dtype}")


def dual_again() -> RuntimeError:
    return RuntimeError(
        "Making a dual Tensor based on a Tensor that already has a forward gradient at the same level 0 is not "
        "supported."
    )


def dual_tangent() -> RuntimeError:
    return RuntimeError(
        "Setting a forward grad that itself has a forward gradient at the same level0 is not supported."
    )


def dual_function() -> NotImplementedError:
    return NotImplementedError(
        "You must implement the jvp function for custom autograd.Function to use it with forward mode AD."
    )


def dual_unsupported(name: str) -> NotImplementedError:
    return NotImplementedError(
        f"Trying to use forward AD with {name} that does not support it because it has not been implemented yet.\n"
        "Please file an issue to PyTorch at https://github.com/pytorch/pytorch/issues/new?template=feature-request.yml "
        "so that we can prioritize its implementation or submit a PR adding the implementation to derivatives.yaml"
    )


def dual_out(name: str) -> NotImplementedError:
    return NotImplementedError(
        f"Trying to use forward AD with {name}_out that does not support it because it is an out= function"
    )


def dual_random(name: str) -> NotImplementedError:
    return NotImplementedError(f"The tangent of {name}, which draws random numbers, is not available in Backlight yet")


# --- the rest


def no_gradient_edge() -> RuntimeError:
    return RuntimeError("It is not possible to get the gradient edge for a Tensor that does not require gradients")


def multi_grad_mode(mode: str) -> ValueError:
    return ValueError(f"Expects mode to be one of ('all', 'any') but got {mode}")


def multi_grad_without_graph() -> AssertionError:
    """``register_multi_grad_hook`` of a tensor without a gradient."""
    return AssertionError("Expected gradient function to be set")


def increment_version_type() -> RuntimeError:
    return RuntimeError("increment_version expect a Iterable[Tensor] as input")


def increment_version_element() -> RuntimeError:
    return RuntimeError("increment_version expects each element of the iterable to be a tensor")


def gradcheck_no_inputs() -> ValueError:
    return ValueError(
        "gradcheck expects at least one input tensor to require gradient, but none of them have requires_grad=True."
    )


def gradcheck_precision(index: int) -> str:
    return (
        f"Input #{index} requires gradient and is not a double precision floating point or complex. This check will "
        "likely fail if all the inputs are not of double precision floating point or complex. "
    )


def gradcheck_nothing() -> AssertionError:
    return AssertionError("Expected at least one of check_forward_ad or check_backward_ad to be True")


def gradgradcheck_nothing() -> AssertionError:
    return AssertionError("Expected at least one of check_fwd_over_rev or check_rev_over_rev to be True")


def gradcheck_batched_forward() -> AssertionError:
    return AssertionError("Setting check_batched_forward_grad=True requires check_forward_ad to be True")


def gradcheck_overlapping(index: int) -> RuntimeError:
    return RuntimeError(
        f"The {index}th input has a dimension with stride 0. gradcheck only supports inputs that are non-overlapping "
        "to be able to compute the numerical gradients correctly. You should call .contiguous on the input before "
        "passing it to gradcheck."
    )


def gradcheck_not_constant() -> str:
    return "Numerical gradient for function expected to be zero"


def gradcheck_mismatch(
    output: int, position: int, numerical: Any, analytical: Any, part: str | None, forward: bool = False
) -> str:
    """``part`` of complex outputs that was looked at: real or imag."""
    mode = "computed with forward mode " if forward else ""
    word = {None: "", "real": "real", "imag": "imaginary"}[part]
    prefix = f"While considering the {word} part of complex outputs only, " if word else ""
    return prefix + (
        f"Jacobian {mode}mismatch for output {output} with respect to input {position},\n"
        f"numerical:{numerical}\nanalytical:{analytical}\n"
    )


def gradcheck_slowly(numerical: Any, analytical: Any, difference: float, close: bool) -> str:
    """What follows in fast mode: the whole Jacobians, and advice if they agree."""
    text = (
        "\nThe above quantities relating the numerical and analytical jacobians are computed \n"
        "in fast mode. See: https://github.com/pytorch/pytorch/issues/53876 for more background \n"
        "about fast mode. Below, we recompute numerical and analytical jacobians in slow mode:\n\n"
        f"Numerical:\n {numerical}\nAnalytical:\n{analytical}\n\n"
        f"The max per-element difference (slow mode) is: {difference}.\n"
    )
    if not close:
        return text
    return text + (
        "Fast gradcheck failed but element-wise differences are small. This means that the\n"
        "test might've passed in slow_mode!\n\n"
        "If you are adding a new operator, please file an issue and then use one of the\n"
        "workarounds. The workaround depends on how your test invokes gradcheck/gradgradcheck:\n\n"
        "If the test\n"
        "- manually invokes gradcheck/gradgradcheck, then call gradcheck/gradgradcheck\n"
        "  with `fast_mode=False` as a keyword argument.\n"
        "- is OpInfo-based (e.g., in test_ops_gradients.py), then modify the OpInfo for the test\n"
        "  to have `gradcheck_fast_mode=False`\n"
        "- is a Module test (e.g., in common_nn.py), then modify the corresponding\n"
        "  module_test entry to have `gradcheck_fast_mode=False`"
    )


def gradcheck_not_reentrant(tolerance: float) -> str:
    return (
        "Backward is not reentrant, i.e., running backward with same input and grad_output multiple times gives "
        "different values, although analytical gradient matches numerical gradient."
        f"The tolerance for nondeterminism was {tolerance}.\n\n"
        "NOTE: If your op relies on non-deterministic operations i.e., it is listed here:\n"
        "https://pytorch.org/docs/stable/generated/torch.use_deterministic_algorithms.html\n"
        "this failure might be expected.\n\n"
        "If you are adding a new operator, please file an issue and then use one of the\n"
        "workarounds. The workaround depends on how your test invokes gradcheck/gradgradcheck.\n"
        "If the test\n"
        "- manually invokes gradcheck/gradgradcheck, then call gradcheck/gradgradcheck\n"
        "  with `nondet_tol=<tol>` as a keyword argument.\n"
        "- is OpInfo-based (e.g., in test_ops_gradients.py), then modify the OpInfo for the test\n"
        "  to have `gradcheck_nondet_tol=<tol>`.\n"
        "- is a Module test (e.g., in common_nn.py), then modify the corresponding\n"
        "  module_test entry to have `gradcheck_nondet_tol=<tol>`\n"
    )


def gradcheck_not_alike(what: str, at: str, eps: float, first: object, second: object) -> AssertionError:
    return AssertionError(
        f"Expected `func` to return outputs with the same {what} when inputs are perturbed {at}by {eps}, but got: "
        f"{what}s {first} and {second}."
    )


def gradcheck_not_multiplied() -> str:
    return "backward not multiplied by grad_output"


def gradcheck_undefined_raised() -> str:
    return (
        'Expected backward function to handle undefined output grads. Please look at "Notes about undefined output '
        'gradients" in "tools/autograd/derivatives.yaml"'
    )


def gradcheck_undefined() -> str:
    return (
        "Expected all input grads to be undefined or zero when all output grads are undefined or zero. Please look at "
        '"Notes about undefined output gradients" in "tools/autograd/derivatives.yaml"'
    )


def tree_leaves(given: int, wanted: int, spec: object) -> ValueError:
    return ValueError(
        f"treespec.unflatten(leaves): `leaves` has length {given} but the spec refers to a pytree that holds {wanted} "
        f"items ({spec})."
    )


def tree_node_type(wanted: str, got: str, builtin: bool) -> ValueError:
    return ValueError(f"{'Node type' if builtin else 'Type'} mismatch; expected {wanted}, but got {got}.")


def tree_node_arity(wanted: int, got: int) -> ValueError:
    return ValueError(f"Node arity mismatch; expected {wanted}, but got {got}.")


def tree_node_keys(missing: str, extra: str) -> ValueError:
    told = (f"; missing key(s): {missing}" if missing else "") + (f"; extra key(s): {extra}" if extra else "")
    return ValueError(f"Node keys mismatch{told}.")


def tree_node_context(kind: str, wanted: str, got: str, builtin: bool) -> ValueError:
    if not builtin:
        return ValueError(f"Node context mismatch for custom node type {kind}.")
    return ValueError(f"Node context mismatch for node type {kind}; expected {wanted}, but got {got}.")


def tree_without_keys(kind: object) -> ValueError:
    return ValueError(
        f"Did not find a flatten_with_keys_fn for type: {kind}. Please pass a flatten_with_keys_fn argument to "
        "register_pytree_node."
    )


def tree_registered(cls: object) -> ValueError:
    return ValueError(f"{cls} is already registered as pytree node.")


def tree_spec(value: object) -> TypeError:
    return TypeError(f"Expected `treespec` to be an instance of PyTreeSpec but got item of type {type(value)}.")
