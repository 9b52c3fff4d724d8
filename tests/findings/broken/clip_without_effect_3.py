# Gradients are clipped before zero_grad() clears them
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

def train(model, opt, batches):
    for x, y in batches:
        loss = F.mse_loss(model(x), y)
        nn.utils.clip_grad_norm_(model.parameters(), 0.5, norm_type=float("inf"))  # finds rnn.weight_ih
        opt.zero_grad()
        loss.backward()
        opt.step()


rnn = nn.RNNCell(3, 4)
train(rnn, torch.optim.Adam(rnn.parameters()), [(torch.randn(2, 3), torch.randn(2, 4)) for _ in range(4)])
