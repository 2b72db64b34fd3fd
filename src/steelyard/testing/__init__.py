"""What tests of scorers and runs need: models that need no network, and the laws that every scorer keeps."""

from steelyard.testing._laws import check_scorer
from steelyard.testing._model import FakeCall, FakeModel, RecordedModel
from steelyard.testing._texts import HOSTILE_TEXTS

__all__ = [  # noqa: RUF022  (sorted as text, which a test holds)
    "FakeCall",
    "FakeModel",
    "HOSTILE_TEXTS",
    "RecordedModel",
    "check_scorer",
]
