"""The folders of an image: what its Dockerfile copies, with the page in a bundle."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]


def make_image(folder: Path) -> None:
    """Raises RuntimeError where there is no esbuild, CalledProcessError where it refuses."""
    installed = PROJECT / "node_modules" / ".bin" / "esbuild"
    esbuild = str(installed) if installed.exists() else shutil.which("esbuild")
    if esbuild is None:
        raise RuntimeError("no esbuild to bundle the page with; install Debian's `esbuild` or run `npm ci`")
    for name in ("app", "engine", "static", "templates"):
        shutil.copytree(PROJECT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "bundle*"))
    (folder / "tools").mkdir()
    shutil.copy(PROJECT / "tools" / "bundle.py", folder / "tools")
    subprocess.run([sys.executable, "tools/bundle.py", esbuild], cwd=folder, check=True, timeout=120)
