# Initialisation functions and apply
import torch
import torch.nn as nn

torch.manual_seed(0)

def init_weights(m):
    if isinstance(m, nn.Linear):
        nn.init.xavier_uniform_(m.weight, gain=nn.init.calculate_gain("tanh"))
        m.bias.data.fill_(0.01)

net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
net.apply(init_weights)
print(net[0].weight)
print(net[2].bias)
w = torch.empty(3, 3)
print((nn.init.orthogonal_(w).T @ w).round(decimals=4).abs())
print(nn.init.kaiming_normal_(torch.empty(2, 3), mode="fan_out", nonlinearity="relu"))
print(nn.init.constant_(torch.empty(2), 0.3), nn.init.eye_(torch.empty(2, 2)), nn.init.uniform_(torch.empty(2), -1, 1))
print(nn.init.trunc_normal_(torch.empty(3), std=0.02).abs().max() < 0.05)
