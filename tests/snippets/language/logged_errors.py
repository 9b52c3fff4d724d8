# Errors that are logged, with the way they came
import io
import logging
import sys

logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(levelname)s %(message)s")


def divide():
    return 1 / 0


try:
    divide()
except ZeroDivisionError:
    logging.exception("went wrong")
try:
    try:
        divide()
    except ZeroDivisionError as error:
        raise ValueError("bad") from error
except ValueError as error:
    logging.getLogger("x").error("again", exc_info=True)
    logging.getLogger("x").warning("once more", exc_info=error)
logging.info("fine %d", 3)
text = io.StringIO()
own = logging.getLogger("own")
own.propagate = False
own.addHandler(logging.StreamHandler(text))
try:
    {}["key"]
except KeyError:
    own.exception("no %s", "key")
print(text.getvalue())
