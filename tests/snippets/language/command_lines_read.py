# Command lines as argparse reads them: letters in one word, arguments that exclude each other, help and version
import argparse, pathlib
def mk():
    p = argparse.ArgumentParser(prog="train.py")
    p.add_argument("--lr", "-l", type=float, default=1e-3, help="learning rate")
    p.add_argument("--layers", nargs="+", type=int, default=[64, 32])
    p.add_argument("--amp", type=bool, nargs='?', const=True, default=False)
    p.add_argument("-v", "--verbose", action="count", default=0)
    g = p.add_mutually_exclusive_group(); g.add_argument("--cpu", action="store_true"); g.add_argument("--gpu", dest="cpu", action="store_false")
    p.add_argument("--betas", type=lambda s: tuple(map(float, s.split(","))), default=(0.9, 0.999))
    p.add_argument("--data-dir", type=pathlib.Path, default=pathlib.Path("data"))
    return p
for a in ["--lr 0.1", "-l 0.1", "-l0.1", "--lr=0.1", "--layers 1 2 3", "--amp", "--amp 1", "-v", "-vv", "-v -v", "--cpu", "--gpu", "--cpu --gpu", "--betas 0.5,0.9", "--data-dir /tmp/x", "--foo", "--lr x", "--lay 1", "extra"]:
    try: print(a, mk().parse_args(a.split()))
    except SystemExit as e: print(a, "exit", e.code)
def mk2():
    p = argparse.ArgumentParser(prog="tool", description="d")
    p.add_argument("--version", action="version", version="%(prog)s 1.2")
    p.add_argument("--tags", action="extend", nargs="+", default=["z"])
    p.add_argument("-x", action="append_const", dest="acts", const="relu")
    p.add_argument("-o", "--out")
    p.add_argument("-q", action="store_true")
    g = p.add_mutually_exclusive_group(required=True)
    g.add_argument("--train", action="store_true"); g.add_argument("--test")
    p.add_argument("file", nargs="?")
    return p
for a in ["--train", "", "--test a", "--test a --train", "--train -xxq -ofile", "--train -qxo f g", "--train --tags a b --tags c", "--version", "-h", "--help", "--train -qz", "--train -o=5", "--train -q=5"]:
    try: print(a, mk2().parse_args(a.split()))
    except SystemExit as e: print(a, "exit", e.code)
