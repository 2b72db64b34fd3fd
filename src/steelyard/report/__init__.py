"""Shows runs to people: tables for a terminal and a notebook."""
