"""Which pins of the Pi's header others lay claim to: the boards that people put on top, and the Pi itself."""

from device.settings import PanelSettings

_I2C = "is I2C: most boards on top (displays, sensors, sound, battery) talk through it, and it is pulled up to 3.3 V"
_SPI = "is SPI: small displays and LED boards talk through it"
_SOUND = "is I2S: sound boards (HiFiBerry, IQaudio, JustBoom, Pi Codec Zero) play through it"

_CLAIMS = {
    **dict.fromkeys((0, 1), "belongs to the EEPROM by which a HAT says what it is; it is not for anything else"),
    **dict.fromkeys((2, 3), _I2C),
    4: "is where 1-wire thermometers are, and the shutdown signal of some power boards",
    **dict.fromkeys((7, 8, 9, 10, 11), _SPI),
    **dict.fromkeys((14, 15), "is the serial console; GPIO 14 also switches the official case fan"),
    **dict.fromkeys((18, 19, 20, 21), _SOUND),
}

_SOUND_JACK = (
    "shares its pulse generator with the headphone jack of a Pi 4: no sound from there while the light is on"
)


def claims(panel: PanelSettings) -> dict[str, str]:
    """For each setting whose pin others lay claim to, a sentence.

    >>> claims(PanelSettings(button_pin=3))["button_pin"][:31]
    'panel.button_pin = 3 is I2C: mo'
    """
    found = {key: f"panel.{key} = {pin} {_CLAIMS[pin]}" for key, pin in panel.pins.items() if pin in _CLAIMS}
    if panel.light == "pwm" and "light_pin" not in found:
        found["light_pin"] = f"panel.light_pin = {panel.light_pin} {_SOUND_JACK}"
    return found
