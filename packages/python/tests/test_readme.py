"""The example of the README, as users run it."""

from __future__ import annotations

import asyncio
import os
import re
import sys
import unittest
from pathlib import Path

from .bridge import TOKEN, Bridge

PACKAGE = Path(__file__).parents[1]


class ReadmeTest(unittest.IsolatedAsyncioTestCase):
    async def test_the_example_prints_what_the_readme_shows(self) -> None:
        readme = (PACKAGE / "README.md").read_text()
        bridge = Bridge()
        await bridge.up()
        self.addAsyncCleanup(bridge.stop)
        example = await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            block(readme, "python"),
            env={**os.environ, "AQUEDUCT_URL": bridge.url, "AQUEDUCT_TOKEN": TOKEN, "PYTHONPATH": str(PACKAGE / "src")},
            cwd=bridge.project,
            stdout=asyncio.subprocess.PIPE,
        )
        output, _ = await example.communicate()
        self.assertEqual(output.decode(), block(readme, "text"))


def block(readme: str, kind: str) -> str:
    """The first block of a kind."""
    found = re.search(f"```{kind}\n(.*?)```", readme, re.DOTALL)
    assert found is not None
    return found.group(1)
