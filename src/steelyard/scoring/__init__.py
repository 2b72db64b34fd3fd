"""What a scorer is, how it is bound to columns, named, and found."""
