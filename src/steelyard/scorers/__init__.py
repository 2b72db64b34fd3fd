"""The built-in scorers, loaded at first use."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    pass

BUILTIN: dict[str, str] = {}
"""Name of a built-in scorer to the module that holds it."""

__all__: list[str] = []
