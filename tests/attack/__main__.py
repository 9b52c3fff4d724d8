"""`python -m tests.attack`: carry out the attacks, within ten minutes, and print one table.

Those that judge clock times run last, one by one, with nothing beside them. When time grows short the attacks that are
left become smaller. Ctrl-C gives the table so far.
"""

from __future__ import annotations

import argparse
import platform
import sys
from datetime import UTC, datetime
from pathlib import Path

from app.config import available_cores
from tests.attack.campaign import Campaign
from tests.attack.registry import ATTACKS
from tests.attack.report import Result, renewed, table

MINUTES = 10.0
BEGIN, END = "<!-- attack table -->", "<!-- end of attack table -->"


def report(campaign: Campaign) -> str:
    """The table in the order of the registry, what was left out, and every failure."""
    results = [row for name in ATTACKS for row in campaign.rows.get(name, [])]
    lines = [table(results)]
    if campaign.left_out:
        lines.append(f"Left out: {', '.join(campaign.left_out)}.")
    for row in results:
        if row.failed:
            shown = "\n\n".join(text.strip() for text in row.failures)
            lines.append(f"{row.name}: {row.failed:,} broken, the first {len(row.failures)}:\n\n~~~\n{shown}\n~~~")
    return "\n\n".join(lines)


def keep(path: Path, results: list[Result]) -> None:
    """Write these rows into the table between the markers of a page, each with its day."""
    machine = f"Python {platform.python_version()} on {platform.system()}, {available_cores()} cores"
    page = path.read_text("utf-8")
    before, _, rest = page.partition(BEGIN)
    table, _, after = rest.partition(END)
    rows = renewed(table, results, f"{datetime.now(UTC):%Y-%m-%d}, {machine}", list(ATTACKS))
    path.write_text(f"{before}{BEGIN}\n{rows}\n{END}{after}", "utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.attack", description="Try to break the three promises.")
    parser.add_argument("--size", type=float, default=1.0, help="1.0 is all of it")
    parser.add_argument("--only", default=",".join(ATTACKS), help="names, with commas between them")
    parser.add_argument("--untimed", action="store_true", help="leave out those that judge clock times")
    parser.add_argument("--minutes", type=float, default=MINUTES, help="when to stop")
    parser.add_argument("--out", type=Path, help="a page to keep the rows in, between its markers")
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
        keep(arguments.out, [row for rows in campaign.rows.values() for row in rows])
    return 1 if any(row.failed for rows in campaign.rows.values() for row in rows) or campaign.left_out else 0


if __name__ == "__main__":
    sys.exit(main())
