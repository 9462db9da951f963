"""Simon Willison's LLM with the plug-in that makes the CLI a model."""

import asyncio
import os

import llm

from host import perform


async def ask(record, prompt, **options):
    """One prompt. The plug-in runs an event loop of its own, which needs a thread of its own."""

    def run():
        response = llm.get_model("claude-code").prompt(prompt, **options)
        return list(response)

    try:
        record({"pieces": await asyncio.to_thread(run)})
    except Exception as error:  # What a user of the plug-in sees.
        record({"error": str(error)})


async def stream(record):
    await ask(record, "@say A text of one turn.")
    await ask(record, "@say Not streamed.", stream=False)
    await ask(record, "@think a thought | and its answer")


async def permission(record):
    # The plug-in allows one model turn: the call runs, and its answer is the last that is shown.
    await ask(record, '@saytool First a word.|Bash {"command":"touch made.txt","description":"Make a file"}')
    record({"made": os.path.exists("made.txt")})


perform([stream, permission])
