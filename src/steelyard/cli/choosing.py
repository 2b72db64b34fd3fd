"""Choosing: from what was typed after --scorer to scorers."""

from collections.abc import Sequence

from steelyard.errors import SteelyardError, UsageError
from steelyard.scoring.adapt import as_forms, make_scorer
from steelyard.scoring.form import ScorerForm
from steelyard.scoring.spec import parse_spec

__all__ = ["chosen_scorers"]


def chosen_scorers(specs: Sequence[str]) -> list[ScorerForm]:
    """The scorers that specs such as ``match:numeric=true`` mean.

    Raises:
        UsageError: Where a spec names no scorer, or gives it an option that it refuses.
    """
    made = []
    for spec in specs:
        try:
            made.append(make_scorer(spec))
        except SteelyardError:
            raise
        except (TypeError, ValueError) as error:  # a factory refuses an option's value in its own words
            name = parse_spec(spec).name
            message = str(error).removeprefix(f"{name}: ").replace("required argument", "required option")
            raise UsageError(f"{name}: {message}. Its options: steelyard scorers {name}") from None
    return as_forms(made)
