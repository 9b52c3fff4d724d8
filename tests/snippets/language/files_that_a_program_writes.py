# Files and folders that a program writes itself: open, os, os.path, pathlib, glob, shutil, json
import glob, json, os, shutil, sys
from pathlib import Path

sys.path.append("..")
print(os.path.exists("data"), os.listdir(), os.X_OK)
folder = Path("data") / "a"
folder.mkdir(parents=True, exist_ok=True)
print((folder / "f.txt").write_text("hello\nworld\n"), folder / "f.txt", repr(folder), folder.parent)
print((folder / "f.txt").suffix, folder.name, (folder / "f.tar.gz").stem, folder.with_name("b"), folder.parts)
for line in open(folder / "f.txt"):
    print(line.rstrip())
with open("data/x.json", "w") as file:
    json.dump({"a": [1, 2.5, None]}, file)
    print(file.name, file.mode, file.closed)
print(file.closed, json.load(open("data/x.json")), sorted(os.listdir("data")), glob.glob("data/*.json"))
print(list(Path("data").rglob("*.txt")), [str(p) for p in sorted(Path("data").iterdir())], os.path.getsize("data/x.json"))
with open("data/log.txt", "a") as file:
    file.write("one\n")
with open("data/log.txt", "a") as file:
    print("two", 2, file=file)
    file.writelines(["three\n", "four"])
with open("data/log.txt") as file:
    print(repr(file.readline()), file.tell(), file.readlines())
with open("data/log.txt", "r+") as file:
    file.write("ONE")
    file.seek(0)
    print(file.read().split())
with open("data/raw", "wb") as file:
    file.write(bytes([1, 2, 3]))
print(open("data/raw", "rb").read(), Path("data/raw").exists(), Path("data/raw").is_dir())
print(list(os.walk("data/a")), os.path.isdir("data/a"), os.path.isfile("data/a"))
print(os.path.join("a", "/b", "c"), os.path.split("a/b.txt"), os.path.splitext("a/b.txt"), os.path.basename("a/b/"))
print(os.path.normpath("a/../b//c"), os.path.dirname("a/b"), os.path.expanduser("x"), os.path.relpath("a/b", "a"))


def attempt(action):
    try:
        print(action())
    except Exception as error:
        print(type(error).__name__, error, getattr(error, "errno", None), getattr(error, "filename", None))


attempt(lambda: open("nothing.txt"))
attempt(lambda: open("no/where.txt", "w"))
attempt(lambda: open("data"))
attempt(lambda: open("data/raw", "x"))
attempt(lambda: open("data/raw", "q"))
attempt(lambda: open("data/raw", "rw"))
attempt(lambda: open("data/raw", "r").write("a"))
attempt(lambda: open("data/raw", "w").read())
attempt(lambda: open("data/raw", "wb").write("a"))
attempt(lambda: open("data/raw", "w").write(3))
attempt(lambda: os.mkdir("data"))
attempt(lambda: os.mkdir("b/c"))
attempt(lambda: os.makedirs("data"))
attempt(lambda: os.remove("nothing"))
attempt(lambda: os.rmdir("data"))
attempt(lambda: os.listdir("nothing"))
attempt(lambda: os.listdir("data/raw"))
attempt(lambda: os.rename("nothing", "b"))
attempt(lambda: os.path.getsize("nothing"))
attempt(lambda: Path("nothing").read_text())
attempt(lambda: Path("data").with_suffix("x"))
attempt(lambda: os.path.join("a", 3))
attempt(lambda: Path("a") / 3)
shutil.copy("data/x.json", "data/a")
shutil.move("data/a", "data/b")
os.rename("data/b/x.json", "data/b/y.json")
print(sorted(p.as_posix() for p in Path("data").glob("**/*")), Path("a") == Path("./a"), Path("a/b").relative_to("a"))
shutil.rmtree("data")
print(os.path.isdir("data"), os.listdir("."))
file = open("nothing.csv")
