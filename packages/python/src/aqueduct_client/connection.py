"""One connection to the bridge, which reconnects by itself and repeats requests that were not answered."""

from __future__ import annotations

import asyncio
import json
import random
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as open_socket
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from .address import socket_of
from .backoff import delay
from .errors import Closed, Lost, Refused, Unauthorized

Message: TypeAlias = dict[str, Any]
Link: TypeAlias = Literal["connecting", "connected", "reconnecting", "unauthorized", "closed"]
"""The state of the connection."""

# The bridge closes with this code where access was revoked or has expired.
REVOKED = 4401
# How often a quiet connection is asked whether it lives, and how long the answer may take.
PING_EVERY_SECONDS = 20
PONG_WITHIN_SECONDS = 8


class Listener(Protocol):
    """What the connection reports."""

    def heard(self, message: Message) -> None:
        """A message has arrived."""

    def greeted(self) -> None:
        """The bridge has greeted: from here on messages can be sent."""

    def linked(self, link: Link) -> None:
        """The state has changed."""

    def ended(self, error: Exception) -> None:
        """The connection does not come back."""


@dataclass
class _Waiting:
    message: Message
    answer: asyncio.Future[Message]
    again: bool
    sent: bool = False


class Connection:
    """A connection that comes back by itself."""

    def __init__(self, origin: str, token: str, listener: Listener) -> None:
        self._address = socket_of(origin)
        self._headers = {"Authorization": f"Bearer {token}"}
        self._listener = listener
        self._link: Link = "connecting"
        self._socket: ClientConnection | None = None
        self._outgoing: asyncio.Queue[str] = asyncio.Queue()
        self._waiting: dict[str, _Waiting] = {}
        self._last_id = 0
        self._failures = 0
        self._task: asyncio.Task[None] | None = None
        self._error: Exception | None = None

    @property
    def link(self) -> Link:
        """The state of the connection."""
        return self._link

    def start(self) -> None:
        """Connects."""
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Ends it for good."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._end(Closed(), "closed")

    def send(self, message: Message) -> bool:
        """Sends a message if connected; returns whether it was."""
        if self._link != "connected":
            return False
        self._outgoing.put_nowait(json.dumps(message))
        return True

    def request_id(self) -> str:
        """An id that no other request has."""
        self._last_id += 1
        return f"r{self._last_id}"

    async def request(self, message: Message, *, once: bool = False) -> Message:
        """Asks, and waits for the answer over broken connections. With `once` the question is never sent twice."""
        if self._error is not None:
            raise self._error
        request_id = self.request_id()
        answer: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        waiting = _Waiting({**message, "requestId": request_id}, answer, again=not once)
        waiting.sent = self.send(waiting.message)
        if once and not waiting.sent:
            raise Lost
        self._waiting[request_id] = waiting
        try:
            return await answer
        finally:
            self._waiting.pop(request_id, None)

    async def _run(self) -> None:
        while True:
            try:
                await self._connected()
            except InvalidStatus as error:
                if error.response.status_code == 401:
                    self._end(Unauthorized(), "unauthorized")
                    return
            except ConnectionClosed as error:
                if error.rcvd is not None and error.rcvd.code == REVOKED:
                    self._end(Unauthorized(), "unauthorized")
                    return
            except (OSError, TimeoutError, InvalidHandshake):
                pass
            except Exception as error:
                # Whatever this is, another try does not help, and those who wait must know.
                self._end(error, "closed")
                return
            self._broken()
            await asyncio.sleep(delay(self._failures, random.random()))

    async def _connected(self) -> None:
        async with open_socket(
            self._address,
            additional_headers=self._headers,
            max_size=None,
            ping_interval=PING_EVERY_SECONDS,
            ping_timeout=PONG_WITHIN_SECONDS,
        ) as socket:
            self._socket = socket
            self._outgoing = asyncio.Queue()
            writer = asyncio.create_task(self._write(socket, self._outgoing))
            try:
                async for text in socket:
                    self._hear(_parsed(text))
                # The bridge closed it in order, such as for a restart.
            finally:
                self._socket = None
                writer.cancel()
                await asyncio.gather(writer, return_exceptions=True)

    @staticmethod
    async def _write(socket: ClientConnection, outgoing: asyncio.Queue[str]) -> None:
        while True:
            await socket.send(await outgoing.get())

    def _hear(self, message: Message) -> None:
        if message["type"] == "hello":
            self._failures = 0
            self._change("connected")
            self._listener.heard(message)
            self._listener.greeted()
            for waiting in self._waiting.values():
                waiting.sent = waiting.sent or self.send(waiting.message)
        else:
            self._listener.heard(message)
        self._answer(message)

    def _answer(self, message: Message) -> None:
        waiting = self._waiting.get(message.get("requestId", ""))
        if waiting is None or message["type"] == "history_delta" or waiting.answer.done():
            return
        if message["type"] == "error":
            waiting.answer.set_exception(Refused(message))  # type: ignore[arg-type]
        else:
            waiting.answer.set_result(message)

    def _broken(self) -> None:
        self._failures += 1
        if self._link == "connected":
            self._change("reconnecting")
        for waiting in self._waiting.values():
            if waiting.sent and not waiting.again and not waiting.answer.done():
                waiting.answer.set_exception(Lost())
            waiting.sent = False

    def _change(self, link: Link) -> None:
        self._link = link
        self._listener.linked(link)

    def _end(self, error: Exception, link: Link) -> None:
        if self._error is not None:
            return
        self._error = error
        self._change(link)
        for waiting in list(self._waiting.values()):
            if not waiting.answer.done():
                waiting.answer.set_exception(error)
        self._listener.ended(error)


def _parsed(text: str | bytes) -> Message:
    try:
        message: Message = json.loads(text)
    except ValueError as error:
        # The bridge writes JSON: whatever this is, the connection can't be trusted.
        raise ConnectionError("the bridge sent something else than JSON") from error
    return message
