# Sparse gradients of embeddings in SparseAdam, SGD, hooks and loops; learned weights of edges; a Laplacian.
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(1)
# matrix factorisation with sparse gradients
class MF(nn.Module):
    def __init__(self, users, items, k):
        super().__init__()
        self.user = nn.Embedding(users, k, sparse=True)
        self.item = nn.Embedding(items, k, sparse=True)
        self.bias = nn.Embedding(users, 1, sparse=True)
    def forward(self, u, i):
        return (self.user(u) * self.item(i)).sum(1, keepdim=True) + self.bias(u)

model = MF(6, 5, 3)
opt = torch.optim.SparseAdam(model.parameters(), lr=0.01)
u = torch.tensor([0, 1, 1, 5]); i = torch.tensor([4, 2, 0, 0]); r = torch.tensor([5., 3., 1., 4.])
for epoch in range(4):
    opt.zero_grad()
    loss = F.mse_loss(model(u, i).squeeze(1), r)
    loss.backward()
    opt.step()
    print(epoch, loss.item())
for n, p in model.named_parameters():
    print(n, p.grad.is_sparse, p.grad._nnz(), p.grad.coalesce().indices(), p.grad.to_dense().abs().sum())
print(opt.state_dict()["state"][0]["step"], opt.state[model.user.weight]["exp_avg"])
# two optimizers: sparse and dense
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.EmbeddingBag(8, 4, mode="mean", sparse=True)
        self.fc = nn.Linear(4, 2)
    def forward(self, x, off):
        return self.fc(self.emb(x, off))
net = Net()
sp = torch.optim.SGD(net.emb.parameters(), lr=0.1)
dn = torch.optim.Adam(net.fc.parameters(), lr=0.01)
x = torch.tensor([1, 2, 4, 5, 4, 3, 2, 7]); off = torch.tensor([0, 4, 6]); y = torch.tensor([0, 1, 0])
for _ in range(3):
    sp.zero_grad(); dn.zero_grad()
    l = F.cross_entropy(net(x, off), y)
    l.backward()
    sp.step(); dn.step()
    print(l.item())
print(net.emb.weight.grad)
try:
    torch.optim.Adam(net.parameters()).step()
except RuntimeError as e:
    print(e)
try:
    F.embedding(torch.tensor([9]), net.emb.weight, sparse=True)
except IndexError as e:
    print(e)
def hook(g):
    print("hook", g.is_sparse, g.shape)
    return g * 2
net.emb.weight.register_hook(hook)
net.zero_grad()
net(x, off).sum().backward()
print(net.emb.weight.grad)
with torch.no_grad():
    for p in net.parameters():
        p -= 0.1 * p.grad
        p.grad.zero_()
print(net.emb.weight)
# learnable edge weights
ei = torch.tensor([[0, 0, 1, 2], [1, 2, 2, 0]])
w = nn.Parameter(torch.randn(4))
feat = torch.randn(3, 2)
o = torch.optim.SGD([w], lr=0.1)
for _ in range(2):
    A = torch.sparse_coo_tensor(ei, torch.sigmoid(w), (3, 3))
    att = torch.sparse.softmax(A, dim=1)
    out = torch.sparse.mm(att, feat)
    loss = (out - 1).pow(2).mean()
    o.zero_grad(); loss.backward(); o.step()
    print(loss.item(), w.grad)
# laplacian
A = torch.tensor([[0., 1, 0], [1, 0, 1], [0, 1, 0]]).to_sparse()
D = torch.sparse.sum(A, dim=1).to_dense()
L = torch.diag(D).to_sparse() - A
print(L.coalesce(), L.to_dense())
print((L @ feat), torch.sparse.mm(L, L.t()).to_dense(), (A * 0.5 + A).coalesce().values())
print(torch.sparse.sum(L), L.transpose(0, 1).coalesce() , (L.t() @ feat.requires_grad_()).sum().backward(), feat.grad)
B = feat.detach().to_sparse().requires_grad_()
(B.to_dense() ** 2).sum().backward()
print(B.grad)
print(torch.autograd.grad(torch.sparse.mm(A, feat).sum(), feat))
