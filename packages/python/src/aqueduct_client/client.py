"""A client of the bridge: one connection, and what a program does with sessions over it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, cast
from uuid import uuid4

from .address import origin_of
from .connection import Connection, Link
from .errors import StoreChanged
from .feed import Feed
from .generated.messages import BridgeMessage, Hello, InputAck, InputImage, InputPriority, SessionInfo
from .outbox import Outbox
from .session import Session


@asynccontextmanager
async def connect(
    url: str, token: str, *, on_link: Callable[[Link], None] | None = None
) -> AsyncIterator[Client]:
    """Connects to a bridge. A bridge that is not there yet is tried again until it is: use `asyncio.timeout` to give up
    earlier. Raises `Unauthorized` if the bridge refuses the token."""
    client = Client(url, token, on_link=on_link)
    try:
        await client.ready()
        yield client
    finally:
        await client.close()


class Client:
    """A client of the bridge. It reconnects by itself until it is closed or its token is refused."""

    def __init__(self, url: str, token: str, *, on_link: Callable[[Link], None] | None = None) -> None:
        self._on_link = on_link
        self._connection = Connection(origin_of(url), token, self)
        self._outbox = Outbox(self._connection.send)
        self._feeds: set[Feed] = set()
        self._hello: dict[str, Any] | None = None
        self._greeting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._error: Exception | None = None
        self._connection.start()

    async def ready(self) -> Hello:
        """Waits for the first greeting of the bridge."""
        await asyncio.shield(self._greeting)
        return self.hello

    @property
    def hello(self) -> Hello:
        """The newest greeting of the bridge: what it is, and what this client may do."""
        if self._hello is None:
            raise RuntimeError("the bridge has not greeted yet: await ready() first")
        return cast(Hello, self._hello)

    @property
    def link(self) -> Link:
        """The state of the connection."""
        return self._connection.link

    async def close(self) -> None:
        """Closes the connection. What waits for the bridge gets `Closed`."""
        await self._connection.close()

    async def request(self, message: Mapping[str, Any], *, once: bool = False) -> BridgeMessage:
        """Sends any message and waits for its reply, over broken connections. With `once` it is never sent twice."""
        return cast(BridgeMessage, await self._connection.request(dict(message), once=once))

    async def start(self, project_path: str, *, text: str | None = None, **options: Any) -> Session:
        """Starts a session. It is started once, whatever breaks: its id and that of its first input are made here. The
        options are members of `start`, such as `permissionMode`."""
        message: dict[str, Any] = {"type": "start", "projectPath": project_path}
        if not options.get("continue"):
            message["sessionId"] = str(uuid4())
        if text is not None:
            message |= {"text": text, "clientMessageId": str(uuid4())}
        reply = await self._connection.request({**message, **options})
        return self.session(reply["sessionId"])

    def session(self, session_id: str) -> Session:
        """A session by its id. Nothing is sent."""
        return Session(self, session_id)

    async def sessions(self) -> list[SessionInfo]:
        """The sessions that the bridge holds."""
        reply = await self._connection.request({"type": "list_sessions"})
        return cast(list[SessionInfo], reply["sessions"])

    async def input(
        self,
        session_id: str,
        text: str,
        *,
        client_message_id: str | None = None,
        images: Sequence[InputImage] = (),
        priority: InputPriority | None = None,
    ) -> InputAck:
        """Sends an input to a session, as `Session.send` does."""
        if self._error is not None:
            raise self._error
        message: dict[str, Any] = {
            "type": "input",
            "text": text,
            "sessionId": session_id,
            "clientMessageId": client_message_id or str(uuid4()),
        }
        if images:
            message["images"] = list(images)
        if priority is not None:
            message["priority"] = priority
        return cast(InputAck, await self._outbox.put(message))

    def feed(self, session_id: str, *, since_seq: int = 0, limit: int | None = None) -> Feed:
        """Reads the messages of a session, as `Session.messages` does."""
        feed = Feed(session_id, self._connection, self._unwatch, since_seq, limit)
        if self._error is not None:
            feed.fail(self._error)
            return feed
        self._feeds.add(feed)
        feed.subscribe()
        return feed

    def heard(self, message: dict[str, Any]) -> None:
        """Takes a message of the connection."""
        if message["type"] == "hello":
            self._met(message)
        self._outbox.heard(message)
        for feed in list(self._feeds):
            feed.heard(message)

    def greeted(self) -> None:
        """Continues after a reconnect."""
        # Subscriptions first: what inputs cause is then part of them.
        for feed in list(self._feeds):
            feed.subscribe()
        self._outbox.flush()

    def linked(self, link: Link) -> None:
        """Passes the state of the connection on."""
        if self._on_link is not None:
            self._on_link(link)

    def ended(self, error: Exception) -> None:
        """Gives up everything that waits for the bridge."""
        self._error = error
        if not self._greeting.done():
            self._greeting.set_exception(error)
            # Not every program waits for it.
            self._greeting.exception()
        self._outbox.fail(error)
        for feed in list(self._feeds):
            feed.fail(error)

    def _met(self, hello: dict[str, Any]) -> None:
        is_other = self._hello is not None and self._hello["serverId"] != hello["serverId"]
        self._hello = hello
        if is_other:
            for feed in list(self._feeds):
                feed.fail(StoreChanged())
        if not self._greeting.done():
            self._greeting.set_result(None)

    def _unwatch(self, feed: Feed) -> None:
        self._feeds.discard(feed)
        if not any(other.session_id == feed.session_id for other in self._feeds):
            self._connection.send({"type": "unsubscribe", "sessionId": feed.session_id})
