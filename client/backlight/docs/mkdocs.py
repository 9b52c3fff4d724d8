"""The MkDocs plugin: `plugins: [search, backlight]` in mkdocs.yml, then fences of ```` ```backlight ````.

Of whole pages all fences in Python play: those that the plugin's `pages` names, or whose front matter has
`backlight: true`. Single ones play with the class, as in ```` ```{.python .backlight} ````, or do not with
`.no-backlight`.
"""

from __future__ import annotations

import re
import shlex
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple

from mkdocs.config import config_options as options
from mkdocs.config.base import Config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin, get_plugin_logger
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page
from mkdocs.utils import get_relative_url

from .blocks import PYTHON, Block, Blocks, CannotRun, Played, Settings

LOG = get_plugin_logger("backlight")
STATIC = "assets/backlight"
_FENCE = re.compile(
    r"^(?P<indent>[ \t]*)(?P<fence>`{3,}|~{3,})[ \t]*(?P<info>[^\n`]*)\n"
    r"(?P<code>.*?)^(?P=indent)(?P=fence)[`~]*[ \t]*$",
    re.MULTILINE | re.DOTALL,
)
_PLACE = "backlight-player-{}-of-this-page"
_PLACES = re.compile(r"<p>backlight-player-(\d+)-of-this-page</p>")
_DEFAULTS = Settings()


class Options(Config):
    """What mkdocs.yml may say."""

    pages = options.ListOfItems(options.Type(str), default=[])
    seed = options.Type(int, default=_DEFAULTS.seed)
    timeout = options.Type((int, float), default=_DEFAULTS.timeout)
    recorder = options.Choice(("", "torch", "engine"), default=_DEFAULTS.recorder)
    height = options.Type(int, default=_DEFAULTS.height)
    click = options.Type(bool, default=_DEFAULTS.click)
    cache = options.Type(str, default=".cache/backlight")


class Found(NamedTuple):
    """The blocks of a page, and what became of them."""

    blocks: list[Block]
    played: list[Played]


class Plugin(BasePlugin[Options]):
    """Makes code blocks play."""

    def on_config(self, config: MkDocsConfig) -> None:
        """A build begins."""
        settings = Settings(**{name: self.config[name] for name in Settings._fields})
        base = Path(config.config_file_path).parent if config.config_file_path else Path.cwd()
        self._blocks = Blocks(base / self.config.cache, settings)
        self._found: dict[str, Found] = {}

    def on_page_markdown(self, markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
        """Run what plays, and leave a place below each block."""
        name = page.file.src_uri
        whole = bool(page.meta.get("backlight")) or any(fnmatchcase(name, each) for each in self.config.pages)
        blocks: list[Block] = []
        lines: list[int] = []

        def marked(fence: re.Match[str]) -> str:
            block, info = _block(fence, whole)
            if block is None:
                return fence[0]
            blocks.append(block)
            lines.append(markdown.count("\n", 0, fence.start()) + 1)
            indent, text = fence["indent"], fence[0]
            if info is not None:
                text = text.replace(fence["info"], info, 1)
            return f"{text}\n\n{indent}{_PLACE.format(len(blocks) - 1)}\n"

        text = _FENCE.sub(marked, markdown)
        if not blocks:
            return markdown
        source = Path(page.file.abs_src_path or config.docs_dir)
        above = _lines_above(markdown, source)
        try:
            played = self._blocks.play(blocks, name.rpartition(".")[0], source.parent)
        except CannotRun as error:
            raise PluginError(str(error)) from error
        for each, line in zip(played, lines, strict=True):
            if each.complaint is not None:
                LOG.warning("%s, line %d: %s", name, above + line, each.complaint)
        self._found[name] = Found(blocks, played)
        return text

    def on_page_content(self, html: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
        """Put the players into their places."""
        found = self._found.pop(page.file.src_uri, None)
        if found is None:
            return html
        root = get_relative_url(STATIC, page.url)
        self._blocks.files(found.played, Path(config.site_dir) / STATIC)
        shows = [i for i, each in enumerate(found.played) if each.run is not None]

        def player(place: re.Match[str]) -> str:
            i = int(place[1])
            return self._blocks.html(found.blocks[i], found.played[i], root, first=i == shows[0] if shows else False)

        return _PLACES.sub(player, html)


def _lines_above(markdown: str, source: Path) -> int:
    """How many lines of a page's file, its front matter, stand above the text that it became."""
    text = source.read_text("utf-8-sig") if source.is_file() else ""
    return text.count("\n", 0, max(0, text.find(markdown.strip()))) - markdown[: -len(markdown.lstrip())].count("\n")


def _block(fence: re.Match[str], whole: bool) -> tuple[Block | None, str | None]:
    """The block that a fence is, if it plays, and what is to stand behind the fence instead."""
    info = fence["info"].strip()
    words = info.strip("{}").replace("=", " = ").split() if info.startswith("{") else info.split()
    language = words[0].lstrip(".").lower() if words else ""
    width = len(fence["indent"])
    code = "".join(line[width:] if line[:width].isspace() else line for line in fence["code"].splitlines(keepends=True))
    if language == "backlight":
        return Block(code, **_given(info.strip("{}"))), "python"
    if language not in PYTHON or ".no-backlight" in words:
        return None, None
    return (Block(code), None) if whole or ".backlight" in words else (None, None)


def _given(info: str) -> dict[str, Any]:
    """Options behind ```` ```backlight ````: `fresh`, `raises=RuntimeError`, `raises`, `height=400`; others raise
    PluginError."""
    given: dict[str, Any] = {}
    for word in shlex.split(info)[1:]:
        name, equals, value = word.partition("=")
        if name == "fresh" and not equals:
            given["fresh"] = True
        elif name == "raises":
            given["raises"] = value
        elif name == "height" and value.isdigit():
            given["height"] = int(value)
        else:
            raise PluginError(f"```backlight has fresh, raises=ERROR and height=PIXELS behind it, not {word!r}")
    return given
