"""Make the page's modules and style sheets into two files, for an image: fewer requests before the first picture. Its
form for other sites' frames has a script of its own and a style sheet more.

    python tools/bundle.py [ESBUILD]

Writes static/bundle/ and templates/bundle.html beside the sources, which that template then stands for. A checkout does
without: there a module is served as it is written. Modules name other files by addresses relative to themselves, two
folders below static/, where the bundle is, too; the formulas and the editor stay files of their own, loaded when they
are needed.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
STATIC, TEMPLATES = ROOT / "static", ROOT / "templates"
BUNDLE = STATIC / "bundle"
ENTRIES = ("main", "embed")
LATER = ("katex", "codemirror")


def bundle(esbuild: str) -> None:
    """Raises CalledProcessError when `esbuild` (0.17 or newer) refuses."""
    shutil.rmtree(BUNDLE, ignore_errors=True)
    apart = [f"--external:*/vendor/{name}.js" for name in LATER]
    common = ["--bundle", "--minify", "--charset=utf8", "--legal-comments=none", "--log-level=warning"]
    module = [*common, "--format=esm", "--target=es2022"]
    for entry in ENTRIES:
        run([esbuild, f"static/js/{entry}.js", *module, *apart, f"--outfile={BUNDLE}/app/{entry}.js"])
    run([esbuild, "static/js/layout/layout.worker.js", *module, f"--outfile={BUNDLE}/layout/layout.worker.js"])
    sources = (TEMPLATES / "sources.html").read_text("utf-8")
    sheets = re.findall(r'href="\{\{ root \}\}static/\{\{ assets \}\}/(css/[\w-]+\.css)"', sources)
    embed = [sheet for sheet in sheets if sheet == "css/embed.css"]
    for name, chosen in (("page", [sheet for sheet in sheets if sheet not in embed]), ("embed", embed)):
        imports = "".join(f'@import "./{sheet}";\n' for sheet in chosen)
        run([esbuild, *common, "--loader=css", f"--outfile={BUNDLE}/app/{name}.css"], imports)
    early = re.search(r"<script src=.*?</script>", sources)
    assert early and embed and len(sheets) > 1, "templates/sources.html names no style sheets"
    links = (
        early[0],
        '<link rel="stylesheet" href="{{ root }}static/{{ assets }}/bundle/app/page.css">',
        "{% if embed %}",
        '<link rel="stylesheet" href="{{ root }}static/{{ assets }}/bundle/app/embed.css">',
        '<script type="module" src="{{ root }}static/{{ assets }}/bundle/app/embed.js"></script>',
        "{% else %}",
        '<script type="module" src="{{ root }}static/{{ assets }}/bundle/app/main.js"></script>',
        "{% endif %}",
    )
    (TEMPLATES / "bundle.html").write_text("\n".join(links) + "\n", "utf-8")


def run(command: list[str], text: str | None = None) -> None:
    subprocess.run(command, input=text, text=True, check=True, cwd=STATIC if text else ROOT)


if __name__ == "__main__":
    bundle(sys.argv[1] if len(sys.argv) > 1 else "esbuild")
