"""Runs: recorded outputs scored in chunks, live models called, scored and stored as they answer."""
