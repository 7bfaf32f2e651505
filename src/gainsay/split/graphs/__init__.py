"""Who depends on whom: one file for each language, and a command of the user's for all others."""
