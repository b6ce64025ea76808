"""The device's half put together: loop, outbox, uplink, reports, commands, panel."""

import threading
from collections.abc import Callable, Mapping
from contextlib import ExitStack

from calibration.profile_store import ProfileStore
from device.cameras import CameraChoice
from device.errands import errands, light
from device.frame_feed import FrameFeed
from device.host_client import HostClient
from device.host_commands import Handler, HostCommands
from device.installation.wifi_state import is_own_wifi_open
from device.loop import DeviceLoop
from device.notify import Notifier
from device.outbox import Outbox
from device.pairing import Pairing
from device.panel.button import Press
from device.panel.panel import Panel
from device.panel.pins import Pins
from device.profiles import adopt_profile, kept_profile, with_profile
from device.safe_mode import keep_safe
from device.settings import CameraSettings
from device.situation import Announcer, Situation
from device.state_report import StateReport
from device.states import State
from device.trained import trained_reader
from device.tray import Message
from device.uplink import SETTLED, Uplink
from device.watch import Watch


class DeviceHalf:
    """The parts of the device put together; they are closed with ``closing``, the last one first.

    ``pins``: those of its panel, None without one. ``profiles`` keeps the profile that it reads by.
    """

    def __init__(
        self, client: HostClient, outbox: Outbox, pins: Pins | None, profiles: ProfileStore, closing: ExitStack
    ) -> None:
        self._client = client
        self._outbox = outbox
        self._profiles = profiles
        self._closing = closing
        self._left_to_people = ""
        self._notifier = Notifier.from_environment()
        self._panel = self._open_panel(pins)
        self._loop: DeviceLoop | None = None
        self._steps = 0
        self._report = StateReport(client)
        self._announcer = Announcer([self._report.show, self._show_here])

    def begin(self, hold_exposure: Callable[[bool], None] | None = None) -> DeviceLoop:
        """Start everything but the camera."""
        kept = kept_profile(self._profiles)
        reader = trained_reader(None if kept is None else kept.profile)
        loop = DeviceLoop(reader, self._outbox, lambda: self.uplink.expectation, hold_exposure=hold_exposure)
        self._loop = loop
        more: dict[str, Handler] = {
            "adopt-profile": adopt_profile(
                self._profiles, lambda measured: loop.use(trained_reader(measured.profile))
            )
        }
        if self._panel is not None:
            more["light"] = light(self._panel)
        handlers = errands(loop, lambda: self.uplink.expectation.mode == "guarded", more)
        self._speak_with_host(handlers)
        return loop

    def _speak_with_host(self, handlers: Mapping[str, Handler]) -> None:
        commands = HostCommands(self._client, self._outbox, handlers)
        self.uplink = Uplink(self._client, self._outbox, self._note_answer, commands.take)
        for part in (commands, self._report, self.uplink):
            part.start()
            self._closing.callback(part.close)

    def watch(self, choice: CameraChoice, settings: CameraSettings) -> None:
        """Watch through a live camera, or a film, until it ends."""
        # A profile that is adopted later says how the camera is set from its next opening on.
        feed = FrameFeed(
            lambda: choice.camera(with_profile(settings, kept_profile(self._profiles))), is_file=choice.is_file
        )
        loop = self.begin(feed.hold_exposure)
        if self._panel is not None:
            self._panel.set_light(True)
        feed.start()
        self._closing.callback(feed.close)
        Watch(
            feed,
            loop,
            self._announcer,
            self._notifier,
            lambda: self.uplink.trouble,
            self._asks,
            has_own_wifi=is_own_wifi_open,
        ).run()

    def keep_safe(self, reason: str) -> None:
        """Safe mode until the program is ended: no camera, and ``reason`` on phones and in the journal."""
        more: dict[str, Handler] = {"light": light(self._panel)} if self._panel else {}
        self._speak_with_host(more)
        self._notifier.ready()
        keep_safe(reason, self._announcer.tell, self._notifier.feed, threading.Event().wait)

    def tell(self) -> None:
        """Tell how it goes after a frame that the player of a recording has shown."""
        if self._loop is None:
            return
        if not self._steps:
            self._notifier.ready()
        self._steps += 1
        self._announcer.tell(self._loop.situation)
        self._notifier.feed(self._steps)

    def _show_here(self, situation: Situation) -> None:
        self._notifier.status(f"{situation.state} {situation.detail}".strip())
        if self._panel is not None:
            self._panel.show(situation.state)

    def _open_panel(self, pins: Pins | None) -> Panel | None:
        if pins is None:
            return None
        pairing = Pairing(self._client, lambda seconds: panel.show_for(State.PAIRING, seconds))
        panel = Panel(pins, {Press.SHORT: self._read_again, Press.LONG: pairing.begin})
        return self._closing.enter_context(panel)

    def _read_again(self) -> None:
        if self._loop is not None:
            self._loop.read_again()

    def _note_answer(self, message: Message, status: str, detail: str) -> None:
        self._left_to_people = "" if status in SETTLED else message.expect

    def _asks(self) -> bool:
        return self._left_to_people != "" and self._left_to_people == self.uplink.expectation.id
