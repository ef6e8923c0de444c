"""Work beside other work: begun at once, waited for only where its result is wanted."""

from __future__ import annotations

import threading

import pytest

from frp2p.net.beside import in_thread

SECONDS = 10.0


def test_a_job_runs_beside_and_its_result_is_waited_for() -> None:
    begun, go = threading.Event(), threading.Event()

    def job() -> str:
        begun.set()
        return f"{go.wait(SECONDS)} in {threading.current_thread().name}"

    result = in_thread(job)
    assert begun.wait(SECONDS)
    go.set()
    assert result() == result() == "True in beside"


def test_an_exception_is_raised_where_the_result_is_wanted() -> None:
    def fail() -> int:
        raise LookupError("no")

    result = in_thread(fail)
    for _ in range(2):
        with pytest.raises(LookupError):
            result()


def test_a_result_that_nobody_wants_keeps_nobody_waiting() -> None:
    """Its thread does not keep the program alive."""
    go = threading.Event()
    in_thread(go.wait)
    (thread,) = (one for one in threading.enumerate() if one.name == "beside")
    assert thread.daemon
    go.set()
    thread.join(SECONDS)
    assert not thread.is_alive()
