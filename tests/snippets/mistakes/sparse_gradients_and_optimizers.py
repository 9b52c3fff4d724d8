# Which optimizers take sparse gradients, and what the others say to them.
import torch

for O, kw in [("SGD", {}), ("SGD", dict(momentum=.9)), ("SGD", dict(weight_decay=.1)), ("SGD", dict(maximize=True)), ("SGD", dict(nesterov=True, momentum=.9)), ("Adagrad", {}), ("Adagrad", dict(weight_decay=.1)), ("SparseAdam", {}), ("Adam", {}), ("AdamW", {}), ("Adadelta", {}), ("Adamax", {}), ("ASGD", {}), ("NAdam", {}), ("RAdam", {}), ("RMSprop", {}), ("Rprop", {}), ("Adafactor", {}), ("Muon", {})]:
    torch.manual_seed(0)
    e = torch.nn.Embedding(4, 2, sparse=True)
    try:
        o = getattr(torch.optim, O)(e.parameters(), **({"lr": .1} | kw))
        for _ in range(3):
            o.zero_grad()
            e(torch.tensor([1, 2, 1])).pow(2).sum().backward(); o.step()
        print(O, kw, e.weight, {k: v for k, v in o.state[e.weight].items()})
    except Exception as ex: print(O, kw, type(ex).__name__, ex)
