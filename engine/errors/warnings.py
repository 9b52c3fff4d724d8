"""Warnings: PyTorch's texts, issued through Python's `warnings`.

What PyTorch warns about once per process is warned about once per run; :func:`reset_once` starts a new one.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence

_given: set[str] = set()


def warn(category: type[Warning], text: str, *, once: str | None = None) -> None:
    """Warn, unless a warning with the key ``once`` was already given in this run."""
    if once is not None:
        if once in _given:
            return
        _given.add(once)
    warnings.warn(text, category, stacklevel=3)


def reset_once() -> None:
    """Forget which warnings were given; called when a run starts."""
    _given.clear()


def warn_out_resized(shape: Sequence[int], required: Sequence[int]) -> None:
    """A tensor given as `out` had elements, of another shape."""
    warn(
        UserWarning,
        f"An output with one or more elements was resized since it had shape {list(shape)}, which does not match the "
        f"required output shape {list(required)}. This behavior is deprecated, and in a future PyTorch release outputs "
        "will not be resized unless they have zero elements. You can explicitly reuse an out tensor t by resizing it, "
        "inplace, to zero elements with t.resize_(0).",
    )


def warn_typed_storage() -> None:
    """``x.storage()``."""
    warn(
        UserWarning,
        "TypedStorage is deprecated. It will be removed in the future and UntypedStorage will be the only storage "
        "class. This should only matter to you if you are using storages directly.  To access UntypedStorage directly, "
        "use tensor.untyped_storage() instead of tensor.storage()",
        once="typed_storage",
    )


def warn_torch_function_method() -> None:
    """A class that defines ``__torch_function__`` without ``@classmethod``."""
    warn(
        UserWarning,
        "Defining your `__torch_function__` as a plain method is deprecated and will be an error in future, please "
        "define it as a classmethod.",
        once="torch_function_method",
    )


def warn_autocast_without_cuda() -> None:
    warn(UserWarning, "CUDA is not available or torch_xla is imported. Disabling autocast.")


def warn_autocast_dtype() -> None:
    warn(
        UserWarning,
        "In CPU autocast, but the target dtype is not supported. Disabling autocast.\n"
        "CPU Autocast only supports dtypes of torch.bfloat16, torch.float16 currently.",
    )


def warn_grad_scaler() -> None:
    warn(UserWarning, "torch.cuda.amp.GradScaler is enabled, but CUDA is not available.  Disabling.")


def warn_old_amp(name: str, device: str = "cuda") -> None:
    """``torch.cuda.amp.autocast`` and ``GradScaler``, and those of ``torch.cpu.amp``."""
    warn(
        FutureWarning,
        f"`torch.{device}.amp.{name}(args...)` is deprecated. "
        f"Please use `torch.amp.{name}('{device}', args...)` instead.",
    )


def warn_memory_cached(name: str) -> None:
    """``torch.cuda.memory_cached()``; ``name``: the old and the new one without what follows its underscore."""
    warn(FutureWarning, f"`torch.cuda.{name}_cached` has been renamed to `torch.cuda.{name}_reserved`")


def warn_sdp_kernel() -> None:
    """``torch.backends.cuda.sdp_kernel``."""
    warn(
        FutureWarning,
        "`torch.backends.cuda.sdp_kernel()` is deprecated. In the future, this context manager will be removed. "
        "Please see `torch.nn.attention.sdpa_kernel()` for the new context manager, with updated signature.",
    )


def warn_scatter_reduce() -> None:
    """`scatter(…, src, reduce=…)`."""
    warn(
        UserWarning,
        "The reduce argument of torch.scatter with Tensor src is deprecated and will be removed in a future PyTorch "
        "release. Use torch.scatter_reduce instead for more reduction options.",
        once="scatter_reduce",
    )


def warn_sparse_invariants() -> None:
    """`sparse_coo_tensor` that is not told whether to check its indices."""
    warn(
        UserWarning,
        "Sparse invariant checks are implicitly disabled. Memory errors (e.g. SEGFAULT) will occur when operating on a "
        "sparse tensor which violates the invariants, but checks incur performance overhead. To silence this warning, "
        "explicitly opt in or out. See `torch.sparse.check_sparse_tensor_invariants.__doc__` for guidance. ",
        once="sparse_invariants",
    )


def warn_sparse_csr() -> None:
    """A product of two sparse matrices, which PyTorch computes in another layout."""
    warn(
        UserWarning,
        "Sparse CSR tensor support is in beta state. If you miss a functionality in the sparse tensor support, please "
        "submit a feature request to https://github.com/pytorch/pytorch/issues.",
        once="sparse_csr",
    )


def warn_sparse_legacy() -> None:
    """`torch.sparse.FloatTensor` and its kin."""
    warn(
        UserWarning,
        "torch.sparse.SparseTensor(indices, values, shape, *, device=) is deprecated.  Please use "
        "torch.sparse_coo_tensor(indices, values, shape, dtype=, device=).",
        once="sparse_legacy",
    )


def warn_empty_split(place: int) -> None:
    """`random_split` of so few rows that a fraction of them is none."""
    warn(UserWarning, f"Length of split at index {place} is 0. This might result in an empty dataset.")


def warn_index_reduce() -> None:
    warn(UserWarning, "index_reduce() is in beta and the API may change at any time.", once="index_reduce")


def warn_always_called(whose: str, error: Exception) -> None:
    """A forward hook that is always called fails after something else has."""
    warn(
        UserWarning,
        f"{whose} forward hook with ``always_call=True`` raised an exception that was silenced as another error was "
        f"raised in forward: {error!s}",
    )


def warn_nested_tensor(reason: str) -> None:
    """An encoder whose layers have no fast path."""
    warn(
        UserWarning,
        f"enable_nested_tensor is True, but self.use_nested_tensor is False because encoder_layer{reason}",
    )


def warn_asarray() -> None:
    warn(
        UserWarning,
        "torch.asarray: unspecified requires_grad now defaults to obj.requires_grad instead of False. Pass "
        "requires_grad=False explicitly to get the old behavior and silence this warning.",
        once="asarray",
    )


def warn_complex_discarded() -> None:
    """Complex numbers converted to real ones."""
    warn(UserWarning, "Casting complex values to real discards the imaginary part", once="complex_discarded")


# --- autograd


def warn_non_leaf_grad() -> None:
    warn(
        UserWarning,
        "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad attribute won't be "
        "populated during autograd.backward(). If you indeed want the .grad field to be populated for a non-leaf "
        "Tensor, use .retain_grad() on the non-leaf Tensor. If you access the non-leaf Tensor by mistake, make sure "
        "you access the leaf Tensor instead. See github.com/pytorch/pytorch/pull/30531 for more information.",
    )


def warn_jit(name: str) -> None:
    """A part of ``torch.jit`` was used."""
    instead = "Please use `torch.compile` instead."
    if name in ("script", "trace", "trace_method"):
        instead = "Please switch to `torch.compile` or `torch.export`."
    warn(DeprecationWarning, f"`torch.jit.{name}` is deprecated. {instead}")


def warn_create_graph() -> None:
    warn(
        UserWarning,
        "Using backward() with create_graph=True will create a reference cycle between the parameter and its gradient "
        "which can cause a memory leak. We recommend using autograd.grad when creating the graph to avoid this. If you "
        "have to use this function, make sure to reset the .grad fields of your parameters to None after use to break "
        "the cycle and avoid the leak.",
        once="create_graph",
    )


def warn_dirty_no_input() -> None:
    warn(
        UserWarning,
        "ctx.mark_dirty() received a tensor that was not an input. Only input Tensors that have been mutated should be "
        "passed to ctx.mark_dirty(). (Triggered internally at "
        "/__w/pytorch/pytorch/torch/csrc/autograd/custom_function.cpp:320.)",
        once="dirty_no_input",
    )


def warn_grad_variables() -> None:
    warn(FutureWarning, "`grad_variables` is deprecated. Use `grad_tensors` instead.")


def warn_decorated_class() -> None:
    warn(
        FutureWarning,
        "Decorating classes is deprecated and will be disabled in future versions. You should only decorate functions "
        "or methods. To preserve the current behavior of class decoration, you can directly decorate the `__init__` "
        "method and nothing else.",
    )


def warn_saved_variables() -> None:
    warn(DeprecationWarning, "'saved_variables' is deprecated; use 'saved_tensors'")


def warn_only_inputs() -> None:
    warn(
        FutureWarning,
        "only_inputs argument is deprecated and is ignored now (defaults to True). To accumulate gradient for other "
        "parts of the graph, please use torch.autograd.backward.",
    )


def warn_scalar_of_grad() -> None:
    """``float(x)`` of a tensor that requires grad."""
    warn(
        UserWarning,
        "Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior.\n"
        "Consider using tensor.detach() first.",
        once="scalar_of_grad",
    )


def warn_anomaly_enabled() -> None:
    warn(
        UserWarning,
        "Anomaly Detection has been enabled. This mode will increase the runtime and should only be enabled for "
        "debugging.",
    )


def warn_anomaly(node: str, trace: str) -> None:
    """Anomaly mode found the op whose gradient is wrong; ``trace``: where it ran, as Python writes tracebacks."""
    warn(UserWarning, f"Error detected in {node}. Traceback of forward call that caused the error:\n{trace}")


def warn_anomaly_parent(node: str, trace: str) -> None:
    """The gradient of this op computed what failed."""
    warn(
        UserWarning,
        f"\n\nPrevious calculation was induced by {node}. Traceback of forward call that induced the previous "
        f"calculation:\n{trace}",
    )


def warn_anomaly_without_trace(node: str) -> None:
    """The op ran before anomaly mode was switched on."""
    warn(
        UserWarning,
        f"Error detected in {node}. No forward pass information available. Enable detect anomaly during forward pass "
        "for more information.",
    )


def warn_backward_hook_output(result: object) -> None:
    """A module with full backward hooks returned a dict, say."""
    warn(
        UserWarning,
        "For backward hooks to be called, module output should be a Tensor or a tuple of Tensors but received "
        f"{type(result)}",
    )


def warn_full_backward_hook_without_inputs() -> None:
    warn(
        UserWarning,
        "Full backward hook is firing when gradients are computed with respect to module outputs since no inputs "
        "require gradients. See https://docs.pytorch.org/docs/main/generated/torch.nn.Module.html"
        "#torch.nn.Module.register_full_backward_hook for more details.",
    )


def warn_partial_backward_hook() -> None:
    """``register_backward_hook`` on a module of more than one node."""
    warn(
        FutureWarning,
        "Using a non-full backward hook when the forward contains multiple autograd Nodes is deprecated and will be "
        "removed in future versions. This hook will be missing some grad_input. Please use "
        "register_full_backward_hook to get the documented behavior.",
    )


def _partial_backward_hook(when: str, missing: str) -> None:
    warn(
        FutureWarning,
        f"{when} is deprecated and will be removed in future versions. This hook will be missing some {missing}. "
        "Please use register_full_backward_hook to get the documented behavior.",
    )


def warn_partial_backward_hook_output() -> None:
    _partial_backward_hook(
        "Using non-full backward hooks on a Module that does not return a single Tensor or a tuple of Tensors",
        "of the grad_output",
    )


def warn_partial_backward_hook_input() -> None:
    _partial_backward_hook(
        "Using non-full backward hooks on a Module that does not take as input a single Tensor or a tuple of Tensors",
        "of the grad_input",
    )


def warn_partial_backward_hook_nodes() -> None:
    _partial_backward_hook(
        "Using a non-full backward hook when outputs are generated by different autograd Nodes", "grad_output"
    )


def warn_function_instance(cls: type) -> None:
    """A custom Function was instantiated."""
    warn(
        DeprecationWarning,
        f"{cls!r} should not be instantiated. Methods on autograd functions are all static, so you should invoke them "
        "on the class itself. Instantiating an autograd function will raise an error in a future version of PyTorch.",
    )


def warn_checkpoint_no_grad() -> None:
    warn(UserWarning, "None of the inputs have requires_grad=True. Gradients will be None")


def warn_checkpoint_reentrant() -> None:
    """``checkpoint`` without ``use_reentrant``."""
    warn(
        UserWarning,
        "torch.utils.checkpoint: the use_reentrant parameter should be passed explicitly. Starting in PyTorch 2.9, "
        "calling checkpoint without use_reentrant will raise an exception. use_reentrant=False is recommended, but if "
        "you need to preserve the current default behavior, you can pass use_reentrant=True. Refer to docs for more "
        "details on the differences between the two variants.",
    )


def warn_checkpoint_sequential_reentrant() -> None:
    """``checkpoint_sequential`` without ``use_reentrant``."""
    warn(
        UserWarning,
        "torch.utils.checkpoint.checkpoint_sequential: the use_reentrant parameter should be passed explicitly. In "
        "version 2.9 we will raise an exception if use_reentrant is not passed. use_reentrant=False is recommended, "
        "but if you need to preserve the current default behavior, you can pass use_reentrant=True. Refer to docs for "
        "more details on the differences between the two variants.",
    )


def warn_gradcheck_undefined() -> None:
    warn(
        UserWarning,
        "Backwards compatibility: New undefined gradient support checking feature is enabled by default, but it may "
        "break existing callers of this function. If this is true for you, you can call this function with "
        '"check_undefined_grad=False" to disable the feature',
    )


# --- tensors


def warn_copy_construct(factory: str) -> None:
    """``torch.tensor(tensor)`` and ``Tensor.new_tensor(tensor)``."""
    warn(
        UserWarning,
        "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or "
        f"sourceTensor.detach().clone().requires_grad_(True), rather than {factory}(sourceTensor).",
    )


def warn_volatile() -> None:
    warn(UserWarning, "volatile was removed and now has no effect. Use `with torch.no_grad():` instead.")


def warn_volatile_read() -> None:
    """``x.volatile``."""
    warn(UserWarning, "volatile was removed (Variable.volatile is always False)")


def warn_resize(name: str) -> None:
    """``name``: resize or resize_as."""
    warn(UserWarning, f"non-inplace {name} is deprecated")


def warn_range() -> None:
    warn(
        UserWarning,
        "torch.range is deprecated and will be removed in a future release because its behavior is inconsistent with "
        "Python's range builtin. Instead, use torch.arange, which produces values in [start, end).",
    )


def warn_transpose_of_many_dimensions() -> None:
    """``x.T`` of more than two dimensions, or of one."""
    warn(
        UserWarning,
        "The use of `x.T` on tensors of dimension other than 2 to reverse their shape is deprecated and it will throw "
        "an error in a future release. Consider `x.mT` to transpose batches of matrices or "
        "`x.permute(*torch.arange(x.ndim - 1, -1, -1))` to reverse the dimensions of a tensor.",
        once="transpose_dimensions",
    )


def warn_adjoint_of_scalar() -> None:
    warn(UserWarning, "adjoint() is deprecated on 0-D tensors. Consider using x.conj().")


def warn_transpose_of_scalar(name: str) -> None:
    """``x.T``, ``x.mT``, ``x.H`` of a 0-d tensor; ``name``: ``T``."""
    instead = "Consider using x.conj()." if name == "H" else "This function is the identity in these cases."
    warn(
        UserWarning,
        f"Tensor.{name} is deprecated on 0-D tensors. {instead}",
        once=f"transpose_scalar_{name}",
    )


def warn_default_tensor_type() -> None:
    warn(
        UserWarning,
        "torch.set_default_tensor_type() is deprecated as of PyTorch 2.1, please use torch.set_default_dtype() and "
        "torch.set_default_device() as alternatives.",
        once="default_tensor_type",
    )


def warn_index_sequence() -> None:
    """``x[[0, slice]]``: a list that holds more than integers."""
    warn(
        UserWarning,
        "Using a non-tuple sequence for multidimensional indexing is deprecated and will be changed in pytorch 2.9; "
        "use x[tuple(seq)] instead of x[seq]. In pytorch 2.9 this will be interpreted as tensor index, "
        "x[torch.tensor(seq)], which will result either in an error or a different result",
        once="index_sequence",
    )


def warn_degrees_of_freedom(function: str) -> None:
    """``std``/``var`` of too few elements."""
    warn(
        UserWarning,
        f"{function}(): degrees of freedom is <= 0. Correction should be strictly less than the reduction factor "
        "(input numel divided by output numel).",
    )


def warn_meshgrid() -> None:
    warn(
        UserWarning,
        "torch.meshgrid: in an upcoming release, it will be required to pass the indexing argument.",
        once="meshgrid",
    )


def warn_cross_without_dim() -> None:
    warn(
        UserWarning,
        "Using torch.cross without specifying the dim arg is deprecated.\n"
        "Please either pass the dim explicitly or simply use torch.linalg.cross.\n"
        "The default value of dim will change to agree with that of linalg.cross in a future release.",
        once="cross",
    )


# --- nn and optim


def warn_implicit_dim(function: str) -> None:
    """``softmax(x)`` without ``dim``."""
    warn(
        UserWarning,
        f"Implicit dimension choice for {function} has been deprecated. Change the call to include dim=X as an "
        "argument.",
    )


def warn_hardtanh_bound(which: str) -> None:
    """``nn.Hardtanh(min_value=…)``; ``which``: ``min`` or ``max``."""
    warn(FutureWarning, f"keyword argument `{which}_value` is deprecated and renamed to `{which}_val`")


def warn_positional_state_dict() -> None:
    """``module.state_dict(destination)``."""
    warn(
        FutureWarning,
        "Positional args are being deprecated, use kwargs instead. Refer to https://pytorch.org/docs/main/generated/"
        "torch.nn.Module.html#torch.nn.Module.state_dict for details.",
    )


def warn_size_average(reduction: str) -> None:
    """``size_average=`` or ``reduce=``; ``reduction``: what they amount to."""
    warn(
        UserWarning,
        f"size_average and reduce args will be deprecated, please use reduction='{reduction}' instead.",
    )


def warn_target_size(target: Sequence[int], given: Sequence[int]) -> None:
    """A loss of a target and an input of different shapes."""
    warn(
        UserWarning,
        f"Using a target size (torch.Size({list(target)})) that is different to the input size "
        f"(torch.Size({list(given)})). This will likely lead to incorrect results due to broadcasting. Please ensure "
        "they have the same size.",
    )


def warn_kl_div_mean() -> None:
    warn(
        UserWarning,
        "reduction: 'mean' divides the total loss by both the batch size and the support size.'batchmean' divides "
        "only by the batch size, and aligns with the KL div math definition.'mean' will be changed to behave the same "
        "as 'batchmean' in the next major release.",
    )


def warn_renamed(old: str, new: str) -> None:
    """``torch.nn.utils.clip_grad_norm``, ``nn.init.uniform``."""
    warn(FutureWarning, f"`{old}` is now deprecated in favor of `{new}`.")


def warn_zero_element_init() -> None:
    warn(UserWarning, "Initializing zero-element tensors is a no-op")


def warn_trunc_normal() -> None:
    warn(
        UserWarning,
        "mean is more than 2 std from [a, b] in nn.init.trunc_normal_. The distribution of values may be incorrect.",
    )


def warn_duplicate_parameters() -> None:
    warn(
        UserWarning,
        "optimizer contains a parameter group with duplicate parameters; in future, this will cause an error; see "
        "github.com/pytorch/pytorch/issues/40967 for more information",
    )


def warn_scheduler_order() -> None:
    warn(
        UserWarning,
        "Detected call of `lr_scheduler.step()` before `optimizer.step()`. In PyTorch 1.1.0 and later, you should call "
        "them in the opposite order: `optimizer.step()` before `lr_scheduler.step()`.  Failure to do this will result "
        "in PyTorch skipping the first value of the learning rate schedule. See more details at "
        "https://pytorch.org/docs/stable/optim.html#how-to-adjust-learning-rate",
    )


EPOCH_DEPRECATION = (
    "The epoch parameter in `scheduler.step()` was not necessary and is being deprecated where possible. Please "
    "use `scheduler.step()` to step the scheduler. During the deprecation, if epoch is different from None, the "
    "closed form is used instead of the new chainable form, where available. Please open an issue if you are "
    "unable to replicate your use case: https://github.com/pytorch/pytorch/issues/new/choose."
)


def warn_scheduler_epoch() -> None:
    warn(UserWarning, EPOCH_DEPRECATION)


def warn_make_tensor_equal() -> None:
    warn(
        FutureWarning,
        "Passing `low==high` to `torch.testing.make_tensor` for floating or complex types is deprecated since 2.1 and "
        "will be removed in 2.3. Use `torch.full(...)` instead.",
    )


def warn_same_padding() -> None:
    warn(
        UserWarning,
        "Using padding='same' with even kernel lengths and odd dilation may require a zero-padded copy of the input be "
        "created",
        once="same_padding",
    )


def warn_dropout_dimensions(function: str, ndim: int, rank: int) -> None:
    warn(
        UserWarning,
        f"{function}: Received a {ndim}-D input to {function}, which is deprecated and will result in an error in a "
        "future release. To retain the behavior and silence this warning, please use dropout instead. Note that "
        f"{function} exists to provide channel-wise dropout on inputs with {rank} spatial dimensions, a channel "
        f"dimension, and an optional batch dimension (i.e. {rank + 1}D or {rank + 2}D inputs).",
    )


def warn_dropout2d_unbatched() -> None:
    warn(
        UserWarning,
        "dropout2d: Received a 3D input to dropout2d and assuming that channel-wise 1D dropout behavior is desired - "
        "input is interpreted as shape (N, C, L), where C is the channel dim. This behavior will change in a future "
        "release to interpret the input as one without a batch dimension, i.e. shape (C, H, W). To maintain the 1D "
        "channel-wise dropout behavior, please switch to using dropout1d instead.",
    )


def warn_mismatched_masks(name: str, other: str) -> None:
    warn(
        UserWarning,
        f"Support for mismatched {name} and {other} is deprecated. Use same type for both instead.",
    )


def warn_instance_norm_features(dim: int, expected: int, got: int) -> None:
    warn(
        UserWarning,
        f"input's size at dim={dim} does not match num_features. You can silence this warning by not passing in "
        f"num_features, which is not used because affine=False",
    )


def warn_get_lr() -> None:
    warn(UserWarning, "To get the last learning rate computed by the scheduler, please use `get_last_lr()`.")


def warn_rnn_dropout(dropout: float, layers: int) -> None:
    warn(
        UserWarning,
        "dropout option adds dropout after all but last recurrent layer, so non-zero dropout expects num_layers "
        f"greater than 1, but got dropout={dropout} and num_layers={layers}",
    )


def warn_upsample(function: str) -> None:
    warn(UserWarning, f"`nn.functional.{function}` is deprecated. Use `nn.functional.interpolate` instead.")


def warn_lstm_projections() -> None:
    warn(
        UserWarning, "LSTM with projections is not supported with oneDNN. Using default implementation.",
        once="lstm projections",
    )


def warn_complex_modules() -> None:
    warn(
        UserWarning,
        "Complex modules are a new feature under active development whose design may change, and some modules might"
        " not work as expected when using complex tensors as parameters or buffers. Please file an issue at"
        " https://github.com/pytorch/pytorch/issues/new?template=bug-report.yml if a complex module does not work as"
        " expected.",
    )


def warn_nested_prototype() -> None:
    warn(
        UserWarning,
        "The PyTorch API of nested tensors is in prototype stage and will change in the near future. We recommend"
        " specifying layout=torch.jagged when constructing a nested tensor, as this layout receives active"
        " development, has better operator coverage, and works with torch.compile.",
        once="nested tensors",
    )


def warn_align_corners() -> None:
    warn(
        UserWarning,
        "Default grid_sample and affine_grid behavior has changed to align_corners=False since 1.3.0. Please specify "
        "align_corners=True if the old behavior is desired. See the documentation of grid_sample for details.",
    )


def warn_affine_unit() -> None:
    warn(
        UserWarning,
        "Since version 1.3.0, affine_grid behavior has changed for unit-size grids when align_corners=True. This is "
        "not an intended use case of affine_grid. See the documentation of affine_grid for details.",
    )
