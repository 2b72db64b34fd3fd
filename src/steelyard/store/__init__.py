"""Stores of runs: one SQLite file, or memory."""
