"""Static files are found by their names only, and a change on disk gets a new address."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

import app.assets
from app.assets import Assets


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(app.assets, "RESCAN_SECONDS", 0.0)
    root = tmp_path / "static"
    (root / "js").mkdir(parents=True)
    (root / "js" / "main.js").write_text("one")
    (root / ".hidden").write_text("secret")
    (tmp_path / "outside.txt").write_text("secret")
    return root


def test_only_files_that_are_there_are_found(folder: Path) -> None:
    assets = Assets(folder)
    found = assets.find("js/main.js", None)
    assert found is not None and gzip.decompress(found[0].compressed) == b"one"
    assert found[0].media_type.startswith("text/javascript")
    for path in ("", "js", "js/", "js/other.js", "../outside.txt", "js/../js/main.js", ".hidden", "\0", "/etc/passwd"):
        assert assets.find(path, None) is None


def test_the_version_in_an_address_tells_whether_it_is_for_ever(folder: Path) -> None:
    assets = Assets(folder)
    old = assets.version
    for path, version in (("js/main.js", old), (f"{old}/js/main.js", None)):
        found = assets.find(path, version)
        assert found is not None and found[1]
    (folder / "js" / "main.js").write_text("two!")
    assert assets.version != old
    found = assets.find(f"{old}/js/main.js", None)
    assert found is not None and gzip.decompress(found[0].compressed) == b"two!" and not found[1]
