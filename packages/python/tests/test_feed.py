"""What a feed does with messages, without a bridge."""

from __future__ import annotations

import unittest
from typing import Any

from aqueduct_client import Feed, StoreChanged
from aqueduct_client.backoff import delay
from aqueduct_client.feed import HELD_MESSAGES


class Source:
    """Keeps what is sent."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []

    def send(self, message: dict[str, Any]) -> bool:
        self.sent.append(message)
        return True

    def request_id(self) -> str:
        return f"r{len(self.sent)}"


def stored(seq: int) -> dict[str, Any]:
    return {"type": "user_input", "text": str(seq), "sessionId": "S", "seq": seq}


class FeedTest(unittest.IsolatedAsyncioTestCase):
    def setUp(self) -> None:
        self.source = Source()
        self.closed: list[Feed] = []
        self.feed = Feed("S", self.source, self.closed.append)
        self.feed.subscribe()

    def subscribed(self, last_seq: int) -> None:
        request_id = self.source.sent[-1]["requestId"]
        snapshot = {"lastSeq": last_seq, "pending": [], "queue": []}
        message = {"type": "subscribed", "sessionId": "S", "snapshot": snapshot, "requestId": request_id}
        self.feed.heard(message)

    async def read(self, count: int) -> list[Any]:
        messages: list[Any] = [await anext(self.feed) for _ in range(count)]
        return [message.get("seq", message["type"]) for message in messages]

    async def test_each_stored_message_comes_once_and_a_missing_one_is_requested(self) -> None:
        self.feed.heard(stored(1))
        self.subscribed(1)
        self.feed.heard({"type": "history_delta", "sessionId": "S", "messages": [stored(1)], "more": False})
        self.feed.heard(stored(1))
        self.feed.heard(stored(3))
        self.assertEqual([message["sinceSeq"] for message in self.source.sent], [0, 1])
        self.subscribed(3)
        messages = [stored(2), stored(3)]
        self.feed.heard({"type": "history_delta", "sessionId": "S", "messages": messages, "more": False})
        self.assertEqual(await self.read(5), ["subscribed", 1, "subscribed", 2, 3])

    async def test_a_store_that_is_behind_is_another_one(self) -> None:
        self.subscribed(1)
        self.feed.heard(stored(1))
        self.feed.subscribe()
        self.subscribed(0)
        self.assertEqual(await self.read(2), ["subscribed", 1])
        with self.assertRaises(StoreChanged):
            await anext(self.feed)

    async def test_a_limited_number_of_messages_is_held(self) -> None:
        self.subscribed(2 * HELD_MESSAGES)
        for seq in range(1, 2 * HELD_MESSAGES):
            self.feed.heard(stored(seq))
        self.assertEqual((await self.read(HELD_MESSAGES))[-1], HELD_MESSAGES - 1)
        self.assertEqual(len(self.source.sent), 1)
        self.assertEqual(self.feed.last_seq, HELD_MESSAGES - 1)

    async def test_leaving_ends_the_subscription(self) -> None:
        async with self.feed:
            self.subscribed(0)
        self.assertEqual(self.closed, [self.feed])
        self.assertEqual([message async for message in self.feed], [])


class BackoffTest(unittest.TestCase):
    def test_each_wait_is_longer_up_to_a_limit(self) -> None:
        self.assertEqual([delay(n, 0) for n in (1, 2, 3, 4)], [0.25, 0.5, 1.0, 2.0])
        self.assertEqual(delay(40, 0), 15.0)
        self.assertLess(delay(1, 1), 0.25)
