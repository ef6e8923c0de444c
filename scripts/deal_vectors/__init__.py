"""The makers of the test vectors of dealing."""
