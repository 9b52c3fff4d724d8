"""Random programs of views, in-place writes and ops, for comparing the engine with torch on what they print.

`source(seed)` is the program: every statement may fail, and says how; at the end everything a user could observe is
printed: values, versions, graphs, gradients.
"""

from __future__ import annotations

import contextlib
import io
import math
import random
from typing import Any

UNARY = (
    "sin cos exp tanh sigmoid relu abs neg sqrt log1p square floor sign erf atan cosh expm1 rsqrt reciprocal round "
    "positive frac"
).split()
REDUCTIONS = (
    "sum() mean() sum(0) max() sum(-1,keepdim=True) prod() cumsum(0) logsumexp(0) softmax(0) norm() std() "
    "amax(0) min() amin(-1) var(0) std(-1,keepdim=True) max(0)[0] min(-1)[0] median() median(0)[0] cumprod(0) "
    "log_softmax(-1) logcumsumexp(0) sort(-1)[0] sort(0)[0] topk(1)[0] norm(1) norm(dim=0) "
    "mean(-1,keepdim=True) nansum() kthvalue(1)[0] mode(0)[0] aminmax()[1] cummax(0)[0] diff(dim=0)"
).split()
PARTS = (
    "[0] [-1] [:1] [None] [...,0] .t() .view(-1) .reshape(-1) .unsqueeze(0) .squeeze() .flatten() .clone() "
    ".detach() .T .contiguous() [:,0] [[0]] .expand(2,*{a}.shape) [...,None] .diagonal() .unbind(0)[0] "
    ".chunk(2)[0] .split(1)[-1] .narrow(0,0,1) .select(-1,0) .movedim(0,-1) .swapaxes(0,-1) .expand_as({a}) "
    ".view_as({a}) .repeat(2) .roll(1,0) .flip(0) .tril() .index_select(0,torch.tensor([0,0])) [{a}>0.7] "
    ".masked_fill({a}>1,0) .tile(2) .repeat_interleave(2) .unfold(0,1,1) .ravel() .flatten(0) .squeeze(0) "
    ".take(torch.tensor([0])) [::2] [-1:] .broadcast_to(2,*{a}.shape) .type(torch.float64) .double() "
    ".float().double() .view(-1,1) .new_zeros(2) .data .as_strided((1,),(1,)) "
    ".gather(0,torch.zeros_like({a},dtype=torch.long)) .clamp(0.5,1) .unsqueeze(-1)"
).split()
WRITES = (
    "mul_(2) add_(1) sub_({b}) mul_({b}) exp_() zero_() tanh_() relu_() fill_(2.) div_(3) add_({b},alpha=2) sigmoid_() "
    "copy_({b}) neg_() clamp_(max=1) pow_(2) masked_fill_({a}>1,0.) addcmul_({b},{b}) lerp_({b},0.5) "
    "requires_grad_() data.mul_(2) unsqueeze_(0) squeeze_() t_() index_fill_(0,torch.tensor([0]),3.) "
    "abs_() sqrt_() sin_() round_() clamp_min_(0.5) addcdiv_({b},{b}) div_({b}) pow_({b}) "
    "index_add_(0,torch.tensor([0]),{b}.clone()) "
    "scatter_(0,torch.zeros(1,dtype=torch.long),1.) cumsum_(0) tril_() detach().add_(1) T.add_(1) flatten().mul_(2) "
    "transpose_(0,-1) requires_grad_(False) detach_() add_(1).mul_(2) data.zero_() data.copy_({b}) detach().zero_() "
    "data.add_({b},alpha=-0.1) view(-1).add_(1) clone().zero_() scatter_add_(0,torch.zeros_like({a},dtype=torch.long),"
    "{b}) index_copy_(0,torch.tensor([0]),{b}[:1]) index_put_((torch.tensor([0]),),{b}[:1]) floor_() trunc_() "
    "scatter_(0,torch.zeros_like({a},dtype=torch.long),{b}) masked_scatter_({a}>0.7,{a}.clone()) "
    "put_(torch.tensor([0]),{b}.reshape(-1)[:1]) cumprod_(0) triu_() diagonal().fill_(1) swapaxes_(0,-1) "
    "where({a}>1,{b}).mul_(2) unbind(0)[0].mul_(2) split(1)[0].add_(1) chunk(2)[0].zero_() grad.zero_() "
    "backward(torch.ones_like({a}),retain_graph=True) sum().backward(retain_graph=True) erf_() reciprocal_() "
    "resize_(2) real.mul_(2) long().add_(1) as_strided_((1,),(1,)) squeeze(0).add_(1) expand(2).add_(1) "
    "addmm_({b},{b}) renorm_(2,0,1.) log_() remainder_(1) fmod_({b}) copy_({b}.float()) set_({b}.detach())"
).split()
ASSIGNED = (
    "{a}.data = {b}.data.expand_as({a}).clone()", "{a}.data = {a}.detach() * 0.5", "{a}.grad = None",
    "{a}.data -= 0.1", "{a}.grad = {b}.detach().clone()", "{a} += {b}", "{a} -= 0.1 * {b}", "{a} *= 2", "{a} /= {b}",
    "{a}.data[0] = 5.", "{a}.grad *= 2", "{a} **= 2", "{a}.requires_grad = False", "{a}.requires_grad = True",
    "{a}[{b} > 1] = 0", "{a}[{a} > 1] = {a}[{a} > 1] * 2", "{a}[[0]] = {b}", "{a}[:, 0] = {b}", "{a}[..., -1] += 1",
    "{a}[0] *= 2", "{a}[:, None] = 1.", "{a}.T[0] = 2.", "{a} = {a} + {b}", "{a} = {a}.detach()", "{a} = {b}",
    "with torch.no_grad(): {a}.mul_(2)", "with torch.no_grad(): {a}.add_({b})", "with torch.no_grad(): {a} = {b} * 2",
    "with torch.no_grad(): {a} = {b}.view(-1)", "with torch.no_grad(): {a}[0] = {b}", "{a}.data.t_()",
    "with torch.no_grad(): {a} = {b}.requires_grad_()", "with torch.no_grad(): {a} -= 0.1 * {b}", "{a}.real[0] = 2.",
    "with torch.no_grad(): {a}.copy_({b})", "torch.nn.functional.relu({a}, inplace=True)",
    "torch.nn.init.constant_({a}, 0.5)", "torch.exp_({a})",
)  # fmt: skip
MANY = (
    "torch.where({a} > 0.5, {a}, {b})", "torch.maximum({a}, {b})", "torch.addcmul({a}, {b}, {b})",
    "torch.outer({a}, {b})", "torch.lerp({a}, {b}, 0.3)", "torch.atan2({a}, {b})",
    "torch.einsum('...i,...i->...', {a}, {b})", "torch.mv({a}, {b})", "torch.nn.functional.mse_loss({a}, {b})",
    "torch.nn.functional.layer_norm({a}, {a}.shape[-1:])", "torch.nn.functional.pad({a}, (1, 0))",
    "torch.nn.functional.normalize({a}, dim=-1)", "torch.dot({a}, {b})", "torch.nn.functional.linear({a}, {b})",
    "torch.broadcast_tensors({a}, {b})[0]", "torch.logaddexp({a}, {b})", "torch.hstack([{a}, {b}])",
    "torch.dist({a}, {b})", "torch.kron({a}, {b})", "torch.nn.functional.softplus({a})",
    "torch.nn.functional.elu({a})", "torch.nn.functional.smooth_l1_loss({a}, {b})", "torch.nn.functional.gelu({a})",
    "torch.nn.functional.silu({a})", "torch.nn.functional.leaky_relu({a})",
    "torch.autograd.grad({a}.sum(), {b}, create_graph=True, allow_unused=True)[0] + 0", "torch.hypot({a}, {b})",
    "torch.nn.functional.cosine_similarity({a}, {b}, dim=-1)", "torch.cross({a}, {b}, dim=-1)",
    "torch.fmod({a}, {b})", "{a}.long()", "{a}.int() + {b}", "torch.complex({a}, {a})", "torch.view_as_real({a})",
    "torch.view_as_complex({a})", "{a}.real", "{a}.imag", "{a}.resolve_conj()", "{a} * 1j", "{a}.angle()",
    "{a}.conj() * {b}", "torch.arange(3)", "torch.zeros(2, 3)", "torch.empty_like({a}).copy_({b})", "{a} > {b}",
    "torch.nn.Parameter({a})", "torch.tensor({a})", "torch.as_tensor({a})", "{a}.new_tensor({b})", "{a}.unbind(0)[-1]",
    "{a}.split(1)[0]", "torch.zeros_like({a}, requires_grad=True)", "{a}.mH", "{a}.adjoint()", "{a}.float()",
    "torch.func.grad(lambda t: (t * t).sum())({a})", "{a}.grad", "{a}.grad * 1",
    "torch.utils.checkpoint.checkpoint(torch.sin, {a}, use_reentrant=False)", "{a}.T @ {b}",
    "torch.meshgrid({a}.reshape(-1), {b}.reshape(-1), indexing='ij')[0]",
    "torch.tensor_split({a}, 2)[0]", "torch.clone({a})",
    "torch.scatter({a}, 0, torch.zeros_like({a}, dtype=torch.long), {b})", "torch.complex({a}, {b}).conj() * 2",
    "torch.nn.functional.cross_entropy({a}, {b})", "torch.bmm({a}[None], {b}[None])", "{a}.bool()", "{a} // 2",
    "torch.autograd.grad({a}.sum(), {b})[0]", "{a}.sum().item() * {b}", "{a}.to(torch.float32)", "{a}.to({b})",
    "torch.linalg.norm({a})", "torch.linalg.solve({a}.T @ {a} + torch.eye(3, dtype=torch.float64), {b}[0])", "{a}.H",
)  # fmt: skip
SHAPES: tuple[tuple[int, ...], ...] = ((3,), (2, 3), (1, 3), (), (2, 1), (2, 3))

