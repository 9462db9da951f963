"""One session of the bridge: what a program does with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .feed import Feed
from .generated.messages import (
    InputAck,
    InputImage,
    InputPriority,
    PermissionRequest,
    PermissionRequestBridgeMessage,
)

if TYPE_CHECKING:
    from .client import Client

Pending = PermissionRequest | PermissionRequestBridgeMessage
"""What a decision is about: the message `permission_request`, or one of `pending` in a snapshot."""


class Session:
    """A session of the bridge. It holds no resources: any number of these may exist for one session."""

    def __init__(self, client: Client, session_id: str) -> None:
        self._client = client
        self.id = session_id

    def messages(self, *, since_seq: int = 0, limit: int | None = None) -> Feed:
        """Reads the session's messages, from the beginning or from a number on; with `limit` the newest stored ones."""
        return self._client.feed(self.id, since_seq=since_seq, limit=limit)

    async def send(
        self,
        text: str,
        *,
        client_message_id: str | None = None,
        images: Sequence[InputImage] = (),
        priority: InputPriority | None = None,
    ) -> InputAck:
        """Sends an input; returns once the bridge has it safe. It is sent again after a reconnect, and runs once."""
        return await self._client.input(
            self.id, text, client_message_id=client_message_id, images=images, priority=priority
        )

    async def approve(self, request: Pending, **options: Any) -> None:
        """Allows what a request asks for, this once. Raises `Refused` with `input_changed` if its input is another one
        by now. The options are members of `approve`, such as `mode`."""
        await self._client.request({"type": "approve", **self._decided(request), **options})

    async def approve_always(self, request: Pending, **options: Any) -> None:
        """Allows what a request asks for, and the like of it from now on. The options are members of `approve_always`,
        such as `rules`."""
        await self._client.request({"type": "approve_always", **self._decided(request), **options})

    async def reject(self, request: Pending, message: str | None = None, **options: Any) -> None:
        """Denies what a request asks for. The model receives the message."""
        reason = {} if message is None else {"message": message}
        await self._client.request({"type": "reject", **self._decided(request), **reason, **options})

    async def answer(self, request: Pending, answers: Mapping[str, str | list[str]], **options: Any) -> None:
        """Answers a question: by the question's text, the chosen label or labels."""
        decided = self._decided(request)
        decided["toolUseId"] = decided.pop("id")
        await self._client.request({"type": "answer", **decided, "answers": dict(answers), **options})

    async def interrupt(self, *, hard: bool = False) -> None:
        """Stops the running turn. With `hard` the agent is ended."""
        await self._client.request({"type": "interrupt", "sessionId": self.id, "hard": hard}, once=True)

    async def stop(self) -> None:
        """Stops the session's agent. The next input resumes the session."""
        await self._client.request({"type": "stop_session", "sessionId": self.id})

    async def delete(self) -> None:
        """Deletes the session with all its messages."""
        await self._client.request({"type": "delete_session", "sessionId": self.id})

    def _decided(self, request: Pending) -> dict[str, str]:
        return {"id": request["id"], "sessionId": self.id, "inputHash": request["inputHash"]}
