"""The device's half put together: loop, outbox, uplink, reports, commands, panel."""

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from calibration.profile_store import ProfileStore
from device.calibrating import Calibrating
from device.camera import Frame
from device.cameras import CameraChoice
from device.errands import errands, light, newest_frame, only_looks, unless_secret
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
from device.recorder import Recorder
from device.recording_origin import Origin
from device.safe_mode import keep_safe
from device.settings import CameraSettings
from device.situation import Announcer, Situation
from device.state_report import StateReport
from device.states import State
from device.taught_store import TaughtStore
from device.teaching import Teaching
from device.trained import trained_reader
from device.tray import Message
from device.uplink import SETTLED, Uplink
from device.watch import Watch
from vision.reader import Reader
from vision.taught import TaughtSet
from vision.taught_dice import TaughtDice


class DeviceHalf:
    """The parts of the device put together; they are closed with ``closing``, the last one first.

    ``pins``: those of its panel, None without one. ``profiles`` keeps the profile that it reads by, ``taught`` the
    dice that it was taught; ``own_dice`` are further ones, which it uses as long as it runs.
    """

    def __init__(
        self,
        client: HostClient,
        outbox: Outbox,
        pins: Pins | None,
        profiles: ProfileStore,
        taught: TaughtStore,
        closing: ExitStack,
        own_dice: Sequence[TaughtSet] = (),
    ) -> None:
        self._client = client
        self._outbox = outbox
        self._profiles = profiles
        self._taught = taught
        self._own_dice = tuple(own_dice)
        self._closing = closing
        self._left_to_people = ""
        self._recorder: Recorder | None = None
        self._notifier = Notifier.from_environment()
        self._panel = self._open_panel(pins)
        self._loop: DeviceLoop | None = None
        self._steps = 0
        self._report = StateReport(client)
        self._announcer = Announcer([self._report.show, self._show_here])

    def record(self, folder: Path, origin: Origin, is_patient: bool) -> None:
        """From ``begin`` on, record into ``folder``; see ``Recorder``."""
        self._recorder = Recorder(folder, self._client, lambda: self.uplink.expectation, origin, is_patient)

    def begin(self, hold_exposure: Callable[[bool], None] | None = None) -> DeviceLoop:
        """Start everything but the camera."""
        recorder = self._recorder
        loop = DeviceLoop(
            self._reader(),
            self._outbox,
            lambda: self.uplink.expectation,
            on_reading=None if recorder is None else recorder.note_reading,
            on_frame=None if recorder is None else lambda frame: recorder.see(frame, loop.is_at_rest),
            hold_exposure=hold_exposure,
        )
        self._loop = loop
        more = self._setting_up(loop)
        if self._panel is not None:
            more["light"] = light(self._panel)
        handlers = errands(loop, self._is_guarded, more)
        self._speak_with_host(handlers)
        return loop

    def _setting_up(self, loop: DeviceLoop) -> dict[str, Handler]:
        """What another profile, and dice of one's own, are set up with."""

        def use() -> None:
            loop.use(self._reader())

        def newest() -> Frame:
            return newest_frame(loop)

        calibrating = Calibrating(self._profiles, newest, use)
        teaching = Teaching(self._taught, self._profiles, newest, use)
        return {
            "adopt-profile": adopt_profile(self._profiles, lambda measured: use()),
            "calibrate": unless_secret(self._is_guarded, calibrating.carry_out),
            "teach": unless_secret(self._is_guarded, teaching.carry_out),
        }

    def _reader(self) -> Reader:
        """By the profile that is kept, for the dice of the games and those that were taught."""
        kept, taught = kept_profile(self._profiles), [*self._own_dice, *self._taught.used()]
        return trained_reader(None if kept is None else kept.profile, TaughtDice(taught) if taught else None)

    def _is_guarded(self) -> bool:
        return self.uplink.expectation.mode == "guarded"

    def _speak_with_host(self, handlers: Mapping[str, Handler]) -> None:
        commands = HostCommands(self._client, self._outbox, handlers, only_looks)
        self.uplink = Uplink(self._client, self._outbox, self._note_answer, commands.take)
        parts = [commands, self._report, self.uplink, *([self._recorder] if self._recorder else ())]
        for part in parts:
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
        if self._recorder is not None:
            self._recorder.note_answer(message)

    def _asks(self) -> bool:
        return self._left_to_people != "" and self._left_to_people == self.uplink.expectation.id
