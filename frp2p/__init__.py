"""Fantasy Realms on a LAN without a server and without trust. Unofficial fan project."""

__version__ = "0.1.0"
