"""What lies around layers: distributions, parametrizations, pruning, lazy layers, averages, comparisons in tests."""

from __future__ import annotations

_PARAMETER = r"Expected parameter (?P<name>\w+) \(.*?\) of distribution (?P<kind>\w+)\("

TABLE: list[tuple[str, str, str, str]] = [
    # Distributions
    (
        "ValueError",
        _PARAMETER + r".*satisfy the constraint PositiveDefinite",
        "{name} of a {kind} has to be positive definite: symmetric, with eigenvalues above 0.",
        "Build it as A @ A.T + 1e-3 * torch.eye(n), or give scale_tril, a lower triangular factor, instead.",
    ),
    (
        "ValueError",
        _PARAMETER + r".*satisfy the constraint GreaterThan(Eq)?\(lower_bound=0",
        "{name} of a {kind} has to be positive, and a value of it is not: often it comes straight from a layer.",
        "Make it positive first: softplus(raw) + 1e-6, or exp(log_{name}).",
    ),
    (
        "ValueError",
        r"Expected parameter probs \(.*?\) of distribution (?P<kind>\w+)\(",
        "The probabilities of a {kind} are none: they lie between 0 and 1, and those of a choice sum to 1.",
        "Apply sigmoid or softmax, or give raw scores as logits= instead of probs=.",
    ),
    (
        "ValueError",
        _PARAMETER + r".*constraint (IndependentConstraint\()?Real",
        "{name} of a {kind} contains NaN: something before went wrong, often a division by 0 or too large a step.",
        "Print {name} each step to see where NaN first appears; torch.autograd.set_detect_anomaly(True) names the op.",
    ),
    (
        "ValueError",
        _PARAMETER,
        "{name} of a {kind} is outside of what the distribution allows; the message shows the constraint.",
        "Map it into the region first: torch.distributions.transform_to(constraint)(raw).",
    ),
    (
        "ValueError",
        r"Expected value argument \(.*?\) to be within the support \((?P<support>.*?)\) of the distribution "
        r"(?P<kind>\w+)\(",
        "log_prob and cdf take values that a {kind} can give, which are those of {support}; this one it cannot.",
        "Check what is passed to log_prob; validate_args=False turns the check off.",
    ),
    (
        "ValueError",
        r"The value argument to log_prob must be a Tensor",
        "log_prob takes tensors only, not numbers.",
        "Wrap the number: torch.tensor(value).",
    ),
    (
        "ValueError",
        r"The right-most size of value must match event_shape",
        "A distribution over vectors wants its values to end with the vector's dimension.",
        "Compare value.shape with distribution.event_shape.",
    ),
    (
        "ValueError",
        r"Value is not broadcastable with batch_shape\+event_shape",
        "Values and parameters have shapes that do not fit each other.",
        "Compare value.shape with distribution.batch_shape; unsqueeze one of them.",
    ),
    (
        "ValueError",
        r"Either `probs` or `logits` must be specified, but not both",
        "probs and logits are two ways to say the same thing.",
        "Give one of them: probs= for probabilities, logits= for raw scores.",
    ),
    (
        "NotImplementedError",
        r"(No KL\(p \|\| q\) is implemented|The cross KL-divergence between different exponential families)",
        "There is no closed formula for the divergence of these two.",
        "Estimate it from samples: x = p.rsample((n,)); (p.log_prob(x) - q.log_prob(x)).mean(0).",
    ),
    (
        "ValueError",
        r"Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified",
        "The three describe the same thing: a covariance, its inverse, its Cholesky factor.",
        "Give one of them; scale_tril is the cheapest to differentiate.",
    ),
    # Parametrizations, pruning
    (
        "ValueError",
        r"Registering a parametrization may not change the (?P<what>shape|dtype)",
        "What a parametrization returns takes the parameter's place, so it must have the parameter's {what}.",
        "Return a tensor of the same {what}, or pass unsafe=True if the layer can cope.",
    ),
    (
        "ValueError",
        r"Module '.*' (does not have a parameter, a buffer, or a parametrized element|has no parameter or buffer) "
        r"with name '(?P<name>.*)'",
        "The module has no tensor named {name}.",
        "Print [n for n, _ in module.named_parameters()] and use one of those names.",
    ),
    (
        "RuntimeError",
        r"parametrization (?P<kind>\w+) does not implement right_inverse",
        "Assigning to a parametrized tensor stores what gives that value, so the parametrization has to be undone.",
        "Define right_inverse in {kind}, or change parametrizations.weight.original instead.",
    ),
    (
        "ValueError",
        r"amount=\S+ should (either be a float|be smaller than the number)",
        "amount is a share between 0.0 and 1.0, or a whole number of entries to prune, not more than there are.",
        "For half of them give amount=0.5; for three of them amount=3.",
    ),
    (
        "ValueError",
        r"Parameter '(?P<name>\w+)' of module .* has to be pruned before pruning can be removed",
        "There is no mask on {name}.",
        "Prune it first, or check prune.is_pruned(module).",
    ),
    # Lazy layers
    (
        "RuntimeError ValueError",
        r"(Can't access the shape of an uninitialized|Attempted to use an uninitialized) parameter",
        "A lazy layer's parameters have no shape until it has seen its first input.",
        "Call the model once on an example batch before counting, initialising or printing its parameters.",
    ),
    # Optimizers
    (
        "ValueError",
        r"Muon only supports 2D parameters",
        "Muon orthogonalises matrices; biases, norms and convolutions are none.",
        "Give Muon the 2-D weights, and the other parameters to AdamW.",
    ),
    (
        "RuntimeError",
        r"SparseAdam does not support dense gradients",
        "SparseAdam is for sparse gradients, which nn.Embedding(sparse=True) gives.",
        "Use Adam, or make the embedding sparse.",
    ),
    # Tests
    (
        "AssertionError",
        r"(Tensor-likes|Scalars) are not (close|equal)",
        "The two differ by more than the tolerance; the message says where most, and by how much.",
        "If the difference is rounding, give rtol and atol (both); else compare the values at that index.",
    ),
    (
        "RuntimeError",
        r"No viable backend for scaled_dot_product_attention",
        "None of the kernels that sdpa_kernel allows can run here; the CPU has MATH and FLASH_ATTENTION.",
        "Allow SDPBackend.MATH.",
    ),
]
