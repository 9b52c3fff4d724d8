"""The Sphinx extension: `extensions = ["backlight.docs.sphinx"]`, then `.. backlight::` for `.. code-block:: python`.

Of whole pages all blocks in Python play: those that `backlight_pages` in conf.py names, or that begin with the field
`:backlight:`. Single ones play with the class `backlight`, or do not with `no-backlight`.
"""

from __future__ import annotations

from collections.abc import Callable
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.addnodes import start_of_file
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.directives.code import CodeBlock
from sphinx.errors import ConfigError, ExtensionError
from sphinx.util import logging
from sphinx.util.osutil import relative_uri

from .blocks import PYTHON, Block, Blocks, CannotRun, Settings

LOG = logging.getLogger(__name__)
STATIC = "_static/backlight"
_OPTION = "backlight"
"""What blocks of the directive have, with its options: in documents that Sphinx keeps, so it is plain data."""
_OPTIONS: dict[str, Callable[[str], Any]] = dict(CodeBlock.option_spec)


class PlayableBlock(CodeBlock):
    """`.. backlight::`: a code block in Python that plays, with the options of `code-block` and `:fresh:`, `:raises:`,
    `:height:`."""

    required_arguments = 0
    optional_arguments = 0
    option_spec: ClassVar[dict[str, Callable[[str], Any]]] = {
        **_OPTIONS,
        "fresh": directives.flag,
        "raises": lambda text: (text or "").strip(),
        "height": directives.positive_int,
    }

    def run(self) -> list[nodes.Node]:
        """The block, marked."""
        self.arguments = ["python"]
        made = super().run()
        options: dict[str, Any] = {"fresh": "fresh" in self.options}
        options |= {name: self.options[name] for name in ("raises", "height") if name in self.options}
        for top in made:
            for literal in top.findall(nodes.literal_block):
                literal[_OPTION] = options
        return made


def setup(app: Sphinx) -> dict[str, Any]:
    """What Sphinx calls."""
    app.add_config_value("backlight_pages", [], "html", types=frozenset({list, tuple}))
    for name, default in Settings()._asdict().items():
        kinds = frozenset({type(default), *({int} if name == "timeout" else ())})
        app.add_config_value(f"backlight_{name}", default, "html", types=kinds)
    app.add_directive("backlight", PlayableBlock)
    app.connect("config-inited", _checked)
    app.connect("doctree-resolved", _play)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def _checked(app: Sphinx, config: Config) -> None:
    if config.backlight_recorder not in ("", "torch", "engine"):
        raise ConfigError(f'backlight_recorder is "torch" or "engine", not {config.backlight_recorder!r}')


def _play(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Run what plays in a document that is about to be written, and put the players below the blocks."""
    if app.builder.format != "html" or app.builder.name == "epub":
        return
    settings = Settings(*(getattr(app.config, f"backlight_{name}") for name in Settings._fields))
    site = Blocks(Path(app.doctreedir) / "backlight", settings)
    pages: dict[str, list[nodes.literal_block]] = {}
    for literal in doctree.findall(nodes.literal_block):
        page = _page_of(literal, docname)
        if _plays(app, literal, page):
            pages.setdefault(page, []).append(literal)
    root = relative_uri(app.builder.get_target_uri(docname), STATIC)
    first = True
    for page, literals in pages.items():
        blocks = [Block(literal.astext(), **literal.get(_OPTION, {})) for literal in literals]
        try:
            played = site.play(blocks, page, Path(app.env.doc2path(page)).parent)
        except CannotRun as error:
            raise ExtensionError(str(error), modname=__package__) from error
        site.files(played, Path(app.outdir) / STATIC)
        for literal, block, each in zip(literals, blocks, played, strict=True):
            if each.complaint is not None:
                LOG.warning("%s", each.complaint, location=literal, type="backlight", subtype="block")
            text = site.html(block, each, root, first=first)
            if text:
                first = False
                outer = literal.parent if isinstance(literal.parent, nodes.container) else literal
                outer.parent.insert(outer.parent.index(outer) + 1, nodes.raw("", text, format="html"))


def _page_of(literal: nodes.literal_block, docname: str) -> str:
    """The document that a block was written in: builders of a single page join them."""
    at: nodes.Node | None = literal
    while at is not None:
        if isinstance(at, start_of_file):
            return str(at["docname"])
        at = at.parent
    return docname


def _plays(app: Sphinx, literal: nodes.literal_block, page: str) -> bool:
    """Whether a block plays."""
    if _OPTION in literal:
        return True
    if str(literal.get("language", "")).lower() not in PYTHON or "no-backlight" in literal["classes"]:
        return False
    if "backlight" in literal["classes"] or "backlight" in app.env.metadata.get(page, {}):
        return True
    return any(fnmatchcase(page, pattern) for pattern in app.config.backlight_pages)
