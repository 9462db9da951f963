"""A program on claude-code-sdk, the Python SDK before it was renamed."""

from claude_code_sdk import (
    AssistantMessage,
    ClaudeCodeOptions,
    ClaudeSDKClient,
    PermissionResultAllow,
    PermissionResultDeny,
    ResultMessage,
    SystemMessage,
    query,
)

from host import perform, plain

# What the conversation of the first duty is called.
session = None


def event(message):
    """A message without what differs between programs by design."""
    global session
    if isinstance(message, SystemMessage):
        return {"system": message.subtype}
    shown = plain(message)
    if isinstance(message, ResultMessage):
        session = message.session_id
        for name in ("duration_ms", "duration_api_ms"):
            shown[name] = shown[name] >= 0
        # The last digits of a sum depend on the order of its parts.
        shown["total_cost_usd"] = round(shown["total_cost_usd"], 9)
    return shown


async def turn(client, prompt, record):
    await client.query(prompt)
    async for message in client.receive_response():
        record(event(message))


def options(**more):
    return ClaudeCodeOptions(**more)


async def stream(record):
    async for message in query(prompt="@say A text of one turn.", options=options()):
        record(event(message))
    async with ClaudeSDKClient(options(include_partial_messages=True)) as client:
        await client.query("@think a thought | and its answer")
        async for message in client.receive_response():
            shown = event(message)
            record(shown if shown.get("kind") != "StreamEvent" else {"stream": shown["event"]["type"]})


def decide(record, answer):
    async def can_use_tool(tool, arguments, _context):
        record({"asked": tool, "input": arguments})
        return answer

    return can_use_tool


async def permission(record):
    async with ClaudeSDKClient(options(can_use_tool=decide(record, PermissionResultAllow()))) as client:
        await turn(client, '@tool Bash {"command":"touch made.txt"}\n@say made', record)
        await turn(client, "@say and a second turn", record)


async def denial(record):
    answer = PermissionResultDeny(message="not today")
    async with ClaudeSDKClient(options(can_use_tool=decide(record, answer))) as client:
        await turn(client, '@tool Bash {"command":"touch denied.txt"}\n@say denied', record)
        await turn(client, "@say still here", record)


async def interrupt(record):
    async with ClaudeSDKClient(options(include_partial_messages=True)) as client:
        await client.query("@slow 4000 0.05")
        begun = False
        async for message in client.receive_response():
            shown = event(message)
            if shown.get("kind") == "StreamEvent":
                if not begun and shown["event"]["type"] == "content_block_delta":
                    begun = True
                    await client.interrupt()
                continue
            if isinstance(message, AssistantMessage):
                # How far the text came is a matter of the time.
                shown = {"kind": "AssistantMessage", "begun": shown["content"][0].get("text", "")[:3]}
            record(shown)
        await client.query("@say after the interrupt")
        async for message in client.receive_response():
            if type(message).__name__ != "StreamEvent":
                record(event(message))


async def resume(record):
    async for message in query(prompt="@say first", options=options()):
        record(event(message))
    first = session
    async for message in query(prompt="@say resumed", options=options(resume=first)):
        record(event(message))
    record({"same session": session == first})
    async for message in query(prompt="@say continued", options=options(continue_conversation=True)):
        record(event(message))
    record({"same session": session == first})


perform([stream, permission, denial, interrupt, resume])
