"""Random numbers: generators and the parameters of distributions."""

from __future__ import annotations

from engine.errors.arguments import type_name


def seed_type(got: object) -> RuntimeError:
    return RuntimeError(f"manual_seed expected a long, but got {type_name(got)}")


def generator_device(device: str) -> RuntimeError:
    return RuntimeError(f"Device type {device.partition(':')[0].upper()} is not supported for torch.Generator() api.")


def generator_state_size(expected: int, got: int) -> RuntimeError:
    return RuntimeError(
        f"Expected a CPUGeneratorImplState of size {expected} but found the input RNG state size to be {got}"
    )


def byte_tensor_expected(got: str) -> TypeError:
    return TypeError(f"expected a torch.ByteTensor, but got {got}")


def generator_state_type() -> TypeError:
    return TypeError("RNG state must be a torch.ByteTensor")


def bound_out_of_range(bound: str, cpp_name: str) -> RuntimeError:
    """``bound``: ``from``, ``to`` or ``to - 1``."""
    return RuntimeError(f"{bound} is out of bounds for {cpp_name}")


def uniform_range(low: float, high: float) -> RuntimeError:
    return RuntimeError(f"uniform_ expects to return a [from, to) range, but found from={low:g} > to={high:g}")


def random_range(low: int, high: int) -> RuntimeError:
    return RuntimeError(f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}")


def normal_std(std: float) -> RuntimeError:
    return RuntimeError(f"normal expects std >= 0.0, but found std {std:g}")


def normal_stds() -> RuntimeError:
    return RuntimeError("normal expects all elements of std >= 0.0")


def log_normal_std(std: float) -> RuntimeError:
    return RuntimeError(f"log_normal_ expects std > 0.0, but found std={std:g}")


def bernoulli_probability(p: float) -> RuntimeError:
    return RuntimeError(f"bernoulli_ expects p to be in [0, 1], but got p={p:g}")


def bernoulli_probabilities() -> RuntimeError:
    return RuntimeError(
        "Expected p_in >= 0 && p_in <= 1 to be true, but got false.  "
        "(Could this error message be improved?  If so, please report an enhancement request to PyTorch.)"
    )


def dropout_probability(p: float) -> ValueError:
    return ValueError(f"dropout probability has to be between 0 and 1, but got {p}")


def not_continuous(distribution: str, dtype_name: str) -> RuntimeError:
    return RuntimeError(
        f"{distribution} distribution is a continuous probability distribution. "
        f"dtype must be a floating point but you specified {dtype_name}"
    )


def exponential_rate(rate: float) -> RuntimeError:
    return RuntimeError(f"exponential_ expects lambda > 0.0, but found lambda={rate:g}")


def geometric_probability(p: float) -> RuntimeError:
    return RuntimeError(f"geometric_ expects p to be in (0, 1), but got p={p:g}")


def cauchy_sigma(sigma: float) -> RuntimeError:
    return RuntimeError(f"cauchy_ expects sigma > 0.0, but found sigma={sigma:g}")


def multinomial_dimensions() -> RuntimeError:
    return RuntimeError("prob_dist must be 1 or 2 dim")


def multinomial_dtype(type_name: str) -> RuntimeError:
    return RuntimeError(f"multinomial only supports floating-point dtypes for input, got: {type_name}")


def multinomial_count() -> RuntimeError:
    return RuntimeError("cannot sample n_sample <= 0 samples")


def multinomial_too_many() -> RuntimeError:
    return RuntimeError("cannot sample n_sample > prob_dist.size(-1) samples without replacement")


def multinomial_weights() -> RuntimeError:
    return RuntimeError("probability tensor contains either `inf`, `nan` or element < 0")


def multinomial_sum() -> RuntimeError:
    return RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")


def aminmax_empty() -> RuntimeError:
    return RuntimeError("aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity.")


def poisson_rate() -> RuntimeError:
    return RuntimeError("invalid Poisson rate, expected rate to be non-negative")


def binomial_dtype(argument: str, type_name: str) -> ValueError:
    return ValueError(f"binomial only supports floating-point dtypes for {argument}, got: {type_name}")
