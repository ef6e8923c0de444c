"""The family of errors: whose fault it is, and a stable code for each (listed in protocol/registry/error-codes.csv)."""

from __future__ import annotations


class Frp2pError(Exception):
    """Base of all our errors; never raised itself.

    `code` is stable and machine-readable (`illegal-move`); the message is a sentence for people and may change.
    """

    code: str = "error"

    def __init__(self, message: str = "", *, code: str | None = None) -> None:
        if code is not None:
            self.code = code
        super().__init__(message or (type(self).__doc__ or "").splitlines()[0])

    @property
    def message(self) -> str:
        return str(self.args[0])


class LocalError(Frp2pError):
    """This program made a mistake."""

    code = "local-error"


class UserError(Frp2pError):
    """What was asked for is not possible."""

    code = "user-error"


class PeerFault(Frp2pError):
    """A peer broke the protocol.

    `seat` is whose statement failed (None: a stranger before it had a seat), `check` the name of the failing check
    (the same names as in protocol/), `evidence` the signed bytes that show it, empty where nothing signed exists.
    """

    code = "peer-fault"

    def __init__(self, check: str, message: str = "", *, seat: int | None = None, evidence: bytes = b"") -> None:
        self.check = check
        self.seat = seat
        self.evidence = evidence
        super().__init__(message or check, code=check)
