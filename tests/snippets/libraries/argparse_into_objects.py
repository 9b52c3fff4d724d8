# What parse_args writes into: a Namespace with values of its own, objects of a class, parsers made of others.
import argparse


class Config:
    verbose = False
    kept = "mine"

    def __init__(self):
        self.lr = 0.5

    @property
    def steps(self):
        return self._steps

    @steps.setter
    def steps(self, value):
        print("setting steps to", value)
        self._steps = value


parser = argparse.ArgumentParser(prog="train")
parser.add_argument("--lr", type=float, default=0.1)
parser.add_argument("--steps", type=int, default=10)
parser.add_argument("--verbose", action="store_true")
parser.set_defaults(name="run")

config = Config()
assert parser.parse_args(["--steps", "3"], namespace=config) is config
print(config.lr, config.steps, config.verbose, config.kept, config.name)

known = argparse.Namespace(lr=0.7, extra=[1])
print(parser.parse_args([], namespace=known), known.extra)
print(parser.parse_known_args(["--lr", "2", "left"], known))

a, b = argparse.Namespace(x=argparse.Namespace(y=[1, 2])), argparse.Namespace(x=argparse.Namespace(y=[1, 2]))
print(a == b, a != b, a == argparse.Namespace(x=1), a == {"x": 1}, "x" in a, "y" in a)
