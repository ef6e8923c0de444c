"""The shipped test kit: MemoryNetwork, ManualClock."""
