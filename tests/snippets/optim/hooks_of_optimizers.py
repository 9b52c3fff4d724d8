# Hooks around steps, around state_dict and load_state_dict, of one optimizer and of all
import torch
from torch.optim.optimizer import register_optimizer_step_post_hook, register_optimizer_step_pre_hook

w = torch.tensor([1.0, 2.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1, momentum=0.9)
other = torch.optim.Adam([torch.tensor(1.0, requires_grad=True)])
log = []
handles = [
    optimizer.register_step_pre_hook(lambda o, args, kwargs: log.append("pre")),
    optimizer.register_step_post_hook(lambda o, args, kwargs: log.append("post")),
    register_optimizer_step_pre_hook(lambda o, args, kwargs: log.append(f"all pre {type(o).__name__}")),
    register_optimizer_step_post_hook(lambda o, args, kwargs: log.append(f"all post {type(o).__name__}")),
]
(w**2).sum().backward()
optimizer.step()
other.step()
print(log)
for handle in handles:
    handle.remove()
log.clear()
optimizer.step()
print(log, w)


def tagged(o, state_dict):
    state_dict["tag"] = "saved"
    return state_dict


optimizer.register_state_dict_pre_hook(lambda o: log.append("before state_dict"))
optimizer.register_state_dict_post_hook(tagged)
optimizer.register_state_dict_post_hook(lambda o, s: log.append(sorted(s)), prepend=True)
state = optimizer.state_dict()
print(sorted(state), log)


def halved(o, state_dict):
    groups = [dict(g, lr=g["lr"] / 2) for g in state_dict["param_groups"]]
    return dict(state_dict, param_groups=groups)


fresh = torch.optim.SGD([w], lr=1.0, momentum=0.9)
fresh.register_load_state_dict_pre_hook(halved)
fresh.register_load_state_dict_post_hook(lambda o: log.append("loaded"))
fresh.load_state_dict(state)
print(fresh, log[-1], fresh.state[w]["momentum_buffer"], state["param_groups"][0]["lr"])
