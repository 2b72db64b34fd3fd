"""Every question about stored runs, answered from a reader. It runs no scorer and returns frozen values."""
