# Both spellings of grey are colours of matplotlib, in all its families of names
import matplotlib.pyplot as plt
from matplotlib.colors import to_hex

for name in ["gray", "grey", "tab:gray", "tab:grey", "darkgrey", "slategray", "lightslategrey", "dimgrey"]:
    (line,) = plt.plot([0, 1], [1, 0], color=name)
    print(name, line.get_color(), to_hex(name))
plt.show()
