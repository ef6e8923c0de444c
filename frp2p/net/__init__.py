"""asyncio edge: links, framing, TLS, mesh, discovery."""
