"""Steps written with ops: gradients flow through them with `differentiable=True`, and some optimizers have no other."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.codegen.publish import TORCH
from engine.core.tensor import Tensor, constant
from engine.optim.optimizer import begin, number

Group = dict[str, Any]


def _penalised(parameter: Any, grad: Any, group: Group) -> Any:
    """The gradient that is descended, with weight decay in it."""
    if group["maximize"]:
        grad = -grad
    decay = group["weight_decay"]
    return grad if decay == 0 else grad.add(parameter, alpha=decay)


def _decayed(parameter: Any, grad: Any, group: Group) -> Any:
    """The same for optimizers that may shrink the parameter itself instead."""
    if not group["decoupled_weight_decay"] or group["weight_decay"] == 0:
        return _penalised(parameter, grad, group)
    grad = -grad if group["maximize"] else grad
    parameter.mul_(1 - group["lr"] * group["weight_decay"])
    return grad


def _count(state: dict[str, Any]) -> float:
    """The number of the step that begins."""
    state["step"] += 1
    return float(state["step"]._array)


def _moments(state: dict[str, Any], grad: Any, beta1: float, beta2: float) -> tuple[Any, Any]:
    """The running means of the gradient and of its square, brought up to date."""
    mean, square = state["exp_avg"], state["exp_avg_sq"]
    mean.lerp_(grad, 1 - beta1)
    square.mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
    return mean, square


def sgd_step(parameter: Any, grad: Any, group: Group, state: dict[str, Any]) -> None:
    """One step of SGD; the first momentum buffer is a constant, as in PyTorch."""
    grad = _penalised(parameter, grad, group)
    momentum = group["momentum"]
    if momentum != 0:
        buffer: Any = state.get("momentum_buffer")
        if buffer is None:
            buffer = state["momentum_buffer"] = grad.detach().clone()
        else:
            buffer.mul_(momentum).add_(grad, alpha=1 - group["dampening"])
        grad = grad.add(buffer, alpha=momentum) if group["nesterov"] else buffer
    lr = group["lr"]
    if isinstance(lr, Tensor) and lr.requires_grad:
        parameter.addcmul_(grad, lr, value=-1)
    else:
        parameter.add_(grad, alpha=-lr)


def adam_step(parameter: Any, grad: Any, group: Group, state: dict[str, Any]) -> None:
    """One step of Adam or AdamW."""
    if not state:
        begin(state, parameter._array, "exp_avg", "exp_avg_sq", *(["max_exp_avg_sq"] if group["amsgrad"] else ()))
    step = state["step"]
    step += 1
    lr, (beta1, beta2) = group["lr"], group["betas"]
    mean, square = _moments(state, _decayed(parameter, grad, group), beta1, beta2)
    if group["amsgrad"]:
        largest = state["max_exp_avg_sq"]
        largest.copy_(TORCH["maximum"](largest.clone(), square))
        square = largest
    if not group["differentiable"]:
        count = step.item()
        scale = (square.sqrt() / (1 - beta2**count) ** 0.5).add_(group["eps"])
        parameter.addcdiv_(mean, scale, value=-float(lr) / (1 - beta1**count))
        return
    size = (lr / (1 - beta1**step)).neg()
    root = (1 - beta2**step).sqrt()
    scale = (square.sqrt() / (root * size)).add_(group["eps"] / size)
    parameter.addcdiv_(mean.clone(), scale)


def rmsprop_step(parameter: Any, grad: Any, group: Group, state: dict[str, Any]) -> None:
    """One step of RMSprop."""
    if not state:
        buffers = {"momentum_buffer": group["momentum"] > 0, "grad_avg": group["centered"]}
        begin(state, parameter._array, "square_avg", *(name for name, used in buffers.items() if used))
    _count(state)
    grad = _penalised(parameter, grad, group)
    alpha, square = group["alpha"], state["square_avg"]
    square.mul_(alpha).addcmul_(grad, grad, value=1 - alpha)
    if group["centered"]:
        mean = state["grad_avg"]
        mean.lerp_(grad, 1 - alpha)
        root = square.addcmul(mean, mean, value=-1).sqrt_()
    else:
        root = square.sqrt()
    root = root.add(group["eps"])
    if group["momentum"] > 0:
        buffer = state["momentum_buffer"]
        buffer.mul_(group["momentum"]).addcdiv_(grad, root)
        parameter.add_(buffer, alpha=-group["lr"])
    else:
        parameter.addcdiv_(grad, root, value=-group["lr"])


def adagrad_step(parameter: Any, grad: Any, group: Group, state: dict[str, Any]) -> None:
    """One step of Adagrad."""
    step = _count(state)
    grad = _penalised(parameter, grad, group)
    lr = group["lr"] / (1 + (step - 1) * group["lr_decay"])
    state["sum"].addcmul_(grad, grad, value=1)
    parameter.addcdiv_(grad, state["sum"].sqrt() + group["eps"], value=-lr)


def adadelta_step(parameter: Any, grad: Any, group: Group, state: dict[str, Any]) -> None:
    """One step of Adadelta."""
    if not state:
        begin(state, parameter._array, "square_avg", "acc_delta")
    _count(state)
    grad = _penalised(parameter, grad, group)
    rho, eps = group["rho"], group["eps"]
    state["square_avg"].mul_(rho).addcmul_(grad, grad, value=1 - rho)
    root = state["square_avg"].add(eps).sqrt_()
    change = state["acc_delta"].add(eps).sqrt_().clone()
    change.div_(root).mul_(grad)
    state["acc_delta"].mul_(rho).addcmul_(change, change, value=1 - rho)
    parameter.add_(change, alpha=-number(group["lr"]))


def rprop_step(parameter: Any, grad: Any, group: Group, state: dict[str, Any]) -> None:
    """One step of Rprop; only signs of the gradient count, so nothing flows to it."""
    if not state:
        begin(state, parameter._array, "prev")
        state["step_size"] = constant(np.full_like(parameter._array, number(group["lr"])))
    _count(state)
    if group["maximize"]:
        grad = -grad
    shrink, grow = group["etas"]
    turned = grad.mul(state["prev"].clone()).sign()
    for chosen, factor in ((turned.gt(0), grow), (turned.lt(0), shrink), (turned.eq(0), 1)):
        turned[chosen] = factor
    state["step_size"].mul_(turned).clamp_(*group["step_sizes"])
    grad = grad.clone()
    grad[turned.eq(shrink)] = 0
    parameter.addcmul_(grad.sign(), state["step_size"], value=-1)
    state["prev"].copy_(grad)


def asgd_step(parameter: Any, grad: Any, group: Group, state: dict[str, Any]) -> None:
    """One step of averaged SGD."""
    lr, lambd = number(group["lr"]), group["lambd"]
    if not state:
        begin(state, parameter._array)
        state["eta"], state["mu"] = constant(np.float32(lr)), constant(np.float32(1))
        state["ax"] = constant(np.zeros_like(parameter._array))
    step = _count(state)
    grad = _penalised(parameter, grad, group)
    eta, mean = float(state["eta"]._array), state["ax"]
    parameter.mul_(1 - lambd * eta)
    parameter.add_(grad, alpha=-eta)
    if state["mu"]._array == 1:
        mean.copy_(parameter)
    else:
        mean.add_(parameter.sub(mean).mul_(state["mu"]))
    state["eta"].copy_(constant(np.float32(lr / (1 + lambd * lr * step) ** group["alpha"])))
    state["mu"].copy_(constant(np.float32(1 / max(1, step - group["t0"]))))


def adamax_step(parameter: Any, grad: Any, group: Group, state: dict[str, Any]) -> None:
    """One step of Adamax."""
    if not state:
        begin(state, parameter._array, "exp_avg", "exp_inf")
    step = _count(state)
    grad = _penalised(parameter, grad, group)
    beta1, beta2 = group["betas"]
    mean, largest = state["exp_avg"], state["exp_inf"]
    mean.lerp_(grad, 1 - beta1)
    sizes = [largest.mul_(beta2).unsqueeze(0), grad.abs().add_(group["eps"]).unsqueeze_(0)]
    largest.copy_(TORCH["amax"](TORCH["cat"](sizes, 0), 0, keepdim=False))
    parameter.addcdiv_(mean, largest, value=-(group["lr"] / (1 - beta1**step)))


def nadam_step(parameter: Any, grad: Any, group: Group, state: dict[str, Any]) -> None:
    """One step of NAdam."""
    if not state:
        state["step"], state["mu_product"] = constant(np.float32(0)), constant(np.float32(1))
        state["exp_avg"], state["exp_avg_sq"] = (constant(np.zeros_like(parameter._array)) for _ in range(2))
    step = _count(state)
    lr, (beta1, beta2), drift = group["lr"], group["betas"], group["momentum_decay"]
    grad = _decayed(parameter, grad, group)
    now = beta1 * (1.0 - 0.5 * 0.96 ** (step * drift))
    following = beta1 * (1.0 - 0.5 * 0.96 ** ((step + 1) * drift))
    product = state["mu_product"]
    product *= now
    mean, square = _moments(state, grad, beta1, beta2)
    root = square.div(1 - beta2**step).sqrt().add(group["eps"])
    if not group["differentiable"]:
        so_far = product.item()
        parameter.addcdiv_(grad, root, value=-float(lr) * (1 - now) / (1 - so_far))
        parameter.addcdiv_(mean, root, value=-float(lr) * following / (1 - so_far * following))
        return
    next_product = product * following
    grad = grad * (-lr * (1.0 - now) / (1.0 - product))
    mean = mean * (-lr * following / (1.0 - next_product))
    parameter.addcdiv_(grad, root)
    parameter.addcdiv_(mean, root)


def radam_step(parameter: Any, grad: Any, group: Group, state: dict[str, Any]) -> None:
    """One step of RAdam."""
    if not state:
        begin(state, parameter._array, "exp_avg", "exp_avg_sq")
    step = _count(state)
    lr, (beta1, beta2) = group["lr"], group["betas"]
    mean, square = _moments(state, _decayed(parameter, grad, group), beta1, beta2)
    corrected = mean / (1 - beta1**step)
    longest = 2 / (1 - beta2) - 1
    length = longest - 2 * step * beta2**step / (1 - beta2**step)
    change = corrected * lr
    if length > 5.0:
        rectified = (length - 4) * (length - 2) * longest / ((longest - 4) * (longest - 2) * length)
        change = change * ((1 - beta2**step) ** 0.5 / square.sqrt().add(group["eps"])) * rectified**0.5
    parameter.add_(change, alpha=-1.0)
