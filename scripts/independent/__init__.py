"""A second reading of protocol/06-deal.md in plain Python: nothing of the program, nothing but the standard library."""
