"""The static files, served from memory: compressed once and tagged by their content.

A path is looked up in the list of files that exist; it never reaches the file system, so there is nothing to escape.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
import os
import re
import time
from dataclasses import dataclass
from pathlib import Path

from app.answers import Entity

# Not left to mimetypes alone, whose table depends on the machine.
MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".map": "application/json",
    ".md": "text/markdown; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".ts": "text/plain; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".woff2": "font/woff2",
}
VERSION_LENGTH = 12
VERSION = re.compile(r"[0-9a-f]{12}")
RESCAN_SECONDS = 1.0

Stamp = tuple[int, int]


@dataclass(frozen=True)
class Asset:
    """A file in memory; `stamp` (modification time, size) tells when it has changed."""

    stamp: Stamp
    entity: Entity


class Assets:
    """The files under a folder. Changes on disk are noticed within a second."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._stamps: dict[str, Stamp] = {}
        self._loaded: dict[str, Asset] = {}
        self._version = ""
        self._scanned = -RESCAN_SECONDS

    @property
    def version(self) -> str:
        """A name for the content of all files together; pages put it into addresses so that these never go stale."""
        self._scan()
        return self._version

    def find(self, path: str, version: str | None) -> tuple[Entity, bool] | None:
        """The file at `path` below the root, and whether this address will always mean these bytes.

        `VERSION/path` is an address of `path` as well, so that relative imports inside the files keep the version.
        """
        self._scan()
        first, _, rest = path.partition("/")
        if VERSION.fullmatch(first) and path not in self._stamps:
            version, path = first, rest
        stamp = self._stamps.get(path)
        if stamp is None:
            return None
        asset = self._loaded.get(path)
        if asset is None or asset.stamp != stamp:
            try:
                asset = self._loaded[path] = load(self.root / path, stamp)
            except OSError:
                return None
        return asset.entity, version == self._version

    def _scan(self) -> None:
        now = time.monotonic()
        if now - self._scanned < RESCAN_SECONDS:
            return
        self._scanned = now
        stamps = dict(sorted(files(self.root)))
        if stamps != self._stamps or not self._version:
            self._stamps = stamps
            self._version = hashlib.sha256(repr(stamps).encode()).hexdigest()[:VERSION_LENGTH]


def files(root: Path) -> list[tuple[str, Stamp]]:
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            path = Path(folder, name)
            if not name.startswith(".") and path.is_file():
                status = path.stat()
                found.append((path.relative_to(root).as_posix(), (status.st_mtime_ns, status.st_size)))
    return found


def load(path: Path, stamp: Stamp) -> Asset:
    body = path.read_bytes()
    media_type = MEDIA_TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    tag = hashlib.sha256(body).hexdigest()[:32]
    return Asset(stamp, Entity(gzip.compress(body, 6, mtime=0), media_type, tag))
