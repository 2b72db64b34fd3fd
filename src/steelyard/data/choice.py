"""ColumnChoice: which column of the data is the output, which the target, and so on."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from steelyard.core.columns import ALIASES, Columns
from steelyard.core.digest import QUESTION, question_columns
from steelyard.data._cut import compiled, cut_cells
from steelyard.data._path import Path, dig, find_path, paths_within
from steelyard.errors import BindingError, ColumnNotFoundError, UsageError

__all__ = ["ColumnChoice", "choose_columns"]

_CHOSEN = ("id", "input", "target", "output", "context", "choices", "epoch")


class ColumnChoice(msgspec.Struct, frozen=True):
    """Which column of the data is which canonical one. Made by `choose_columns`; picklable.

    Args:
        columns: The columns of the data.
        sources: Canonical name, or ``epoch``, to the column or dotted path that it is read from.
        ambiguous: Canonical name to the aliases that are all there, where none was chosen.
        patterns: ``output`` or ``target`` to the pattern that cuts it.
        outputs: Every column chosen as an output: one, or one for each of several runs.
        run_name: The name of this output among several; None where there is one.
        has_model: A model gives the outputs.
        labels: Dotted paths to labels, such as clusters, that become columns too.
    """

    columns: tuple[str, ...]
    sources: Mapping[str, str]
    ambiguous: Mapping[str, tuple[str, ...]] = {}
    patterns: Mapping[str, str] = {}
    outputs: tuple[str, ...] = ()
    run_name: str | None = None
    has_model: bool = False
    labels: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Every name that can be bound after `apply`: canonical ones, and the data's own.

        ``output`` is one of them when a model gives it.
        """
        canonical = [name for name in _CHOSEN if name in self.sources or (name == "output" and self.has_model)]
        return tuple(dict.fromkeys((*canonical, *self.columns, *self._paths(), *self._uncut())))

    @property
    def question(self) -> tuple[str, ...]:
        """The columns, after `apply`, by whose content a sample without an id is named; uncut ones."""
        side = [self._uncut_name(name) for name in QUESTION if name in self.sources]
        side += [alias for name in QUESTION for alias in self.ambiguous.get(name, ())]
        aside = {*self.outputs, *ALIASES["output"], "output", self.sources.get("id"), self.sources.get("epoch")}
        return tuple(side) or question_columns([name for name in self.columns if name not in aside], ())

    def require(self, name: str) -> str:
        """The column or path that feeds a canonical column.

        Raises:
            BindingError: When several aliases of it are there, and none was chosen.
            ColumnNotFoundError: When nothing feeds it.
        """
        if name in self.sources:
            return self.sources[name]
        if name in self.ambiguous:
            raise BindingError(_ambiguous(name, self.ambiguous[name]))
        raise ColumnNotFoundError(_missing(name, self.columns))

    def describe(self) -> list[str]:
        """Lines that say what was chosen, to be printed.

        >>> choose_columns(["question", "target"], target_pattern="A: (.*)").describe()
        ["input = question, target cut by 'A: (.*)'"]
        """
        lines = [", ".join(self._said(name, source) for name, source in self.sources.items())] if self.sources else []
        lines += [_ambiguous(name, aliases) for name, aliases in self.ambiguous.items()]
        return lines

    def choices_per_output(self) -> tuple["ColumnChoice", ...]:
        """A choice for each output, named after what tells it from the others; this one alone where there is one."""
        if len(self.outputs) < 2:
            return (self,)
        return tuple(
            msgspec.structs.replace(self, sources={**self.sources, "output": source}, run_name=name)
            for source, name in zip(self.outputs, _telling(self.outputs), strict=True)
        )

    def apply(self, columns: Columns, unmatched: "Counter[str] | None" = None) -> Columns:
        """The chunk with canonical columns beside the data's own: the same lists, except where a pattern cuts.

        A cell that is cut is what the first group of the pattern's last match holds (the whole match where there is no
        group), without white space around it; where nothing matches it is None. The uncut cells stay under the name of
        their column, or as ``uncut_output`` or ``uncut_target``. A choices cell that is the text of a JSON list, as in
        CSV, becomes that list.

        Args:
            columns: The chunk, which is left as it is.
            unmatched: Counts, by ``output`` and ``target``, the cells in which the pattern did not match.
        """
        data: dict[str, list[Any]] = dict(columns.data)
        found = {name: self._cells(columns, source) for name, source in self.sources.items()}
        for path in self._paths():
            data[path] = self._cells(columns, path)
        for name, cells in found.items():
            data[name] = _listed(cells) if name == "choices" else cells
        for name, pattern in self.patterns.items():
            data[self._uncut_name(name)] = found[name]
            data[name], missed = cut_cells(found[name], compiled(pattern, name))
            if unmatched is not None:
                unmatched[name] += missed
        return Columns(data, columns.n, columns.start, columns.ids, columns.epochs, columns.outputs)

    def _cells(self, columns: Columns, source: str) -> list[Any]:
        path = find_path(source, self.columns)
        if path is None or path.column not in columns:
            return [None] * columns.n
        return dig(columns[path.column], path)

    def _paths(self) -> tuple[str, ...]:
        named = (*self.sources.values(), *self.labels)
        return tuple(dict.fromkeys(source for source in named if source not in self.columns))

    def _uncut(self) -> tuple[str, ...]:
        return tuple(self._uncut_name(name) for name in self.patterns)

    def _uncut_name(self, name: str) -> str:
        source = self.sources[name]
        return f"uncut_{name}" if name in self.patterns and source == name else source

    def _said(self, name: str, source: str) -> str:
        said = name if source == name else f"{name} = {source}"
        if name == "output" and len(self.outputs) > 1 and self.run_name is None:
            said = f"output = {' | '.join(self.outputs)}"
        if source != name and name in self.columns:
            said += f" (in place of the column {name!r})"
        return f"{said} cut by {self.patterns[name]!r}" if name in self.patterns else said


