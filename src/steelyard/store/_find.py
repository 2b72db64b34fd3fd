"""Which run a key means: ``latest``, an id, a name, or the beginning of an id."""

from collections.abc import Sequence

from steelyard.errors import RunNotFoundError, nearest

__all__ = ["Entry", "find_id", "nothing_stored"]

Entry = tuple[str, str, str]
"""(id, name, created) of a run."""

SHORTEST_PREFIX = 4
LISTED = 5
HOW_TO_LIST = "List runs with: steelyard list"


def find_id(key: str, entries: Sequence[Entry], where: str) -> str:
    """The id of the run that ``key`` means, among runs listed from the newest to the oldest.

    A whole id or name goes before the beginning of an id, for it was typed in full.

    Raises:
        RunNotFoundError: there is none, or several ids begin so.
    """
    if not entries:
        raise nothing_stored(key, where)
    if key == "latest":
        return entries[0][0]
    whole = next((run for run, _, _ in entries if run == key), None)
    if whole is None:
        whole = next((run for run, name, _ in entries if name == key), None)
    return _by_prefix(key, entries, where) if whole is None else whole


def nothing_stored(key: str, where: str) -> RunNotFoundError:
    """The error for any key while there are no runs at all."""
    return RunNotFoundError(
        f"no run {key!r}: {where} holds no runs yet; make one with 'steelyard score' or 'steelyard run'. {HOW_TO_LIST}"
    )


def _by_prefix(key: str, entries: Sequence[Entry], where: str) -> str:
    begin_so = [entry for entry in entries if entry[0].startswith(key)]
    if len(begin_so) > 1 and key:
        listed = "; ".join(f"{run} ({name}, {created})" for run, name, created in begin_so[:LISTED])
        more = f"; and {len(begin_so) - LISTED} more" if len(begin_so) > LISTED else ""
        raise RunNotFoundError(
            f"{key!r} is the beginning of {len(begin_so)} run ids: {listed}{more}. Give more of the id."
        )
    if begin_so and len(key) >= SHORTEST_PREFIX:
        return begin_so[0][0]
    if begin_so and key:
        raise RunNotFoundError(
            f"no run {key!r} in {where}; {begin_so[0][0]} begins so, and of an id at least {SHORTEST_PREFIX} "
            "digits are wanted"
        )
    raise RunNotFoundError(_unknown(key, entries, where))


def _unknown(key: str, entries: Sequence[Entry], where: str) -> str:
    names = list(dict.fromkeys(name for _, name, _ in entries))
    guess = nearest(key, [*names, "latest"] if names else [])
    hint = f" Did you mean {guess!r}?" if guess else ""
    listed = ", ".join(names[:LISTED]) + (f" and {len(names) - LISTED} more" if len(names) > LISTED else "")
    return f"no run {key!r} in {where}; the newest names are: {listed}.{hint} {HOW_TO_LIST}"
