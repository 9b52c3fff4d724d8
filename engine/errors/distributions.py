"""Errors and warnings of probability distributions."""

from __future__ import annotations

from engine.errors.warnings import warn

__all__ = [
    "component_type",
    "constraint_type",
    "constraint_unknown",
    "counts_differ",
    "distribution_arguments",
    "distribution_dimensions",
    "distribution_expand",
    "distribution_parameter",
    "geometric_parameter",
    "independent_ndims",
    "kl_binomial",
    "kl_event_shapes",
    "kl_families",
    "kl_unknown",
    "lkj_dimension",
    "lowrank_batches",
    "lowrank_diagonal_shape",
    "lowrank_factor",
    "lowrank_factor_shape",
    "mixture_batches",
    "mixture_components",
    "mixture_type",
    "multinomial_total_count",
    "multivariate_loc",
    "multivariate_matrix",
    "multivariate_one_matrix",
    "not_a_triangle",
    "probs_or_logits",
    "register_kl_type",
    "sample_broadcast",
    "sample_event_shape",
    "sample_outside",
    "sample_type",
    "transformed_shape",
    "transforms_type",
    "triangle_diagonal",
    "warn_kl_ambiguous",
    "warn_no_arg_constraints",
    "warn_no_support",
    "warn_sample_n",
    "warn_wishart_singular",
    "wishart_df",
    "wishart_matrix",
    "wishart_one_matrix",
]

Shape = tuple[int, ...]

# --- parameters


def distribution_arguments() -> ValueError:
    return ValueError(
        "Input arguments must all be instances of Number, torch.Tensor or objects implementing __torch_function__."
    )


def distribution_parameter(
    name: str, kind: str, shape: Shape, distribution: str, constraint: str, value: object
) -> ValueError:
    return ValueError(
        f"Expected parameter {name} ({kind} of shape {shape}) of distribution {distribution} to satisfy the constraint "
        f"{constraint}, but found invalid values:\n{value}"
    )


def geometric_parameter(shape: Shape, distribution: str, value: object) -> ValueError:
    return ValueError(
        f"Expected parameter probs (Tensor of shape {shape}) of distribution {distribution} to be positive but found "
        f"invalid values:\n{value}"
    )


def distribution_dimensions(name: str) -> ValueError:
    return ValueError(f"`{name}` parameter must be at least one-dimensional.")


def probs_or_logits() -> ValueError:
    return ValueError("Either `probs` or `logits` must be specified, but not both.")


def multinomial_total_count() -> NotImplementedError:
    return NotImplementedError("inhomogeneous total_count is not supported")


def counts_differ(asking: str) -> NotImplementedError:
    return NotImplementedError(f"Inhomogeneous total count not supported by `{asking}`.")


def multivariate_loc() -> ValueError:
    return ValueError("loc must be at least one-dimensional.")


def multivariate_one_matrix() -> ValueError:
    return ValueError("Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified.")


def multivariate_matrix(name: str) -> ValueError:
    what = "scale_tril matrix" if name == "scale_tril" else name
    return ValueError(f"{what} must be at least two-dimensional, with optional leading batch dimensions")


def lowrank_factor() -> ValueError:
    return ValueError("cov_factor must be at least two-dimensional, with optional leading batch dimensions")


def lowrank_factor_shape(size: int) -> ValueError:
    return ValueError(f"cov_factor must be a batch of matrices with shape {size} x m")


def lowrank_diagonal_shape(shape: object) -> ValueError:
    return ValueError(f"cov_diag must be a batch of vectors with shape {shape}")


def lowrank_batches(loc: object, factor: object, diagonal: object) -> ValueError:
    return ValueError(f"Incompatible batch shapes: loc {loc}, cov_factor {factor}, cov_diag {diagonal}")


def lkj_dimension(dim: int) -> ValueError:
    return ValueError(f"Expected dim to be an integer greater than or equal to 2. Found dim={dim}.")


def wishart_one_matrix() -> AssertionError:
    return AssertionError("Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified.")


def wishart_matrix() -> ValueError:
    return ValueError("scale_tril must be at least two-dimensional, with optional leading batch dimensions")


def wishart_df(df: object, least: int) -> ValueError:
    return ValueError(f"Value of df={df} expected to be greater than ndim - 1 = {least}.")


def warn_wishart_singular() -> None:
    warn(UserWarning, "Singular sample detected.")


def not_a_triangle(size: int) -> ValueError:
    return ValueError(
        f"The size of last dimension is {size} which cannot be expressed as the lower triangular part of a square "
        "D x D matrix."
    )


