"""Identity, settings and transcripts on disk."""
