# Two graph convolutions with a normalised adjacency matrix that is sparse, and an embedding with sparse gradients.
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

class GraphConvolution(nn.Module):
    def __init__(self, in_features, out_features, bias=True):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(in_features, out_features))
        self.bias = nn.Parameter(torch.zeros(out_features)) if bias else None
        nn.init.xavier_uniform_(self.weight)

    def forward(self, input, adj):
        support = torch.mm(input, self.weight)
        output = torch.spmm(adj, support)
        return output + self.bias if self.bias is not None else output

class GCN(nn.Module):
    def __init__(self, nfeat, nhid, nclass):
        super().__init__()
        self.gc1 = GraphConvolution(nfeat, nhid)
        self.gc2 = GraphConvolution(nhid, nclass)
    def forward(self, x, adj):
        x = F.relu(self.gc1(x, adj))
        return F.log_softmax(self.gc2(x, adj), dim=1)

edges = torch.tensor([[0, 1, 1, 2, 3, 3, 4, 5], [1, 0, 2, 1, 4, 5, 3, 3]])
n = 6
adj = torch.sparse_coo_tensor(edges, torch.ones(edges.shape[1]), (n, n))
eye = torch.eye(n).to_sparse()
adj = (adj + eye).coalesce()
deg = torch.sparse.sum(adj, dim=1).to_dense()
dinv = deg.pow(-0.5)
i = adj.indices()
v = dinv[i[0]] * adj.values() * dinv[i[1]]
norm = torch.sparse_coo_tensor(i, v, adj.shape)
print(norm)
print(norm.is_sparse, norm.layout, norm._nnz(), norm.shape, norm.is_coalesced())
x = torch.randn(n, 4)
y = torch.tensor([0, 0, 0, 1, 1, 1])
model = GCN(4, 8, 2)
opt = torch.optim.Adam(model.parameters(), lr=0.05, weight_decay=5e-4)
for epoch in range(5):
    opt.zero_grad()
    out = model(x, norm)
    loss = F.nll_loss(out, y)
    loss.backward()
    opt.step()
    print(epoch, f"{loss.item():.4f}", model.gc1.weight.grad.norm().item())
print(model(x, norm).argmax(1))
e = nn.Embedding(10, 3, sparse=True)
o = torch.optim.SGD(e.parameters(), lr=0.1)
l = e(torch.tensor([1, 2, 1])).pow(2).sum()
l.backward()
print(e.weight.grad)
print(e.weight.grad.coalesce())
o.step()
print(e.weight)
