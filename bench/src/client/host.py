"""A host on the Python SDK: AGENT SESSIONS DELTAS. Prints what it took as JSON."""

import asyncio
import json
import resource
import sys
import time

from claude_agent_sdk import ClaudeAgentOptions, ClaudeSDKClient, ResultMessage

agent, sessions, deltas = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])


async def stream(client):
    await client.query(f"@flood {deltas * 8} 8")
    frames = 0
    async for message in client.receive_messages():
        frames += 1
        if isinstance(message, ResultMessage):
            return frames


async def main():
    clients = []
    for _ in range(sessions):
        options = ClaudeAgentOptions(cli_path=agent, model="scripted", include_partial_messages=True)
        client = ClaudeSDKClient(options)
        await client.connect()
        clients.append(client)
    began, cpu = time.monotonic(), time.process_time()
    frames = sum(await asyncio.gather(*(stream(client) for client in clients)))
    seconds, cpu_seconds = time.monotonic() - began, time.process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    reported = {"frames": frames, "seconds": seconds, "cpu_seconds": cpu_seconds, "peak_bytes": peak}
    for client in clients:
        await client.disconnect()
    print(json.dumps(reported))


asyncio.run(main())
