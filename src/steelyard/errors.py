"""Every error that steelyard raises on purpose.

    SteelyardError
    ├── UsageError (ValueError)            what was asked for cannot be done as asked
    │   ├── BindingError (TypeError)       a scorer's parameters do not fit the data
    │   ├── ColumnNotFoundError (KeyError) a column was named that is not there
    │   ├── UnknownNameError (LookupError) no scorer, metric, reducer or option of that name
    │   ├── RunNotFoundError (LookupError) no stored run of that id or name
    │   └── DataError                      the data set itself
    │       ├── BadRowError                one line or row cannot be read
    │       ├── EmptyDataError             there is nothing to score
    │       └── DuplicateIdError           sample ids repeat
    ├── UndefinedMetric (ArithmeticError)  too little data for the number asked for
    ├── UnscoredError (RuntimeError)       on_unscored="raise" met an unscored sample
    ├── PatternTimeout (TimeoutError)      a regular expression took longer than its limit
    ├── ModelCallError (RuntimeError)      the model under test failed
    ├── StoreError (OSError)               the store cannot be opened, read or written
    ├── PortalError (RuntimeError)         a synchronous call from the background loop's own thread
    ├── WorkerError (RuntimeError)         a process that scored rows ended before it was done
    └── MissingExtraError (ImportError)    an optional dependency is not installed

Each also derives from the built-in that a caller would catch without knowing us.
A message says what was given, what exists, and the remedy.
"""

from collections.abc import Iterable, Sequence

__all__ = [
    "BadRowError",
    "BindingError",
    "ColumnNotFoundError",
    "DataError",
    "DuplicateIdError",
    "EmptyDataError",
    "MissingExtraError",
    "ModelCallError",
    "PatternTimeout",
    "PortalError",
    "RunNotFoundError",
    "SteelyardError",
    "StoreError",
    "UndefinedMetric",
    "UnknownNameError",
    "UnscoredError",
    "UsageError",
    "WorkerError",
    "error_text",
    "nearest",
]


class SteelyardError(Exception):
    """The root of the tree: ``except SteelyardError`` catches all that we raise on purpose."""


class UsageError(SteelyardError, ValueError):
    """What was asked for cannot be done as asked; the message says what would."""


class BindingError(UsageError, TypeError):
    """A scorer's parameters do not fit the columns of the data."""


class ColumnNotFoundError(UsageError, KeyError):
    """A column was named that the data does not have."""

    def __str__(self) -> str:  # KeyError would print the repr of the message
        return str(self.args[0]) if self.args else ""

    @classmethod
    def naming(cls, wanted: str, columns: Iterable[str], remedy: str = "") -> "ColumnNotFoundError":
        """Say which column was wanted, which exist, and the nearest spelling."""
        names = sorted(columns)
        guess = nearest(wanted, names)
        hint = f" Did you mean {guess!r}?" if guess else ""
        listed = ", ".join(names) or "none"
        return cls(f"no column {wanted!r}; the columns are: {listed}.{hint}{' ' + remedy if remedy else ''}")


class UnknownNameError(UsageError, LookupError):
    """No scorer, metric, reducer or option is known by that name."""

    @classmethod
    def naming(cls, kind: str, wanted: str, known: Iterable[str], remedy: str = "") -> "UnknownNameError":
        """Say which name was wanted, and which are known."""
        names = sorted(known)
        guess = nearest(wanted, names)
        hint = f" Did you mean {guess!r}?" if guess else ""
        return cls(f"no {kind} {wanted!r}; known: {', '.join(names) or 'none'}.{hint}{' ' + remedy if remedy else ''}")


class RunNotFoundError(UsageError, LookupError):
    """No stored run bears that id, unique prefix or name."""


class DataError(UsageError):
    """The data set cannot be used as it stands."""


class BadRowError(DataError):
    """One line or row cannot be read; the message names file, line and column."""


class EmptyDataError(DataError):
    """There is nothing to score."""


class DuplicateIdError(DataError):
    """Sample ids repeat, so rows could not be told apart."""


class UndefinedMetric(SteelyardError, ArithmeticError):
    """A number was asked for that the data does not define; ``reason`` says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class UnscoredError(SteelyardError, RuntimeError):
    """``on_unscored="raise"`` met a sample without a score."""


class PatternTimeout(SteelyardError, TimeoutError):
    """A regular expression took longer on a text than its limit."""


class ModelCallError(SteelyardError, RuntimeError):
    """The model under test failed on a sample."""


class StoreError(SteelyardError, OSError):
    """The store cannot be opened, read or written."""


class PortalError(SteelyardError, RuntimeError):
    """A synchronous call was made from the background event loop's own thread."""


class WorkerError(SteelyardError, RuntimeError):
    """A process that scored rows ended before it was done, or met an error that cannot travel."""


class MissingExtraError(SteelyardError, ImportError):
    """An optional dependency is not installed; the message names the install command."""

    @classmethod
    def naming(cls, feature: str, extra: str) -> "MissingExtraError":
        """Say what needs the extra, and how to install it."""
        return cls(f'{feature} needs an optional dependency. Install it with: pip install "steelyard[{extra}]"')


_LONGEST = 2000
"""Characters of an error that are kept."""


def error_text(error: BaseException) -> str:
    """An error as the text that is kept: its class and message.

    >>> error_text(ValueError("no such thing"))
    'ValueError: no such thing'
    """
    try:
        message = str(error)
    except Exception:  # noqa: BLE001  an exception of a user's may fail to print
        message = ""
    text = f"{type(error).__name__}: {message}" if message else type(error).__name__
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."


def nearest(word: str, known: Sequence[str]) -> str | None:
    """The known name that ``word`` most likely meant, or None."""
    import difflib  # only ever needed on the way to an error message

    folded = {name.casefold(): name for name in known}
    close = difflib.get_close_matches(word.casefold(), list(folded), n=1, cutoff=0.6)
    return folded[close[0]] if close else None
