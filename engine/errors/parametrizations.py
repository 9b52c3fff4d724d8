"""Errors and warnings of `torch.nn.utils` (parametrizations, pruning, stateless calls) and of lazy modules."""

from __future__ import annotations

from collections.abc import Sequence

from engine.errors.warnings import warn

# --- parametrize


def no_parametrizations() -> ValueError:
    return ValueError("ParametrizationList requires one or more modules.")


def parametrization_target(module: object, name: str) -> ValueError:
    return ValueError(
        f"Module '{module}' does not have a parameter, a buffer, or a parametrized element with name '{name}'"
    )


def parametrization_type(got: str) -> ValueError:
    return ValueError(f"A parametrization must return a tensor. Got {got}.")


def parametrization_changes(what: str, before: object, after: object) -> ValueError:
    """``what``: shape or dtype."""
    return ValueError(
        f"Registering a parametrization may not change the {what} of the tensor, unless `unsafe` flag is enabled.\n"
        f"unparametrized {what}: {before}\nparametrized {what}: {after}"
    )


def next_parametrization_changes(what: str, name: str, before: object, after: object) -> ValueError:
    return ValueError(
        f"Registering a parametrization may not change the {what} of the tensor, unless the `unsafe` flag is enabled.\n"
        f"module.{name}.{what}: {before}\nparametrization(module.{name}).{what}: {after}"
    )


def next_inverse_type(got: str) -> ValueError:
    return ValueError(f"parametrization.right_inverse must return a tensor. Got: {got}")


def next_inverse_changes(what: str, name: str, before: object, after: object) -> ValueError:
    return ValueError(
        f"The tensor returned by parametrization.right_inverse must have the same {what} as module.{name}, unless the "
        f"`unsafe` flag is enabled.\nmodule.{name}.{what}: {before}\nreturned {what}: {after}"
    )


def right_inverse_type(got: str) -> ValueError:
    return ValueError(
        f"'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). Got {got}"
    )


def right_inverse_part(index: int, got: str) -> ValueError:
    return ValueError(
        "'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). "
        f"Got element {index} of the sequence with type {got}."
    )


def right_inverse_dtype(before: object, after: object) -> ValueError:
    return ValueError(
        "When `right_inverse` outputs one tensor, it may not change the dtype.\n"
        f"original.dtype: {before}\nright_inverse(original).dtype: {after}"
    )


def no_right_inverse(name: str) -> RuntimeError:
    return RuntimeError(f"parametrization {name} does not implement right_inverse.")


def right_inverse_tensor(got: str) -> ValueError:
    return ValueError(f"`right_inverse` should return a tensor. Got {got}")


def right_inverse_assigned_dtype(got: object, expected: object) -> ValueError:
    return ValueError(f"The tensor returned by `right_inverse` has dtype {got} while `original` has dtype {expected}")


def right_inverse_sequence(got: str) -> ValueError:
    return ValueError(f"'right_inverse' must return a sequence of tensors. Got {got}.")


def right_inverse_count(expected: int, got: int) -> ValueError:
    return ValueError(
        f"'right_inverse' must return a sequence of tensors of length {expected}. Got a sequence of length {got}."
    )


def not_parametrized(module: object, name: str) -> ValueError:
    return ValueError(f"Module {module} does not have a parametrization on {name}")


def parametrized_by_several() -> ValueError:
    return ValueError(
        "Cannot leave unparametrized (`leave_parametrized=False`) a tensor that is parametrized in terms of a sequence "
        "of tensors."
    )


# --- orthogonal matrices and norms of weights


def no_such_tensor(module: object, name: str) -> ValueError:
    return ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")


def orthogonal_dimensions(ndim: int) -> ValueError:
    return ValueError(f"Expected a matrix or batch of matrices. Got a tensor of {ndim} dimensions.")


def orthogonal_map(got: object) -> ValueError:
    return ValueError(f'orthogonal_map has to be one of "matrix_exp", "cayley", "householder". Got: {got}')


def householder_complex() -> ValueError:
    return ValueError("The householder parametrization does not support complex tensors.")


def orthogonal_shape(expected: object, got: object) -> ValueError:
    return ValueError(
        f"Expected a matrix or batch of matrices of shape {expected}. Got a tensor of shape {got}."
    )


def orthogonal_assigned() -> NotImplementedError:
    return NotImplementedError(
        "It is not possible to assign to the matrix exponential or the Cayley parametrizations when "
        "use_trivialization=False."
    )


def spectral_dim(ndim: int, dim: int) -> IndexError:
    return IndexError(f"Dimension out of range (expected to be in range of [-{ndim}, {ndim - 1}] but got {dim})")