PREAMBLE = """import torch
"""
ATTEMPT = """try:
    {statement}
except Exception as error:
    print(type(error).__name__, error)
"""
REPORT = """
def graph(node, depth=6):
    if node is None:
        return 'None'
    if depth == 0:
        return '...'
    edges = ','.join(graph(n, depth - 1) + (f':{{i}}' if i else '') for n, i in node.next_functions)
    return node.name().split('::')[-1] + f'({{edges}})'
def describe(v):
    try:
        return graph(v.grad_fn)
    except Exception as error:
        return f'{{type(error).__name__}} {{error}}'
def numbers(v):
    try:
        return [f'{{x:.5g}}' if abs(x) > 1e-9 else '0' for x in v.detach().reshape(-1).tolist()]
    except Exception as error:
        return type(error).__name__
for name, v in [{all}]:
    try:
        kept = (v._version, v.output_nr, v.is_contiguous(), v.requires_grad and v._is_view())
        print(name, v.dtype, tuple(v.shape), v.requires_grad, *kept, describe(v), numbers(v))
    except Exception as error:
        print(name, type(error).__name__, error)
for name, v in [{last}]:
    try:
        if v.requires_grad:
            v.sum().backward(retain_graph=True)
    except Exception as error:
        print(name, type(error).__name__, error)
for name, v in [{all}]:
    try:
        if v.is_leaf or v.retains_grad:
            print(name, None if v.grad is None else numbers(v.grad))
    except Exception as error:
        print(name, type(error).__name__, error)
"""


