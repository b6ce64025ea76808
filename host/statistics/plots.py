"""Plots as SVG files of their own, drawn for the width of a phone. Each page says the same in a table beside them."""

import sys
from collections.abc import Sequence
from typing import Any
from xml.etree import ElementTree

from flask_babel import gettext as _
from pygal import Bar, PluginImportFixer
from pygal.style import Style

from host.statistics.chi_squared import deviation
from host.statistics.fairness import Fairness
from host.statistics.players import PlayerRecord

# pygal looks for plug-ins at every import of the whole program, in a way that Python has deprecated; there are none.
sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, PluginImportFixer)]

WIDTH = 480
HEIGHT = 320
"""Units that a phone shows as some 340 x 230 px: with text of 18 units nothing is below 12 px."""

FONT = "system-ui, sans-serif"

STYLE = Style(
    background="#17211d",
    plot_background="#0a1d17",
    foreground="#b4c2ba",
    foreground_strong="#f6efe2",
    foreground_subtle="#61756a",
    guide_stroke_color="#2c3a34",
    major_guide_stroke_color="#61756a",
    opacity="1",
    opacity_hover="1",
    colors=("#b08a35", "#61756a"),
    ci_colors=("#ffffff", "#ffffff"),
    font_family=FONT,
    label_font_family=FONT,
    major_label_font_family=FONT,
    legend_font_family=FONT,
    title_font_family=FONT,
    no_data_font_family=FONT,
    label_font_size=18,
    major_label_font_size=18,
    legend_font_size=18,
    no_data_font_size=24,
)


def fairness_plot(test: Fairness) -> bytes:
    """How often each face was seen, with its interval, beside how often even dice show it; SVG."""
    most = max(max(face.interval[1], face.expected / test.rolls) for face in test.faces)
    chart = _bars(range=(0, 100 * most), y_title=_("per cent"))
    chart.x_labels = [_(face.face) for face in test.faces]
    seen = [
        {
            "value": 100 * face.count / test.rolls,
            "ci": {"low": 100 * face.interval[0], "high": 100 * face.interval[1]},
        }
        for face in test.faces
    ]
    chart.add(_("seen, with interval"), seen)
    chart.add(_("even"), [100 * face.expected / test.rolls for face in test.faces])
    return drawn(chart)


def luck_plot(players: Sequence[PlayerRecord]) -> bytes:
    """How far each player's dice were from even, in standard deviations, with intervals; SVG."""
    reach = deviation()
    most = max((abs(player.deviations) for player in players), default=0.0) + reach
    chart = _bars(range=(-most, most), show_legend=False, x_label_rotation=30 if len(players) > 3 else 0)
    chart.x_labels = [player.name for player in players]
    chart.add(
        _("from even"),
        [
            {"value": player.deviations, "ci": {"low": player.deviations - reach, "high": player.deviations + reach}}
            for player in players
        ],
    )
    return drawn(chart)


def _bars(**settings: Any) -> Bar:
    return Bar(
        style=STYLE,
        width=WIDTH,
        height=HEIGHT,
        legend_at_bottom=True,
        legend_at_bottom_columns=1,
        js=[],
        margin=12,
        spacing=8,
        max_scale=7,
        css=["file://style.css", "file://graph.css", "inline:{{ id }}.ci { stroke-width: 2; }"],
        truncate_label=14,
        truncate_legend=-1,
        formatter=lambda value: f"{value:.0f}" if value == round(value) else f"{value:.1f}",
        no_data_text=_("no dice yet"),
        **settings,
    )


def drawn(chart: Bar) -> bytes:
    """The chart as SVG without script: what pygal adds for the mouse is of no use in a picture."""
    root = chart.render_tree()
    for parent in list(root.iter()):
        for script in parent.findall("{*}script"):
            parent.remove(script)
    picture: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return picture
