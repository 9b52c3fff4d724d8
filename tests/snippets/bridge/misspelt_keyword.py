# TypeError: tensor() got an unexpected keyword argument 'requires_grd'
import torch
torch.tensor([1., 2.], requires_grd=True)
