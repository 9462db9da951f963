"""The addresses of a bridge."""

from __future__ import annotations

from urllib.parse import urlsplit


def origin_of(url: str) -> str:
    """The origin of an address: scheme, host and port."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise ValueError(f"the address of a bridge begins with http:// or https://: {url!r} does not")
    return f"{parts.scheme}://{parts.netloc}"


def socket_of(origin: str) -> str:
    """The address of the WebSocket at an origin."""
    return f"ws{origin.removeprefix('http')}/ws"