def choose_columns(
    names: Sequence[str],
    *,
    output: str | Sequence[str] | None = None,
    target: str | None = None,
    input: str | None = None,
    context: str | None = None,
    choices: str | None = None,
    id: str | None = None,
    epoch: str | None = None,
    output_pattern: str | None = None,
    target_pattern: str | None = None,
    has_model: bool = False,
    peek: Columns | None = None,
    labels: Mapping[str, str] | None = None,
) -> ColumnChoice:
    """Settle which column is which.

    A column that was named wins; then the one that bears the canonical name; then an alias. Two aliases of one column
    are an error only when that column is needed: `ColumnChoice.require`. A name may be a dotted path into nested rows,
    ``a.b.0.c``; a column that is literally called so wins.

    Args:
        names: The columns of the data.
        output: The column of the outputs, or several: a run each.
        target: The column of the references.
        input: The column of the questions.
        context: The column of what an answer may draw on.
        choices: The column of the options.
        id: The column of the samples' ids.
        epoch: The column that numbers the repetitions of a sample.
        output_pattern: A regular expression that cuts the outputs.
        target_pattern: A regular expression that cuts the references.
        has_model: A model gives the outputs, so no column is looked for.
        peek: The first chunk, in which dotted paths are checked.
        labels: Columns or dotted paths that figures are split or clustered by, each to the option that named it.

    Raises:
        ColumnNotFoundError: When a name is no column.
        UsageError: When a pattern is no regular expression, or cuts a column that is not there.

    >>> choose_columns(["question", "label", "output"]).sources
    {'input': 'question', 'target': 'label', 'output': 'output'}
    """
    columns = tuple(names)
    _check_names(columns)
    outputs = _outputs(output)
    if outputs and has_model:
        raise UsageError(
            f"a model is given, and so is output={outputs[0]!r} (--output-column): leave one out, since either gives "
            "the outputs"
        )
    explicit = {
        "id": id, "input": input, "target": target, "output": outputs[0] if outputs else None,
        "context": context, "choices": choices, "epoch": epoch,
    }  # fmt: skip
    for name, wanted in [*explicit.items(), *(("output", other) for other in outputs[1:])]:
        if wanted is not None:
            _check(name, wanted, columns, peek)
    sources: dict[str, str] = {}
    ambiguous: dict[str, tuple[str, ...]] = {}
    for name in _CHOSEN:
        if name == "output" and has_model:
            continue
        there = [alias for alias in ALIASES.get(name, ()) if alias in columns]
        if (chosen := explicit[name]) is not None:
            sources[name] = chosen
        elif name in columns:
            sources[name] = name
        elif len(there) == 1:
            sources[name] = there[0]
        elif there:
            ambiguous[name] = tuple(there)
    if not outputs and "output" in sources:
        outputs = (sources["output"],)
    patterns = _patterns(output_pattern, target_pattern, sources, ambiguous, columns)
    choice = ColumnChoice(columns, sources, ambiguous, patterns, outputs, None, has_model)
    return msgspec.structs.replace(choice, labels=_paths_of_labels(labels or {}, choice, peek))


