# Complex parameters in every elementwise optimizer: pairs of real numbers
import torch
for name, kw in (("SGD", dict(lr=.1, momentum=.9)), ("Adam", dict(lr=.1)), ("AdamW", dict(lr=.1)), ("Adam", dict(lr=.1, amsgrad=True)), ("RMSprop", dict(lr=.01)), ("Adagrad", dict(lr=.1)), ("Adadelta", dict()), ("Adamax", dict(lr=.1)), ("NAdam", dict(lr=.1)), ("RAdam", dict(lr=.1)), ("Rprop", dict(lr=.1)), ("ASGD", dict(lr=.1))):
    w = torch.tensor([1 + 2j, .3 - .5j], requires_grad=True)
    o = getattr(torch.optim, name)([w], **kw)
    for _ in range(3):
        o.zero_grad()
        (w.abs() ** 2).sum().backward()
        o.step()
    print(name, w.detach(), {k: v for k, v in o.state[w].items() if isinstance(v, torch.Tensor) and v.ndim})
