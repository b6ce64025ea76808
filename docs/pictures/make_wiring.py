"""Draws the wiring of the panel, with the pins that the settings have by default: docs/pictures/wiring.svg.

``python -m docs.pictures.make_wiring`` writes it.
"""

from collections.abc import Iterator
from pathlib import Path

from device.settings import PanelSettings

FILE = Path(__file__).with_name("wiring.svg")

PIN_OF_GPIO = {
    2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21, 25: 22, 11: 23,
    8: 24, 7: 26, 0: 27, 1: 28, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37, 20: 38, 21: 40,
}  # fmt: skip
"""Where each GPIO number is on the connector."""

POWER = {1: "3.3 V", 2: "5 V", 4: "5 V", 17: "3.3 V"} | dict.fromkeys((6, 9, 14, 20, 25, 30, 34, 39), "ground")

LIGHT_GROUND, LED_GROUND, BUTTON_GROUND, LIGHT_POWER = 9, 25, 39, 2

LEFT, TOP, PITCH = 610, 96, 30
RED, BLACK, BLUE, GREEN, YELLOW = "#c62828", "#222222", "#1565c0", "#2e7d32", "#b26a00"


def place(pin: int) -> tuple[float, float]:
    """The middle of a pin of the connector."""
    return LEFT + (0 if pin % 2 else 40), TOP + (pin - 1) // 2 * PITCH


def wire(colour: str, *points: tuple[float, float]) -> str:
    """A wire along points."""
    path = " ".join(f"{x:g},{y:g}" for x, y in points)
    return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="4" stroke-linejoin="round"/>'


def text(x: float, y: float, words: str, anchor: str = "start", size: int = 17, weight: str = "normal") -> str:
    """Words."""
    return (
        f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" font-size="{size}" font-weight="{weight}">{words}</text>'
    )


def box(x: float, y: float, width: float, height: float, fill: str = "#ffffff") -> str:
    """A part."""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="8" fill="{fill}" stroke="#444" '
        'stroke-width="2"/>'
    )


def header(panel: PanelSettings) -> Iterator[str]:
    """The Pi's connector; the pins in use are filled."""
    names = {pin: f"GPIO {gpio}" for gpio, pin in PIN_OF_GPIO.items()} | POWER
    used = {PIN_OF_GPIO[gpio] for gpio in panel.pins.values()} | {
        LIGHT_GROUND,
        LED_GROUND,
        BUTTON_GROUND,
        LIGHT_POWER,
    }
    yield box(LEFT - 26, TOP - 24, 92, 19 * PITCH + 48, "#e8f0ea")
    for pin in range(1, 41):
        x, y = place(pin)
        fill = "#ffb300" if pin in used else "#ffffff"
        yield f'<circle cx="{x}" cy="{y}" r="11" fill="{fill}" stroke="#444" stroke-width="2"/>'
        yield text(x, y + 4, str(pin), "middle", 11)
        if pin % 2 == 0:
            yield text(x + 28, y + 5, names[pin], "start", 13, "bold" if pin in used else "normal")


def light(panel: PanelSettings) -> Iterator[str]:
    """The light and its transistor."""
    power, ground, gate = place(LIGHT_POWER), place(LIGHT_GROUND), place(PIN_OF_GPIO[panel.light_pin])
    yield wire(RED, power, (power[0], 44), (60, 44), (60, 96))
    yield wire(BLACK, (220, 140), (280, 140), (280, 170))
    yield wire(BLACK, (340, 216), (520, 216), (520, ground[1]), ground)
    yield wire(YELLOW, (250, 262), (250, 300), (500, 300), (500, gate[1]), gate)
    yield box(30, 96, 190, 88, "#fff8e1")
    yield text(125, 128, "Light", "middle", 19, "bold")
    yield text(125, 152, "5 V LED strip, white", "middle", 15)
    yield text(125, 172, "at most 0.5 A", "middle", 15)
    yield text(48, 88, "+", "end", 20) + text(234, 132, "–", "start", 20)
    yield box(220, 170, 120, 92)
    yield text(280, 200, "Transistor", "middle", 16, "bold")
    yield text(280, 220, "N-MOSFET,", "middle", 13) + text(280, 237, "3.3 V gate", "middle", 13)
    yield text(288, 164, "drain", "start", 12) + text(346, 208, "source", "start", 12)
    yield text(258, 280, "gate", "start", 12)
    yield wire(BLACK, (420, 216), (420, 300))
    yield box(408, 232, 24, 52) + text(400, 263, "10 kΩ", "end", 14)
    yield text(578, gate[1] - 7, f"GPIO {panel.light_pin}", "end", 14, "bold")
    yield text(578, ground[1] - 7, "ground", "end", 14)


def led(panel: PanelSettings) -> Iterator[str]:
    """The status LED and its resistor."""
    pin, ground = place(PIN_OF_GPIO[panel.status_pin]), place(LED_GROUND)
    y = 396
    yield wire(GREEN, (240, y), (470, y), (470, pin[1]), pin)
    yield wire(BLACK, (60, y), (40, y), (40, 350), (545, 350), (545, ground[1]), ground)
    yield wire(GREEN, (110, y), (170, y))
    yield box(170, y - 14, 70, 28) + text(205, y + 5, "330 Ω", "middle", 14)
    yield f'<circle cx="85" cy="{y}" r="25" fill="#fff" stroke="#444" stroke-width="2"/>'
    yield f'<path d="M98 {y - 14} v28 l-24 -14 z" fill="{GREEN}"/>'
    yield f'<path d="M72 {y - 14} v28" stroke="#444" stroke-width="3"/>'
    yield text(578, ground[1] - 7, "ground", "end", 14)
    yield text(60, y + 46, "Status LED: long leg to the resistor", "start", 16, "bold")
    yield text(578, pin[1] - 7, f"GPIO {panel.status_pin}", "end", 14, "bold")


def button(panel: PanelSettings) -> Iterator[str]:
    """The button."""
    pin, ground = place(PIN_OF_GPIO[panel.button_pin]), place(BUTTON_GROUND)
    y = 560
    yield wire(BLUE, (120, y), (440, y), (440, pin[1]), pin)
    yield text(578, ground[1] - 7, "ground", "end", 14)
    yield wire(BLACK, (60, y), (40, y), (40, ground[1] + 30), (560, ground[1] + 30), (560, ground[1]), ground)
    yield f'<circle cx="60" cy="{y}" r="6" fill="#444"/><circle cx="120" cy="{y}" r="6" fill="#444"/>'
    yield f'<path d="M58 {y - 22} h64 M90 {y - 22} v-18" stroke="#444" stroke-width="5" fill="none"/>'
    yield text(140, y - 14, "Button: closes to ground, no resistor", "start", 16, "bold")
    yield text(578, pin[1] - 7, f"GPIO {panel.button_pin}", "end", 14, "bold")


def drawing(panel: PanelSettings) -> str:
    """The whole drawing, in SVG."""
    parts = [*light(panel), *led(panel), *button(panel), *header(panel)]
    return "\n".join(
        [
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 780 750" font-family="sans-serif">',
            "<title>Wiring of light, status LED and button</title>",
            '<rect width="780" height="750" fill="#ffffff"/>',
            text(LEFT + 20, 24, "Raspberry Pi", "middle", 18, "bold"),
            *parts,
            "</svg>",
            "",
        ]
    )


if __name__ == "__main__":
    FILE.write_text(drawing(PanelSettings()), encoding="utf-8")
