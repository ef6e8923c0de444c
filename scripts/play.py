#!/usr/bin/env python3
"""Play on a fresh machine: prepare `.venv`, then `frp2p play` with the arguments given here."""

from __future__ import annotations

import os
import sys

import bootstrap

if __name__ == "__main__":
    command = [str(bootstrap.ensure("run", "build")), "-m", "frp2p", "play", *sys.argv[1:]]
    if os.name == "nt":
        raise SystemExit(bootstrap.run(command))
    os.execv(command[0], command)  # noqa: S606
