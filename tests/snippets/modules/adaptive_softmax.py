# Adaptive log-softmax: loss, gradients of head and tails, log_prob and predict
import torch
import torch.nn as nn

torch.manual_seed(0)
soft = nn.AdaptiveLogSoftmaxWithLoss(8, 20, cutoffs=[4, 10], div_value=2.0)
print(soft)
x = torch.randn(6, 8, requires_grad=True)
target = torch.tensor([0, 3, 5, 9, 12, 19])
out = soft(x, target)
print(out)
output, loss = out
print(output.grad_fn, loss.grad_fn, out.loss is loss)
loss.backward()
print(x.grad, soft.head.weight.grad.norm(), [p.grad.norm().item() > 0 for p in soft.tail.parameters()])
lp = soft.log_prob(x)
print(lp.shape, lp.exp().sum(1), torch.allclose(lp.gather(1, target.unsqueeze(1)).squeeze(1), output))
print(soft.predict(x), lp.argmax(1))
print(soft(x[0], torch.tensor(2)))
for f in (
    lambda: soft(x, torch.tensor([0, 1])),
    lambda: soft(x, torch.tensor([0, 1, 2, 3, 4, 25])),
    lambda: soft(x, target.view(2, 3)),
    lambda: nn.AdaptiveLogSoftmaxWithLoss(4, 5, [3, 2]),
    lambda: nn.AdaptiveLogSoftmaxWithLoss(4, 5, []),
):
    try:
        f()
    except (RuntimeError, ValueError) as e:
        print(type(e).__name__, e)
