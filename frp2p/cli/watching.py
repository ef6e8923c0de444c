"""What `watch` does: follow a table to its end, on the screen, as lines for a program, or with a word now and then."""

from __future__ import annotations

from frp2p.app.tables import watch as watch_table
from frp2p.cli import EXIT_FAILED
from frp2p.cli.joining import Sought
from frp2p.cli.outcome import summary, tell_people
from frp2p.cli.place import has_terminal
from frp2p.cli.sitting import Sitting, identity_and_name
from frp2p.cli.stopping import Stopping
from frp2p.cli.telling import Telling
from frp2p.games.registry import games
from frp2p.players.headless import Headless
from frp2p.players.human import Human
from frp2p.players.stdout import StdoutLines


async def watch(sought: Sought, delay: int, stopping: Stopping, *, as_json: bool) -> int:
    """Watch to the end; the exit code: 0 only where the game ended and is verified."""
    identity, name = identity_and_name(None)
    try:
        session = watch_table(identity, name, sought.dial, delay, sought.label)
        sitting = Sitting(session, stopping)
        if as_json:
            async with StdoutLines().open(session.leave) as lines:
                program = Headless(lines.write)
                program.attach(session, games(), name, identity.fingerprint)
                result = await sitting.run()
                program.end(summary(result))
        elif has_terminal():
            from frp2p import tui

            result = await sitting.run(lambda: tui.run(session, Human()))
            tell_people(result)
        else:
            with Telling(session):
                result = await sitting.run()
            tell_people(result)
    finally:
        identity.release()
    return 0 if result.verified else EXIT_FAILED