def source(seed: int) -> str:
    """The program of a seed."""
    pick = random.Random(seed)
    names: list[str] = []
    statements: list[str] = []
    for _ in range(pick.randint(1, 3)):
        shape = pick.choice(SHAPES)
        values = [round(pick.uniform(0.2, 2), 1) for _ in range(math.prod(shape))]
        names.append(f"v{len(names) + 1}")
        wanted = pick.random() < 0.8
        statements.append(
            f"{names[-1]} = torch.tensor({values}, dtype=torch.float64).reshape({list(shape)}).requires_grad_({wanted})"
        )
    leaves = len(names)
    for _ in range(pick.randint(4, 14)):
        text, makes = statement(pick, names)
        if makes:
            names.append(f"v{len(names) + 1}")
            text = f"{names[-1]} = {text}"
        statements.append(ATTEMPT.format(statement=text))
    unset = "".join(f"{name} = torch.ones(2, dtype=torch.float64)\n" for name in names[leaves:])
    pairs = [f"('{name}', {name})" for name in names]
    report = REPORT.format(all=", ".join(pairs), last=", ".join(pairs[::-1][:4]))
    return PREAMBLE + unset + "\n".join(statements) + report


def statement(pick: random.Random, names: list[str]) -> tuple[str, bool]:
    """One statement on known names, and whether it makes a new tensor."""
    a, b = pick.choice(names), pick.choice(names)
    kind = pick.random()
    if kind < 0.22:
        return f"{a}.{pick.choice(UNARY)}()", True
    if kind < 0.42:
        return f"{a} {pick.choice('+-*/')} {b}", True
    if kind < 0.5:
        return f"{a} {pick.choice(['+', '-', '*', '/', '**'])} {pick.choice([2, 3, 0.5, 1])}", True
    if kind < 0.53:
        return f"{pick.choice([2, 1, 0.5])} {pick.choice('+-*/')} {a}", True
    if kind < 0.6:
        return f"{a}.{pick.choice(REDUCTIONS)}", True
    if kind < 0.72:
        return a + pick.choice(PARTS).format(a=a), True
    if kind < 0.75:
        return pick.choice(ASSIGNED).format(a=a, b=b), False
    if kind < 0.86:
        return f"{a}.{pick.choice(WRITES).format(a=a, b=b)}", False
    if kind < 0.9:
        return f"{a}[{pick.choice(['0', '-1', ':1', '...'])}] = {pick.choice([b, '1.5', f'{b}.sum()'])}", False
    if kind < 0.91:
        return pick.choice(ASSIGNED).format(a=a, b=b), False
    if kind < 0.93:
        return f"torch.{pick.choice(['cat', 'stack'])}([{a}, {b}])", True
    if kind < 0.96:
        return pick.choice(MANY).format(a=a, b=b), True
    if kind < 0.97:
        return f"{a}.{pick.choice(['retain_grad()', 'register_hook(lambda g: g * 2)'])}", False
    return f"{a} @ {b}", True


def printed(program: str, torch: Any) -> str:
    """What a program prints when `import torch` gives `torch`."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(program.removeprefix(PREAMBLE), {"torch": torch, "__name__": "program"})
    return out.getvalue()
