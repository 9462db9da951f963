"""What can go wrong."""

from __future__ import annotations

from .generated.messages import ErrorReply, InputRejected


class AqueductError(Exception):
    """Any error of this package."""


class Refused(AqueductError):
    """A request or an input that the bridge refused."""

    def __init__(self, reply: ErrorReply | InputRejected) -> None:
        super().__init__(reply["message"])
        self.reply = reply

    @property
    def code(self) -> str:
        """The error code of the bridge, such as `already_resolved`."""
        return self.reply["code"]


class Unauthorized(AqueductError):
    """The bridge refuses the token: it was never valid, was revoked or has expired."""

    def __init__(self) -> None:
        super().__init__("The bridge refuses the token. Pair this client again.")


class Lost(AqueductError):
    """The connection broke before the answer to a request that must not be sent twice."""

    def __init__(self) -> None:
        super().__init__("The connection broke before the bridge answered.")


class Closed(AqueductError):
    """The client was closed."""

    def __init__(self) -> None:
        super().__init__("The client was closed.")


class StoreChanged(AqueductError):
    """The bridge has another store than before, so the numbers of messages mean nothing any more."""

    def __init__(self) -> None:
        super().__init__("The bridge has another store than before. Read the session from its beginning.")


class PairingFailed(AqueductError):
    """The bridge did not accept a pairing code."""
