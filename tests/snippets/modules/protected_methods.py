# Protected methods of layers, which derived layers call and define anew.

import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.modules.batchnorm import _BatchNorm
from torch.nn.modules.module import _addindent
from torch.nn.modules.transformer import _get_activation_fn, _get_clones

torch.manual_seed(0)
x = torch.linspace(-1, 1, 2 * 3 * 6 * 6).view(2, 3, 6, 6)


class StandardConv(nn.Conv2d):
    """Weight standardisation (Qiao et al.)."""

    def _conv_forward(self, input, weight, bias):
        weight = weight - weight.mean(dim=(1, 2, 3), keepdim=True)
        weight = weight / (weight.std(dim=(1, 2, 3), keepdim=True) + 1e-5)
        return super()._conv_forward(input, weight, bias)


class ScaledConv(nn.Conv2d):
    def forward(self, input):
        return self._conv_forward(input, self.weight * 0.5, self.bias)


conv = StandardConv(3, 4, 3, padding=1, padding_mode="reflect")
print(conv(x).sum().item(), conv(x).grad_fn.name(), conv._reversed_padding_repeated_twice)
conv(x).pow(2).sum().backward()
print(conv.weight.grad.norm(), ScaledConv(3, 2, 3)(x).mean())


class FrozenNorm(nn.Module):
    """As torchvision's FrozenBatchNorm2d."""

    def __init__(self, features):
        super().__init__()
        for name, value in (("weight", 1.0), ("bias", 0.0), ("running_mean", 0.0), ("running_var", 1.0)):
            self.register_buffer(name, torch.full((features,), value))

    def _load_from_state_dict(
        self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs
    ):
        print("loads", repr(prefix), dict(local_metadata), strict)
        state_dict.pop(prefix + "num_batches_tracked", None)
        super()._load_from_state_dict(
            state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs
        )

    def forward(self, x):
        scale = self.weight * (self.running_var + 1e-5).rsqrt()
        return x * scale[:, None, None] + (self.bias - self.running_mean * scale)[:, None, None]


source = nn.Sequential(nn.Conv2d(3, 4, 1), nn.BatchNorm2d(4))
source(x)
frozen = nn.Sequential(nn.Conv2d(3, 4, 1), FrozenNorm(4))
print(frozen.load_state_dict(source.state_dict()), torch.allclose(frozen(x), source.eval()(x), atol=1e-6))


class Renamed(nn.Linear):
    def _save_to_state_dict(self, destination, prefix, keep_vars):
        super()._save_to_state_dict(destination, prefix, keep_vars)
        destination[prefix + "kernel"] = destination.pop(prefix + "weight")

    def _load_from_state_dict(self, state_dict, prefix, *rest):
        state_dict[prefix + "weight"] = state_dict.pop(prefix + "kernel")
        super()._load_from_state_dict(state_dict, prefix, *rest)


net = nn.Sequential(Renamed(2, 2), nn.ReLU())
print(list(net.state_dict()), net.load_state_dict(net.state_dict()))
missing, unexpected, problems = [], [], []
nn.Linear(2, 2)._load_from_state_dict({"a": 1, "weight": torch.ones(3)}, "", {}, True, missing, unexpected, problems)
print(missing, unexpected, problems)
nn.Linear(2, 2)._load_from_state_dict({"a": 1}, "", {}, False, missing, unexpected, problems)
print(missing, unexpected)
kept = {}
nn.Linear(2, 1)._save_to_state_dict(kept, "head.", False)
print(list(kept))


class PreNorm(nn.TransformerEncoderLayer):
    def _sa_block(self, x, attn_mask, key_padding_mask, is_causal=False):
        print("attends", tuple(x.shape), attn_mask is None, is_causal)
        return super()._sa_block(x, attn_mask, key_padding_mask, is_causal=is_causal) * 0.5

    def _ff_block(self, x):
        return super()._ff_block(x) * 2


class Crossed(nn.TransformerDecoderLayer):
    def _mha_block(self, x, mem, attn_mask, key_padding_mask, is_causal=False):
        print("crosses", tuple(mem.shape))
        return super()._mha_block(x, mem, attn_mask, key_padding_mask, is_causal)


tokens = torch.linspace(-1, 1, 2 * 5 * 8).view(2, 5, 8)
encoded = PreNorm(8, 2, 16, dropout=0.0, batch_first=True)(tokens)
decoded = Crossed(8, 2, 16, dropout=0.0, batch_first=True)(tokens, encoded)
print(encoded.norm(), decoded.norm())
layers = _get_clones(nn.Linear(2, 2), 3)
print(type(layers).__name__, len(layers), _get_activation_fn("gelu") is F.gelu)


class AnyNorm(_BatchNorm):
    def _check_input_dim(self, input):
        print("checks", input.dim())


print(AnyNorm(3)(x).shape, nn.BatchNorm1d(3)._check_input_dim(torch.ones(2, 3)))


class Careful(nn.InstanceNorm2d):
    def _check_input_dim(self, input):
        super()._check_input_dim(input)
        print("two dimensions", self._get_no_batch_dim())


Careful(3)(x)


class Small(nn.MultiheadAttention):
    def _reset_parameters(self):
        super()._reset_parameters()
        with torch.no_grad():
            self.in_proj_weight.fill_(0.01)


print(Small(4, 2).in_proj_weight[0])
lstm = nn.LSTM(2, 3, num_layers=2)
print(lstm._flat_weights_names, lstm._all_weights, [tuple(w.shape) for w in lstm._flat_weights][:2])
table = nn.Embedding(4, 2, padding_idx=1)
nn.init._no_grad_normal_(table.weight, 0.0, 1.0)
table._fill_padding_idx_with_zero()
nn.init._no_grad_trunc_normal_(lstm.weight_ih_l0, 0.0, 0.02, -2.0, 2.0)
print(table.weight[1], lstm.weight_ih_l0.abs().max() < 0.2)


class Following(nn.Module):
    """Moves what is no buffer along."""

    def __init__(self):
        super().__init__()
        self.layer, self.constant = nn.Linear(2, 2), torch.ones(2)

    def _apply(self, fn, recurse=True):
        super()._apply(fn)
        self.constant = fn(self.constant)
        return self


following = Following().double()
print(following.constant.dtype, following.layer.weight.dtype)
print([name for name, _ in following._named_members(lambda module: module._parameters.items(), prefix="net")])
handle = following._register_state_dict_hook(lambda module, state, prefix, metadata: {"replaced": len(state)})
print(following.state_dict())
handle.remove()
following.register_state_dict_post_hook(lambda module, state, prefix, metadata: {})
try:
    following.state_dict()
except RuntimeError as error:
    print(error)
print(_addindent("one\ntwo\n\nthree", 2))
