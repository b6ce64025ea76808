"""What comes after a game, put together: history, statistics, exports, backups and the rematch."""

from flask_openapi3.openapi import OpenAPI

from host.backup_api import backup_api
from host.history import History
from host.history_api import history_api
from host.history_pages import history_pages
from host.keeping import Keeping
from host.rematch import Rematches
from host.rematch_api import rematch_api
from host.store import Store
from host.tables import Tables


def add_afterwards(app: OpenAPI, store: Store, tables: Tables, rematches: Rematches, keeping: Keeping) -> None:
    """Register the addresses of all of that."""
    history = History(store, tables)
    app.register_api(history_api(tables, history))
    app.register_api(backup_api(keeping))
    app.register_api(rematch_api(rematches))
    app.register_blueprint(history_pages(tables, history, rematches))
