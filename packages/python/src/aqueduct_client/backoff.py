"""How long to wait before the next try."""

FIRST_SECONDS = 0.25
LONGEST_SECONDS = 15.0


def delay(failures: int, random: float) -> float:
    """Twice as long each time up to a limit, with up to a quarter less so that not all clients come at once."""
    full = min(FIRST_SECONDS * (1 << min(max(0, failures - 1), 10)), LONGEST_SECONDS)
    return full * (1 - random / 4)
