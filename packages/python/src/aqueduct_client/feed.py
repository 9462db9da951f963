"""The messages of one session, in order, over broken connections: each stored message once, none missing."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from types import TracebackType
from typing import Any, Protocol, cast

from .errors import Refused, StoreChanged
from .generated.messages import DELIVERY, BridgeMessage

# Messages that wait for the reader. When there are more, the rest is requested again once the reader has caught up.
HELD_MESSAGES = 10_000


class FeedSource(Protocol):
    """What a feed needs of its client."""

    def send(self, message: dict[str, Any]) -> bool:
        """Sends a message if connected."""

    def request_id(self) -> str:
        """An id that no other request has."""


class Feed:
    """The messages of one session.

    There is `subscribed` with the current state, at the beginning and after each reconnect; stored messages, each once
    and in order; live messages as they come. It ends when the session is deleted. `close` ends it earlier, and so does
    leaving `async with`.
    """

    def __init__(
        self,
        session_id: str,
        source: FeedSource,
        closed: Callable[[Feed], None],
        since_seq: int = 0,
        limit: int | None = None,
    ) -> None:
        self.session_id = session_id
        self._source = source
        self._closed = closed
        self._last = since_seq
        self._limit = limit
        self._subscription = ""
        self._is_subscribed = False
        self._is_behind = False
        self._is_done = False
        self._failure: Exception | None = None
        self._queue: deque[dict[str, Any]] = deque()
        self._arrived = asyncio.Event()

    @property
    def last_seq(self) -> int:
        """The number of the newest stored message that was received: `since_seq` of a feed that continues this one."""
        return self._last

    def __aiter__(self) -> Feed:
        return self

    async def __anext__(self) -> BridgeMessage:
        while not self._queue:
            if self._failure is not None:
                raise self._failure
            if self._is_done:
                raise StopAsyncIteration
            if self._is_behind:
                self.subscribe()
            self._arrived.clear()
            await self._arrived.wait()
        return cast(BridgeMessage, self._queue.popleft())

    async def __aenter__(self) -> Feed:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends it: the session is not watched any more."""
        self._queue.clear()
        self._end()

    def subscribe(self) -> None:
        """Requests what follows, now that there is a connection."""
        self._is_behind = False
        self._is_subscribed = False
        self._subscription = self._source.request_id()
        limit = {} if self._limit is None else {"limit": self._limit}
        self._source.send(
            {
                "type": "subscribe",
                "sessionId": self.session_id,
                "sinceSeq": self._last,
                **limit,
                "requestId": self._subscription,
            }
        )

    def fail(self, error: Exception) -> None:
        """Ends it with an error, after what was received."""
        if not self._is_done:
            self._failure = error
            self._end()

    def heard(self, message: dict[str, Any]) -> None:
        """Takes a message of the bridge."""
        if self._is_done:
            return
        kind = message["type"]
        is_ours = message.get("requestId") == self._subscription
        if kind == "error" and is_ours:
            self.fail(Refused(cast(Any, message)))
        elif message.get("sessionId") != self.session_id:
            return
        elif kind == "session_deleted":
            self._end()
        elif kind == "subscribed" and is_ours:
            if message["snapshot"]["lastSeq"] < self._last:
                self.fail(StoreChanged())
                return
            self._is_subscribed = True
            self._push(message)
        # What comes before the subscription is part of its history.
        elif not self._is_subscribed or self._is_behind:
            return
        elif kind == "history_delta":
            self._catch_up(message, is_ours)
        elif _is_stored(message):
            self._store(message)
        elif DELIVERY.get(kind) == "live":
            self._push(message)

    def _catch_up(self, message: dict[str, Any], is_ours: bool) -> None:
        # With a limit, the messages before the newest ones are left out on purpose.
        if is_ours and message.get("cut") and self._limit is not None:
            self._last = max(self._last, message["fromSeq"] - 1)
        for stored in message["messages"]:
            self._store(stored)
        if is_ours and not message["more"]:
            self._limit = None

    def _store(self, message: dict[str, Any]) -> None:
        seq: int = message["seq"]
        if seq <= self._last or self._is_behind:
            return
        if seq > self._last + 1:
            self.subscribe()
        elif self._push(message):
            self._last = seq

    def _push(self, message: dict[str, Any]) -> bool:
        """Hands a message to the reader; returns False if too many wait."""
        if len(self._queue) >= HELD_MESSAGES:
            self._is_behind = True
            return False
        self._queue.append(message)
        self._arrived.set()
        return True

    def _end(self) -> None:
        if self._is_done:
            return
        self._is_done = True
        self._arrived.set()
        self._closed(self)


def _is_stored(message: dict[str, Any]) -> bool:
    """Whether a message is one that stays. Kinds that are not known yet stay too if they have a number."""
    delivery = DELIVERY.get(message["type"])
    return delivery == "stored" or (delivery is None and isinstance(message.get("seq"), int))
