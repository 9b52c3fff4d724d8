# argparse: lists of arguments, commands, groups, and what is wrong
import argparse

parser = argparse.ArgumentParser(description="train a net")
parser.add_argument("--verbose", "-v", action="count", default=0)
parser.add_argument("--seed", type=int, default="7")
commands = parser.add_subparsers(dest="command", help="what to do")
train = commands.add_parser("train", help="train", aliases=["t"])
train.add_argument("data")
train.add_argument("--lr", type=float, default=0.1)
train.add_argument("--layers", type=int, nargs="+", default=[4])
train.add_argument("--amp", action="store_true")
test = commands.add_parser("test")
test.add_argument("--split", choices=["val", "test"], default="val")

print(parser.parse_args([]))
print(parser.parse_args(["-v", "-v", "train", "here", "--lr=0.5", "--layers", "8", "16", "--amp"]))
print(parser.parse_args("--seed 3 t there --lr -3.5".split()))
args = parser.parse_args(["test", "--split", "test"])
print(args.command, args.split, args.seed, vars(args))
print(parser.parse_known_args(["--what", "test", "--else", "1"]))

for wrong in (["train"], ["fly"], ["--seed", "x"], ["test", "--split", "none"], ["--seed"], ["test", "left"]):
    try:
        parser.parse_args(wrong)
    except SystemExit as error:
        print(wrong, "exits", error.code)

plain = argparse.ArgumentParser()
group = plain.add_argument_group("optimizer")
group.add_argument("--momentum", type=float, default=0.9)
either = plain.add_mutually_exclusive_group()
either.add_argument("--cpu", dest="device", action="store_const", const="cpu", default="auto")
either.add_argument("--gpu", dest="device", action="store_const", const="cuda")
plain.add_argument("--tag", action="append")
plain.add_argument("files", nargs="*")
plain.add_argument("--no-bias", dest="bias", action="store_false")
plain.set_defaults(momentum=0.5, function=None)
print(plain.parse_args([]))
print(plain.parse_args(["a", "b", "--mom", "0.25", "--tag", "x", "--tag", "y", "--gpu", "--no-bias"]))
print(plain.get_default("momentum"), plain.get_default("function"))


def positive(text):
    if float(text) <= 0:
        raise argparse.ArgumentTypeError(f"{text} is not positive")
    return float(text)


last = argparse.ArgumentParser(formatter_class=argparse.ArgumentDefaultsHelpFormatter)
last.add_argument("--lr", type=positive, default=1.0)
last.add_argument("--compile", action=argparse.BooleanOptionalAction, default=True)
last.add_argument("--quiet", default=argparse.SUPPRESS)
print(last.parse_args([]), last.parse_args(["--no-compile", "--lr", "2"]))
try:
    last.parse_args(["--lr", "0"])
except SystemExit as error:
    print("exits", error.code)