def power_iterations(got: int) -> ValueError:
    return ValueError(f"Expected n_power_iterations to be positive, but got n_power_iterations={got}")


def hook_twice(what: str, name: str) -> RuntimeError:
    """``what``: weight_norm or spectral_norm."""
    return RuntimeError(f"Cannot register two {what} hooks on the same parameter {name}")


def norm_not_found(what: str, name: str, module: object) -> ValueError:
    return ValueError(f"{what} of '{name}' not found in {module}")


def norm_of_lazy(kind: str, what: str) -> ValueError:
    """``kind``: WeightNorm or SpectralNorm; ``what``: weight or spectral."""
    return ValueError(
        f"The module passed to `{kind}` can't have uninitialized parameters. Make sure to run the dummy forward before "
        f"applying {what} normalization"
    )


def spectral_norm_of_none(name: str) -> ValueError:
    return ValueError(f"`SpectralNorm` cannot be applied as parameter `{name}` is None")


def warn_weight_norm() -> None:
    warn(
        FutureWarning,
        "`torch.nn.utils.weight_norm` is deprecated in favor of `torch.nn.utils.parametrizations.weight_norm`.",
    )


# --- pruning


def pruning_amount_type(amount: object) -> TypeError:
    return TypeError(f"Invalid type for amount: {amount}. Must be int or float.")


def pruning_amount(amount: object) -> ValueError:
    return ValueError(f"amount={amount} should either be a float in the range [0, 1] or a non-negative integer")


def pruning_amount_size(amount: object, size: int) -> ValueError:
    return ValueError(f"amount={amount} should be smaller than the number of parameters to prune={size}")


def pruning_vector(shape: object, ndim: int) -> ValueError:
    return ValueError(
        "Structured pruning can only be applied to multidimensional tensors. "
        f"Found tensor of shape {shape} with {ndim} dims"
    )


def pruning_dim(dim: int, shape: object) -> IndexError:
    return IndexError(f"Invalid index {dim} for tensor of size {shape}")


def pruning_dim_sum(dim: int, ndim: int) -> IndexError:
    return IndexError(f"Index is out of bounds for tensor with dimensions {ndim}: {dim}")


def pruning_type(got: object) -> ValueError:
    return ValueError(f"Unrecognized PRUNING_TYPE {got}")


def pruning_without_dim() -> AttributeError:
    return AttributeError(
        'Pruning methods of PRUNING_TYPE "structured" need to have the attribute `dim` defined.'
    )


def not_a_pruning_method(kind: object) -> TypeError:
    return TypeError(f"{kind} is not a BasePruningMethod subclass")


def pruning_other_tensor(name: object, container: object, other: object) -> ValueError:
    return ValueError(
        "Can only add pruning methods acting on the parameter named "
        f"'{name}' to PruningContainer {container}. Found '{other}'"
    )


def prune_first(module: object) -> AssertionError:
    return AssertionError(f"Module {module} has to be pruned")


def prune_before_remove(module: object) -> AssertionError:
    return AssertionError(f"Module {module} has to be pruned            before pruning can be removed")


def not_pruned(name: str, module: object) -> ValueError:
    return ValueError(f"Parameter '{name}' of module {module} has to be pruned before pruning can be removed")


def importance_shape(what: str, got: object, expected: object) -> AssertionError:
    """``what``: ``tensor t`` or ``parameter weight of Linear(…)``."""
    return AssertionError(f"importance_scores should have the same shape as {what}, got {got} vs {expected}")


def pruning_mask_shape(default: object, mask: object) -> AssertionError:
    return AssertionError(f"default_mask shape {default} must match self.mask shape {mask}")


def global_pruning_type() -> TypeError:
    return TypeError("global_unstructured(): parameters is not an Iterable")


def global_pruning_scores() -> TypeError:
    return TypeError("global_unstructured(): importance_scores must be of type dict")


def global_pruning_method(method: object, kind: object) -> TypeError:
    return TypeError(
        'Only "unstructured" PRUNING_TYPE supported for the `pruning_method`. '
        f"Found method {method} of type {kind}"
    )


# --- stateless calls


def functional_call_dicts(kind: type) -> ValueError:
    return ValueError(
        f"Expected parameter_and_buffer_dicts to be a dict, or a list/tuple of dicts, but got {kind}"
    )


def functional_call_repeated(keys: Sequence[str]) -> ValueError:
    return ValueError(f"{list(keys)} appeared in multiple dictionaries; behavior of functional call is ambiguous")


def functional_call_tied(keys: Sequence[str]) -> ValueError:
    return ValueError(
        f"functional_call got multiple values for keys {list(keys)}, which are tied. Consider using tie_weights=False"
    )


