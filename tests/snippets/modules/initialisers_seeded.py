# Initialisers with a seed, gains, fans, and errors
import torch, torch.nn as nn
torch.manual_seed(0)
w = torch.empty(3, 4)
for f in (lambda: nn.init.xavier_uniform_(w), lambda: nn.init.xavier_normal_(w, gain=nn.init.calculate_gain("tanh")), lambda: nn.init.kaiming_uniform_(w, a=5 ** .5), lambda: nn.init.kaiming_normal_(w, mode="fan_out", nonlinearity="leaky_relu"), lambda: nn.init.orthogonal_(w), lambda: nn.init.sparse_(w, .5), lambda: nn.init.trunc_normal_(w, std=.5, a=-.5, b=.5), lambda: nn.init.eye_(w), lambda: nn.init.uniform_(w, -2, 2), lambda: nn.init.normal_(w, 1, .1), lambda: nn.init.constant_(w, .3), lambda: nn.init.ones_(w), lambda: nn.init.zeros_(w)): print(f()[0])
print(nn.init.dirac_(torch.empty(2, 2, 3))[0], nn.init.calculate_gain("leaky_relu", .2), nn.init.calculate_gain("relu"), nn.init._calculate_fan_in_and_fan_out(torch.empty(4, 3, 2, 2)))
for f in (lambda: nn.init.xavier_uniform_(torch.empty(3)), lambda: nn.init.calculate_gain("gelu"), lambda: nn.init.eye_(torch.empty(2, 2, 2)), lambda: nn.init.kaiming_normal_(w, mode="fan_avg"), lambda: nn.init.orthogonal_(torch.empty(2))):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
lin = nn.Linear(3, 2); print(lin.weight, lin.bias); lin.reset_parameters(); print(lin.weight.requires_grad, lin.weight.grad_fn, lin.in_features, nn.Linear(2, 2, dtype=torch.float64).weight.dtype)
lin.weight.data.fill_(1.); lin.bias.data = torch.zeros(2); print(lin(torch.ones(3)))
def init(m):
    if type(m) == nn.Linear: m.weight.data.fill_(.5); m.bias.data.fill_(.01)
print(nn.Sequential(nn.Linear(1, 1), nn.Sequential(nn.Linear(1, 2))).apply(init)[1][0].weight)
