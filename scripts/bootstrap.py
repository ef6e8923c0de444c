"""Make `.venv` beside the project from hash-pinned requirements; standard library only.

A stamp file in the environment holds the digest of what was installed, so a second start installs nothing and needs
no network.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
OLDEST_PYTHON = (3, 11)


def ensure(*groups: str) -> Path:
    """Bring `.venv` up to date with `requirements/<group>.txt` of each group and with this checkout; return its python.

    Leaves with a sentence and exit code 2 where the machine lacks something that only its owner can install.
    """
    if sys.version_info < OLDEST_PYTHON:
        _stop(f"frp2p needs Python {'.'.join(map(str, OLDEST_PYTHON))} or newer; this is {sys.version.split()[0]}.")
    stamp = VENV / f"stamp-{'-'.join(groups)}"
    wanted = _digest(groups)
    if PYTHON.exists() and stamp.exists() and stamp.read_text(encoding="ascii") == wanted:
        return PYTHON
    if not PYTHON.exists():
        _talk("Making .venv (only at the first start) ...")
        if _run([sys.executable, "-m", "venv", str(VENV)]) != 0:
            _stop(
                "Python could not make a virtual environment. On Debian and Ubuntu: sudo apt install python3-venv; "
                "then remove the folder .venv and start again."
            )
    pip = [str(PYTHON), "-m", "pip", "--disable-pip-version-check", "--quiet", "install"]
    _talk(f"Installing the pinned requirements ({', '.join(groups)}) ...")
    files = [part for group in groups for part in ("-r", str(ROOT / "requirements" / f"{group}.txt"))]
    if _run([*pip, "--require-hashes", "--only-binary", ":all:", *files]) != 0:
        _stop("The requirements could not be installed; the lines above say why. The first start needs the network.")
    if _run([*pip, "--no-deps", "--no-build-isolation", "--editable", str(ROOT)]) != 0:
        _stop("frp2p itself could not be installed into .venv; the lines above say why.")
    stamp.write_text(wanted, encoding="ascii")
    return PYTHON


def run(command: list[str]) -> int:
    """Run a command in the project's folder and return its exit code; an interrupt is left to the command."""
    return _run(command)


def _digest(groups: tuple[str, ...]) -> str:
    digest = hashlib.sha256(sys.version.encode())
    paths = [ROOT / "pyproject.toml", ROOT / "hatch_build.py", ROOT / "frp2p" / "__init__.py"]
    paths += [ROOT / "requirements" / f"{group}.txt" for group in groups]
    paths += sorted((ROOT / "frp2p" / "locale").glob("*/LC_MESSAGES/*.po"))
    for path in paths:
        content = path.read_bytes()
        digest.update(f"{path.relative_to(ROOT).as_posix()}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


def _run(command: list[str]) -> int:
    process = subprocess.Popen(command, cwd=ROOT)
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:  # the command has seen it too and ends in its own way
            continue


def _talk(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


def _stop(sentence: str) -> None:
    _talk(sentence)
    raise SystemExit(2)
