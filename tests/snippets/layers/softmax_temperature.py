# Softmax with a temperature, gumbel softmax and one-hot
import torch
import torch.nn.functional as F

torch.manual_seed(0)
logits = torch.tensor([2.0, 1.0, 0.0], requires_grad=True)
for T in (0.1, 1.0, 10.0):
    p = F.softmax(logits / T, dim=-1)
    entropy = -(p * p.log()).sum()
    logits.grad = None
    entropy.backward()
    print(f"T={T:<4} p={[round(v, 4) for v in p.tolist()]} H={entropy.item():.4f} dH={logits.grad.norm().item():.4f}")
hard = F.gumbel_softmax(logits, tau=1.0, hard=True)
print(hard, hard.grad_fn is not None)
print(F.one_hot(torch.tensor([0, 2, 1]), num_classes=4))
