# CTC loss of two short sequences
import torch
import torch.nn.functional as F

torch.manual_seed(0)
T, C, N, S = 6, 4, 2, 3
logits = torch.randn(T, N, C, requires_grad=True)
log_probs = logits.log_softmax(2)
targets = torch.tensor([[1, 2, 2], [3, 1, 0]])
input_lengths = torch.full((N,), T, dtype=torch.long)
target_lengths = torch.tensor([3, 2])
for red in ("none", "sum", "mean"):
    loss = F.ctc_loss(log_probs, targets, input_lengths, target_lengths, reduction=red)
    print(red, loss)
loss.backward(retain_graph=True)
print(logits.grad[:, 0].round(decimals=4))
crit = torch.nn.CTCLoss(blank=0, zero_infinity=True)
print(crit)
l2 = crit(log_probs, torch.tensor([1, 2, 2, 3, 1]), (6, 2), (3, 2))
print(l2, l2.grad_fn, l2.grad_fn.next_functions)
logits.grad = None
l2.backward()
print(logits.grad.abs().sum((0, 2)))
best = log_probs.argmax(-1).t()
for seq in best:
    prev, out = None, []
    for k in seq.tolist():
        if k != prev and k != 0:
            out.append(k)
        prev = k
    print(seq.tolist(), "->", out)
