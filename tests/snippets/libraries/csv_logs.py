# A training that writes its losses to a file and reads them again; and what csv says of rows it cannot write
import csv
import io

import torch

torch.manual_seed(0)
w = torch.tensor([1.0, -2.0], requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
with open("log.csv", "w", newline="") as f:
    log = csv.writer(f)
    log.writerow(["epoch", "loss", "note"])
    for epoch in range(3):
        opt.zero_grad()
        loss = (w ** 2).sum()
        loss.backward()
        opt.step()
        print(log.writerow([epoch, round(loss.item(), 4), 'a "quoted", one' if epoch == 1 else None]))

print(repr(open("log.csv", newline="").read()))
with open("log.csv", newline="") as f:
    reader = csv.reader(f)
    header = next(reader)
    rows = list(reader)
print(header, rows, reader.line_num)
print(torch.tensor([float(r[1]) for r in rows]))

for row in csv.DictReader(open("log.csv")):
    print(row, row["loss"])
named = csv.DictReader(["1;2;3", "4", ""], fieldnames=["a", "b"], restkey="more", restval="none", delimiter=";")
print(list(named), named.fieldnames)

out = io.StringIO()
d = csv.DictWriter(out, fieldnames=["x", "y"], restval="-", lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
d.writeheader()
d.writerows([{"x": 1, "y": "b"}, {"x": 2.5}, {"y": True, "x": w.detach()}])
print(out.getvalue())
csv.writer(out, "excel-tab").writerows([("t", "u"), range(2)])
print(repr(out.getvalue()[-12:]))
print(list(csv.reader("a|'b|c'|d\n".splitlines(), delimiter="|", quotechar="'")))
print([row for row in csv.reader(["1, 2,3"], skipinitialspace=True)])


def says(run):
    try:
        print(run())
    except Exception as e:
        print(type(e).__name__, e)


says(lambda: d.writerow({"z": 1, "x": 2}))
says(lambda: csv.DictWriter(out, ["x"], extrasaction="ignore").writerow({"z": 1, "x": 2}))
says(lambda: list(csv.reader([1, 2])))
says(lambda: csv.reader(["a"], "nobody's"))
says(lambda: csv.reader(["a"], separator=","))
says(lambda: csv.writer(out).writerow(5))
says(lambda: csv.writer(3))
says(lambda: csv.writer(out, quoting=csv.QUOTE_NONE).writerow(["a,b"]))
says(lambda: csv.DictWriter(out, ["x"], extrasaction="no"))
says(lambda: next(csv.reader([])))
reader = csv.reader(['"two\n', 'lines",b\n', "c,d\n"])
print([(row, reader.line_num) for row in reader])
lazy = csv.reader(["a,b", 5])
print(next(lazy))
says(lambda: next(lazy))
print(csv.list_dialects(), issubclass(csv.Error, Exception))