def triangle_diagonal(diag: int, n: int) -> ValueError:
    return ValueError(f"diag ({diag}) provided is outside [{-n}, {n - 1}].")


def warn_no_arg_constraints(kind: type) -> None:
    warn(
        UserWarning,
        f"{kind} does not define `arg_constraints`. Please set `arg_constraints = {{}}` or initialize the distribution "
        "with `validate_args=False` to turn off validation.",
    )


# --- samples


def sample_type() -> ValueError:
    return ValueError("The value argument to log_prob must be a Tensor")


def sample_event_shape(size: object, event: object) -> ValueError:
    return ValueError(f"The right-most size of value must match event_shape: {size} vs {event}.")


def sample_broadcast(size: object, expected: object) -> ValueError:
    return ValueError(f"Value is not broadcastable with batch_shape+event_shape: {size} vs {expected}.")


def sample_outside(kind: str, shape: Shape, support: str, distribution: str, value: object) -> ValueError:
    return ValueError(
        f"Expected value argument ({kind} of shape {shape}) to be within the support ({support}) of the distribution "
        f"{distribution}, but found invalid values:\n{value}"
    )


def warn_no_support(kind: type) -> None:
    warn(
        UserWarning,
        f"{kind} does not define `support` to enable sample validation. Please initialize the distribution with "
        "`validate_args=False` to turn off validation.",
    )


def warn_sample_n() -> None:
    warn(
        FutureWarning,
        "`sample_n(n)` will be deprecated. Use `sample((n,))` instead.",
    )


# --- distributions of distributions


def distribution_expand(kind: str, base: str) -> NotImplementedError:
    return NotImplementedError(
        f"Subclass {kind} of {base} that defines a custom __init__ method must also define a custom .expand() method."
    )


def independent_ndims(ndims: int, batch: int) -> ValueError:
    return ValueError(
        f"Expected reinterpreted_batch_ndims <= len(base_distribution.batch_shape), actual {ndims} vs {batch}"
    )


def transforms_type(given: object) -> ValueError:
    what = "a Transform or a list of Transforms" if isinstance(given, list) else "a Transform or list, but was"
    return ValueError(f"transforms must be {what}" if isinstance(given, list) else f"transforms must be {what} {given}")


def transformed_shape(needed: int, shape: object) -> ValueError:
    return ValueError(
        f"base_distribution needs to have shape with size at least {needed}, but got {shape}."
    )


def mixture_type() -> ValueError:
    return ValueError(
        " The Mixture distribution needs to be an  instance of torch.distributions.Categorical"
    )


def component_type() -> ValueError:
    return ValueError("The Component distribution needs to be an instance of torch.distributions.Distribution")


def mixture_batches(mixture: object, components: object) -> ValueError:
    return ValueError(
        f"`mixture_distribution.batch_shape` ({mixture}) is not compatible with "
        f"`component_distribution.batch_shape`({components})"
    )


def mixture_components(mixture: int, components: int) -> ValueError:
    return ValueError(
        f"`mixture_distribution component` ({mixture}) does not equal `component_distribution.batch_shape[-1]` "
        f"({components})"
    )


# --- divergences and transforms


def kl_unknown(p: str, q: str) -> NotImplementedError:
    return NotImplementedError(f"No KL(p || q) is implemented for p type {p} and q type {q}")


def kl_families() -> NotImplementedError:
    return NotImplementedError(
        "The cross KL-divergence between different exponential families cannot"
        + " " * 29 + "be computed using Bregman divergences"
    )


def kl_binomial() -> NotImplementedError:
    return NotImplementedError(
        "KL between Binomials where q.total_count > p.total_count is not implemented"
    )


def kl_event_shapes(what: str) -> ValueError:
    return ValueError(f"KL-divergence between two {what} with different event shapes cannot be computed")


def register_kl_type() -> TypeError:
    return TypeError("issubclass() arg 1 must be a class")


def warn_kl_ambiguous(p: str, q: str, left: str, right: str) -> None:
    warn(
        RuntimeWarning,
        f"Ambiguous kl_divergence({p}, {q}). Please register_kl({left}, {right})",
    )


def constraint_type(got: object) -> TypeError:
    return TypeError(
        f"Expected constraint to be either a Constraint subclass or instance, but got {got}"
    )


def constraint_unknown(name: str) -> NotImplementedError:
    return NotImplementedError(f"Cannot transform {name} constraints")
