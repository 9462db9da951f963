"""Reviews changes, all at once: python review_bot.py AGENT SECONDS USD CHANGE..."""

import asyncio
import sys
from dataclasses import replace
from typing import Annotated

from claude_agent_sdk import (
    AssistantMessage,
    ClaudeAgentOptions,
    ClaudeSDKClient,
    HookMatcher,
    PermissionResultAllow,
    PermissionResultDeny,
    ResultMessage,
    StreamEvent,
    ToolUseBlock,
    create_sdk_mcp_server,
    tool,
)
from pydantic import BaseModel, Field


class Verdict(BaseModel):
    """What a review comes to."""

    approved: bool = Field(description="Whether the change can be merged.")
    reason: str


async def guard(data, _id, _context):
    """Keeps secrets from the model, whatever is allowed."""
    if ".env" not in str(data["tool_input"]):
        return {}
    return {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": "That file is secret.",
        }
    }


async def decide(name, data, _context):
    """Questions get their first option; beyond reading, only tests and reports are allowed."""
    if name == "AskUserQuestion":
        answers = {asked["question"]: asked["options"][0]["label"] for asked in data["questions"]}
        return PermissionResultAllow(updated_input={**data, "answers": answers})
    if name == "mcp__review__report" or (name == "Bash" and data["command"] == "make test"):
        return PermissionResultAllow()
    return PermissionResultDeny(message="Reviewers only read and test.")


# What the model sends to report a problem.
PROBLEM = {"file": str, "line": int, "problem": Annotated[str, "What is wrong, in one sentence."]}


def reviewer(agent, usd, name):
    """A reviewer: what it can do, what it may do, and what it may cost."""
    @tool("report", "Reports a problem of the change", PROBLEM)
    async def report(found):
        print(f"{name}: {found['file']}:{found['line']}: {found['problem']}", flush=True)
        return {"content": [{"type": "text", "text": "reported"}]}

    return ClaudeAgentOptions(
        cli_path=agent,
        mcp_servers={"review": create_sdk_mcp_server("review", tools=[report])},
        can_use_tool=decide,
        hooks={"PreToolUse": [HookMatcher(matcher="Read|Bash", hooks=[guard])]},
        max_budget_usd=usd,
        include_partial_messages=True,
    )


async def run(options, prompt):
    """One prompt, and all that comes."""
    async with ClaudeSDKClient(options) as client:
        await client.query(prompt)
        async for message in client.receive_response():
            if isinstance(message, ResultMessage) and message.is_error:
                raise RuntimeError(message.subtype)
            yield message


async def review(agent, usd, name, change):
    """Reviews a change, then resumes the session for the verdict. Returns it with the cost of both."""
    options = reviewer(agent, usd, name)
    text = ""
    async for message in run(options, f"Review this change: {change}"):
        if isinstance(message, StreamEvent) and message.parent_tool_use_id is None:
            text += message.event.get("delta", {}).get("text", "")
        elif isinstance(message, AssistantMessage):
            for block in message.content:
                if isinstance(block, ToolUseBlock):
                    print(f"{name}: > {block.name}", flush=True)
        elif isinstance(message, ResultMessage):
            result = message
    print(f"{name}: {text}", flush=True)
    form = {"type": "json_schema", "schema": Verdict.model_json_schema()}
    options = replace(options, resume=result.session_id, output_format=form)
    async for message in run(options, "Can it be merged?"):
        if isinstance(message, ResultMessage):
            result = message
    return Verdict.model_validate(result.structured_output), result.total_cost_usd or 0


async def main():
    agent, seconds, usd, *changes = sys.argv[1:]
    names = [change.splitlines()[0] for change in changes]
    reviews = (
        asyncio.wait_for(review(agent, float(usd), name, change), float(seconds))
        for name, change in zip(names, changes)
    )
    total = 0
    for name, ended in zip(names, await asyncio.gather(*reviews, return_exceptions=True)):
        if isinstance(ended, TimeoutError):
            print(f"{name}: not done within {seconds} s")
        elif isinstance(ended, BaseException):
            print(f"{name}: {ended}")
        else:
            verdict, cost = ended
            print(f"{name}: approved: {str(verdict.approved).lower()}, {verdict.reason}")
            total += cost
    print(f"{total:.4f} US$")


asyncio.run(main())
