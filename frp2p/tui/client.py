"""The full-screen client: one control for the whole screen, fed by pure functions from the session's snapshot."""

from __future__ import annotations

import asyncio
import sys
import traceback
from collections.abc import Callable, Coroutine
from typing import Any

import msgspec
from prompt_toolkit.application import Application
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import FormattedTextControl, Layout, Window
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType
from prompt_toolkit.output import ColorDepth

from frp2p import locale
from frp2p.app import model_cards as cards
from frp2p.app import model_items, model_losses, model_table, model_trade
from frp2p.app.faults import sentence
from frp2p.app.model_log import Entry, LogBook
from frp2p.app.model_text import Target
from frp2p.app.model_worth import own_hand
from frp2p.app.snapshot import Snapshot
from frp2p.cards import CardId
from frp2p.errors import Frp2pError, LocalError, UserError
from frp2p.games.fantasy_realms.options import Hints, Options
from frp2p.games.fantasy_realms.view import View
from frp2p.games.game import Move
from frp2p.locale import _
from frp2p.store.home import crash_log
from frp2p.tui import bindings, terminal, theme
from frp2p.tui.actions import Commit, Step, SwitchLanguage, click, press, wheel
from frp2p.tui.compose import Frame, compose
from frp2p.tui.hosting import Admit, Remove
from frp2p.tui.leaving import Leave
from frp2p.tui.paint import fragments
from frp2p.tui.seams import Chooser, TableSession
from frp2p.tui.state import Stage, Ui
from frp2p.tui.worker import WorthWorker

ESCAPE_SECONDS = 0.05
"""How long a lone Esc waits for the rest of a key's sequence: longer than a LAN needs, shorter than a person feels."""

REDRAW_SECONDS = 0.03
"""Least time between two frames; events of one step come in bunches."""

SECOND_HALF = ("keep", "discard", "finish")
"""Phases of a turn that follow the player's own key; so does an item's question to the seat in turn."""

TOAST_SECONDS = 6.0
"""How long a sentence about a key, or news, stands before the line says again what is waited for: twice as long as it
takes to read the longest."""

STRAYS_MAX = 20
"""Exceptions that nobody awaited in one game; more of them are a screen that fails again and again."""