def _check_names(columns: Sequence[str]) -> None:
    for name in columns:
        if not name.isascii() and any("\ud800" <= char <= "\udfff" for char in name):
            raise UsageError(f"the column name {name!r} holds half of a surrogate pair, which is no text: rename it")


def _outputs(output: str | Sequence[str] | None) -> tuple[str, ...]:
    if output is None:
        return ()
    outputs = (output,) if isinstance(output, str) else tuple(output)
    if not outputs:
        raise UsageError("output names no column: output=[] was given")
    if len(set(outputs)) < len(outputs):
        raise UsageError(f"output names a column twice: {', '.join(outputs)}")
    return outputs


def _check(name: str, wanted: str, columns: tuple[str, ...], peek: Columns | None) -> None:
    path = find_path(wanted, columns)
    if path is not None and (not path.steps or peek is None or _leads_somewhere(path, peek)):
        return
    known = [*columns, *(paths_within(peek) if peek is not None else ())]
    raise ColumnNotFoundError.naming(wanted, known, f"Choose one with {_option(name)}.")


def _leads_somewhere(path: Path, peek: Columns) -> bool:
    """Whether any row of the first chunk has what the path names; a chunk without the column tells nothing."""
    return path.column not in peek or any(path.leads_from(cell) for cell in peek[path.column])


def _paths_of_labels(labels: Mapping[str, str], choice: ColumnChoice, peek: Columns | None) -> tuple[str, ...]:
    paths: list[str] = []
    for wanted, option in labels.items():
        if wanted in choice.names:
            continue
        path = find_path(wanted, choice.columns)
        if path is None or (peek is not None and not _leads_somewhere(path, peek)):
            known = [*choice.names, *(paths_within(peek) if peek is not None else ())]
            remedy = f'It was asked for as {option}="{wanted}" (on the command line: --{option} {wanted}).'
            raise ColumnNotFoundError.naming(wanted, known, remedy)
        paths.append(wanted)
    return tuple(paths)


def _patterns(
    output: str | None,
    target: str | None,
    sources: Mapping[str, str],
    ambiguous: Mapping[str, tuple[str, ...]],
    columns: tuple[str, ...],
) -> dict[str, str]:
    patterns = {name: pattern for name, pattern in (("output", output), ("target", target)) if pattern is not None}
    for name, pattern in patterns.items():
        compiled(pattern, name)
        if name in ambiguous:
            raise BindingError(_ambiguous(name, ambiguous[name]))
        if name not in sources:
            raise ColumnNotFoundError(f"{name}_pattern has nothing to cut. {_missing(name, columns)}")
    return patterns


def _telling(outputs: Sequence[str]) -> list[str]:
    """Names without the dotted parts that all of them begin or end with.

    >>> _telling(["6b.solution", "175b.solution"])
    ['6b', '175b']
    """
    split = [name.split(".") for name in outputs]
    while min(map(len, split)) > 1 and len({parts[-1] for parts in split}) == 1:
        split = [parts[:-1] for parts in split]
    while min(map(len, split)) > 1 and len({parts[0] for parts in split}) == 1:
        split = [parts[1:] for parts in split]
    return [".".join(parts) for parts in split]


def _listed(cells: list[Any]) -> list[Any]:
    """Choices that are the text of a JSON list, as in CSV, as that list; the same object where there are none."""
    if not any(isinstance(cell, str) and cell.lstrip().startswith("[") for cell in cells):
        return cells
    return [_parsed(cell) if isinstance(cell, str) else cell for cell in cells]


def _parsed(cell: str) -> Any:
    try:
        return msgspec.json.decode(cell, type=list[Any])
    except msgspec.MsgspecError:
        return cell


def _option(name: str, column: str = "COLUMN") -> str:
    return f'{name}="{column}" (on the command line: --{name}-column {column})'


def _ambiguous(name: str, aliases: Sequence[str]) -> str:
    return f"several columns could be the {name}: {', '.join(aliases)}. Choose one: {_option(name, aliases[0])}."


def _missing(name: str, columns: Sequence[str]) -> str:
    looked = ", ".join((name, *ALIASES.get(name, ())))
    return (
        f"no column is the {name}: there is none called {looked}. "
        f"The columns are: {', '.join(sorted(columns)) or 'none'}. Choose one with {_option(name)}."
    )
