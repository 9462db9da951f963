"""Drives an agent through the Python SDK, and prints a verdict for each duty, a JSON object a line.

    python duties.py AGENT [NAME...]

The model behind the agent is scripted: prompts say what it does. What an agent of the reference's age need not do
is not asked here.
"""

import asyncio
import inspect
import json
import sys
import tempfile
import uuid
from pathlib import Path

from claude_agent_sdk import (
    AgentDefinition,
    AssistantMessage,
    ClaudeAgentOptions,
    ClaudeSDKClient,
    ConversationResetMessage,
    HookMatcher,
    InMemorySessionStore,
    PermissionResultAllow,
    PermissionResultDeny,
    ProcessError,
    ResultMessage,
    StreamEvent,
    SystemMessage,
    TextBlock,
    ToolResultBlock,
    ToolUseBlock,
    UserMessage,
    create_sdk_mcp_server,
    get_session_messages,
    get_subagent_messages,
    list_subagents,
    query,
    tool,
)

AGENT = sys.argv[1]
TIME_LIMIT = 60


def call(name, **arguments):
    """A line that makes the model call a tool."""
    return f"@tool {name} {json.dumps(arguments)}"


class Place:
    """A project of its own, and what an agent is started with there."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="aqueduct-duty-")
        self.path = Path(self.folder.name).resolve()

    def options(self, **more):
        return ClaudeAgentOptions(cli_path=AGENT, cwd=str(self.path), **more)

    def write(self, name, text):
        file = self.path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    async def ask(self, prompt, **more):
        """One prompt, one conversation: all that came."""
        return [message async for message in query(prompt=prompt, options=self.options(**more))]


async def turn(client, prompt):
    """One turn of a conversation: all that came."""
    await client.query(prompt)
    return [message async for message in client.receive_response()]


def result(messages):
    found = [message for message in messages if isinstance(message, ResultMessage)]
    assert len(found) == 1, f"{len(found)} results"
    return found[0]


def init(messages):
    return next(m.data for m in messages if isinstance(m, SystemMessage) and m.subtype == "init")


def blocks(messages, kind):
    said = [m for m in messages if isinstance(m, (AssistantMessage, UserMessage))]
    return [b for m in said if isinstance(m.content, list) for b in m.content if isinstance(b, kind)]


async def a_prompt_is_answered(place):
    messages = await place.ask("@say hello")
    assert result(messages).result == "hello"
    assert result(messages).subtype == "success"
    assert [b.text for b in blocks(messages, TextBlock)] == ["hello"]


async def agents_of_host_and_project_are_listed(place):
    place.write(".claude/agents/local.md", "---\nname: local\ndescription: d\n---\nYou are local.\n")
    agents = {"hosted": AgentDefinition(description="d", prompt="p")}
    messages = await place.ask("@say hi", agents=agents, setting_sources=["project"])
    assert {"hosted", "local"} <= set(init(messages)["agents"])


async def many_agents_fit_into_one_line(place):
    agents = {f"agent-{n}": AgentDefinition(description="d", prompt="x" * 20_000) for n in range(13)}
    messages = await place.ask("@say hi", agents=agents)
    assert set(agents) <= set(init(messages)["agents"])


async def settings_count_where_they_are_asked_for(place):
    place.write(".claude/settings.local.json", json.dumps({"outputStyle": "Explanatory"}))
    place.write(".claude/commands/own.md", "@say mine\n")
    named = init(await place.ask("@say hi", setting_sources=["project", "local"]))
    assert named["output_style"] == "Explanatory" and "own" in named["slash_commands"]
    user = init(await place.ask("@say hi", setting_sources=["user"]))
    assert user["output_style"] == "default" and "own" not in user["slash_commands"]


async def clearing_begins_another_session(place):
    async with ClaudeSDKClient(place.options()) as client:
        before = result(await turn(client, "@say one")).session_id
        cleared = await turn(client, "/clear")
        assert any(isinstance(m, ConversationResetMessage) for m in cleared)
        assert result(await turn(client, "@say two")).session_id != before


async def mode_and_model_change_while_it_runs(place):
    async with ClaudeSDKClient(place.options()) as client:
        await turn(client, "@say one")
        await client.set_permission_mode("acceptEdits")
        await client.set_model("haiku")
        messages = await turn(client, "@say two")
        assert init(messages)["permissionMode"] == "acceptEdits"
        assert "haiku" in init(messages)["model"]


async def an_interruption_ends_the_turn_and_not_the_conversation(place):
    async with ClaudeSDKClient(place.options(include_partial_messages=True)) as client:
        await client.query("@slow 200 0.05")
        async for message in client.receive_messages():
            if isinstance(message, StreamEvent):
                break
        await client.interrupt()
        ended = [message async for message in client.receive_response()]
        assert result(ended).terminal_reason == "aborted_streaming"
        assert result(await turn(client, "@say again")).result == "again"


async def an_error_of_the_api_is_raised(place):
    try:
        await place.ask("@fail 400 9 no")
    except ProcessError as error:
        assert "400" in str(error)
    else:
        raise AssertionError("nothing was raised")


async def hooks_are_called_and_applied(place):
    seen = []

    async def before(data, _id, _context):
        seen.append(("before", data["tool_name"], data["tool_use_id"] is not None))
        denied = {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "not today"}
        return {"hookSpecificOutput": denied} if "secret" in data["tool_input"]["command"] else {}

    async def after(data, _id, _context):
        seen.append(("after", data["tool_name"], data["tool_use_id"] is not None))
        return {"continue_": False, "stopReason": "enough"} if "last" in data["tool_input"]["command"] else {}

    hooks = {
        "PreToolUse": [HookMatcher(matcher="Bash", hooks=[before])],
        "PostToolUse": [HookMatcher(matcher="Bash", hooks=[after])],
    }
    async with ClaudeSDKClient(place.options(allowed_tools=["Bash"], hooks=hooks)) as client:
        messages = await turn(client, call("Bash", command="echo secret", description="d"))
        assert any("not today" in str(b.content) for b in blocks(messages, ToolResultBlock))
        await turn(client, call("Bash", command="echo fine", description="d"))
        last = await turn(client, call("Bash", command="echo last", description="d") + "\n@say never")
        assert result(last).terminal_reason == "hook_stopped"
    assert [word for word, *_ in seen] == ["before", "before", "after", "before", "after"]
    assert all(has_id and name == "Bash" for _, name, has_id in seen)


async def partial_messages_come_where_they_are_asked_for(place):
    prompt = "@think a thought of several words | and a text"
    messages = await place.ask(prompt, include_partial_messages=True)
    kinds = {m.event["type"] for m in messages if isinstance(m, StreamEvent)}
    assert {"message_start", "content_block_start", "content_block_delta", "content_block_stop", "message_stop"} <= kinds
    deltas = {m.event.get("delta", {}).get("type") for m in messages if isinstance(m, StreamEvent)}
    assert {"thinking_delta", "text_delta"} <= deltas
    assert not any(isinstance(m, StreamEvent) for m in await place.ask(prompt))


async def the_origin_of_a_prompt_comes_back(place):
    async def stamped(**more):
        message = {"role": "user", "content": "@say hi"}
        yield {"type": "user", "message": message, "parent_tool_use_id": None, **more}

    async with ClaudeSDKClient(place.options()) as client:
        assert result(await turn(client, stamped(origin={"kind": "human"}))).origin == {"kind": "human"}
        assert result(await turn(client, stamped())).origin is None


async def tools_of_the_host_are_called_where_allowed(place):
    called = []

    @tool("echo", "Repeats the text", {"text": str})
    async def echo(arguments):
        called.append(arguments["text"])
        return {"content": [{"type": "text", "text": f"echo {arguments['text']}"}]}

    server = create_sdk_mcp_server(name="own", version="1.0.0", tools=[echo])
    prompt = call("mcp__own__echo", text="one")
    messages = await place.ask(prompt, mcp_servers={"own": server}, allowed_tools=["mcp__own__echo"])
    assert called == ["one"] and any("echo one" in str(b.content) for b in blocks(messages, ToolResultBlock))
    await place.ask(prompt, mcp_servers={"own": server})
    await place.ask(prompt, mcp_servers={"own": server}, disallowed_tools=["mcp__own__echo"])
    assert called == ["one"]


async def the_host_is_asked_for_permission(place):
    asked = []

    async def decide(name, data, _context):
        asked.append(name)
        if name == "Bash":
            return PermissionResultDeny(message="rather not")
        return PermissionResultAllow(updated_input={**data, "content": "changed"})

    file = place.path / "made.txt"
    prompt = call("Write", file_path=str(file), content="made") + "\n" + call("Bash", command="touch x", description="d")

    async def once():
        yield {"type": "user", "message": {"role": "user", "content": prompt}, "parent_tool_use_id": None}

    messages = await place.ask(once(), can_use_tool=decide)
    assert asked == ["Write", "Bash"] and file.read_text() == "changed"
    assert len(result(messages).permission_denials) == 1
    assert not (place.path / "x").exists()


async def answers_come_in_the_form_that_was_asked_for(place):
    schema = {
        "type": "object",
        "properties": {"n": {"type": "integer"}, "kind": {"enum": ["a", "b"]}},
        "required": ["n", "kind"],
    }
    form = {"type": "json_schema", "schema": schema}
    prompt = call("StructuredOutput", n="one", kind="c") + "\n" + call("StructuredOutput", n=1, kind="a")
    assert result(await place.ask(prompt, output_format=form)).structured_output == {"n": 1, "kind": "a"}


async def subagents_speak_where_the_host_wants_it(place):
    agents = {"helper": AgentDefinition(description="d", prompt="You help.", background=False)}
    sent = {"description": "d", "prompt": "@say from below", "subagent_type": "helper", "run_in_background": False}
    prompt = call("Agent", **sent) + "\n@say done"
    for wanted in (True, False):
        more = {"forward_subagent_text": True} if wanted else {}
        messages = await place.ask(prompt, agents=agents, allowed_tools=["Agent", "Task"], **more)
        below = [m for m in messages if isinstance(m, AssistantMessage) and m.parent_tool_use_id]
        assert any("from below" in b.text for b in blocks(below, TextBlock)) == wanted
        assert result(messages).result == "done"
    session = result(messages).session_id
    ids = {b.id for b in blocks(messages, ToolUseBlock) if b.name in ("Agent", "Task")}
    kept = [get_subagent_messages(session, agent, directory=str(place.path)) for agent in
            list_subagents(session, directory=str(place.path))]
    assert kept and all(m.parent_tool_use_id in ids for messages in kept for m in messages)


async def a_conversation_lives_in_the_hosts_store(place):
    store = InMemorySessionStore()
    first = result(await place.ask("@say one", session_store=store))
    later = result(await place.ask("@say two", session_store=store, resume=first.session_id))
    assert later.session_id == first.session_id and later.result == "two"


async def a_fork_leaves_the_old_conversation_alone(place):
    first = result(await place.ask("@say one"))
    fork = result(await place.ask("@say two", resume=first.session_id, fork_session=True))
    assert fork.session_id != first.session_id
    assert len(prompts(place, first.session_id)) == 1 and len(prompts(place, fork.session_id)) == 2


def prompts(place, session):
    kept = get_session_messages(session, directory=str(place.path))
    return [m for m in kept if m.type == "user" and isinstance(m.message.get("content"), str)]


async def a_resumption_drops_only_what_it_may(place):
    async with ClaudeSDKClient(place.options()) as client:
        first = await turn(client, "@say one")
        session = result(await turn(client, "@say two")).session_id
    keep = next(m.uuid for m in reversed(first) if isinstance(m, AssistantMessage))
    second = prompts(place, session)[1].uuid
    more = {"resume": session, "fork_session": True, "resume_session_at": keep}
    fork = result(await place.ask("@say three", resume_drops_turn=second, **more))
    assert [p.message["content"] for p in prompts(place, fork.session_id)] == ["@say one", "@say three"]
    try:
        await place.ask("@say three", resume_drops_turn=str(uuid.uuid4()), **more)
    except ProcessError as error:
        assert "Resume rejected by --resume-drops-turn:" in str(error)
    else:
        raise AssertionError("it was not refused")


async def nothing_is_said_on_stderr(place):
    lines = []
    await place.ask("@say hi", stderr=lines.append)
    assert not lines, lines


DUTIES = [duty for name, duty in list(globals().items())
          if inspect.iscoroutinefunction(duty) and list(inspect.signature(duty).parameters) == ["place"]]


async def judge(duty):
    try:
        await asyncio.wait_for(duty(Place()), TIME_LIMIT)
        return "passed", ""
    except Exception as error:  # every fault of a duty is its verdict
        return "failed", f"{type(error).__name__}: {error}"[:500]


async def main():
    wanted = sys.argv[2:]
    for duty in DUTIES:
        name = duty.__name__.replace("_", " ")
        if wanted and not any(word in name for word in wanted):
            continue
        verdict, note = await judge(duty)
        print(json.dumps({"case": name, "verdict": verdict, "note": note}), flush=True)


asyncio.run(main())
