"""``croupier referee``: a game without camera or web, one action a line in, one answer a line out."""

import inspect
import io
import json
import os
import sys
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO, NoReturn

import click

from host.games.protocol import Game
from host.games.registry import GAMES, Registry
from host.games.sentence import BadSetup, Refused, Sentence

LONGEST_LINE_BYTES = 4096
"""The most that an action may take, without its line feed."""


class NotJson(ValueError):
    """A text that is not one JSON value, or that says something twice."""


class WrongUse(click.UsageError):
    """Wrong arguments: one line on standard error, and exit status 2."""

    def show(self, file: Any = None) -> None:
        """Print the line, without click's lines on usage."""
        click.echo(f"croupier referee: {' '.join(self.format_message().split())}", file=file, err=True)


class OneLineCommand(click.Command):
    """A click command that reports wrong use in one line."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click does. Raises ``WrongUse`` for arguments that do not fit."""
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            raise WrongUse(f"{error.format_message()} See croupier referee --help.") from None


def parse_json(text: str) -> Any:
    """One JSON value, read strictly. Raises ``NotJson`` with a few words on what is wrong.

    NaN and Infinity are no JSON, and an object that names a key twice leaves open what it says.

    >>> parse_json('{"type": "stake"}')
    {'type': 'stake'}
    >>> parse_json('{"amount": 1, "amount": 1000}')
    Traceback (most recent call last):
        ...
    host.commands.referee.NotJson: the key amount is given twice
    """
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise NotJson(f"{error.msg} at character {error.pos + 1}") from None
    except RecursionError:
        raise NotJson("nested too deeply") from None
    except NotJson:
        raise
    except ValueError:
        # Python refuses to read whole numbers of more than some thousand digits.
        raise NotJson("a number is too long") from None


def _refuse_constant(name: str) -> NoReturn:
    raise NotJson(f"{name} is not a number in JSON")


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    named = dict(pairs)
    if len(named) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise NotJson(f"the key {twice[:40]} is given twice")
    return named


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant, object_pairs_hook=_without_repeats)


def read_lines(source: BinaryIO) -> Iterator[bytes | None]:
    """Each line without its line feed, the last one also where it lacks one; None in place of one that is too long.

    Holds no more than a line's limit in memory, however long a line is.
    """
    while line := source.readline(LONGEST_LINE_BYTES + 1):
        ended = line.endswith(b"\n")
        if ended or len(line) <= LONGEST_LINE_BYTES:
            yield line[:-1] if ended else line
            continue
        while (more := source.readline(65536)) and not more.endswith(b"\n"):
            pass
        yield None


def parse_line(line: bytes | None) -> Any:
    """The JSON value on a line. Raises ``Refused`` where there is none."""
    if line is None:
        wrong = Sentence("line-too-long", "An action takes at most {most} bytes.", {"most": LONGEST_LINE_BYTES})
        raise Refused(wrong, ())
    if not line.strip():
        raise Refused(Sentence("blank-line", "The line is blank."), ())
    try:
        return parse_json(line.decode("utf-8"))
    except UnicodeDecodeError:
        raise Refused(Sentence("not-utf-8", "The line is not UTF-8."), ()) from None
    except NotJson as error:
        raise Refused(Sentence("not-json", "The line is not JSON: {why}.", {"why": str(error)}), ()) from None


def answers(
    game: Game[Any], players: list[str], options: Mapping[str, Any], seat: str | None, source: BinaryIO
) -> Iterator[str]:
    """The opening state, then an answer to each line of ``source``, each one line of ASCII without its end.

    Raises ``BadSetup``, before the first answer, for a game that cannot be opened or an unknown ``seat``.
    """
    state = game.open(players, options)
    shown = json.dumps(game.view(state, seat))
    yield f'{{"ok": true, "state": {shown}}}'
    for line in read_lines(source):
        try:
            try:
                action = parse_line(line)
            except Refused as unread:
                raise Refused(unread.wrong, game.prompt(state)) from None
            state = game.apply(state, action)
        except Refused as refused:
            yield f'{{"ok": false, "error": {json.dumps(str(refused))}, "state": {shown}}}'
        else:
            shown = json.dumps(game.view(state, seat))
            yield f'{{"ok": true, "state": {shown}}}'


def parse_options(given: tuple[str, ...]) -> dict[str, Any]:
    """Options as given on the command line, ``key=json``. Raises ``BadSetup``."""
    options: dict[str, Any] = {}
    for one in given:
        key, equals, text = one.partition("=")
        if not equals:
            raise BadSetup("--option takes key=json, not {one}", one=repr(one[:40]))
        if key in options:
            raise BadSetup("option {name} is given twice", name=repr(key[:40]))
        try:
            options[key] = parse_json(text)
        except NotJson as error:
            raise BadSetup(
                "option {name} is not JSON ({error}); text needs its quotes: '{key}=\"Ann\"'",
                name=repr(key[:40]),
                error=str(error),
                key=key[:40],
            ) from None
    return options


def referee_command(registry: Registry) -> click.Command:
    """The command ``croupier referee`` for the games of a registry."""

    @click.command(cls=OneLineCommand)
    @click.argument("game")
    @click.option("--players", required=True, metavar="A,B,C", help="Everybody's name, clockwise, with commas.")
    @click.option("--option", "given", multiple=True, metavar="KEY=JSON", help="An option of the game; repeatable.")
    @click.option("--as", "seat", metavar="PLAYER", help="Show what this player sees, not what everybody sees.")
    def referee(game: str, players: str, given: tuple[str, ...], seat: str | None) -> None:
        """Referee GAME: one action a line on standard input, one answer a line on standard output.

        An action is a JSON object such as {"type": "stake", "player": "Ann", "amount": 2}. Each answer holds the
        state of the game, and the state says in "awaiting" what may come next.
        """
        try:
            source = sys.stdin.buffer if sys.stdin is not None else io.BytesIO()
            for answer in answers(registry.game(game), players.split(","), parse_options(given), seat, source):
                sys.stdout.buffer.write(answer.encode("ascii") + b"\n")
                sys.stdout.buffer.flush()
        except BadSetup as error:
            raise WrongUse(str(error)) from None
        except KeyboardInterrupt:
            _leave(130)
        except BrokenPipeError:
            _leave(1)
        except OSError as error:
            click.echo(f"croupier referee: cannot go on: {error.strerror}", err=True)
            _leave(1)

    names = ", ".join(one.id for one in registry.games())
    referee.help = f"{inspect.cleandoc(referee.help or '')}\n\nGAME is one of {names}."
    return referee


def _leave(status: int) -> NoReturn:
    """Exit without Python's last attempt to write what nobody reads any more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(status)


referee = referee_command(GAMES)
