"""`python -m app.mcp`: a Model Context Protocol server over standard input and output."""

from __future__ import annotations

import sys

if __name__ == "__main__":
    try:
        from app.mcp.server import main  # noqa: PLC0415 - says what is missing
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] not in ("mcp", "mcp_types"):
            raise
        sys.exit("python -m app.mcp needs the extra `mcp`: pip install 'backlight-service[mcp]'")
    main()
