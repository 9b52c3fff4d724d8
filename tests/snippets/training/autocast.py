# torch.autocast on the CPU: products in bfloat16, losses in float32, and what backward makes of the casts.
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x, target = torch.randn(6, 4), torch.tensor([0, 1, 2, 0, 1, 2])
for step in range(3):
    optimizer.zero_grad()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        logits = model(x)
        loss = F.cross_entropy(logits, target)
    print(step, logits.dtype, loss.dtype, loss.item())
    loss.backward()
    optimizer.step()
print(model[0].weight.grad.dtype, model[0].weight)

a, b = torch.randn(3, 3, requires_grad=True), torch.randn(3, 3)


@torch.autocast(device_type="cpu")
def forward(first, second):
    product = first @ second
    return product + first, product * 2, first.exp(), torch.mm(first.double(), second.double())


def edges(node, depth=0):
    if node is not None and depth < 7:
        print(" " * depth + type(node).__name__)
        for following, _ in node.next_functions:
            edges(following, depth + 1)


print([t.dtype for t in forward(a, b)])
with torch.amp.autocast("cpu"):
    weight = nn.Parameter(torch.ones(2, 3))
    once = F.linear(a, weight) + F.linear(a, weight, torch.zeros(2))
    edges(once.grad_fn)
    with torch.autocast("cpu", enabled=False):
        print((a @ b).dtype)
    losses = F.mse_loss(once, torch.zeros(3, 2)), F.l1_loss(once, once + 1), F.huber_loss(once, once + 2)
    print([t.dtype for t in losses], type(losses[0].grad_fn).__name__, once.softmax(1).dtype, once.prod().dtype, once.sum().dtype)
    image = F.conv2d(torch.ones(1, 1, 4, 4), torch.ones(2, 1, 3, 3, requires_grad=True))
    print(image.dtype, image.grad_fn is None, torch.einsum("ij,jk->ik", a, b).dtype, torch.bmm(a[None], b[None]).dtype)
    q = torch.randn(1, 2, 5, 4, requires_grad=True)
    print(F.scaled_dot_product_attention(q, q, q).dtype, nn.LayerNorm(3)(a @ b).dtype)
once.float().sum().backward()
print(weight.grad, weight.grad.dtype, a.grad.dtype)
with torch.autocast("cpu", dtype=torch.float16):
    print((a @ b).dtype)
with torch.autocast("cpu", dtype=torch.float32):
    print((a @ b).dtype)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.norm, self.out = nn.Conv2d(1, 4, 3, padding=1, bias=False), nn.BatchNorm2d(4), nn.Linear(64, 3)

    def forward(self, images):
        return self.out(F.max_pool2d(F.relu(self.norm(self.conv(images))), 2).flatten(1))


net, images, labels = Net(), torch.randn(4, 1, 8, 8), torch.tensor([0, 1, 2, 1])
scaler = torch.amp.GradScaler("cpu", enabled=False)
descent = torch.optim.SGD(net.parameters(), lr=1e-2)
with torch.autocast("cpu"):
    out = net(images)
    loss = nn.CrossEntropyLoss()(out, labels)
    print(torch.is_autocast_enabled("cpu"), torch.is_autocast_enabled(), torch.get_autocast_dtype("cpu"))
    print(nn.LSTM(4, 2)(torch.randn(3, 1, 4))[0].dtype, nn.GRU(4, 2)(torch.randn(3, 1, 4))[0].dtype)
    print(nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True)(torch.randn(2, 5, 8)).dtype)
    print(F.kl_div(out.log_softmax(1), out.softmax(1), reduction="batchmean").dtype, torch.cdist(out, out).dtype)
scaler.scale(loss).backward()
scaler.step(descent)
scaler.update()
print(out.dtype, loss.dtype, net.norm.running_mean.dtype, net.conv.weight.grad.dtype, torch.is_autocast_enabled("cpu"))
for attempt in (lambda: torch.autocast("bogus"), lambda: torch.complex(out.detach(), out.detach()), lambda: out.quantile(0.5)):
    try:
        attempt()
    except RuntimeError as error:
        print(error)
