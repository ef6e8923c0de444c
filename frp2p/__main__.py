"""`python -m frp2p` is the command `frp2p`."""

from __future__ import annotations

from frp2p.cli import main

if __name__ == "__main__":
    main(prog_name="frp2p")
