# stack expects each tensor to be equal size
import torch

batch = [torch.zeros(3), torch.zeros(3), torch.zeros(2)]
print([len(b) for b in batch])
torch.stack(batch)
