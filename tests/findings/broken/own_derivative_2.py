# The derivative of tanh without the 1
import math


class Cell:
    def __init__(self, n, sources=()):
        self.n, self.sources, self.slope = n, sources, 0.0

    def tanh(self):
        return Tanh(math.tanh(self.n), (self,))


class Tanh(Cell):
    def send(self):
        self.sources[0].slope += (self.n**2 - 1) * self.slope  # finds c


c = Cell(0.3)
out = c.tanh()
out.slope = 1.0
out.send()
print(c.slope)
