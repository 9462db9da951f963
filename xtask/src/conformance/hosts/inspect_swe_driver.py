"""An evaluation of Inspect with the CLI as its agent, in Inspect's local sandbox. The model is Inspect's own stand-in."""

import tiktoken

from inspect_ai import Task, eval_async
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, get_model
from inspect_ai.scorer import includes
from inspect_swe import claude_code

from host import perform


class Words:
    """Counts tokens by words: the real vocabulary would be downloaded."""

    def encode(self, text, **_options):
        return text.split()


tiktoken.get_encoding = tiktoken.encoding_for_model = lambda _name: Words()


def answer(messages, _tools, _choice, _config):
    """Calls a tool where the prompt asks for one and none has answered, and otherwise answers with a word."""
    asked = [message for message in messages if message.role == "user"]
    if any(message.role == "tool" for message in messages):
        return ModelOutput.from_content("mockllm/model", "the tool has answered")
    if asked and "use a tool" in asked[-1].text:
        return ModelOutput.for_tool_call("mockllm/model", "Bash", {"command": "echo from a tool", "description": "Print a line"})
    return ModelOutput.from_content("mockllm/model", "a word")


async def evaluate(record, prompt, target="word", **options):
    task = Task(
        dataset=[Sample(input=prompt, target=target)],
        solver=claude_code(version="sandbox", **options),
        scorer=includes(),
        sandbox="local",
    )
    model = get_model("mockllm/model", custom_outputs=answer)
    (log,) = await eval_async(task, model=model, log_dir="logs")
    record({"status": log.status, "error": log.error and log.error.message[-1500:]})
    for sample in log.samples or []:
        for message in sample.messages:
            calls = [{"tool": call.function, "input": call.arguments} for call in getattr(message, "tool_calls", None) or []]
            if message.role == "system":
                continue
            record({"role": message.role, "text": message.text if message.role != "user" else "", "calls": calls})
        record({"score": {name: score.value for name, score in (sample.scores or {}).items()}})


async def stream(record):
    await evaluate(record, "say a word")


async def permission(record):
    await evaluate(record, "use a tool")


async def resume(record):
    # No answer is right, so that Inspect resumes the session for another attempt.
    await evaluate(record, "say something else", target="right", attempts=2)


perform([stream, permission, resume])
