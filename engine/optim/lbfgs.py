"""L-BFGS: a quasi-Newton method that remembers the last steps (Nocedal and Wright, "Numerical Optimization", ch. 3, 7).

All parameters together are one vector. The line search looks for a point that satisfies the strong Wolfe conditions:
lower than a straight line of slope c1 · slope (Armijo), and flatter than c2 · slope.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from engine import errors
from engine.core.grad_mode import enable_grad
from engine.core.state import state as engine_state
from engine.core.tensor import Tensor, constant
from engine.core.views import share
from engine.limits import meter
from engine.optim.optimizer import Optimizer, check, fused, number
from engine.types.bfloat16 import BFLOAT16

ARMIJO, CURVATURE = 1e-4, 0.9


class Point(NamedTuple):
    """What is known at one step length: the function's value, its gradient, and its slope along the direction.

    Steps and slopes are numpy numbers of the parameters' dtype: rounding decides where a search ends.
    """

    step: Any
    value: float
    gradient: Any
    slope: Any


def cubic_minimum(first: Point, second: Point, bounds: tuple[Any, Any] | None = None) -> Any:
    """Where the cubic through two points with their slopes is lowest, within `bounds` (the two points)."""
    low, high = bounds or (min(first.step, second.step), max(first.step, second.step))
    left, right = (first, second) if first.step <= second.step else (second, first)
    d1 = first.slope + second.slope - 3 * (first.value - second.value) / (first.step - second.step)
    square = d1 * d1 - first.slope * second.slope
    if not square >= 0:
        return (low + high) / 2.0
    d2 = np.sqrt(square)
    fraction = (right.slope + d2 - d1) / (right.slope - left.slope + 2 * d2)
    return min(max(right.step - (right.step - left.step) * fraction, low), high)


class LineSearch:
    """One search along a direction: first a bracket that holds a good point, then the bracket is narrowed."""

    def __init__(
        self, evaluate: Callable[[float], tuple[float, Any]], direction: Any, start: Point, tolerance: float, tries: int
    ) -> None:
        self.evaluate, self.direction, self.start = evaluate, direction, start
        self.tolerance, self.tries = tolerance, tries
        self.evaluations = self.turns = 0

    def at(self, step: float) -> Point:
        value, gradient = self.evaluate(step)
        self.evaluations += 1
        return Point(step, value, gradient, gradient.dot(self.direction))

    def too_high(self, point: Point) -> bool:
        return point.value > self.start.value + ARMIJO * point.step * self.start.slope

    def flat_enough(self, point: Point) -> bool:
        return abs(point.slope) <= -CURVATURE * self.start.slope

    def run(self, step: float) -> Point:
        """The point found, from a first guess of the step length."""
        point = self.at(step)
        previous = self.start
        while self.turns < self.tries:
            if self.too_high(point) or (self.turns > 1 and point.value >= previous.value):
                return self.narrow([previous, point])
            if self.flat_enough(point):
                return point
            if point.slope >= 0:
                return self.narrow([previous, point])
            bounds = (point.step + 0.01 * (point.step - previous.step), point.step * 10)
            following = cubic_minimum(previous, point, bounds)
            previous, point = point, self.at(following)
            self.turns += 1
        return min((self.start, point), key=lambda p: p.value)

    def narrow(self, bracket: list[Point]) -> Point:
        """Shrink a bracket until one of its points is good, or there is no more progress."""
        low, high = (0, 1) if bracket[0].value <= bracket[1].value else (1, 0)
        longest = np.abs(self.direction).max()
        stuck = False
        while self.turns < self.tries:
            near, far = sorted(p.step for p in bracket)
            if (far - near) * longest < self.tolerance:
                break
            step = cubic_minimum(bracket[0], bracket[1])
            margin = 0.1 * (far - near)
            if min(far - step, step - near) < margin:
                if stuck or step >= far or step <= near:
                    step = far - margin if abs(step - far) < abs(step - near) else near + margin
                    stuck = False
                else:
                    stuck = True
            else:
                stuck = False
            point = self.at(step)
            self.turns += 1
            if self.too_high(point) or point.value >= bracket[low].value:
                bracket[high] = point
                low, high = (0, 1) if bracket[0].value <= bracket[1].value else (1, 0)
                continue
            done = self.flat_enough(point)
            if not done and point.slope * (bracket[high].step - bracket[low].step) >= 0:
                bracket[high] = bracket[low]
            bracket[low] = point
            if done:
                break
        return bracket[low]


def _real(a: Any) -> Any:
    """Complex numbers as two real ones each, along a last dimension of its own where there is more than one."""
    if a.dtype.kind != "c":
        return a
    pairs = np.ascontiguousarray(a).reshape(-1).view(a.real.dtype)
    return pairs if a.ndim == 1 else pairs.reshape((*a.shape, 2))


def _complex(pairs: Any, like: Any) -> Any:
    return np.ascontiguousarray(pairs, like.real.dtype).reshape(-1).view(like.dtype).reshape(like.shape)


def _kept(step: Any) -> Any:
    """The length of a step as the state shows it: as a tensor where it was calculated with some."""
    return constant(step) if isinstance(step, np.generic) else step


_REMEMBERED = "d", "t", "old_dirs", "old_stps", "ro", "H_diag", "prev_flat_grad", "prev_loss"
"""What a step leaves to the next, in the order of the state."""


def _absolute_sum(gradient: Any) -> Any:
    return np.abs(gradient).sum(dtype=np.float32 if gradient.dtype == BFLOAT16 else None)


class LBFGS(Optimizer):
    """`step(closure)` evaluates the model several times. One parameter group only."""

    def __init__(
        self,
        params: Any,
        lr: Any = 1,
        max_iter: int = 20,
        max_eval: int | None = None,
        tolerance_grad: float = 1e-7,
        tolerance_change: float = 1e-9,
        history_size: int = 100,
        line_search_fn: str | None = None,
    ) -> None:
        check(lr=lr)
        defaults = {
            "lr": lr,
            "max_iter": max_iter,
            "max_eval": max_iter * 5 // 4 if max_eval is None else max_eval,
            "tolerance_grad": tolerance_grad,
            "tolerance_change": tolerance_change,
            "history_size": history_size,
            "line_search_fn": line_search_fn,
        }
        super().__init__(params, defaults)
        if len(self.param_groups) != 1:
            raise errors.lbfgs_groups()
        self._params = self.param_groups[0]["params"]

    def step(self, closure: Callable[[], Any]) -> Any:
        """Minimise for at most `max_iter` iterations; returns the loss before the first."""
        return super().step(closure)

    # Parameters as one vector

    def _gradient(self) -> Any:
        meter.charge(len(self._params) + (sum([p._array.size for p in self._params]) >> 7))
        return np.concatenate(
            [
                _real(np.zeros(p.numel(), p._array.dtype) if p._grad is None else np.ravel(p._grad.to_dense()._array))
                for p in self._params
            ]
        )

    def _write(self, values: list[Any]) -> None:
        observer = engine_state.observer
        for parameter, value in zip(self._params, values, strict=True):
            memory = share(parameter)
            if observer is not None:
                observer.before_write(memory)
            memory[...] = value
            parameter._version_counter.n += 1
            if observer is not None:
                observer.wrote(parameter)

    def _move(self, step: float, direction: Any) -> None:
        start, values = 0, []
        for parameter in self._params:
            current = _real(parameter._array)
            end = start + current.size
            moved = fused(direction[start:end].reshape(current.shape), step, current)
            values.append(moved if current is parameter._array else _complex(moved, parameter._array))
            start = end
        self._write(values)

    def _evaluate(self, closure: Callable[[], Any]) -> tuple[Any, float, Any]:
        with enable_grad():
            loss = closure()
        return loss, float(loss.detach() if hasattr(loss, "detach") else loss), self._gradient()

    # The method

    def _minimize(self, closure: Any) -> Any:
        group = self.param_groups[0]
        state = self.state[self._params[0]]
        state.setdefault("func_evals", 0)
        state.setdefault("n_iter", 0)
        lr = number(group["lr"])
        memory = {name: state.get(name) for name in _REMEMBERED}
        first_loss, value, gradient = self._evaluate(closure)
        evaluations = 1
        state["func_evals"] += 1
        if np.abs(gradient).max() <= group["tolerance_grad"]:
            return first_loss
        for iteration in range(1, group["max_iter"] + 1):
            state["n_iter"] += 1
            direction = self._direction(state, memory, gradient, group["history_size"])
            memory["prev_flat_grad"] = constant(gradient.copy())
            memory["d"] = constant(direction)
            before = memory["prev_loss"] = value
            first = state["n_iter"] == 1
            step = min(1.0, 1.0 / _absolute_sum(gradient)) * lr if first else lr
            memory["t"] = _kept(step)
            slope = gradient.dot(direction)
            if slope > -group["tolerance_change"]:
                break
            used = 0
            if group["line_search_fn"] is not None:
                if group["line_search_fn"] != "strong_wolfe":
                    raise errors.lbfgs_line_search()
                tries = group["max_eval"] - evaluations
                search = self._search(closure, direction, Point(0, value, gradient, slope), tries)
                found = search.run(step)
                step, value, gradient, used = found.step, found.value, found.gradient, search.evaluations
                memory["t"] = _kept(step)
                self._move(step, direction)
            else:
                self._move(step, direction)
                if iteration != group["max_iter"]:
                    _, value, gradient = self._evaluate(closure)
                    used = 1
            evaluations += used
            state["func_evals"] += used
            if (
                iteration == group["max_iter"]
                or evaluations >= group["max_eval"]
                or np.abs(gradient).max() <= group["tolerance_grad"]
                or np.abs(direction * step).max() <= group["tolerance_change"]
                or abs(value - before) < group["tolerance_change"]
            ):
                break
        state.update(memory)
        return first_loss

    def _search(self, closure: Callable[[], Any], direction: Any, start: Point, tries: int) -> LineSearch:
        origin = [parameter._array.copy() for parameter in self._params]

        def evaluate(step: float) -> tuple[float, Any]:
            self._move(step, direction)
            _, value, gradient = self._evaluate(closure)
            self._write(origin)
            return value, gradient

        return LineSearch(evaluate, direction, start, self.param_groups[0]["tolerance_change"], tries)

    def _direction(self, state: dict[str, Any], memory: dict[str, Any], gradient: Any, history: int) -> Any:
        """Minus the approximate inverse Hessian times the gradient, by the two-loop recursion."""
        if state["n_iter"] == 1:
            memory["old_dirs"], memory["old_stps"], memory["ro"] = [], [], []
            memory["H_diag"] = 1
            return -gradient
        differences, steps, weights = memory["old_dirs"], memory["old_stps"], memory["ro"]
        difference = gradient - memory["prev_flat_grad"]._array
        length = memory["t"]
        step = memory["d"]._array * (length._array if isinstance(length, Tensor) else length)
        step = step.astype(gradient.dtype, copy=False)
        curvature = difference.dot(step)
        if curvature > 1e-10:
            if len(differences) == history:
                for kept in (differences, steps, weights):
                    kept.pop(0)
            differences.append(constant(difference))
            steps.append(constant(step))
            weights.append(constant(gradient.dtype.type(1.0 / curvature)))
            memory["H_diag"] = constant(curvature / difference.dot(difference))
        scale = memory["H_diag"]
        if "al" not in state:
            meter.allocate(history, 8)
            state["al"] = [None] * history
        coefficients = [0.0] * len(differences)
        q = -gradient
        for i in reversed(range(len(differences))):
            coefficients[i] = steps[i]._array.dot(q) * weights[i]._array
            q = fused(differences[i]._array, -coefficients[i], q)
            state["al"][i] = constant(coefficients[i])
        r = q * (scale if isinstance(scale, int) else scale._array)
        for i in range(len(differences)):
            r = fused(steps[i]._array, coefficients[i] - differences[i]._array.dot(r) * weights[i]._array, r)
        return r
