# Shapes by every means: numel, expand, broadcast_to, meshgrid, cartesian products, triangular parts
import torch

x = torch.arange(3.0, requires_grad=True)
X, Y = torch.meshgrid(x, x, indexing="ij")
print((X - Y).tril())
(X * Y).triu().sum().backward()
print(x.grad)
print(torch.broadcast_shapes((3, 1), (1, 4)), x.expand(2, 3).shape, x.broadcast_to(2, 3).stride(), torch.atleast_2d(x).shape)
print(torch.cartesian_prod(torch.tensor([1, 2]), torch.tensor([3, 4])), torch.combinations(torch.tensor([1, 2, 3])))
print(torch.block_diag(torch.ones(1, 2), torch.ones(2, 1)), torch.vander(torch.tensor([1., 2.]), 3), torch.rot90(torch.eye(2)))
print(x.repeat(2, 1), x.unsqueeze(-1).shape, x[None].shape, x.view(-1, 1).squeeze().shape, torch.diagonal(X).shape, torch.diag_embed(x).shape)
print(torch.tensor_split(torch.arange(5), 3), torch.arange(6).unflatten(0, (2, 3)), torch.swapdims(X, 0, 1).shape)
