"""nn.Module, containers, initialisation, optimizers and schedulers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.errors.arguments import type_name


def lr_lambda_type(function: object) -> TypeError:
    """``MultiplicativeLR``."""
    return TypeError(f"lr_lambda should be a function, but got {type(function).__name__}")


def module_without_forward(class_name: str) -> NotImplementedError:
    return NotImplementedError(f'Module [{class_name}] is missing the required "forward" function')


def module_arguments(class_name: str, args: Sequence[object], kwargs: Mapping[str, object]) -> TypeError:
    """`Module.__init__` takes nothing, and says so under the name of the class that was called."""
    for key in kwargs:
        return TypeError(f"{class_name}.__init__() got an unexpected keyword argument '{key}'")
    return TypeError(f"{class_name}.__init__() takes 1 positional argument but {len(args) + 1} were given")


def huber_delta(got: object) -> TypeError:
    return TypeError(f"delta must be a float or int, got: {type(got)}")


def hardtanh_range(low: object, high: object) -> AssertionError:
    return AssertionError(f"max_val ({high}) must be greater than min_val ({low})")


def vector_type(got: object) -> TypeError:
    return TypeError(f"expected torch.Tensor, but got: {type_name(got)}")


def unflattened_size(got: object) -> TypeError:
    return TypeError(f"unflattened_size must be a tuple of ints, but found type {type_name(got)}")


def unflattened_item(got: object, index: int) -> TypeError:
    return TypeError(
        f"unflattened_size must be tuple of ints, but found element of type {type(got).__name__} at pos {index}"
    )


def module_before_init(what: str) -> AttributeError:
    """``what``: ``module``, ``parameters``, ``parameter`` or ``buffer``."""
    return AttributeError(f"cannot assign {what} before Module.__init__() call")


def parameter_assigned(value_type: str, name: str) -> TypeError:
    """``value_type``: ``int`` or, of a tensor, ``torch.FloatTensor``."""
    return TypeError(f"cannot assign '{value_type}' as parameter '{name}' (torch.nn.Parameter or None expected)")


def adam_betas() -> ValueError:
    return ValueError("betas must be either both floats or both Tensors")


def child_assigned(value_type: str, name: str) -> TypeError:
    return TypeError(f"cannot assign '{value_type}' as child module '{name}' (torch.nn.Module or None expected)")


def buffer_not_persistent() -> RuntimeError:
    return RuntimeError(
        "Registering a non-persistent buffer on a Module subclass that implements register_buffer() without the "
        "persistent argument is not allowed."
    )


def buffer_assigned(value_type: str, name: str) -> TypeError:
    return TypeError(
        f"cannot assign '{value_type}' as buffer '{name}' (torch.nn.Buffer, torch.Tensor or None expected)"
    )


def parameter_registered(value_type: str, name: str) -> TypeError:
    return TypeError(
        f"cannot assign '{value_type}' object to parameter '{name}' (torch.nn.Parameter or None required)"
    )


def parameter_registered_non_leaf(name: str) -> ValueError:
    return ValueError(
        f"Cannot assign non-leaf Tensor to parameter '{name}'. Model parameters must be created explicitly. To express "
        f"'{name}' as a function of another Tensor, compute the value in the forward() method."
    )


def buffer_registered(value_type: str, name: str) -> TypeError:
    return TypeError(f"cannot assign '{value_type}' object to buffer '{name}' (torch Tensor or None required)")


def registered_name_type(what: str, value_type: str) -> TypeError:
    return TypeError(f"{what} name should be a string. Got {value_type}")


def registered_name_dot(what: str, name: str) -> KeyError:
    """``what``: ``parameter``, ``buffer`` or ``module``."""
    got = f", got: {name}" if what == "module" else ""
    return KeyError(f'{what} name can\'t contain "."{got}')


def registered_name_empty(what: str) -> KeyError:
    return KeyError(f'{what} name can\'t be empty string ""')


def registered_name_taken(name: str) -> KeyError:
    return KeyError(f"attribute '{name}' already exists")


def not_a_module(type_name: str) -> TypeError:
    """``type_name``: ``int`` or, of a tensor, ``torch.FloatTensor``."""
    return TypeError(f"{type_name} is not a Module subclass")


def not_an_nn_module(name: str) -> AttributeError:
    return AttributeError(f"`{name}` is not an nn.Module")


def not_an_nn_parameter(name: str) -> AttributeError:
    return AttributeError(f"`{name}` is not an nn.Parameter")


def not_a_buffer(name: str) -> AttributeError:
    return AttributeError(f"`{name}` is not a buffer")


def empty_submodule_path() -> ValueError:
    return ValueError("Cannot set the submodule without a target name!")


def extra_state(verb: str) -> RuntimeError:
    """``verb``: ``get`` or ``set``."""
    return RuntimeError(
        f"Reached a code path in Module.{verb}_extra_state() that should never be called. Please file an issue at "
        "https://github.com/pytorch/pytorch/issues/new?template=bug-report.yml to report this bug."
    )


def pre_hook_with_kwargs(returned: object) -> RuntimeError:
    return RuntimeError(f"forward pre-hook must return None or a tuple of (new_args, new_kwargs), but got {returned}.")


def parameter_dict_key(key: object) -> TypeError:
    return TypeError(
        "Index given to ParameterDict cannot be used as a key as it is not a string"
        f" (type is '{type(key).__name__}'). Open an issue on github if you need non-string keys."
    )


def module_index(index: int) -> IndexError:
    """``Sequential``, ``ModuleList``."""
    return IndexError(f"index {index} is out of range")


def no_member(class_name: str, name: str) -> AttributeError:
    """``get_parameter``, ``get_submodule``."""
    return AttributeError(f"{class_name} has no attribute `{name}`")


def training_mode() -> ValueError:
    return ValueError("training mode is expected to be boolean")


def module_dtype(dtype: object) -> TypeError:
    return TypeError(
        f"nn.Module.to only accepts floating point or complex dtypes, but got desired dtype={dtype!r}"
    )


def state_dict_type(value: object) -> TypeError:
    return TypeError(f"Expected state_dict to be dict-like, got {type(value)}.")


def state_dict_mismatch(class_name: str, problems: Sequence[str]) -> RuntimeError:
    """``problems``: from :func:`state_dict_missing`, :func:`state_dict_unexpected`, :func:`state_dict_size`."""
    return RuntimeError(f"Error(s) in loading state_dict for {class_name}:\n\t" + "\n\t".join(problems))


def state_dict_unexpected(keys: Sequence[str]) -> str:
    return "Unexpected key(s) in state_dict: {}. ".format(", ".join(f'"{key}"' for key in keys))


def state_dict_missing(keys: Sequence[str]) -> str:
    return "Missing key(s) in state_dict: {}. ".format(", ".join(f'"{key}"' for key in keys))


def state_dict_size(key: str, given: Sequence[int], current: Sequence[int]) -> str:
    return (
        f"size mismatch for {key}: copying a param with shape torch.Size({list(given)}) from checkpoint, the shape in "
        f"current model is torch.Size({list(current)})."
    )


def state_dict_copying(key: str, current: Sequence[int], given: Sequence[int], why: tuple[object, ...]) -> str:
    return (
        f'While copying the parameter named "{key}", whose dimensions in the model are torch.Size({list(current)}) and '
        f"whose dimensions in the checkpoint are torch.Size({list(given)}), an exception occurred : {why}."
    )


def load_hook_returned() -> AssertionError:
    return AssertionError(
        "Hooks registered with ``register_load_state_dict_post_hook`` are not expected to return new values, if "
        "incompatible_keys need to be modified, it should be done inplace."
    )


def state_dict_not_tensor(key: str, given: object) -> str:
    return (
        f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like object from checkpoint but '
        f"received {type(given)}"
    )


def backward_hooks_mixed() -> RuntimeError:
    return RuntimeError(
        "Cannot use both regular backward hooks and full backward hooks on a single Module. Please use only one of "
        "them."
    )


def backward_hook_count(got: int, expected: int) -> RuntimeError:
    return RuntimeError(
        f"Backward hook returned an invalid number of grad_input, got {got}, but expected {expected}"
    )


def backward_pre_hook_count(got: int, expected: int) -> RuntimeError:
    return RuntimeError(
        f"Backward pre hook returned an invalid number of grad_output, got {got}, but expected {expected}"
    )


def backward_hook_returned_gradients() -> RuntimeError:
    return RuntimeError(
        "Backward hook for Modules where no input requires gradient should always return None or None for all "
        "gradients."
    )


def no_gradient_to_clip() -> RuntimeError:
    """``clip_grad_value_`` of parameters none of which has a gradient."""
    return RuntimeError(
        "Expected !nested_tensorlist[0].empty() to be true, but got false.  (Could this error message be improved?  If "
        "so, please report an enhancement request to PyTorch.)"
    )


def non_finite_norm(norm_type: float) -> RuntimeError:
    """``clip_grad_norm_(error_if_nonfinite=True)``."""
    return RuntimeError(
        f"The total norm of order {norm_type} for gradients from `parameters` is non-finite, so it cannot be clipped. "
        "To disable this error and scale the gradients by the non-finite norm anyway, set `error_if_nonfinite=False`"
    )


# --- transformers


def transformer_activation(name: object) -> RuntimeError:
    return RuntimeError(f"activation should be relu/gelu, not {name}")


def transformer_batch() -> RuntimeError:
    return RuntimeError("the batch number of src and tgt must be equal")


def transformer_features() -> RuntimeError:
    return RuntimeError("the feature number of src and tgt must be equal to d_model")


# --- containers


def sequential_operand(other: object) -> ValueError:
    return ValueError(f"add operator supports only objects of Sequential class, but {type(other)} is given.")


def sequential_factor(other: object) -> TypeError:
    return TypeError(
        "unsupported operand type(s) for *: <class 'torch.nn.modules.container.Sequential'> and " + str(type(other))
    )


def sequential_factor_negative(factor: int) -> ValueError:
    return ValueError(
        f"Non-positive multiplication factor {factor} for <class 'torch.nn.modules.container.Sequential'>"
    )


def sequential_insert() -> AssertionError:
    return AssertionError("module should be of type: <class 'torch.nn.modules.module.Module'>")


def insert_range(index: int) -> IndexError:
    return IndexError(f"Index out of range: {index}")


def not_iterable(method: str, expected: str, got: object) -> TypeError:
    return TypeError(f"{method} should be called with {expected}, but got {type(got).__name__}")


def update_element(container: str, index: int, got: object) -> TypeError:
    # The missing space is PyTorch's.
    return TypeError(f"{container} update sequence element #{index} should be Iterable; is{type(got).__name__}")


def update_length(container: str, index: int, length: int) -> ValueError:
    return ValueError(f"{container} update sequence element #{index} has length {length}; 2 is required")


def not_callable(container: str) -> RuntimeError:
    return RuntimeError(f"{container} should not be called.")


# --- init


def negative_slope(value: object) -> ValueError:
    return ValueError(f"negative_slope {value} not a valid number")


def init_kernel_dimensions() -> ValueError:
    return ValueError("Only tensors with 3, 4, or 5 dimensions are supported")


def init_groups() -> ValueError:
    return ValueError("dim 0 must be divisible by groups")


def fan_dimensions() -> ValueError:
    return ValueError("Fan in and fan out can not be computed for tensor with fewer than 2 dimensions")


def fan_mode(mode: object) -> ValueError:
    return ValueError(f"Mode {mode} not supported, please use one of ['fan_in', 'fan_out']")


def nonlinearity_unknown(name: object) -> ValueError:
    return ValueError(f"Unsupported nonlinearity {name}")


def init_two_dimensions() -> ValueError:
    return ValueError("Only tensors with 2 dimensions are supported")


def init_two_or_more_dimensions() -> ValueError:
    return ValueError("Only tensors with 2 or more dimensions are supported")


# --- optimizers


def optimizer_non_leaf() -> ValueError:
    return ValueError("can't optimize a non-leaf Tensor")


def optimizer_empty() -> ValueError:
    return ValueError("optimizer got an empty parameter list")


def optimizer_value(what: str, value: object) -> ValueError:
    """``what``: ``learning rate``, ``momentum value``, ``weight_decay value``, ``epsilon value`` …"""
    return ValueError(f"Invalid {what}: {value}")


def optimizer_bound(what: str, bound: str, value: object) -> ValueError:
    """``bound``: ``>= 0`` and the like."""
    return ValueError(f"{what} should be {bound} but is: {value}")


def muon_adjust(name: object) -> ValueError:
    return ValueError(f"Adjust learning rate function {name} is not supported")


def muon_dimensions(size: object) -> ValueError:
    return ValueError(f"Muon only supports 2D parameters whereas we found a parameter with size: {size}")


def muon_steps() -> ValueError:
    return ValueError("Number of steps must be less than 100 for computational efficiency")


def muon_coefficients() -> ValueError:
    return ValueError("Coefficients must be a tuple of exactly 3 values")


def sparse_adam_dense() -> RuntimeError:
    return RuntimeError("SparseAdam does not support dense gradients, please consider Adam instead")


def ema_decay(decay: float) -> ValueError:
    return ValueError(f"Invalid decay value {decay} provided. Please provide a value in [0,1] range.")


def averages_given() -> AssertionError:
    return AssertionError("Only one of avg_fn and multi_avg_fn should be provided")


def anneal_strategy_of_swa(got: object) -> ValueError:
    return ValueError(f"anneal_strategy must be one of 'cos' or 'linear', instead got {got}")


def anneal_epochs(got: object) -> ValueError:
    return ValueError(f"anneal_epochs must be equal or greater than 0, got {got}")


def optimizer_beta(index: int, value: float) -> ValueError:
    return ValueError(f"Invalid beta parameter at index {index}: {value}")


def nesterov() -> ValueError:
    return ValueError("Nesterov momentum requires a momentum and zero dampening")


def optimizer_single_tensor(tensor_type: str) -> TypeError:
    """A tensor where a list of them belongs."""
    return TypeError(
        "params argument given to the optimizer should be an iterable of Tensors or dicts, but got " + tensor_type
    )


def optimizer_not_tensor(kind: str) -> TypeError:
    return TypeError(f"optimizer can only optimize Tensors, but one of the params is {kind}")


def optimizer_set() -> TypeError:
    return TypeError(
        "optimizer parameters need to be organized in ordered collections, but the ordering of tensors in sets will "
        "change between runs. Please use a list instead."
    )


def optimizer_group_type(value: object) -> TypeError:
    return TypeError(f"param_group must be a dict, but got {type(value)}")


def optimizer_names(named: bool) -> ValueError:
    return ValueError(
        "all optimizer param groups should be with/without names. cannot add param group "
        f"{'with' if named else 'without'} names to the optimizer"
    )


def optimizer_names_missing() -> ValueError:
    return ValueError("all optimizer params should be with/without names. Some param names are missing")


def optimizer_capturable(what: str, devices: tuple[str, ...]) -> AssertionError:
    """``what``: ``params and``, or more of what an optimizer keeps on the device."""
    return AssertionError(f"If capturable=True, {what} state_steps must be on supported devices: {list(devices)}.")


def adam_lr_foreach() -> ValueError:
    return ValueError("lr as a Tensor is not supported for capturable=False and foreach=True")


def adam_betas_foreach(place: int) -> ValueError:
    return ValueError(f"betas[{place}] as a Tensor is not supported for capturable=False and foreach=True")


def fused_differentiable() -> RuntimeError:
    return RuntimeError("`fused` does not support `differentiable`")


def fused_foreach() -> RuntimeError:
    return RuntimeError("`fused` and `foreach` cannot be `True` together.")


def optimizer_group_overlap() -> ValueError:
    return ValueError("some parameters appear in more than one parameter group")


def optimizer_lr_tensor() -> ValueError:
    return ValueError("Tensor lr must be 1-element")


def optimizer_state_groups() -> ValueError:
    return ValueError("loaded state dict has a different number of parameter groups")


def lbfgs_groups() -> ValueError:
    return ValueError("LBFGS doesn't support per-parameter options (parameter groups)")


def optimizer_option_required(name: str) -> ValueError:
    return ValueError(f"parameter group didn't specify a value of required optimization parameter {name}")


def optimizer_state_group_size() -> ValueError:
    return ValueError("loaded state dict contains a parameter group that doesn't match the size of optimizer's group")


def group_option(got: object) -> TypeError:
    """A container where an optimizer has a number."""
    return TypeError(f"add(): argument 'alpha' must be Number, not {type(got).__name__}")


def step_pre_hook(optimizer: str, returned: object) -> RuntimeError:
    return RuntimeError(
        f"<function {optimizer}.step at 0xADDR> must return None or a tuple of (new_args, new_kwargs), but got "
        f"{returned}."
    )


def lbfgs_line_search() -> RuntimeError:
    return RuntimeError("only 'strong_wolfe' is supported")


# --- schedulers


def per_group_length(name: str, values: int, groups: int) -> ValueError:
    return ValueError(
        f"{name} must have the same length as optimizer.param_groups. {name} has {values} values, param_groups has "
        f"{groups}."
    )


def scheduler_initial_lr(index: int) -> KeyError:
    return KeyError(
        f"param 'initial_lr' is not specified in param_groups[{index}] when resuming scheduler with last_epoch >= 0.\n"
        "This typically happens when:\n"
        "1. You're trying to resume training from a checkpoint but haven't properly loaded the optimizer state\n"
        "2. You're using last_epoch >= 0 for a fresh training run (not recommended)"
    )


def schedulers_empty(class_name: str, purpose: str) -> ValueError:
    return ValueError(f"{class_name} expects at least one scheduler{purpose}, but got no scheduler.")


def scheduler_without_optimizer(class_name: str, index: int) -> TypeError:
    return TypeError(f"{class_name} at index {index} should have `optimizer` as its attribute.")


def scheduler_plateau(class_name: str, index: int) -> ValueError:
    return ValueError(
        f"{class_name} does not support `ReduceLROnPlateau` scheduler as it requires additional kwargs to be specified "
        f"when calling `step`, but got one at index {index} in the given schedulers sequence."
    )


def scheduler_other_optimizer(
    class_name: str, scheduler: str, index: int, expected: object, got: object
) -> ValueError:
    return ValueError(
        f"{class_name} expects all schedulers to belong to the same optimizer, but got scheduler {scheduler} at index "
        f"{index} has {got}, which is different from {type(expected).__name__}."
    )


def sequential_milestones(schedulers: int, milestones: int) -> ValueError:
    return ValueError(
        "Sequential Schedulers expects number of schedulers provided to be one more than the number of milestone "
        f"points, but got number of schedulers {schedulers} and the number of milestones to be equal to {milestones}"
    )


def constant_factor() -> ValueError:
    return ValueError("Constant multiplicative factor expected to be between 0 and 1.")


def linear_start_factor() -> ValueError:
    return ValueError("Starting multiplicative factor expected to be greater than 0 and less or equal to 1.")


def linear_end_factor() -> ValueError:
    return ValueError("Ending multiplicative factor expected to be between 0 and 1.")


def plateau_min_lrs(expected: int, got: int) -> ValueError:
    return ValueError(f"expected {expected} min_lrs, got {got}")


def plateau_threshold_mode(mode: object) -> ValueError:
    return ValueError(f"threshold mode {mode} is unknown!")


def plateau_groups_changed(now: int, before: int) -> RuntimeError:
    return RuntimeError(
        f"The number of param groups in the `optimizer` ({now}) differs from when `ReduceLROnPlateau` was initialized "
        f"({before}), usually due to a new param group being added to the optimizer. Please modify the `min_lrs` field "
        "to match the length of the `optimizer` param groups."
    )


def cycle_momentum() -> ValueError:
    return ValueError("optimizer must support momentum or beta1 with `cycle_momentum` option enabled")


def cyclic_mode() -> ValueError:
    return ValueError("mode is invalid and scale_fn is None")


def positive_integer(name: str, value: object) -> ValueError:
    return ValueError(f"Expected positive integer {name}, but got {value}")


def restart_factor(value: object) -> ValueError:
    return ValueError(f"Expected integer T_mult >= 1, but got {value}")


def restart_minimum(value: object) -> ValueError:
    return ValueError(f"Expected float or int eta_min, but got {value} of type {type(value)}")


def restart_epoch(epoch: object) -> ValueError:
    return ValueError(f"Expected non-negative epoch, but got {epoch}")


def one_cycle_start(value: object) -> ValueError:
    return ValueError(f"Expected float between 0 and 1 pct_start, but got {value}")


def one_cycle_strategy(value: object) -> ValueError:
    return ValueError(f"anneal_strategy must be one of 'cos' or 'linear', instead got {value}")


def one_cycle_over(step: int, total: int) -> ValueError:
    return ValueError(f"Tried to step {step} times. The specified number of total steps is {total}")


def not_an_optimizer(value: object) -> TypeError:
    return TypeError(f"{type(value).__name__} is not an Optimizer")


def one_cycle_steps() -> ValueError:
    return ValueError("You must define either total_steps OR (epochs AND steps_per_epoch)")


def lambda_count(expected: int, got: int) -> ValueError:
    return ValueError(f"Expected {expected} lr_lambdas, but got {got}")


def plateau_factor() -> ValueError:
    return ValueError("Factor should be < 1.0.")


def plateau_mode(mode: object) -> ValueError:
    return ValueError(f"mode {mode} is unknown!")


def compile_options() -> RuntimeError:
    return RuntimeError("Either mode or options can be specified, but both can't be specified at the same time.")


def compile_backend(name: str) -> RuntimeError:
    return RuntimeError(f"Invalid backend: {name!r}, see `torch._dynamo.list_backends()` for available backends.")


def compile_of(value: object) -> AssertionError:
    return AssertionError(f"A callable function is expected, but {type(value)} is provided.")


def script_of(value: object) -> TypeError:
    return TypeError(f"{type(value)} is a built-in class")


def trace_inputs() -> RuntimeError:
    return RuntimeError("example_kwarg_inputs should be a dict")


def freeze_training() -> RuntimeError:
    return RuntimeError(
        "Freezing is currently only implemented for modules in eval mode. Please call .eval() on your module before"
        " freezing."
    )


def state_dict_hook_result() -> RuntimeError:
    return RuntimeError("state_dict post-hook must return None")


def state_dict_hook_twice() -> RuntimeError:
    return RuntimeError(
        "Cannot register the same function as the state dict post hook that was previously registered via "
        "register_state_dict_post_hook"
    )


# --- scalers of losses


def scaler_growth() -> AssertionError:
    return AssertionError("The growth factor must be > 1.0.")


def scaler_backoff() -> AssertionError:
    return AssertionError("The backoff factor must be < 1.0.")


def scaler_unused(what: str, missing: str) -> AssertionError:
    return AssertionError(
        f"Attempted {what} but {missing} is None.  "
        "This may indicate your script did not use scaler.scale(loss or outputs) earlier in the iteration."
    )


def scaler_outputs() -> ValueError:
    return ValueError("outputs must be a Tensor or an iterable of Tensors")


def scaler_parameter(value: object) -> AssertionError:
    return AssertionError(f"expected param to be torch.Tensor, got {type(value).__name__}")


def scaler_half() -> ValueError:
    return ValueError("Attempting to unscale FP16 gradients.")


def scaler_unscaled_twice() -> RuntimeError:
    return RuntimeError("unscale_() has already been called on this optimizer since the last update().")


def scaler_unscaled_late() -> RuntimeError:
    return RuntimeError("unscale_() is being called after step().")


def scaler_closure() -> RuntimeError:
    return RuntimeError("Closure use is not currently supported if GradScaler is enabled.")


def scaler_stepped_twice() -> RuntimeError:
    return RuntimeError("step() has already been called since the last update().")


def scaler_no_checks(when: str) -> AssertionError:
    """``when``: ``for this optimizer`` or ``prior to update``."""
    return AssertionError(f"No inf checks were recorded {when}.")


def scaler_new_scale() -> AssertionError:
    return AssertionError(
        "new_scale should be a float or a 1-element torch.cuda.FloatTensor or torch.FloatTensor with "
        "requires_grad=False."
    )


def scaler_empty_state() -> RuntimeError:
    return RuntimeError(
        "The source state dict is empty, possibly because it was saved from a disabled instance of GradScaler."
    )
