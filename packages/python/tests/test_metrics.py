"""The metrics of a real bridge, read by Prometheus' own client library."""

from __future__ import annotations

import asyncio
import unittest
import urllib.request

from aqueduct_client import connect
from prometheus_client.parser import text_string_to_metric_families

from .bridge import TOKEN, Bridge, until


class MetricsTest(unittest.IsolatedAsyncioTestCase):
    async def test_prometheus_reads_the_metrics(self) -> None:
        bridge = Bridge()
        await bridge.up()
        self.addAsyncCleanup(bridge.stop)
        async with connect(bridge.url, TOKEN) as client:
            session = await client.start(str(bridge.project), text="@say one two three")
            await until(session.messages(), lambda message: message["type"] == "result")
            page = await asyncio.to_thread(self.page, bridge.url)
        families = {family.name: family for family in text_string_to_metric_families(page)}
        samples = {sample.name for family in families.values() for sample in family.samples}
        written = {line.split("{")[0].split(" ")[0] for line in page.splitlines() if not line.startswith("#")}
        self.assertEqual(samples, written, "every line is a sample")
        self.assertEqual(families["aqueduct_turns"].type, "counter")
        commits = families["aqueduct_log_commit_seconds"]
        self.assertEqual(commits.type, "histogram")
        count = next(sample.value for sample in commits.samples if sample.name.endswith("_count"))
        last = next(sample.value for sample in commits.samples if sample.labels.get("le") == "+Inf")
        self.assertEqual(count, last)
        self.assertGreater(count, 0)

    @staticmethod
    def page(url: str) -> str:
        request = urllib.request.Request(f"{url}/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
        with urllib.request.urlopen(request) as answer:
            text: str = answer.read().decode()
            return text
