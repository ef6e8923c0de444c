"""Use cases (host, join, play) and view-models; no terminal here."""
