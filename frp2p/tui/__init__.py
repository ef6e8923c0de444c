"""The full-screen client (prompt_toolkit)."""
