# Results with named fields
import torch
t = torch.tensor([[1., 5.], [3., 2.]])
v, i = torch.max(t, 1); print(v, i); r = t.max(dim=0); print(r.values, r.indices, r[0], type(r).__name__); print(r)
print(t.sort(descending=True).values, torch.topk(t, 1).indices, torch.min(t), t.argmin(dim=1))
a, b = torch.split(torch.arange(4), 2); print(a, b, torch.chunk(torch.arange(4), 2)[0], torch.stack([a, b]), torch.cat((a, b)), list(map(float, a)), [x.item() for x in a], '%d %s' % (a[0], a), '{:.4f}'.format(t[0, 0]), '%.2f' % t[0, 0])
print(*[x for x in t], sep='\n'); print(list(zip(a, b)), {k: v for k, v in enumerate(a.tolist())})
print(t.view(-1), t.reshape(4, 1).squeeze(), t.unsqueeze(0).shape, t.permute(1, 0), t.transpose(0, 1).contiguous().view(-1), t.expand(1, 2, 2).shape, t.flatten(), t.norm(), t.std(), t.var(), t.clamp(2, 4), t.pow(2), t.sqrt().round(), torch.where(t > 2, t, torch.zeros(2, 2)), t.masked_fill(t > 2, 0), t.int(), t.long().dtype, t.double().dtype, t.to(torch.int32), t.type(), t.bool())
x = torch.zeros(2, 2); x[0] = 1; x[:, 1] = torch.tensor([5., 6.]); x[x == 5] = -1; print(x); x[1, 1] += 10; print(x); x[[0, 1], [0, 1]] = 0; print(x)
y = t.clone(); y[0][0] = 100; print(t, y, t.data_ptr() == y.data_ptr(), id(t) == id(t), t is t, hash(t) == hash(t), {t: 1}[t])
torch.set_printoptions(precision=2); print(torch.tensor([1.23456])); torch.set_printoptions(profile='default')
print(torch.arange(0, 1, 0.25), torch.full((2,), 3.), torch.randint(0, 10, (2,)).shape, torch.eye(2), torch.empty(0), torch.tensor([]), torch.tensor(True), torch.tensor([1, 2.5]), torch.tensor(5).item(), torch.ones(2, dtype=torch.int64), torch.zeros_like(t).shape)
print(torch.device('cuda' if torch.cuda.is_available() else 'cpu'), t.to('cpu').device, t.cpu().shape, torch.__version__[0])
