# Loggers that write to stdout, to texts and to files
import io
import logging
import sys

import torch

print(logging.INFO, logging.getLevelName(30), logging.getLevelName("ERROR"), logging.getLevelName(15))
logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
logger = logging.getLogger(__name__)
logger.info("epoch %d: loss %.3f", 1, 0.5)
logger.debug("not shown")
logging.warning("of the root: %s", torch.tensor([1.0]))
logger.error({"a": 1})
logger.info("%(step)d of %(total)d", {"step": 1, "total": 2})
print(logger, logging.getLogger(), logger.getEffectiveLevel(), logger.isEnabledFor(10), logger.handlers)

train = logging.getLogger("train")
handler = logging.StreamHandler(sys.stdout)
handler.setFormatter(logging.Formatter("[{levelname:>8}] {message}", style="{"))
train.addHandler(handler)
train.propagate = False
train.setLevel("DEBUG")
train.debug("first")
child = train.getChild("inner")
child.warning("of %s", child.name)
handler.setLevel(logging.ERROR)
child.warning("not shown")
child.critical("shown")
print(child.parent is train, train.parent is logging.root, logging.getLogger("train.inner") is child)


class Kept(logging.Handler):
    def __init__(self):
        super().__init__()
        self.records = []

    def emit(self, record):
        self.records.append((record.levelname, record.getMessage(), self.format(record)))


kept = Kept()
kept.addFilter(lambda record: "secret" not in record.getMessage())
other = logging.getLogger("other")
other.addHandler(kept)
other.propagate = False
other.info("one")
other.info("secret")
other.log(25, "two %s", "parts")
print(kept.records)
text = io.StringIO()
to_text = logging.StreamHandler(text)
to_text.setFormatter(logging.Formatter("$name-$message-${levelno}", style="$"))
other.addHandler(to_text)
other.warning("into text")
other.removeHandler(to_text)
other.warning("not into text")
print(repr(text.getvalue()))
logging.addLevelName(25, "NOTE")
logging.log(25, "with a name")
logging.disable(logging.WARNING)
logger.warning("not shown")
logger.error("shown")
logging.disable(logging.NOTSET)
logger.info("wrong %d", "number")
logger.info("extra", extra={"step": 3})
formatter = logging.Formatter("%(asctime)s|%(message)s", datefmt="at")
handler.setFormatter(formatter)
handler.setLevel(0)
train.info("timed")
for wrong in (lambda: logger.setLevel("LOUD"), lambda: logger.setLevel(1.5), lambda: logger.log("x", "y"),
              lambda: logging.Formatter(style="?"), lambda: logger.info("x", extra={"name": 1})):
    try:
        wrong()
    except Exception as error:
        print(type(error).__name__, error)
