# Linear-chain CRF: forward algorithm, Viterbi, marginals as gradients
import torch, itertools
torch.manual_seed(0)
T, K = 4, 3; em = torch.randn(T, K, requires_grad=True); tr = torch.randn(K, K, requires_grad=True)
def logZ():
    a = em[0]
    for t in range(1, T): a = torch.logsumexp(a[:, None] + tr, 0) + em[t]
    return torch.logsumexp(a, 0)
def score(tags): return sum(em[t, k] for t, k in enumerate(tags)) + sum(tr[a, b] for a, b in zip(tags, tags[1:]))
brute = torch.logsumexp(torch.stack([score(p) for p in itertools.product(range(K), repeat=T)]), 0); Z = logZ(); print(Z, brute)
marg, = torch.autograd.grad(Z, em, retain_graph=True); print(marg, marg.sum(1))
def viterbi():
    s, back = em[0], []
    for t in range(1, T): m, i = (s[:, None] + tr).max(0); back.append(i); s = m + em[t]
    path = [int(s.argmax())]
    for i in reversed(back): path.append(int(i[path[-1]]))
    return path[::-1], s.max()
print(viterbi(), max(itertools.product(range(K), repeat=T), key=lambda p: score(p).item())); (Z - score((0, 1, 2, 0))).backward(); print(tr.grad)
