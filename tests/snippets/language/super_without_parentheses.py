# super where super() was meant
class Base:
    def __init__(self, size=1):
        self.size = size

    def grow(self):
        return self.size + 1


class Forgotten(Base):
    def __init__(self):
        super.__init__()


class Given(Base):
    def __init__(self):
        super.__init__(self)


class Method(Base):
    def grow(self):
        return super.grow(self)


class Doubled(Base):
    def __init__(self):
        super().__init__(self, 2)


class Own(Base):
    def __init__(self):
        super(self).__init__()


class Named(Base):
    def __init__(self):
        super(Named).__init__()
        print(hasattr(self, "size"))


for make in (Forgotten, Given, lambda: Method().grow(), Doubled, Own, Named):
    try:
        make()
    except Exception as error:
        print(type(error).__name__, error)
print(super, type(super), callable(super))
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super.__init__()
        self.layer = nn.Linear(2, 2)


Net()
