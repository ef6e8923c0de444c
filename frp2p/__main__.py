"""`python -m frp2p` is the command `frp2p`."""

from __future__ import annotations

import signal
import sys


def main() -> None:
    """Run the command. Ctrl-C may come as early as this, while it is being imported."""
    try:
        from frp2p.cli import main as command

        command(prog_name="frp2p")
    except KeyboardInterrupt:
        sys.exit(128 + signal.SIGINT)


if __name__ == "__main__":
    main()
