"""Dealing without a dealer: the verbs of `games.verbs`, carried out with mental-poker cryptography."""
