"""What runs in an event loop: an error that nobody waits for, and what libraries log."""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
from pathlib import Path

import pytest

from frp2p.cli import stopping
from frp2p.cli.stopping import Stopping
from frp2p.store.home import VARIABLE


def test_an_error_that_nobody_waits_for_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path))

    async def main(_stopping: Stopping) -> int:
        asyncio.get_running_loop().call_soon(lambda: 1 // 0)
        await asyncio.sleep(0)
        return 0

    assert stopping.run(main) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert err == f"Something went wrong inside. Details: {tmp_path / 'crash.log'}\n"
    assert "ZeroDivisionError" in (tmp_path / "crash.log").read_text()


def test_a_context_without_an_exception_is_kept_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path))

    async def main(_stopping: Stopping) -> int:
        asyncio.get_running_loop().call_exception_handler({"message": "something odd"})
        return 0

    assert stopping.run(main) == 0
    assert "something odd" in (tmp_path / "crash.log").read_text()


@pytest.mark.parametrize("level", [logging.WARNING, logging.ERROR])
def test_what_libraries_log_does_not_reach_the_terminal(level: int) -> None:
    code = (
        "import logging, sys; from frp2p import cli\n"
        f"cli._about = lambda name: logging.getLogger('zeroconf').log({level}, 'noise') or name\n"
        "cli.main(['--help'])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == ""