def functional_call_strict(kind: str, missing: Sequence[str], unexpected: Sequence[str]) -> RuntimeError:
    lines = [
        f"\n\t{what} key(s): {', '.join(map(repr, keys))}."
        for what, keys in (("Unexpected", unexpected), ("Missing", missing))
        if keys
    ]
    return RuntimeError(f"Error(s) in reparametrizing for {kind}:{''.join(lines)}")


def functional_call_path(kind: str, name: str) -> AttributeError:
    return AttributeError(f"{kind} has no attribute `{name}`")


def functional_call_value(value: object) -> TypeError:
    return TypeError(f"{value} is not an instance of torch.Tensor")


def functional_call_target(name: str, value: object) -> TypeError:
    return TypeError(f"attribute `{name}`: {value} is not an instance of torch.Tensor")


def functional_call_parts() -> ValueError:
    return ValueError("Expected all elements of parameter_and_buffer_dicts to be dictionaries")


def skip_init_class(kind: type) -> RuntimeError:
    return RuntimeError(f"Expected a Module; got {kind}")


def no_models() -> RuntimeError:
    return RuntimeError("stack_module_state: Expected at least one model, got 0.")


def models_mode() -> RuntimeError:
    return RuntimeError("stack_module_state: Expected all models to have the same training/eval mode.")


def models_class() -> RuntimeError:
    return RuntimeError("stack_module_state: Expected all models to be of the same class.")


def models_requires_grad(name: str) -> RuntimeError:
    return RuntimeError(
        f"Expected {name} from each model to have the same .requires_grad"
    )


def warn_stateless() -> None:
    warn(
        FutureWarning,
        "`torch.nn.utils.stateless.functional_call` is deprecated as of PyTorch 2.0 and will be removed in a future "
        "version of PyTorch. Please use `torch.func.functional_call` instead which is a drop-in replacement.",
    )


# --- fusion and kernels of attention


def fusion_training() -> AssertionError:
    return AssertionError("Fusion only for eval!")


def fusion_features() -> AssertionError:
    return AssertionError(
        "To fuse, linear.out_features == bn.num_features or bn.num_features == 1"
    )


def sdpa_backends() -> AssertionError:
    return AssertionError("Backend must be an instance of SDPBackend or a list of SDPBackend instances")


def no_attention_kernel() -> RuntimeError:
    return RuntimeError(
        "No viable backend for scaled_dot_product_attention was found. This is likely due to turning off both the math "
        "kernel and the fused kernels."
    )


# --- lazy modules


def uninitialized(operation: str) -> ValueError:
    return ValueError(
        f"Attempted to use an uninitialized parameter in {operation}. This error happens when you are using a "
        "`LazyModule` or explicitly manipulating `torch.nn.parameter.UninitializedParameter` objects. When using "
        "LazyModules Call `forward` with a dummy batch to initialize the parameters before calling torch functions"
    )


def uninitialized_shape() -> RuntimeError:
    return RuntimeError(
        "Can't access the shape of an uninitialized parameter or buffer. This error usually happens in "
        "`load_state_dict` when trying to load an uninitialized parameter into an initialized one. Call `forward` to "
        "initialize the parameters before accessing their attributes."
    )


def lazy_initialize(name: str) -> NotImplementedError:
    return NotImplementedError(f"initialize_parameters is not implemented for {name}")


def lazy_not_initialized(name: str) -> RuntimeError:
    return RuntimeError(f"module {name} has not been fully initialized")


def lazy_conv_input(unbatched: int, batched: int, name: str, size: object) -> RuntimeError:
    return RuntimeError(
        f"Expected {unbatched}D (unbatched) or {batched}D (batched) input to {name}, but got input of size: {size}"
    )


# --- adaptive softmax


def cutoffs_empty() -> ValueError:
    return ValueError("cutoffs should be a sequence of length larger than 0")


def cutoffs_order() -> ValueError:
    return ValueError(
        "cutoffs should be a sequence of unique, positive integers sorted in an increasing order, where each value is "
        "between 1 and n_classes-1"
    )


def adaptive_batch() -> RuntimeError:
    return RuntimeError("Input and target should have the same size in the batch dimension.")


def adaptive_input(target: str, dims: str, size: object) -> RuntimeError:
    return RuntimeError(f"{target} target tensor expects {dims} input tensors, but found inputs with size", size)


def adaptive_target() -> RuntimeError:
    return RuntimeError("0D or 1D target tensor expected, multi-target not supported")


def adaptive_range(highest: int, low: object, high: object) -> RuntimeError:
    return RuntimeError(
        f"Target values should be in [0, {highest}], but values in range [{low}, {high}] were found. "
    )
