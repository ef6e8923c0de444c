"""The shipped test kit: a network in memory, a clock that stands still, tables of real peers, all from one seed."""
