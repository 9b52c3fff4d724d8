# numpy arrays and tensors that share memory
import torch, numpy as np
a = np.array([1., 2.]); t = torch.from_numpy(a); print(t, t.dtype); t[0] = 9; print(a)
b = torch.ones(2).numpy(); print(b, type(b), b.dtype); b[0] = 5; print(torch.tensor(b), torch.tensor(a, dtype=torch.float32), torch.as_tensor([1, 2]), torch.tensor(np.float64(2.5)), torch.tensor([a[0], 2]))
x = torch.ones(2, requires_grad=True)
print(x.detach().numpy() * 2, np.mean(x.detach().numpy()), np.array(x.detach()), torch.Tensor(a), torch.FloatTensor([1, 2]))
print(torch.ones(2) * 3.0, x.data.numpy().sum())
x.numpy()
