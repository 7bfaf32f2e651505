"""Gainsay finds wrong answers in query and reasoning engines."""

__version__ = "0.1.0"
