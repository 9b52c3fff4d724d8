"""`torch.distributions`: densities, samples and divergences that autograd sees through.

Each distribution is a plain class over ops, computed in PyTorch's order, so that graphs and random draws are PyTorch's.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

from engine import errors, settings
from engine.torch.distributions import (  # noqa: F401 - PyTorch's submodules
    categorical,
    composed,
    composing,
    constraint_registry,
    constraints,
    counts,
    distribution,
    gamma,
    kl,
    location,
    matrices,
    mixed_kl,
    multivariate,
    tails,
    transformed,
    transforms,
    utils,
)
from engine.torch.distributions.constraint_registry import biject_to, transform_to
from engine.torch.distributions.kl import kl_divergence, register_kl
from engine.torch.distributions.transforms import identity_transform

_MODULES = {
    "bernoulli": "Bernoulli", "beta": "Beta", "binomial": "Binomial", "categorical": "Categorical", "cauchy": "Cauchy",
    "chi2": "Chi2", "continuous_bernoulli": "ContinuousBernoulli", "dirichlet": "Dirichlet",
    "distribution": "Distribution", "exp_family": "ExponentialFamily", "exponential": "Exponential",
    "fishersnedecor": "FisherSnedecor", "gamma": "Gamma", "generalized_pareto": "GeneralizedPareto",
    "geometric": "Geometric", "gumbel": "Gumbel", "half_cauchy": "HalfCauchy", "half_normal": "HalfNormal",
    "independent": "Independent", "inverse_gamma": "InverseGamma", "kumaraswamy": "Kumaraswamy", "laplace": "Laplace",
    "lkj_cholesky": "LKJCholesky", "log_normal": "LogNormal", "logistic_normal": "LogisticNormal",
    "lowrank_multivariate_normal": "LowRankMultivariateNormal", "mixture_same_family": "MixtureSameFamily",
    "multinomial": "Multinomial", "multivariate_normal": "MultivariateNormal", "negative_binomial": "NegativeBinomial",
    "normal": "Normal", "one_hot_categorical": "OneHotCategorical OneHotCategoricalStraightThrough",
    "pareto": "Pareto", "poisson": "Poisson", "relaxed_bernoulli": "LogitRelaxedBernoulli RelaxedBernoulli",
    "relaxed_categorical": "ExpRelaxedCategorical RelaxedOneHotCategorical", "studentT": "StudentT",
    "transformed_distribution": "TransformedDistribution", "uniform": "Uniform", "von_mises": "VonMises",
    "weibull": "Weibull", "wishart": "Wishart",
}  # fmt: skip
"""PyTorch's module → the distributions in it."""
_BASES = ("LogitRelaxedBernoulli", "ExpRelaxedCategorical")
_files = (categorical, composed, counts, distribution, gamma, location, matrices, multivariate, tails, transformed)
_classes = {name: value for file in _files for name, value in vars(file).items() if isinstance(value, type)}

__all__ = ["biject_to", "kl_divergence", "register_kl", "transform_to", *transforms.__all__]
for _name in transforms.__all__:
    globals()[_name] = getattr(transforms, _name)
    if isinstance(globals()[_name], type):
        globals()[_name].__module__ = "torch.distributions.transforms"
for _file, _names in _MODULES.items():
    _module = ModuleType(f"{__name__}.{_file}")
    for _name in _names.split():
        _class = _classes[_name]
        _class.__module__ = f"torch.distributions.{_file}"  # type(d) prints where PyTorch has the class
        setattr(_module, _name, _class)
        if _name not in _BASES:
            globals()[_name] = _class
            __all__.append(_name)
    globals()[_file] = _module
for _value in vars(constraints).values():
    if isinstance(_value, type) and _value.__module__ == constraints.__name__:
        _value.__module__ = "torch.distributions.constraints"
constraint_registry.ConstraintRegistry.__module__ = "torch.distributions.constraint_registry"
for _hidden in (composed, composing, counts, location, matrices, mixed_kl, multivariate, tails, transformed):
    del globals()[_hidden.__name__.rpartition(".")[2]]  # PyTorch has them elsewhere
__all__ = sorted(__all__)

_changeable: list[Any] = [
    kl._registry,
    *(registry._registry for registry in (biject_to, transform_to)),
    *(held for held in (vars(value).get("arg_constraints") for value in _classes.values()) if isinstance(held, dict)),
    *(vars(value) for value in vars(constraints).values() if isinstance(value, constraints.Constraint)),
    vars(identity_transform),
    identity_transform.parts,
]
for _held in _changeable:
    settings.contents(_held)


def __getattr__(name: str) -> Any:
    raise errors.module_attribute("torch.distributions", name)
