# GAE returns, clipped surrogate, entropy bonus, with Categorical and minibatches
import numpy as np
import torch
import torch.nn as nn
from torch.distributions import Categorical

def layer_init(layer, std=np.sqrt(2), bias_const=0.0):
    torch.nn.init.orthogonal_(layer.weight, std)
    torch.nn.init.constant_(layer.bias, bias_const)
    return layer

class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.critic = nn.Sequential(layer_init(nn.Linear(3, 4)), nn.Tanh(), layer_init(nn.Linear(4, 1), std=1.0))
        self.actor = nn.Sequential(layer_init(nn.Linear(3, 4)), nn.Tanh(), layer_init(nn.Linear(4, 2), std=0.01))

    def get_value(self, x):
        return self.critic(x)

    def get_action_and_value(self, x, action=None):
        logits = self.actor(x)
        probs = Categorical(logits=logits)
        if action is None:
            action = probs.sample()
        return action, probs.log_prob(action), probs.entropy(), self.critic(x)

torch.manual_seed(1)
np.random.seed(1)
agent = Agent()
optimizer = torch.optim.Adam(agent.parameters(), lr=2.5e-4, eps=1e-5)
T = 6
obs = torch.randn(T, 3)
actions, logprobs, values = torch.zeros(T), torch.zeros(T), torch.zeros(T)
rewards = torch.tensor(np.random.rand(T)).float()
dones = torch.zeros(T); dones[3] = 1
for t in range(T):
    with torch.no_grad():
        action, logprob, _, value = agent.get_action_and_value(obs[t:t + 1])
        values[t] = value.flatten()
    actions[t], logprobs[t] = action, logprob
with torch.no_grad():
    next_value = agent.get_value(torch.randn(1, 3)).reshape(1, -1)
    advantages = torch.zeros_like(rewards)
    lastgaelam = 0
    for t in reversed(range(T)):
        nextnonterminal = 1.0 - (dones[t + 1] if t < T - 1 else 0.0)
        nextvalues = values[t + 1] if t < T - 1 else next_value
        delta = rewards[t] + 0.99 * nextvalues * nextnonterminal - values[t]
        advantages[t] = lastgaelam = delta + 0.99 * 0.95 * nextnonterminal * lastgaelam
    returns = advantages + values
print(actions, logprobs)
print(advantages)
b_inds = np.arange(T)
for epoch in range(2):
    np.random.shuffle(b_inds)
    for start in range(0, T, 3):
        mb = b_inds[start:start + 3]
        _, newlogprob, entropy, newvalue = agent.get_action_and_value(obs[mb], actions.long()[mb])
        logratio = newlogprob - logprobs[mb]
        ratio = logratio.exp()
        with torch.no_grad():
            approx_kl = ((ratio - 1) - logratio).mean()
            clipfrac = ((ratio - 1.0).abs() > 0.2).float().mean().item()
        adv = advantages[mb]
        adv = (adv - adv.mean()) / (adv.std() + 1e-8)
        pg_loss = torch.max(-adv * ratio, -adv * torch.clamp(ratio, 1 - 0.2, 1 + 0.2)).mean()
        newvalue = newvalue.view(-1)
        v_clipped = values[mb] + torch.clamp(newvalue - values[mb], -0.2, 0.2)
        v_loss = 0.5 * torch.max((newvalue - returns[mb]) ** 2, (v_clipped - returns[mb]) ** 2).mean()
        loss = pg_loss - 0.01 * entropy.mean() + v_loss * 0.5
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
        optimizer.step()
    print(epoch, mb, f"{loss.item():.5f} {pg_loss.item():.5f} {v_loss.item():.5f} kl {approx_kl.item():.6f} {clipfrac}")
print(list(agent.parameters())[0].grad)
