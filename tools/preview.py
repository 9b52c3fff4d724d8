"""Write static/icons/preview.png: the picture of links to the page itself, and of steps where none can be drawn."""

from pathlib import Path

from app.preview.card import draw
from app.preview.moment import Card, Moment, Numbers

STANDIN = Path(__file__).parents[1] / "static" / "icons" / "preview.png"


def scalar(number: float) -> Numbers:
    return Numbers((), (number,), False)


def standin() -> bytes:
    """The program that the page opens with, after its pass."""
    return draw(
        Moment(
            9,
            "e.backward()",
            "Every gradient on every edge, for your own code, with nothing to install.",
            "×",
            Card("e", scalar(20), scalar(1), "gradient"),
            tuple(
                Card(name, scalar(value), scalar(gradient), ".grad")
                for name, value, gradient in (("a", 2, 4), ("b", 3, 4), ("d", 4, 5))
            ),
        ),
        "Paste PyTorch. Watch backward() run.",
    )


if __name__ == "__main__":
    STANDIN.write_bytes(standin())
