"""The generated types against the examples of every message."""

from __future__ import annotations

import json
import types
import typing
import unittest
from pathlib import Path
from typing import Any, Literal

from aqueduct_client import messages

FIXTURES = Path(__file__).parents[3] / "crates/aqueduct-bridge/tests/fixtures"


def problem(value: object, kind: Any, place: str) -> str | None:
    """What is wrong with a value, if it is not of a type."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if kind is Any:
        return None
    if origin in (typing.Union, types.UnionType):
        found = [problem(value, argument, place) for argument in arguments]
        return None if None in found else f"{place}: fits none of {len(found)} kinds, such as {best(found)}"
    if origin is Literal:
        return None if value in arguments else f"{place}: {value!r} is none of {arguments}"
    if typing.is_typeddict(kind):
        return problem_of_dict(value, kind, place)
    if origin is list:
        return problem_of_items(enumerate(value), arguments[0], place) if isinstance(value, list) else f"{place}: no list"
    if origin is dict:
        return problem_of_items(value.items(), arguments[1], place) if isinstance(value, dict) else f"{place}: no object"
    accepted = (int, float) if kind is float else kind
    return None if isinstance(value, accepted) else f"{place}: {value!r} is not {kind}"


def best(found: list[str | None]) -> str:
    """The problem that is not about the discriminator."""
    return next((one for one in found if one and "is none of" not in one), found[0] or "")


def problem_of_dict(value: object, kind: Any, place: str) -> str | None:
    if not isinstance(value, dict):
        return f"{place}: no object"
    # The annotations are strings, in which Python itself does not find `NotRequired`.
    hints = typing.get_type_hints(kind, include_extras=True)
    optional = {key for key, hint in hints.items() if typing.get_origin(hint) is typing.NotRequired}
    missing = hints.keys() - optional - value.keys()
    if missing:
        return f"{place}: {kind.__name__} needs {sorted(missing)}"
    hints = {key: typing.get_args(hint)[0] if key in optional else hint for key, hint in hints.items()}
    found = (problem(value[key], hint, f"{place}.{key}") for key, hint in hints.items() if key in value)
    return next((one for one in found if one), None)


def problem_of_items(items: Any, kind: Any, place: str) -> str | None:
    return next((one for one in (problem(item, kind, f"{place}[{key}]") for key, item in items) if one), None)


class TypesTest(unittest.TestCase):
    def check(self, prefix: str, union: Any) -> None:
        kinds = {typing.get_args(typing.get_type_hints(kind)["type"])[0]: kind for kind in typing.get_args(union)}
        count = 0
        for file in sorted(FIXTURES.glob(f"{prefix}*.jsonl")):
            for number, line in enumerate(file.read_text().splitlines(), 1):
                message = json.loads(line) if line.strip() else {}
                # The bridge adds kinds: clients pass over them.
                if message.get("type") in kinds:
                    count += 1
                    self.assertIsNone(problem(message, kinds[message["type"]], f"{file.name}:{number}"))
        self.assertGreaterEqual(count, len(kinds))

    def test_messages_of_clients_have_their_types(self) -> None:
        self.check("client", messages.ClientMessage)

    def test_messages_of_the_bridge_have_their_types(self) -> None:
        self.check("bridge", messages.BridgeMessage)

    def test_a_wrong_value_is_found(self) -> None:
        self.assertIsNotNone(problem({"type": "pong", "time": "now"}, messages.PongMessage, "pong"))
        self.assertIsNotNone(problem({"type": "pong"}, messages.PongMessage, "pong"))