class Client:
    """Draws one session and hands its person's decisions over. Make it inside the running loop; `run` once."""

    def __init__(self, session: TableSession, human: Chooser, *, ascii: bool = False) -> None:
        self._session = session
        self._human = human
        self._ascii = ascii
        self.ui = Ui()
        self.frame = Frame(())
        self._book = LogBook()
        self._entries: tuple[tuple[int, str, tuple[str, ...]], tuple[Entry, ...]] = ((-1, "", ()), ())
        self._was_asked = False
        self._news = 0
        self._strays = 0
        self._kept = ("", "-")
        self._toast = ""
        self._fading: asyncio.TimerHandle | None = None
        self._held: frozenset[CardId] = frozenset()
        self._later: Move | None = None
        self._offering: frozenset[int] = frozenset()
        self._traded: tuple[CardId, ...] = ()
        self._secrets: frozenset[tuple[int, CardId]] = frozenset()
        self._around: tuple[tuple[CardId, ...], tuple[CardId, ...]] = ((), ())
        self.worker = WorthWorker(asyncio.get_running_loop(), self._invalidate)
        self.app: Application[None] = self._application()

    def _application(self) -> Application[None]:
        window = Window(FormattedTextControl(self._fragments, show_cursor=False), always_hide_cursor=True)
        app: Application[None] = Application(
            layout=Layout(window),
            key_bindings=self._keys(),
            full_screen=True,
            mouse_support=Condition(lambda: self.ui.mouse),
            style=theme.style(),
            color_depth=ColorDepth.from_env() or ColorDepth.DEPTH_4_BIT,
            min_redraw_interval=REDRAW_SECONDS,
        )
        app.ttimeoutlen = ESCAPE_SECONDS
        app.timeoutlen = ESCAPE_SECONDS
        return app

    async def run(self) -> None:
        """Until the person leaves or this is cancelled (as after a signal); the terminal is restored in any case."""
        loop = asyncio.get_running_loop()
        ends = [self._session.subscribe(self._changed), self._human.subscribe(self._changed)]
        handler = loop.get_exception_handler()
        loop.set_exception_handler(self._stray)
        self._changed()
        try:
            with terminal.restored(self._write_raw):
                await self.app.run_async(set_exception_handler=False)
        finally:
            loop.set_exception_handler(handler)
            for end in ends:
                end()
            self.worker.close()
            self.app.output.clear_title()
            self.app.output.flush()

    def stage(self) -> Stage:
        """Everything that the next frame depends on."""
        snapshot = self._session.snapshot()
        size = self.app.output.get_size()
        asked = self._human.asked
        return Stage(
            snapshot=snapshot,
            asked=asked if asked is not None and isinstance(asked[0], View) else self._between_ticks(snapshot),
            worth=self.worker.worth,
            entries=self._log(snapshot),
            ui=self.ui,
            columns=size.columns,
            rows=size.rows,
            fresh=self._fresh(snapshot),
        )

    def _between_ticks(self, snapshot: Snapshot) -> tuple[View, tuple[Move, ...]] | None:
        """While cards are traded there is always something to decide, also while the last tick is being closed."""
        view = model_table.view_of(snapshot)
        return (view, ()) if view is not None and model_trade.trading(view) else None

    def _fresh(self, snapshot: Snapshot) -> CardId | None:
        """The card that the hand did not hold before this turn; None outside of it, or if the old hand is unknown."""
        view = snapshot.status.view
        if (
            not isinstance(view, View)
            or view.phase not in (*SECOND_HALF, "trade")
            or view.me not in view.asked
            or not self._held
        ):
            return None
        return next((card for card in own_hand(view) if card not in self._held), None)

    def _log(self, snapshot: Snapshot) -> tuple[Entry, ...]:
        """The log is worded anew only when there is more of it, or when names or language changed."""
        self._book.feed(snapshot)
        stamp = (self._book.seen, locale.language(), model_table.names(snapshot.status))
        if stamp != self._entries[0]:
            self._entries = (stamp, self._book.entries(stamp[2]))
        return self._entries[1]

    # -- what comes in ------------------------------------------------------------------------------------------------

    def _changed(self) -> None:
        """Session or question changed. A mistake of ours in showing it must not reach whoever plays the game."""
        try:
            self._take_in()
        except Exception as error:
            context = {"message": "a change could not be shown", "exception": error}
            asyncio.get_running_loop().call_exception_handler(context)

    def _take_in(self) -> None:
        snapshot = self._session.snapshot()
        self._book.feed(snapshot)
        news = model_losses.news(snapshot, self._news)
        self._news = snapshot.event_count
        if news:
            self.ui = msgspec.structs.replace(self.ui, toast=news)
        view = model_table.view_of(snapshot)
        self._remember(view)
        self._show_secrets(view)
        self.worker.follow(view, _hints(snapshot))
        self._trade(view)
        asked = self._human.asked is not None or model_trade.trading(view)
        if asked != self._was_asked:
            self._was_asked = asked
            self.ui = msgspec.structs.replace(
                self.ui, armed=False, away=False, act=-1, at=-1, picks=None, toast=self._human.refusal or news
            )
            self._announce(asked)
            self._point_at_fresh(snapshot)
        self._invalidate()

    def _trade(self, view: View | None) -> None:
        """Chaos Realms: a bell for a new offer, the cursor on the card that came, and what was to be said between two
        ticks is said in the next one."""
        if view is None or not model_trade.trading(view):
            self._later, self._offering, self._traded = None, frozenset(), ()
            return
        offering, hand = frozenset(model_trade.offering(view)), own_hand(view)
        if offering - self._offering:
            self.app.output.bell()
            self.app.output.flush()
        self._offering = offering
        got = [card for card in hand if card not in self._traded]
        if self._traded and got and len(hand) == view.full:
            text = _("You got {cards}.").format(cards=", ".join(map(cards.name, got)))
            overlay = "" if self.ui.overlay == "trade" else self.ui.overlay
            self._held, self._later = frozenset(self._traded), None
            self.ui = msgspec.structs.replace(
                self.ui, overlay=overlay, area="hand", index=hand.index(got[0]), act=-1, toast=text
            )
        self._traded = hand if len(hand) == view.full else self._traded
        move, asked = self._later, self._human.asked
        if move is not None and asked is not None:
            self._later = None
            if move in asked[1]:
                self._human.answer(move)
            else:
                self.ui = msgspec.structs.replace(self.ui, toast=_("That can't be done any more."))

    def _remember(self, view: View | None) -> None:
        """What the hand held before a card came in; a hand that is being changed is not looked at."""
        if view is not None and view.phase in ("draw", "search", "extra", "choices") and view.me is not None:
            self._held = frozenset(own_hand(view))

    def _show_secrets(self, view: View | None) -> None:
        """What an item lets one look at is shown at once; what comes with another card in hand or discard area is told
        where that is."""
        if view is None or view.me is None or view.me not in view.asked or view.phase == "item":
            return
        known, around = model_items.secrets(view), (own_hand(view), view.discards)
        if known - self._secrets and around == self._around and view.me == view.seat_in_turn:
            self.ui = msgspec.structs.replace(self.ui, overlay="items", act=-1, scroll=0, armed=False)
        self._secrets, self._around = known, around

    def _point_at_fresh(self, snapshot: Snapshot) -> None:
        """The cursor goes to the new card: what it does in this hand is the first thing to know."""
        view, fresh = snapshot.status.view, self._fresh(snapshot)
        if fresh is not None and isinstance(view, View):
            at = own_hand(view).index(fresh)
            self.ui = msgspec.structs.replace(self.ui, area="hand", index=at)

    def _announce(self, asked: bool) -> None:
        """A bell and the window's title when it is my turn: people look elsewhere while others think.

        The second half of a turn follows the own key and needs no bell.
        """
        self.app.output.set_title(_("frp2p: your turn") if asked else "frp2p")
        if asked and not self._follows_own_key():
            self.app.output.bell()
        self.app.output.flush()

    def _follows_own_key(self) -> bool:
        """Whether what is asked is the next part of what the person does anyway."""
        stage = self.stage()
        view = stage.view
        mine = view is not None and view.me == view.seat_in_turn
        return stage.phase in SECOND_HALF or (stage.phase == "item" and mine)

    def _invalidate(self) -> None:
        if self.ui.toast != self._toast:
            self._toast = self.ui.toast
            if self._fading is not None:
                self._fading.cancel()
            self._fading = asyncio.get_running_loop().call_later(TOAST_SECONDS, self._fade)
        self.app.invalidate()

    def _fade(self) -> None:
        """The line says again what is waited for, unless it asks for a second key."""
        if not self.ui.armed:
            self.ui = msgspec.structs.replace(self.ui, toast="")
            self._invalidate()

    def _keys(self) -> KeyBindings:
        table = KeyBindings()
        for key in bindings.every_key():
            table.add(key, eager=True)(self._pressed(key))
        return table

    def _pressed(self, key: str) -> Callable[[KeyPressEvent], None]:
        def handler(_event: KeyPressEvent) -> None:
            self._do(press(self._settled(), key))

        return handler

    def _clicked(self, target: Target | None, event: MouseEvent) -> object:
        if event.event_type == MouseEventType.MOUSE_UP and target is not None:
            self._do(click(self._settled(), *target))
        elif event.event_type == MouseEventType.SCROLL_UP:
            self._do(wheel(self._settled(), -1))
        elif event.event_type == MouseEventType.SCROLL_DOWN:
            self._do(wheel(self._settled(), 1))
        else:
            return NotImplemented  # a move of the mouse is no reason to draw
        return None

    def _settled(self) -> Stage:
        """The stage with the scroll position that was really shown; what lies behind the end is no way back."""
        self.ui = msgspec.structs.replace(self.ui, scroll=min(self.ui.scroll, self.frame.scroll_end))
        return self.stage()

    def _do(self, step: Step) -> None:
        self.ui, effect = step
        match effect:
            case Commit(move=move):
                self._commit(move)
            case Leave(for_good=for_good):
                self._leave(for_good=for_good)
            case SwitchLanguage():
                self._switch_language()
            case Admit(key=key):
                self._decide(self._session.admit(key))
            case Remove(key=key):
                self._decide(self._session.remove(key))
        self._invalidate()

    def _switch_language(self) -> None:
        at = locale.LANGUAGES.index(locale.language())
        wanted = locale.LANGUAGES[(at + 1) % len(locale.LANGUAGES)]
        try:
            locale.use(wanted)
        except OSError:
            text = _("The texts of {language} are not installed.").format(language=wanted)
            self.ui = msgspec.structs.replace(self.ui, toast=text)

    def _commit(self, move: Move) -> None:
        if self._human.asked is None and model_trade.trading(self.stage().view):
            self._later = move
            return
        try:
            self._human.answer(move)
        except Frp2pError as error:
            self.ui = msgspec.structs.replace(self.ui, toast=error.message)

    def _decide(self, decision: Coroutine[Any, Any, None]) -> None:
        """What a host says about a guest; a sentence where it came too late."""

        async def said() -> None:
            try:
                await decision
            except UserError as error:
                self.ui = msgspec.structs.replace(self.ui, toast=sentence(error.code, error.message))
                self._invalidate()

        self.app.create_background_task(said())

    def _leave(self, *, for_good: bool = False) -> None:
        if not self.app.is_done:
            self.app.exit()
        self._session.leave(for_good=for_good)

    # -- what goes out ------------------------------------------------------------------------------------------------

    def _fragments(self) -> StyleAndTextTuples:
        """The frame; a mistake of ours in drawing must not end a game, so it costs one frame and is logged."""
        try:
            self.frame = compose(self.stage())
            return fragments(self.frame, self._clicked, ascii=self._ascii)
        except Exception as error:
            path = self._keep(error)
            text = _("This screen could not be drawn; the game goes on. Details: {path}").format(path=path)
            return [("class:bad", f"[!] {text}")]

    def _stray(self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """An exception that nobody awaits: kept and told, not printed over the screen. Too many end the client."""
        path = self._keep(context.get("exception") or LocalError(str(context.get("message"))))
        self._strays += 1
        if self._strays > STRAYS_MAX and not self.app.is_done:
            self.app.exit(exception=LocalError(str(context.get("message")), code="client-failed"))
            return
        text = _("Something went wrong inside. Details: {path}").format(path=path)
        self.ui = msgspec.structs.replace(self.ui, toast=text)
        self._invalidate()

    def _keep(self, error: BaseException) -> str:
        """Write the traceback where a report can take it from, once however often it comes; the file's path."""
        details = "".join(traceback.format_exception(error))
        if details != self._kept[0]:
            self._kept = (details, str(crash_log(details) or "-"))
        return self._kept[1]

    def _write_raw(self, text: str) -> None:
        self.app.output.write_raw(text)
        self.app.output.flush()


def _hints(snapshot: Snapshot) -> Hints:
    options = snapshot.status.options
    return options.hints if isinstance(options, Options) else "what-if"


async def run(session: TableSession, human: Chooser) -> None:
    """Show the table until the person leaves. UserError if there is no terminal to show it on.

    TERM and HUP belong to whoever runs the loop: cancel this, and the terminal is given back. INT is a key here.
    """
    terminal.require()
    await Client(session, human, ascii=not terminal.speaks_unicode(sys.stdout.encoding)).run()
