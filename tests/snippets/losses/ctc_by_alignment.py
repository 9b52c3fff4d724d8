# CTC loss against a hand-written forward over alignments
import torch, torch.nn.functional as F
torch.manual_seed(0)
lp = torch.randn(5, 1, 3, requires_grad=True); t = torch.tensor([[1, 2]]); logp = lp.log_softmax(2); l = F.ctc_loss(logp, t, torch.tensor([5]), torch.tensor([2]), reduction="sum"); l.backward(); print(l, lp.grad[:, 0], l.grad_fn.name())
ext = [0, 1, 0, 2, 0]; a = torch.full((5,), float("-inf")); a = torch.stack([logp[0, 0, 0], logp[0, 0, 1]] + [a[0]] * 3)
for s in range(1, 5): a = torch.stack([torch.logsumexp(torch.stack([a[j]] + ([a[j - 1]] if j else []) + ([a[j - 2]] if j > 1 and ext[j] and ext[j] != ext[j - 2] else [])), 0) + logp[s, 0, ext[j]] for j in range(5)])
print(-torch.logsumexp(a[-2:], 0))
for f in (lambda: F.ctc_loss(logp, t, torch.tensor([9]), torch.tensor([2])), lambda: F.ctc_loss(logp, torch.tensor([[1, 1]]), torch.tensor([2]), torch.tensor([2]), zero_infinity=True), lambda: F.ctc_loss(logp, torch.tensor([[1, 1]]), torch.tensor([2]), torch.tensor([2])), lambda: F.ctc_loss(logp, t, torch.tensor([5, 5]), torch.tensor([2]))):
    try: print(f())
    except Exception as e: print(type(e).__name__, str(e)[:150])
