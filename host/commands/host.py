"""``croupier host``: the half that holds the tables and serves the scoreboard."""

import logging
import os
import sys
from pathlib import Path

import click

from host.addresses import lan_address
from host.clock import utc_now
from host.crowd import MOST_PHONES
from host.games.registry import GAMES, Registry
from host.migrations import NewerDatabase
from host.server import CannotStart, HeldData, Host
from host.store import StorageFailed
from host.watchdog import watched_over


def default_data() -> Path:
    """Where the data lies unless told otherwise (XDG base directories)."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share") / "croupier"


def host_command(games: Registry) -> click.Command:
    """The command ``croupier host`` for the games of a registry."""

    @click.command("host")
    @click.option(
        "--data", type=click.Path(file_okay=False, path_type=Path), help="Where tables and tokens are kept."
    )
    @click.option("--port", default=8420, show_default=True, type=click.IntRange(0, 65535), help="0: any free one.")
    @click.option(
        "--listen",
        default="127.0.0.1",
        show_default=True,
        help="Address to listen on; 0.0.0.0 lets phones in the same network in.",
    )
    @click.option("--database", metavar="URL", help="Another database than DATA/croupier.db, as an SQLAlchemy URL.")
    @click.option("--public-address", metavar="URL", help="Shown to phones instead of this machine's own address.")
    @click.option("--https", is_flag=True, help="Listen over HTTPS, too; the page /https says what for.")
    @click.option(
        "--https-port", default=8443, show_default=True, type=click.IntRange(0, 65535), help="Port for --https."
    )
    @click.option(
        "--most-phones",
        default=MOST_PHONES,
        show_default=True,
        type=click.IntRange(1),
        help="How many may follow the tables at a time; seats come before spectators.",
    )
    @click.option(
        "--pictures",
        type=click.Path(file_okay=False, path_type=Path),
        help="Where the newest pictures of throws are kept; DATA/pictures unless given.",
    )
    def host(
        data: Path | None,
        port: int,
        listen: str,
        database: str | None,
        public_address: str | None,
        most_phones: int,
        pictures: Path | None,
        https: bool,
        https_port: int,
    ) -> None:
        """Hold the tables, referee the games and serve the scoreboard."""
        logging.basicConfig(level=logging.WARNING, format="croupier host: %(levelname)s %(message)s")
        directory = data or default_data()
        os.umask(0o077)  # tokens and games are nobody else's on this machine
        try:
            held = HeldData(directory)
            url = database or held.database_url
            secure = https_port if https else None
            running = Host(held, url, games, utc_now, listen, port, public_address, most_phones, pictures, secure)
            number = lan_address() if listen == "0.0.0.0" else None  # noqa: S104 (compared, not listened on)
            phones = number and f"http://{number}:{running.address.rpartition(':')[2]}"
            also = f" (from phones: {phones})" if phones else ""
            click.echo(f"croupier host listens on {running.address}{also}")
            sys.stdout.flush()
            if running.setup_code is not None:
                # On the error stream, which a supervisor passes on: whoever starts the appliance is to see it.
                claim = f"{public_address or phones or running.address}/claim"
                click.echo(f"croupier host has no owner yet: enter {running.setup_code} at {claim}", err=True)
            with watched_over(running.address):
                while running.serve():
                    running.close()
                    running = running.begun_anew()
            running.close()
            held.close()
        except NewerDatabase as newer:
            raise click.ClickException(
                f"the database in {database or directory} is from a newer version of croupier "
                f"(it has {newer}); update croupier, or use another --data"
            ) from None
        except (CannotStart, StorageFailed) as failure:
            raise click.ClickException(str(failure)) from None

    return host


host = host_command(GAMES)
