"""The client against a real bridge."""

from __future__ import annotations

import asyncio
import json
import unittest
from urllib.parse import urlsplit

from aqueduct_client import Client, Feed, PairingFailed, Refused, Unauthorized, connect, pair
from aqueduct_client.connection import Link

from .bridge import TOKEN, Bridge, cut, of_type, seqs, until, upcoming


async def to_result(feed: Feed) -> list[dict[str, object]]:
    return await until(feed, lambda message: message["type"] == "result")


class ClientTest(unittest.IsolatedAsyncioTestCase):
    bridge: Bridge
    client: Client

    async def asyncSetUp(self) -> None:
        self.bridge = Bridge()
        await self.bridge.up()
        self.addAsyncCleanup(self.bridge.stop)
        self.client = await self.enterAsyncContext(connect(self.bridge.url, TOKEN))

    @property
    def project(self) -> str:
        return str(self.bridge.project)

    def assert_complete(self, numbers: list[int]) -> None:
        self.assertEqual(numbers, list(range(1, len(numbers) + 1)))

    async def test_a_session_streams_an_answer_and_stores_it(self) -> None:
        session = await self.client.start(self.project)
        feed = session.messages()
        await upcoming(feed, "subscribed")
        acknowledgement = await session.send("@say one two three four")
        self.assertEqual(acknowledgement["sessionId"], session.id)
        messages = await to_result(feed)
        self.assert_complete(seqs(messages))
        deltas = "".join(str(message["text"]) for message in of_type(messages, "stream_delta"))
        self.assertEqual(deltas, "one two three four")
        [answer] = of_type(messages, "assistant")
        self.assertEqual(answer["message"]["content"][0]["text"], "one two three four")

    async def test_decisions_and_questions(self) -> None:
        text = '@tool Bash {"command":"touch allowed"}\n@say done'
        session = await self.client.start(self.project, text=text)
        feed = session.messages()
        request = await upcoming(feed, "permission_request")
        self.assertEqual(request["input"], {"command": "touch allowed"})
        await session.approve(request)
        self.assertEqual((await upcoming(feed, "permission_resolved"))["decision"], "allowed")
        await to_result(feed)

        await session.send('@tool Bash {"command":"touch denied"}\n@say done')
        request = await upcoming(feed, "permission_request")
        with self.assertRaises(Refused) as changed:
            await session.approve(request | {"inputHash": "0" * 64})
        self.assertEqual(changed.exception.code, "input_changed")
        await session.reject(request, "Not this one.")
        resolved = await upcoming(feed, "permission_resolved")
        self.assertEqual((resolved["decision"], resolved["message"]), ("denied", "Not this one."))
        await to_result(feed)
        with self.assertRaises(Refused) as late:
            await session.approve(request)
        self.assertEqual(late.exception.code, "already_resolved")

        options = [{"label": "Red", "description": "warm"}, {"label": "Blue", "description": "cold"}]
        question = {"question": "Which color?", "header": "Color", "multiSelect": False, "options": options}
        await session.send(f"@tool AskUserQuestion {json.dumps({'questions': [question]})}")
        request = await upcoming(feed, "permission_request")
        self.assertEqual(request["kind"], "question")
        await session.answer(request, {"Which color?": "Blue"})
        resolved = await upcoming(feed, "permission_resolved")
        self.assertEqual(resolved["answers"], {"Which color?": "Blue"})
        await to_result(feed)

    async def test_sessions_are_listed_stopped_read_again_and_deleted(self) -> None:
        session = await self.client.start(self.project, text="@say hi")
        feed = session.messages()
        await to_result(feed)
        await session.stop()
        self.assertIn(session.id, [one["sessionId"] for one in await self.client.sessions()])
        async with session.messages(since_seq=2) as later:
            self.assertEqual(seqs(await to_result(later))[0], 3)
        async with session.messages(limit=1) as newest:
            self.assertEqual(seqs(await until(newest, lambda message: "seq" in message)), [newest.last_seq])
        await session.delete()
        self.assertEqual([message["type"] async for message in feed].count("result"), 0)
        self.assertEqual(await self.client.sessions(), [])
        with self.assertRaises(Refused) as missing:
            await anext(session.messages())
        self.assertEqual(missing.exception.code, "session_not_found")

    async def test_an_input_that_is_sent_twice_runs_once(self) -> None:
        session = await self.client.start(self.project)
        feed = session.messages()
        first = await session.send("@say once", client_message_id="same")
        second = await session.send("@say once", client_message_id="same")
        self.assertEqual(first["inputId"], second["inputId"])
        messages = await to_result(feed)
        # The connection breaks before the acknowledgement can arrive.
        sending = asyncio.create_task(session.send("@say survived"))
        await asyncio.sleep(0)
        cut(self.client)
        await sending
        messages += await to_result(feed)
        await session.send("@say after")
        messages += await to_result(feed)
        texts = [message["text"] for message in of_type(messages, "user_input")]
        self.assertEqual(texts, ["@say once", "@say survived", "@say after"])

    async def test_a_refused_input_raises(self) -> None:
        with self.assertRaises(Refused) as refused:
            await self.client.session("0198c0de-0000-4000-8000-000000000000").send("hi")
        self.assertEqual(refused.exception.code, "session_not_found")

    async def test_a_connection_that_is_cut_comes_back_with_every_message_once(self) -> None:
        links: list[Link] = []
        async with connect(self.bridge.url, TOKEN, on_link=links.append) as client:
            gate = self.bridge.gate()
            text = f"@tool Bash {json.dumps({'command': gate.command})}\n@say done"
            session = await client.start(self.project, text=text)
            feed = session.messages()
            messages = await until(feed, lambda message: message["type"] == "assistant")
            cut(client)
            messages += await until(feed, lambda message: message["type"] == "subscribed")
            await gate.open()
            messages += await to_result(feed)
            self.assert_complete(seqs(messages))
            self.assertEqual(len(of_type(messages, "subscribed")), 2)
        self.assertEqual(links, ["connected", "reconnecting", "connected", "closed"])

    async def test_a_killed_bridge_loses_nothing_and_repeats_nothing(self) -> None:
        gate = self.bridge.gate()
        text = f"@tool Bash {json.dumps({'command': gate.command})}\n@say first"
        session = await self.client.start(self.project, text=text)
        feed = session.messages()
        messages = await until(feed, lambda message: message["type"] == "assistant")
        await self.bridge.kill()
        await gate.open()
        sending = asyncio.create_task(session.send("@say second"))
        await self.bridge.up()
        await sending
        for _ in ("first", "second"):
            messages += await to_result(feed)
        self.assert_complete(seqs(messages))
        self.assertEqual(len(of_type(messages, "user_input")), 2)
        self.assertEqual(len(of_type(messages, "result")), 2)

    async def test_tokens(self) -> None:
        with self.assertRaises(Unauthorized):
            async with connect(self.bridge.url, "wrong"):
                self.fail("a wrong token connects")
        with self.assertRaises(PairingFailed):
            await pair(self.bridge.url, "0000-0000-0000-0000", "test")

        request = {"type": "pair_device", "scope": "watch"}
        with self.assertRaises(Refused) as asked:
            await self.client.request(request)
        reply = asked.exception.reply
        assert reply["type"] == "error"
        pairing = await self.client.request({**request, "confirm": reply["confirm"]})
        assert pairing["type"] == "pairing"
        code = urlsplit(pairing["link"]).fragment.removeprefix("pair=")
        paired = await pair(self.bridge.url, code, "test")
        revoked = asyncio.Event()

        def linked(link: Link) -> None:
            if link == "unauthorized":
                revoked.set()

        async with connect(self.bridge.url, paired.token, on_link=linked) as other:
            self.assertEqual(other.hello["device"]["deviceId"], paired.device_id)
            await self.client.request({"type": "revoke_device", "deviceId": paired.device_id})
            await revoked.wait()
            with self.assertRaises(Unauthorized):
                await other.sessions()
