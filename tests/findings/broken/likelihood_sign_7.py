# Each step of an episode by itself, the probability picked by its action
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

pi = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2), nn.Softmax(dim=0))
optimizer = torch.optim.Adam(pi.parameters(), lr=0.005)
for n_epi in range(3):
    data = []
    for t in range(4):
        prob = pi(torch.randn(4))
        a = torch.distributions.Categorical(prob).sample()
        data.append((1.0, prob[a]))
    R = 0
    optimizer.zero_grad()
    for r, prob in data[::-1]:
        R = r + 0.98 * R
        loss = torch.log(prob) * R  # finds
        loss.backward()
    optimizer.step()
