"""What became of games, step by step and as files: complete, and without a secret before its time."""

import csv
import io

from host.export import COLUMNS
from tests.host.playing import play
from tests.host.running import RunningHost, cube


def test_a_game_is_seen_again_at_every_number(shared_host: RunningHost) -> None:
    table = shared_host.open("Vera", "Ana")
    seen = [table.seen()]
    table.act("stake", "Vera", amount=3)
    seen.append(table.seen())
    shared_host.read(cube("red"))
    seen.append(table.seen())
    table.undo()
    for number, then in enumerate(seen):
        again = shared_host.get(f"/tables/{table.id}/replay?number={number}").json
        assert (again["number"], again["state"], again["prompt"]) == (number, then["state"], then["prompt"])
        page = shared_host.call("GET", f"/history/{table.id}/{number}")
        assert page.status == 200 and f"{number} / 3" in page.body.decode()
        assert f'href="/history/{table.id}/{number + 1}"' in page.body.decode()
    assert shared_host.get(f"/tables/{table.id}/replay").json["number"] == 3
    assert shared_host.get(f"/tables/{table.id}/replay?number=4").outcome == (404, "unknown-number")
    assert shared_host.call("GET", "/history/nowhere").status == 404


def test_the_list_says_how_games_came_out(own_host: RunningHost) -> None:
    over = play(own_host, "vigos-favor", ("Ana", "Bo"))
    stopped, running = own_host.open("Ana", "Cy"), own_host.open("Ana", "Dan")
    own_host.post(f"/tables/{stopped.id}/end", {"id": "the-end", "number": None}, own_host.token("owner"))
    listed = {game["table"]: game for game in own_host.get("/history").json["games"]}
    assert [listed[table.id]["standing"] for table in (over, stopped, running)] == ["over", "stopped", "running"]
    state = over.seen()["state"]
    assert (listed[over.id]["winners"], listed[over.id]["credits"]) == (state["winners"], state["balances"])
    page = own_host.call("GET", "/history").body.decode()
    assert "stopped by the owner" in page and "not over yet" in page and "won by" in page


def test_statistics_count_what_stands(own_host: RunningHost) -> None:
    table = own_host.open("Vera", "Ana")
    table.act("stake", "Vera", amount=1)
    own_host.read(cube("red"))
    table.undo()
    own_host.read(cube("blue"))
    table.act("roll", "Ana", dice=[{"kind": "chance-cube", "face": "blue"}])
    found = own_host.get("/statistics").json
    (cubes,) = found["dice"]
    assert {face["face"]: face["count"] for face in cubes["faces"]} == {"red": 0, "blue": 2}
    assert (cubes["rolls"], cubes["by_hand"], cubes["verdict"], cubes["p"]) == (2, 1, "too-few", None)
    players = {player["player"]: player for player in found["players"]}
    assert (players["Ana"]["lucky_dice"], players["Vera"]["lucky_dice"], players["Vera"]["rolls"]) == (1, 0, 1)
    page = own_host.call("GET", "/history/statistics").body.decode()
    assert "2 rolls: too few to say. It takes 10." in page and "1 of them were entered by people" in page
    plot = own_host.call("GET", "/history/dice/chance-cube.svg")
    assert plot.headers["Content-Type"].startswith("image/svg+xml") and b"<script" not in plot.body
    assert own_host.call("GET", "/history/dice/pip-die.svg").status == 404


def test_exports_hold_every_line_and_no_formula(shared_host: RunningHost) -> None:
    table = shared_host.open("=1+1", "@Bo")
    table.act("stake", "=1+1", amount=3)
    table.act("roll", "=1+1", dice=[{"kind": "chance-cube", "face": "red"}])
    for path in (f"/tables/{table.id}/export.csv", "/export.csv"):
        answer = shared_host.get(path)
        assert "attachment" in answer.headers["Content-Disposition"]
        rows = list(csv.DictReader(io.StringIO(answer.body.decode("utf-8-sig"))))
        mine = [row for row in rows if row["table"] == table.id]
        assert [row["number"] for row in mine] == ["1", "2"] and tuple(mine[0]) == COLUMNS
        assert mine[1]["player"] == "'=1+1" and mine[1]["dice"] == "chance-cube red"
        assert not any(cell.startswith(("=", "+", "-", "@")) for row in mine for cell in row.values())
    exported = shared_host.get(f"/tables/{table.id}/export.json").json
    assert exported["state"] == table.seen()["state"] and len(exported["log"]) == 2
    assert exported in shared_host.get("/export.json").json["games"]


def test_no_export_and_no_replay_tells_a_secret(own_host: RunningHost) -> None:
    table = own_host.open("Ana", "Bo", "Cy", game="victim")
    for player, face in (("Ana", "1"), ("Bo", "5"), ("Cy", "2")):
        table.act("roll", player, dice=[{"kind": "pip-die", "face": face}])
    assert table.act("intent", "Cy", target="left", die="sabotage").status == 200
    assert table.seen("Cy")["state"]["intent"] == {"target": "left", "die": "sabotage"}
    paths = [f"/tables/{table.id}/export.{kind}" for kind in ("json", "csv")]
    for path in (*paths, "/export.json", "/export.csv", f"/tables/{table.id}/replay?number=4"):
        for token in (None, own_host.token("owner"), table.tokens["Bo"]):
            told = own_host.get(path, token).body.decode()
            assert "sabotage" not in told, path
    assert "sabotage" not in own_host.call("GET", f"/history/{table.id}/4").body.decode()


def test_a_game_that_is_over_is_exported_with_what_was_done(shared_host: RunningHost) -> None:
    table = play(shared_host, "victim", ("Ana", "Bo", "Cy"), seed=2)
    log = shared_host.get(f"/tables/{table.id}/export.json").json["log"]
    assert any(line["action"]["type"] == "intent" for line in log)
    rig = play(shared_host, "rig", ("Ana", "Bo"), seed=2)
    assert shared_host.get(f"/tables/{rig.id}/export.csv").status == 200
