# A Function with generate_vmap_rule: it runs once for all entries, and so does its backward
import torch
from torch.func import grad, jacrev, vmap


class Rule(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass


class Product(Rule):
    @staticmethod
    def forward(x, w):
        print('forward', tuple(x.shape), tuple(w.shape))
        return x.sin() * w

    @staticmethod
    def setup_context(ctx, inputs, output):
        print('setup', [tuple(i.shape) for i in inputs], tuple(output.shape))
        ctx.save_for_backward(*inputs)
        ctx.shape = inputs[0].shape

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        print('backward', tuple(g.shape), tuple(x.shape), tuple(w.shape), tuple(ctx.shape), ctx.needs_input_grad)
        return g * x.cos() * w, g * x.sin()


def chain(t):
    def go(node):
        if node is None:
            return '-'
        edges = [go(edge[0]) for edge in node.next_functions]
        return node.name().split('::')[-1] + ('(' + ', '.join(edges) + ')' if edges else '')

    return go(t.grad_fn)


x = torch.tensor([[0.1, 0.2, 0.3], [1.0, 2.0, 3.0]], requires_grad=True)
w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = vmap(Product.apply, (0, None))(x, w)
print(y, chain(y), [tuple(s.shape) for s in y.grad_fn.saved_tensors])
for g in torch.autograd.grad(y.sum(), (x, w), create_graph=True):
    print(g, chain(g))
y = vmap(Product.apply, (1, 0), 1)(x, w)
print(y, chain(y))
y.sum().backward()
print(x.grad, w.grad)
y = vmap(vmap(Product.apply), (0, None))(x, w)
print(y, chain(y))
print(torch.autograd.grad(y.sum(), (x, w)))


def ask(name, function):
    try:
        found = function()
        found = found if isinstance(found, tuple) else (found,)
        print(name, [(t.tolist(), chain(t)) for t in found])
        roots = [t.sum() for t in found if t.requires_grad]
        print('  ', torch.autograd.grad(sum(roots), x, allow_unused=True))
    except Exception as error:
        print(name, type(error).__name__, error)


class Marked(Rule):
    @staticmethod
    def forward(x):
        return x * 2, x.argmax() + 0.0, x.argmax()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.mark_non_differentiable(output[1])

    @staticmethod
    def backward(ctx, g, h, i):
        return g * 2 + h


class Dirty(Rule):
    @staticmethod
    def forward(x):
        return x.mul_(2)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.mark_dirty(inputs[0])


class Same(Rule):
    @staticmethod
    def forward(x):
        return x

    @staticmethod
    def backward(ctx, g):
        return g * 2


class SavesTheSame(Same):
    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output)


class Stored(Rule):
    @staticmethod
    def forward(x):
        return x.exp()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.x, ctx.all = inputs[0], [output, {'x': inputs[0]}]

    @staticmethod
    def backward(ctx, g):
        return g * ctx.all[0] * ctx.x + ctx.all[1]['x'].sum()


class Output(Stored):
    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output)

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * y


class Constant(Same):
    @staticmethod
    def forward(x):
        return torch.ones(3)


class Scaled(Rule):
    @staticmethod
    def forward(x, k):
        return x * k

    @staticmethod
    def backward(ctx, g):
        return g * 2, None


class TooFew(Scaled):
    @staticmethod
    def backward(ctx, g):
        return g


class NoTensor(Scaled):
    @staticmethod
    def backward(ctx, g):
        return 2.0, None


class Listed(Same):
    @staticmethod
    def forward(x):
        return [x * 2, x * 3]


class Numbered(Rule):
    @staticmethod
    def forward(x):
        return x * 2, 5

    @staticmethod
    def backward(ctx, g, h):
        print('  ', h)
        return g


class Total(Rule):
    @staticmethod
    def forward(x):
        return x.sum()

    @staticmethod
    def backward(ctx, g):
        return g


class Ones(Total):
    @staticmethod
    def backward(ctx, g):
        return torch.ones(3)


class Larger(Same):
    @staticmethod
    def forward(x):
        return x * 2

    @staticmethod
    def backward(ctx, g):
        return g.expand(4, 3)


class Pair(Rule):
    @staticmethod
    def forward(x):
        return x * 2, x * 3

    @staticmethod
    def backward(ctx, g, h):
        return g * 2 + h


class Unmaterialized(Pair):
    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.set_materialize_grads(False)

    @staticmethod
    def backward(ctx, g, h):
        return g if h is None else h


class Random(Same):
    @staticmethod
    def forward(x):
        return x + torch.rand(3)


class Branching(Same):
    @staticmethod
    def forward(x):
        return x.exp() if x.sum() > 0 else x


class InLists(Rule):
    @staticmethod
    def forward(x, more):
        return x * more[0] + more[1]['b']

    @staticmethod
    def backward(ctx, g):
        return g, None


class ByHand(Same):
    @staticmethod
    def vmap(info, in_dims, x):
        return x, in_dims[0]


for function in (Marked, Same, SavesTheSame, Stored, Output, Constant, Listed, Total, Ones, Larger, Pair):
    ask(function.__name__, lambda: vmap(function.apply)(x))
for function in (Unmaterialized, Random, Branching, ByHand):
    ask(function.__name__, lambda: vmap(function.apply)(x))
for function in (Scaled, TooFew, NoTensor):
    ask(function.__name__, lambda: vmap(function.apply, (0, None))(x, 2.0))
ask('Dirty', lambda: vmap(lambda a: Dirty.apply(a.clone()))(x))
ask('Numbered', lambda: vmap(lambda a: Numbered.apply(a)[0])(x))
ask('Pair, one', lambda: vmap(lambda a: Pair.apply(a)[1])(x))
ask('Unmaterialized, one', lambda: vmap(lambda a: Unmaterialized.apply(a)[0])(x))
ask('InLists', lambda: vmap(lambda a, b: InLists.apply(a, [b, {'b': a}]), (0, None))(x, w))
ask('out_dims', lambda: vmap(Output.apply, 1, 1)(x))
ask('in grad', lambda: vmap(grad(lambda a: Output.apply(a).sum()))(x))
ask('in grad of grad', lambda: vmap(grad(lambda a: grad(lambda b: Output.apply(b).sum())(a).sum()))(x))
ask('under grad', lambda: grad(lambda a: vmap(Output.apply)(a).sum())(x))
ask('unmapped', lambda: vmap(lambda a: Output.apply(w) + a)(x))
for plain in (SavesTheSame, Same):
    ask('without vmap', lambda: plain.apply(x))
