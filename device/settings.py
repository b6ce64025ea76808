"""The settings of the appliance: one TOML file, a table for each part, every field typed, described and in bounds.

What is left out has its default; docs/settings.md and the commented file of ``croupier settings --print-default`` are
made from these definitions (``device/settings_page.py``).
"""

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

HARDWARE_PWM_PINS = (12, 13, 18, 19)
"""GPIO numbers that the Pi's own pulse generator reaches (BCM2835 ARM Peripherals, table 6-31; RP1 has the same)."""

Pin = Annotated[int, Field(ge=0, le=27)]
"""A GPIO number of the 40-pin header, not the number of the pin on the connector."""


def _text(about: str, pattern: str, allowed: str) -> Any:
    """A field of text; ``allowed`` says to people what ``pattern`` says to the machine."""
    return Field(description=about, pattern=pattern, json_schema_extra={"allowed": allowed})


class _Section(BaseModel):
    """A table of the file: unknown keys are faults, and no text is taken for a number."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class HostSettings(_Section):
    """The half that holds the tables and serves the pages."""

    port: Annotated[int, Field(description="Where the pages are served.", ge=1, le=65535)] = 8420
    listen: Annotated[
        str,
        _text(
            "Address to listen on; 0.0.0.0 lets phones in the same network in.",
            r"^([0-9]{1,3}(\.[0-9]{1,3}){3}|[0-9a-fA-F:]*:[0-9a-fA-F:]*)$",
            'an IP address, such as "127.0.0.1" or "0.0.0.0"',
        ),
    ] = "127.0.0.1"
    public_address: Annotated[
        str | None,
        _text(
            "Shown to phones instead of this machine's own address; for a host behind another web server.",
            r"^https?://[^/\s]+/?$",
            'an address such as "https://dice.example"',
        ),
    ] = None
    data: Annotated[
        str | None,
        _text(
            "Folder of the tables, tokens and readings; not set: ~/.local/share/croupier.",
            r"^/.+",
            "a folder, written out from /",
        ),
    ] = None


class DeviceSettings(_Section):
    """The half with the camera, where it runs as a program of its own (``croupier device``)."""

    host: Annotated[
        str,
        _text("Where the host listens.", r"^https?://[^/\s]+/?$", 'an address such as "http://127.0.0.1:8420"'),
    ] = "http://127.0.0.1:8420"
    data: Annotated[
        str | None,
        _text("Folder where readings wait until the host has them.", r"^/.+", "a folder, written out from /"),
    ] = None
    token_file: Annotated[
        str | None,
        _text(
            "File with the device's token, which the host wrote; not set: CROUPIER_DEVICE_TOKEN is looked at.",
            r"^/.+",
            "a file, written out from /",
        ),
    ] = None


class CameraSettings(_Section):
    """Which camera, and how it takes its pictures; what is not set comes from the profile, or the camera decides."""

    which: Annotated[
        str,
        _text(
            "The camera.",
            r"^(picamera2(:[0-9])?|usb:[0-9]+|(video|recording):.+)$",
            '"picamera2", "usb:0", "video:FILE" or "recording:DIR"',
        ),
    ] = "usb:0"
    width_px: Annotated[
        int, Field(description="Width of the pictures that are read.", ge=640, le=4608, multiple_of=2)
    ] = 1280
    height_px: Annotated[
        int, Field(description="Height of the pictures that are read.", ge=480, le=2592, multiple_of=2)
    ] = 960
    fps: Annotated[float, Field(description="Pictures a second.", ge=5, le=60)] = 20.0
    exposure_us: Annotated[
        int | None, Field(description="How long each picture is exposed, in microseconds.", ge=50, le=200_000)
    ] = None
    gain: Annotated[float | None, Field(description="Amplification of the sensor.", ge=1, le=64)] = None
    red_gain: Annotated[
        float | None, Field(description="White balance: amplification of red; goes with blue_gain.", ge=0.1, le=32)
    ] = None
    blue_gain: Annotated[
        float | None, Field(description="White balance: amplification of blue; goes with red_gain.", ge=0.1, le=32)
    ] = None
    lens_position_dioptres: Annotated[
        float | None,
        Field(description="Focus of a lens that can be moved: 1 / distance in metres; 2.9 is 35 cm.", ge=0, le=15),
    ] = None

    @model_validator(mode="after")
    def _gains_go_together(self) -> Self:
        if (self.red_gain is None) is not (self.blue_gain is None):
            key = "red_gain" if self.blue_gain is None else "blue_gain"
            raise _fault(key, "camera.red_gain and camera.blue_gain are set together or not at all")
        return self


class PanelSettings(_Section):
    """Light, status LED and button on the Pi's header; pins are GPIO numbers (docs/hardware.md)."""

    enabled: Annotated[
        bool, Field(description="Whether light, LED and button are used; a machine without GPIO has none anyway.")
    ] = True
    button_pin: Annotated[Pin, Field(description="The button, between this pin and ground.")] = 26
    status_pin: Annotated[Pin, Field(description="The status LED, through its resistor to ground.")] = 6
    light: Annotated[
        Literal["full", "pwm", "none"],
        Field(description="full: on or off. pwm: dimmed by the Pi's own pulse generator. none: not switched by us."),
    ] = "full"
    light_pin: Annotated[
        Pin, Field(description="The light, through a transistor; with light = pwm one of 12, 13, 18 and 19.")
    ] = 13
    light_percent: Annotated[
        int, Field(description="Brightness of the light, with light = pwm only.", ge=5, le=100)
    ] = 100

    @property
    def pins(self) -> dict[str, int]:
        """The pins that are used, by the name of their setting.

        >>> PanelSettings(light="none").pins
        {'button_pin': 26, 'status_pin': 6}
        """
        pins = {"button_pin": self.button_pin, "status_pin": self.status_pin}
        return pins if self.light == "none" else {**pins, "light_pin": self.light_pin}

    @model_validator(mode="after")
    def _pins_can_be_used(self) -> Self:
        taken: dict[int, str] = {}
        for key, pin in self.pins.items():
            if pin in taken:
                raise _fault(key, f"panel.{key} is {pin}, and so is panel.{taken[pin]}: each needs a pin of its own")
            taken[pin] = key
        if self.light == "pwm" and self.light_pin not in HARDWARE_PWM_PINS:
            pins = ", ".join(map(str, HARDWARE_PWM_PINS))
            raise _fault("light_pin", f'panel.light_pin is {self.light_pin}; with light = "pwm" it is one of {pins}')
        return self


class NetworkSettings(_Section):
    """How the appliance is found."""

    name: Annotated[
        str,
        _text(
            "The machine's name; laptops find it as NAME.local.",
            r"^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$",
            "1 to 63 of a–z, 0–9 and -, beginning with a letter",
        ),
    ] = "croupier"


class Settings(_Section):
    """The whole file."""

    host: HostSettings = HostSettings()
    device: DeviceSettings = DeviceSettings()
    camera: CameraSettings = CameraSettings()
    panel: PanelSettings = PanelSettings()
    network: NetworkSettings = NetworkSettings()


def _fault(key: str, text: str) -> PydanticCustomError:
    """A fault of a whole table that is found at ``key``."""
    return PydanticCustomError("fault", "{text}", {"key": key, "text": text})
