"""Protections against loss, doubling and leaks, each taken out by a small change, and the test that then fails."""

from tests.trust.mutation import Mutation

STORE, TABLES, READINGS = "host/store.py", "host/tables.py", "host/readings.py"
API, DEVICE_API, LOOP = "tests/host/test_api.py", "tests/host/test_device_api.py", "tests/device/test_loop.py"

FAULTS = (
    Mutation(
        "message-counts-once",
        TABLES,
        """            seen = self._store.answer(message)
            if seen is not None:
                return self._answer_again(table, seen, sender)
            try:
                if number""",
        """            try:
                if number""",
        f"{API}::test_a_message_counts_once_and_is_answered_alike",
    ),
    Mutation(
        "reading-with-entries",
        "host/reading_store.py",
        """                for entry in entries:
                    insert_entry(connection, entry)""",
        """            with self._store.transaction() as connection:
                for entry in entries:
                    insert_entry(connection, entry)""",
        "tests/host/test_store.py::test_a_message_and_its_entry_are_stored_both_or_neither",
    ),
    Mutation(
        "full-sync",
        "host/sqlite_file.py",
        '"synchronous=FULL"',
        '"synchronous=OFF"',
        "tests/host/test_store.py::test_what_is_committed_is_on_the_disk",
    ),
    Mutation(
        "real-transactions",
        STORE,
        'event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN"))',
        "pass",
        "tests/host/test_store.py::test_a_message_and_its_entry_are_stored_both_or_neither",
    ),
    Mutation(
        "stale-number",
        TABLES,
        "if number is not None and number != table.number:",
        "if number is None and number != table.number:",
        f"{API}::test_a_stale_number_is_told_the_fresh_state",
    ),
    Mutation(
        "undo-is-an-entry",
        "host/table.py",
        """        self._steps.append(step)
        self._snapshot = None""",
        """        self._steps.append(step) if entry.kind != "undo" else self._steps.pop()
        self._snapshot = None""",
        f"{API}::test_undo_takes_back_one_action_at_a_time_and_deletes_nothing",
    ),
    Mutation(
        "reading-counts-once",
        READINGS,
        "return self._rows.reading(report.id, answered[0]) or self._judge(newest, report, *answered)",
        "return self._judge(newest, report, *answered)",
        f"{DEVICE_API}::test_a_reading_that_matches_is_applied_once",
    ),
    Mutation(
        "expect-id",
        READINGS,
        "if report.expect != awaited.id:",
        "if not report.expect:",
        f"{DEVICE_API}::test_a_reading_of_an_older_state_is_late_and_shown",
    ),
    Mutation(
        "cup-kept-by-host",
        READINGS,
        "report = Report(report.id, report.expect, (), (), None)",
        "pass",
        f"{DEVICE_API}::test_guarded_readings_leave_neither_face_nor_picture",
    ),
    Mutation(
        "cup-kept-from-another-game",
        READINGS,
        "if answered.seated.id != table.seated.id and table.game.guarded_phases:",
        "if False:",
        f"{DEVICE_API}::test_a_reading_for_an_older_table_is_shown_as_late_where_they_play_now",
    ),
    Mutation(
        "cup-kept-by-device",
        LOOP.replace("tests/device/test_", "device/"),
        """        if self._read_guarded:
            if agreed.dice:""",
        """        if False:
            if agreed.dice:""",
        "tests/device/test_guarded.py::test_a_face_that_is_planted_is_found_nowhere",
    ),
    Mutation(
        "outbox-before-sending",
        "device/outbox.py",
        """                connection.execute(
                    sa.insert(_readings).values(
                        id=message.id, expect=message.expect, body=json.dumps(message.body, separators=(",", ":"))
                    )
                )
""",
        "",
        f"{LOOP}::test_a_reading_on_its_way_is_not_made_again_after_a_restart",
    ),
    Mutation(
        "counted-dice-remembered",
        "device/outbox.py",
        "self._tray = self._written = Tray() if text is None else Tray.from_text(text)",
        "self._tray = self._written = Tray()",
        f"{LOOP}::test_after_a_restart_lying_dice_have_still_counted",
    ),
    Mutation(
        "secret-bets",
        "host/games/king_of_roulette.py",
        'return seen if player is None else {**seen, "mine": _mine(state, player)}',
        'return {**seen, "mine": [_mine(state, each) for each in state.players]}',
        "tests/games/test_secrets.py::test_a_secret_shows_nowhere_until_it_is_opened",
    ),
    Mutation(
        "secret-intent",
        "host/games/victim.py",
        'intent = "hidden"',
        "pass",
        "tests/games/test_secrets.py::test_a_secret_shows_nowhere_until_it_is_opened",
    ),
    Mutation(
        "owners-backup",
        "host/backup_api.py",
        """    @allows(OWNER)
    def back_up()""",
        """    @allows(__import__("host.access").access.ANYONE)
    def back_up()""",
        "tests/host/test_backup.py::test_backups_are_for_the_owner_alone",
    ),
    Mutation(
        "one-host-a-directory",
        "host/server.py",
        "fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)",
        "fcntl.flock(self._lock, fcntl.LOCK_UN)",
        "tests/host/test_server.py::test_a_second_host_on_the_same_data_is_refused",
    ),
    Mutation(
        "unused-tables-forgotten",
        TABLES,
        "            del self._loaded[unused]",
        "            pass",
        "tests/host/test_tables.py::test_a_long_evening_keeps_no_more_tables_than_are_in_use",
    ),
)
