"""The command `steelyard`: composes the parts, one file a verb."""
