# Methods that are printed where a call was meant
import torch

w = torch.tensor([3.0, 4.0], requires_grad=True)
print(w.norm)
loss = (w**2).sum()
print("loss", loss.backward, loss.unique)
print(f"{w.split} and {w.stft}")
loss.backward()
print(w.grad.norm)
