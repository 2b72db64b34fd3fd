"""ModelRef: which model, not how to reach it."""

from collections.abc import Mapping
from typing import Any

from steelyard.core.digest import canonical_json

__all__ = ["ModelRef"]


class ModelRef:
    """Which model is meant: provider, name, settings, base URL.

    A client or callable that the user built hangs on it as ``handle``; it is no part of what the reference is, so
    neither spec nor equality nor hash nor pickle know of it.

    Args:
        provider: Such as ``"openai"``; None for something the user built.
        name: The provider's name of the model.
        settings: Generation settings.
        base_url: Where a compatible endpoint listens.
        handle: A client, callable or object with ``predict``.

    >>> ModelRef.parse("openai/gpt-4o-mini")
    ModelRef('openai/gpt-4o-mini')
    >>> ModelRef.parse("openai:gpt-4o-mini") == ModelRef("openai", "gpt-4o-mini")
    True
    """

    __slots__ = ("base_url", "handle", "name", "provider", "settings")

    def __init__(
        self,
        provider: str | None,
        name: str,
        settings: Mapping[str, Any] | None = None,
        base_url: str | None = None,
        handle: Any = None,
    ) -> None:
        self.provider = provider
        self.name = name
        self.settings = dict(settings or {})
        self.base_url = base_url
        self.handle = handle

    @classmethod
    def parse(cls, text: str, **settings: Any) -> "ModelRef":
        """Read ``provider/model``; ``provider:model`` is an alias."""
        slash, colon = text.find("/"), text.find(":")
        cut = colon if slash < 0 or 0 <= colon < slash else slash
        if cut <= 0:
            return cls(None, text, settings)
        return cls(text[:cut], text[cut + 1 :], settings)

    @property
    def full_name(self) -> str:
        """``provider/model``."""
        return f"{self.provider}/{self.name}" if self.provider else self.name

    @property
    def spec(self) -> dict[str, Any]:
        """What the reference is, as JSON."""
        spec: dict[str, Any] = {"model": self.full_name}
        if self.settings:
            spec["settings"] = self.settings
        if self.base_url:
            spec["base_url"] = self.base_url
        return spec

    def __eq__(self, other: object) -> bool:
        return self.spec == other.spec if isinstance(other, ModelRef) else NotImplemented

    def __hash__(self) -> int:
        return hash(canonical_json(self.spec))

    def __reduce__(self) -> tuple[Any, ...]:
        return ModelRef, (self.provider, self.name, self.settings, self.base_url)

    def __repr__(self) -> str:
        extra = "".join(f", {key}={value!r}" for key, value in self.settings.items())
        return f"ModelRef({self.full_name!r}{extra})"
