# Pruning: masks, sparsity, training on, a method of one's own, global pruning, making it permanent
import torch
import torch.nn as nn
import torch.nn.utils.prune as prune

torch.manual_seed(0)
layer = nn.Linear(4, 3)
prune.l1_unstructured(layer, name="weight", amount=5)
print([n for n, _ in layer.named_parameters()], [n for n, _ in layer.named_buffers()])
print(layer.weight, layer.weight_mask, layer.weight.grad_fn)
print(layer._forward_pre_hooks[0].__class__.__name__, prune.is_pruned(layer), layer)
layer(torch.ones(2, 4)).sum().backward()
print(layer.weight_orig.grad)
torch.optim.SGD(layer.parameters(), lr=1.0).step()
layer(torch.ones(1, 4))
print((layer.weight == 0).sum().item())
prune.ln_structured(layer, name="weight", amount=0.34, n=2, dim=0)
print(layer.weight_mask, len(layer._forward_pre_hooks))
print(list(layer.state_dict()))
plain = nn.Linear(4, 3)
prune.random_unstructured(plain, "bias", amount=0.5)
prune.random_unstructured(plain, "weight", amount=0.5)
print(plain.bias, plain.weight)
prune.remove(plain, "weight")
print([n for n, _ in plain.named_parameters()], plain.weight.is_leaf, (plain.weight == 0).float().mean())


class EveryOther(prune.BasePruningMethod):
    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t, default_mask):
        mask = default_mask.clone()
        mask.view(-1)[::2] = 0
        return mask


other = nn.Linear(2, 3)
EveryOther.apply(other, "weight")
print(other.weight_mask)
prune.random_structured(other, "weight", amount=1, dim=1)
print(other.weight_mask)
prune.custom_from_mask(other, "bias", mask=torch.tensor([0, 1, 0]))
print(other.bias)

model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
parameters = [(model[0], "weight"), (model[2], "weight")]
prune.global_unstructured(parameters, pruning_method=prune.L1Unstructured, amount=0.5)
for module, name in parameters:
    print(100.0 * float(torch.sum(module.weight == 0)) / float(module.weight.nelement()))
print(prune.L1Unstructured(amount=2).prune(torch.tensor([3.0, -1.0, 0.5, 2.0])))
for f in (
    lambda: prune.l1_unstructured(plain, "weight", amount=1.5),
    lambda: prune.l1_unstructured(plain, "weight", amount="half"),
    lambda: prune.random_unstructured(plain, "weight", amount=50),
    lambda: prune.ln_structured(other, "bias", amount=0.5, n=2, dim=0),
    lambda: prune.remove(nn.Linear(1, 1), "weight"),
    lambda: prune.l1_unstructured(plain, "w", 0.5),
):
    try:
        f()
    except (ValueError, TypeError, AttributeError) as e:
        print(type(e).__name__, e)
