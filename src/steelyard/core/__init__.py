"""The ground: the values that every part speaks of. Standard library and msgspec only, no I/O."""
