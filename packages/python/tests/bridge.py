"""A real bridge with the scripted model, in a folder of its own."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import socket
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from aqueduct_client import Client, Feed, connect

TOKEN = "client-token-that-no-other-test-has-0123456789"


class Bridge:
    """A bridge that runs."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="aqueduct-python-")).resolve()
        self._port = _free_port()
        self._process: asyncio.subprocess.Process | None = None
        self._gates = 0
        self.project = self._folder / "project"
        self.project.mkdir()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    async def up(self) -> None:
        """Runs the bridge, until it reports that it is ready."""
        program = os.environ.get("AQUEDUCT")
        if not program:
            raise RuntimeError("AQUEDUCT names no program: run cargo xtask test --only python-client")
        self._process = await asyncio.create_subprocess_exec(
            program,
            "serve",
            *("--listen", f"127.0.0.1:{self._port}"),
            *("--data-dir", str(self._folder / "data")),
            *("--root", str(self._folder)),
            *("--agent", "builtin"),
            env={"PATH": os.environ["PATH"], "HOME": str(self._folder), "AQUEDUCT_TOKEN": TOKEN},
            cwd=self._folder,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        assert self._process.stdout is not None
        output = b""
        while b"ready in" not in output:
            line = await self._process.stdout.readline()
            if not line:
                raise RuntimeError(f"the bridge does not come up:\n{output.decode()}")
            output += line

    async def kill(self) -> None:
        """Ends the bridge's own process at once, as a crash would. Agents at work continue."""
        await self._end(signal.SIGKILL)

    async def stop(self) -> None:
        """Ends the bridge and its sessions."""
        async with connect(self.url, TOKEN) as client:
            for session in await client.sessions():
                await client.session(session["sessionId"]).delete()
        await self._end(signal.SIGTERM)
        shutil.rmtree(self._folder, ignore_errors=True)

    def gate(self) -> Gate:
        """A new gate in the project."""
        self._gates += 1
        return Gate(self.project / f"gate-{self._gates}")

    async def _end(self, how: signal.Signals) -> None:
        if self._process is not None and self._process.returncode is None:
            self._process.send_signal(how)
            await self._process.wait()


class Gate:
    """A command that ends when the test releases it. Reading a pipe needs no permission, and waits for a writer."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self._path = path
        self.command = f"cat {path.name}"

    async def open(self) -> None:
        await asyncio.to_thread(self._path.write_text, "open\n")


def cut(client: Client) -> None:
    """Drops the connection of a client as a broken network would."""
    socket = client._connection._socket
    assert socket is not None
    socket.transport.abort()


async def until(feed: Feed, fits: Callable[[Any], bool]) -> list[Any]:
    """Reads a feed up to a message that fits, and returns all messages on the way."""
    messages: list[Any] = []
    async for message in feed:
        messages.append(message)
        if fits(message):
            return messages
    raise AssertionError(f"the feed ended after {[message['type'] for message in messages]}")


async def upcoming(feed: Feed, kind: str) -> Any:
    """The next message of a kind."""
    return (await until(feed, lambda message: message["type"] == kind))[-1]


def of_type(messages: list[Any], kind: str) -> list[Any]:
    return [message for message in messages if message["type"] == kind]


def seqs(messages: list[Any]) -> list[int]:
    """The numbers of the stored messages among these."""
    return [message["seq"] for message in messages if "seq" in message]


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port
