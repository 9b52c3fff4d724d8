"""Overwriting all of a tensor: what was there gets no gradient."""

from __future__ import annotations

from engine.codegen.op import op, pointwise

pointwise(
    "fill.Scalar(self, value: Scalar)", "FillBackward0", "fill_kernel(self, value)", self="zeros_like(g)",
    inplace="FillBackward2", says="the old value is gone, so it gets no gradient", memory_format="preserve",
    internal_overlap="allow", overlap="none", fast_inplace="integral",
)
pointwise(
    "fill.Tensor(self, value)", "FillBackward1", "fill_kernel(self, value)", self="zeros_like(g)", value="sum(g)",
    inplace="FillBackward3", says="the old value is gone; the new one gets the sum of all gradients",
    memory_format="preserve", overlap="none", fast_inplace="integral",
)
pointwise(
    "zero(self)", "ZeroBackward0", "fill_kernel(self, 0)", self="zeros_like(g)",
    says="the old value is gone, so it gets no gradient", sparse=True, internal_overlap="allow",
    fast_inplace="integral",
)
pointwise(
    "copy(self, src)", "torch::autograd::CopyBackwards", "copy_kernel(self, src)", self="zeros_like(g)", src="g",
    says="the old value is gone; the new one gets the gradient", copies=True, fast_inplace="integral",
)

_SAYS = "random numbers do not depend on what was there"
for _signature, _node, _drawn in (
    ("normal_(self, mean=0.0, std=1.0", "NormalBackward0", "'normal', mean, std"),
    ("uniform_(self, low=0.0, high=1.0", "UniformBackward0", "'uniform', low, high"),
    ("exponential_(self, lambd=1.0", "ExponentialBackward0", "'exponential', lambd"),
    ("geometric_(self, p", "GeometricBackward0", "'geometric', p"),
    ("cauchy_(self, median=0.0, sigma=1.0", "CauchyBackward0", "'cauchy', median, sigma"),
    ("log_normal_(self, mean=1.0, std=2.0", "LogNormalBackward0", "'log_normal', mean, std"),
):
    op(f"{_signature}, *, generator=None)", _node, f"drawn(self, generator, {_drawn})", self="zeros_like(g)",
       says=_SAYS)
op("bernoulli_.float(self, p=0.5, *, generator=None)", "BernoulliBackward2", "drawn(self, generator, 'coins', p)",
   self="zeros_like(g)", says=_SAYS, refuses={"c": "bernoulli_scalar_cpu_"})
op("bernoulli_.Tensor(self, p: Tensor, *, generator=None)", "BernoulliBackward1",
   "bernoulli_kernel(self, p, generator)", self="zeros_like(g)", says=_SAYS)
op("random_(self, *, generator=None)", "RandomBackward2", "random_kernel(self, generator, 0, None)",
   self="zeros_like(g)", says=_SAYS, refuses={"c": "random_kernel_cpu"})
op("random_.to(self, to, *, generator=None)", "RandomBackward1", "random_kernel(self, generator, 0, to)",
   self="zeros_like(g)", says=_SAYS, refuses={"c": "random_kernel_cpu"})
op("random_.from(self, low, to, *, generator=None)", "RandomBackward0", "random_kernel(self, generator, low, to)",
   self="zeros_like(g)", says=_SAYS, refuses={"c": "random_kernel_cpu"})

_SAYS = "what was drawn is not differentiable: the gradient is 0"
op("bernoulli(self, *, generator=None)", "BernoulliBackward0", "bernoulli_of_kernel(self, generator)",
   inplace=False, self="zeros_like(g)", says=_SAYS, cost=20)
op("bernoulli.p(self, p=0.5, *, generator=None)", "NotImplemented", "coins_kernel(self, p, generator)",
   inplace=False, self="underivable('bernoulli')", says="PyTorch has no gradient for it",
   refuses={"c": "bernoulli_scalar_cpu_"})

op("normal.Tensor_float(mean, std: Scalar = 1, *, generator=None)", "NormalBackward1",
   "normal_kernel(mean, std, generator)", inplace=False, mean="new_zeros(g, mean.shape)", says=_SAYS, cost=20)
op("normal.float_Tensor(mean: Scalar, std, *, generator=None)", "NormalBackward2",
   "normal_kernel(mean, std, generator)", inplace=False, std="new_zeros(g, std.shape)", says=_SAYS, cost=20)
op("normal.Tensor_Tensor(mean, std, *, generator=None)", "NormalBackward3",
   "normal_kernel(mean, std, generator)", inplace=False, mean="new_zeros(g, mean.shape)",
   std="new_zeros(g, std.shape)", says=_SAYS, broadcasts=True, cost=20, workspace=4)
