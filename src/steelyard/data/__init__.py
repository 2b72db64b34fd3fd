"""Data sets: rows from wherever they are, which column is which, what names a sample, and rows written to files."""

from steelyard.data._path import paths_within
from steelyard.data.choice import ColumnChoice, choose_columns
from steelyard.data.identity import IdBook, content_ids
from steelyard.data.opening import open_source
from steelyard.data.source import RowSource
from steelyard.data.version import ContentVersion
from steelyard.data.writing import write_rows

__all__ = [
    "ColumnChoice",
    "ContentVersion",
    "IdBook",
    "RowSource",
    "choose_columns",
    "content_ids",
    "open_source",
    "paths_within",
    "write_rows",
]
