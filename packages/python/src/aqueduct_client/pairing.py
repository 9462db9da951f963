"""Tokens for pairing codes."""

from __future__ import annotations

import asyncio
import json
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import Any

from .address import origin_of
from .errors import PairingFailed

# How long the answer may take.
ANSWER_WITHIN_SECONDS = 15


@dataclass(frozen=True)
class Pairing:
    """The result of a pairing."""

    token: str
    device_id: str


async def pair(url: str, code: str, name: str) -> Pairing:
    """Exchanges the code of a pairing link for a token. A code works once."""
    body = json.dumps({"code": code, "name": name, "kind": "token"}).encode()
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(f"{origin_of(url)}/api/v1/pair", body, headers)
    answer = await asyncio.to_thread(_read, request)
    return Pairing(token=answer["token"], device_id=answer["device"]["deviceId"])


def _read(request: urllib.request.Request) -> Any:
    try:
        with urllib.request.urlopen(request, timeout=ANSWER_WITHIN_SECONDS) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        with error:
            raise PairingFailed(_reason(error.read())) from None


def _reason(body: bytes) -> str:
    try:
        return str(json.loads(body)["message"])
    except (ValueError, KeyError, TypeError):
        return "the bridge did not accept the pairing code"
