"""A machine that lies about tables: `rogue.py ADDRESS PORT`.

It waits for a table of somebody else, announces it as being at its own address, where it takes connections and says
nothing, and then says goodbye in the name of the honest host. Every line of stdout is what it did, or what a browser
beside it came to believe.
"""

from __future__ import annotations

import json
import socket
import sys
import threading
from typing import Any

from zeroconf import ServiceBrowser, ServiceInfo, ServiceStateChange, Zeroconf

SERVICE = "_frp2p._tcp.local."
RESOLVE_MILLISECONDS = 3000


def say(**fields: Any) -> None:
    print(json.dumps(fields), flush=True)


def main(address: str, port: int) -> None:
    names: list[str] = []
    found = threading.Event()

    def heard(zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange) -> None:
        say(heard=state_change.name, name=name)
        names.append(name)
        found.set()

    with socket.create_server((address, port)), Zeroconf(interfaces=[address]) as zeroconf:
        ServiceBrowser(zeroconf, SERVICE, handlers=[heard])
        found.wait()
        honest = zeroconf.get_service_info(SERVICE, names[0], RESOLVE_MILLISECONDS)
        if honest is None:
            raise SystemExit("the table can't be resolved")
        say(honest=honest.parsed_addresses(), name=names[0])
        lie = ServiceInfo(
            SERVICE,
            names[0],
            port=port,
            server=honest.server,
            parsed_addresses=[address],
            properties=honest.properties,
        )
        zeroconf.register_service(lie, cooperating_responders=True)
        believed = zeroconf.get_service_info(SERVICE, names[0], RESOLVE_MILLISECONDS)
        say(believed=believed.parsed_addresses() if believed else [], name=names[0])
        for line in sys.stdin:
            if line.strip() == "goodbye":
                zeroconf.send(zeroconf.generate_service_broadcast(honest, 0))
                say(said="goodbye", name=names[0])


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
