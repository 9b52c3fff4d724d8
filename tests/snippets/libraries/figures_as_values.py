# what cells of notebooks show of pyplot: switches, legends, and a call that is refused
import matplotlib.pyplot as plt
import torch

print(repr(plt.ion()).split(" at ")[0], plt.isinteractive())
with plt.ioff():
    print(plt.isinteractive())
print(plt.isinteractive())
w = torch.tensor(2.0, requires_grad=True)
(w**2).backward()
figure = plt.figure()
axes = figure.add_subplot()
axes.plot([0, 1], [0, w.grad.item()], label="slope")
legend = axes.legend()
print(repr(legend).split(" at ")[0], str(legend), f"{legend}")
for call in (lambda: figure.gca(projection="3d"), lambda: plt.gca(projection="3d")):
    try:
        call()
    except TypeError as error:
        print(error)
