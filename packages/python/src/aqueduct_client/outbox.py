"""Inputs on their way. One stays here until the bridge has it safe; its name lets it be sent again without running
twice."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from .errors import Refused


class Outbox:
    """The inputs that the bridge has not acknowledged."""

    def __init__(self, send: Callable[[dict[str, Any]], bool]) -> None:
        self._send = send
        self._messages: dict[str, dict[str, Any]] = {}
        self._acknowledgements: dict[str, asyncio.Future[dict[str, Any]]] = {}

    async def put(self, message: dict[str, Any]) -> dict[str, Any]:
        """Sends an input, now or as soon as there is a connection, and waits for its acknowledgement."""
        name: str = message["clientMessageId"]
        acknowledgement = self._acknowledgements.get(name)
        if acknowledgement is None:
            acknowledgement = asyncio.get_running_loop().create_future()
            self._messages[name] = message
            self._acknowledgements[name] = acknowledgement
            self._send(message)
        # A caller that is cancelled does not take the input back.
        return await asyncio.shield(acknowledgement)

    def flush(self) -> None:
        """Sends again what the bridge may not have, in order."""
        for message in self._messages.values():
            self._send(message)

    def heard(self, message: dict[str, Any]) -> None:
        """Takes a message of the bridge."""
        if message["type"] not in ("input_ack", "input_rejected", "error"):
            return
        name = message.get("clientMessageId", "")
        self._messages.pop(name, None)
        acknowledgement = self._acknowledgements.pop(name, None)
        if acknowledgement is None:
            return
        if message["type"] == "input_ack":
            acknowledgement.set_result(message)
        else:
            acknowledgement.set_exception(Refused(message))  # type: ignore[arg-type]

    def fail(self, error: Exception) -> None:
        """Gives up all inputs."""
        for acknowledgement in self._acknowledgements.values():
            acknowledgement.set_exception(error)
            # Its caller may be gone.
            acknowledgement.exception()
        self._messages.clear()
        self._acknowledgements.clear()
