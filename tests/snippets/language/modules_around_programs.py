# pickle, threads, namespaces, unicode, the world of one process
import io, os, pickle, sys, threading, unicodedata, multiprocessing, platform
from types import SimpleNamespace

config = SimpleNamespace(lr=0.1, name="net")
config.epochs = 3
print(config, config.lr, config == SimpleNamespace(lr=0.1, name="net", epochs=3), vars(config))
data = {"a": [1, 2.5, None], "b": ("x", True)}
print(pickle.dumps(data), pickle.loads(pickle.dumps(data)) == data, pickle.loads(pickle.dumps(data)) is data)


same = [1]
first, second = pickle.loads(pickle.dumps([same, same]))
print(first is second, first, first is same)
with open("kept.pkl", "wb") as file:
    pickle.dump({"point": same}, file)
    pickle.dump([1, 2], file)
with open("kept.pkl", "rb") as file:
    print(pickle.load(file)["point"], pickle.load(file))
    try:
        pickle.load(file)
    except EOFError as error:
        print("EOFError", error)
buffer = io.BytesIO()
pickle.dump([3], buffer)
buffer.seek(0)
print(pickle.load(buffer))
try:
    pickle.dumps(x for x in "ab")
except TypeError as error:
    print(error)

done = []
lock = threading.Lock()


def work(n, scale=1):
    with lock:
        done.append(n * scale)


threads = [threading.Thread(target=work, args=(i,), kwargs={"scale": 2}) for i in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(sorted(done), lock.locked(), threads[0].is_alive())


class Worker(threading.Thread):
    def run(self):
        done.append("ran")


worker = Worker()
worker.start()
worker.join()
print(done[-1])
text = "Ślusàrski"
print("".join(c for c in unicodedata.normalize("NFD", text) if unicodedata.category(c) != "Mn"), unicodedata.name("a"))
print(multiprocessing.cpu_count() >= 1, platform.system(), os.sep, sys.byteorder, os.getpid() > 0)
