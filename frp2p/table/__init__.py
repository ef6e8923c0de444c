"""The sans-io peer: bytes, moves and the time go in; records to send and events to show come out."""
