"""`python -m tests.attack`: carry out the attacks, within ten minutes, and print one table.

Those that judge clock times run last, one by one, with nothing beside them. When time grows short the attacks that are
left become smaller. Ctrl-C gives the table so far.
"""

from __future__ import annotations

import argparse
import platform
import re
import sys
from datetime import UTC, datetime
from pathlib import Path

from app.config import available_cores
from tests.attack.campaign import Campaign
from tests.attack.registry import ATTACKS
from tests.attack.report import table

MINUTES = 10.0
BEGIN, END = "<!-- attack table -->", "<!-- end of attack table -->"


def report(campaign: Campaign) -> str:
    """The table in the order of the registry, what was made smaller or left out, and every failure."""
    results = [row for name in ATTACKS for row in campaign.rows.get(name, [])]
    lines = [table(results)]
    reduced = [f"{name} {size:.2g}" for name, size in campaign.sizes.items() if size < 0.995]
    if reduced:
        lines.append(f"Smaller than full size: {', '.join(reduced)}.")
    if campaign.left_out:
        lines.append(f"Left out: {', '.join(campaign.left_out)}.")
    for row in results:
        if row.failed:
            shown = "\n\n".join(text.strip() for text in row.failures)
            lines.append(f"{row.name}: {row.failed:,} broken, the first {len(row.failures)}:\n\n~~~\n{shown}\n~~~")
    return "\n\n".join(lines)


def keep(path: Path, text: str) -> None:
    """Write the table and its date between the markers of a page."""
    version, cores = platform.python_version(), available_cores()
    dated = f"{datetime.now(UTC):%Y-%m-%d}, Python {version} on {platform.system()}, {cores} cores:"
    page = path.read_text("utf-8")
    kept = re.sub(f"{BEGIN}.*?{END}", lambda _: f"{BEGIN}\n{dated}\n\n{text}\n{END}", page, count=1, flags=re.DOTALL)
    path.write_text(kept, "utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.attack", description="Try to break the three promises.")
    parser.add_argument("--size", type=float, default=1.0, help="1.0 is all of it")
    parser.add_argument("--only", default=",".join(ATTACKS), help="names, with commas between them")
    parser.add_argument("--untimed", action="store_true", help="leave out those that judge clock times")
    parser.add_argument("--minutes", type=float, default=MINUTES, help="when to stop")
    parser.add_argument("--out", type=Path, help="a page to keep the table in, between its markers")
    arguments = parser.parse_args()
    names = arguments.only.split(",")
    if unknown := set(names) - ATTACKS.keys():
        parser.error(f"no attack is called {', '.join(sorted(unknown))}; there are {', '.join(ATTACKS)}")
    if arguments.untimed:
        names = [name for name in names if not ATTACKS[name].alone]
    cores = available_cores()
    campaign = Campaign([ATTACKS[name] for name in names], arguments.size, arguments.minutes * 60, cores)
    campaign.carry_out()
    text = report(campaign)
    print(text)
    if arguments.out:
        keep(arguments.out, text)
    return 1 if any(row.failed for rows in campaign.rows.values() for row in rows) or campaign.left_out else 0


if __name__ == "__main__":
    sys.exit(main())
