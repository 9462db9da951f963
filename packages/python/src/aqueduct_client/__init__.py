"""A client of Aqueduct's bridge, which makes sessions of coding agents available to programs.

>>> async with connect("http://127.0.0.1:8765", token) as client:
...     session = await client.start("/proj/api", text="Run the tests")
...     async for message in session.messages():
...         print(message["type"])
"""

from .client import Client, connect
from .errors import (
    AqueductError,
    Closed,
    Lost,
    PairingFailed,
    Refused,
    StoreChanged,
    Unauthorized,
)
from .feed import Feed
from .generated import messages
from .pairing import Pairing, pair
from .session import Session

__all__ = [
    "AqueductError",
    "Client",
    "Closed",
    "Feed",
    "Lost",
    "Pairing",
    "PairingFailed",
    "Refused",
    "Session",
    "StoreChanged",
    "Unauthorized",
    "connect",
    "messages",
    "pair",
]
