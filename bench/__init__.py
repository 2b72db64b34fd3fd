"""How fast steelyard is, beside its peers. Run: python -m bench."""
