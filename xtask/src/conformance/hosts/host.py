"""What every driver in Python shares: duties are performed one after the other, and each prints a line of JSON when it
begins, {"begin"}, and one when it ends, {"duty", "events"} with an "error" where it failed. The suite compares the events
of both programs."""

import asyncio
import dataclasses
import json

# How long one duty may take, in seconds: long enough for a busy machine, so that only a hang exceeds it.
LIMIT = 300


def plain(value):
    """A value that JSON can express: objects of data are their fields."""
    if dataclasses.is_dataclass(value):
        fields = {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
        return {"kind": type(value).__name__, **fields}
    if isinstance(value, dict):
        return {str(name): plain(member) for name, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(member) for member in value]
    if value is None or isinstance(value, (str, int, float, bool)):
        return value
    return repr(value)


def perform(duties):
    """Performs duties in their order: functions that receive the function to record events with. A duty that hangs is the
    last one, because it may still be running."""
    for duty in duties:
        events = []
        line = {"duty": duty.__name__, "events": events}
        print(json.dumps({"begin": duty.__name__}), flush=True)
        try:
            asyncio.run(asyncio.wait_for(duty(events.append), LIMIT))
        except Exception as error:  # The suite reports it, whatever it is.
            line["error"] = f"{type(error).__name__}: {error}"[:4000]
        line["events"] = plain(events)
        print(json.dumps(line), flush=True)
        if line.get("error", "").startswith("TimeoutError"):
            break
