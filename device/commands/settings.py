"""``croupier settings``: look through a settings file, or print one to start from."""

import json
from pathlib import Path

import click

from device.settings_file import SettingsError, load_settings
from device.settings_page import BOX, commented_file


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--print-default", is_flag=True, help="Print a file with every setting in it, explained.")
@click.option("--box", is_flag=True, help="With --print-default: set what a Raspberry Pi with its own camera needs.")
@click.option("--json", "as_json", is_flag=True, help="Print all settings, or what is wrong with them, as JSON.")
def settings(file: Path | None, print_default: bool, box: bool, as_json: bool) -> None:
    """Look through the settings in FILE and name what is wrong, line by line."""
    if print_default == (file is not None) or (box and not print_default):
        raise click.UsageError("name a FILE, or use --print-default, with --box for a Raspberry Pi")
    if file is None:
        click.echo(commented_file(BOX if box else {}), nl=False)
        return
    try:
        found = load_settings(file)
    except SettingsError as error:
        if as_json:
            faults = [{"line": fault.line, "text": fault.text} for fault in error.faults]
            click.echo(json.dumps({"file": str(file), "faults": faults}))
        else:
            for fault in error.faults:
                place = f"{file} line {fault.line}" if fault.line else str(file)
                click.echo(f"{place}: {fault.text}", err=True)
        raise SystemExit(2) from None
    if as_json:
        click.echo(json.dumps({"file": str(file), "faults": [], "settings": found.model_dump()}))
    else:
        click.echo(f"{file} is right.")
