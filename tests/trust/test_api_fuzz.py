"""The API by its own OpenAPI document, with what the document allows and much that it does not: it never fails, and
answers nothing that is not documented. ``FUZZ_EXAMPLES=200 pytest tests/trust/test_api_fuzz.py`` looks for longer.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import Failure, FailureGroup
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from host.records import Holder
from host.tokens import Tokens, sha256
from tests.host.running import cube, new_id
from tests.trust.application import application

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "4"))

ENDLESS = "/events"
"""What such an address answers does not end; ``tests/host/test_api.py`` follows it."""

OF_NO_ADDRESS = ("not-found", "wrong-method")
"""Where what was made up for an address leads to none, or to another one."""

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]

KINDS = ("owner", "device", "nobody")


class Api:
    """The application with a table that is being played at, and what its document says."""

    def __init__(self, app: Flask, tokens: Tokens):
        tokens.add({sha256(kind): Holder(kind) for kind in ("owner", "device")})
        self.client = app.test_client()
        opened = self.post("/tables", {"id": new_id(), "game": "vigos-favor", "players": ["Ana", "Bo"]})
        self.table = opened["table"]
        action = {"type": "stake", "player": "Ana", "amount": 1}
        self.post(f"/tables/{self.table}/actions", {"id": new_id(), "number": 0, "action": action})
        expect = self.client.get("/api/v1/device/expect", headers={"Authorization": "Bearer device"}).json
        assert expect is not None
        self.reading = new_id()
        reading = {"id": self.reading, "expect": expect["expect"], "dice": [cube("red")], "unread": [], "jpeg": None}
        self.post("/device/readings", reading, "device")
        self.known = {"table": self.table, "reading": self.reading, "number": 1, "player": "Ana"}
        self.schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", app)

    def post(self, path: str, body: dict[str, Any], who: str = "owner") -> Any:
        """What the API answers."""
        answer = self.client.post(f"/api/v1{path}", json=body, headers={"Authorization": f"Bearer {who}"})
        assert answer.status_code < 300, answer.json
        return answer.json


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    with application(tmp_path_factory.mktemp("data")) as (app, tokens):
        yield Api(app, tokens)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # its client closes no answers
@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
def test_no_answer_is_a_failure_or_a_surprise(api: Api, mode: GenerationMode) -> None:
    tried, failures = 0, []
    for found in api.schema.get_all_operations():
        operation = found.ok()
        if operation.path.endswith(ENDLESS):
            continue
        names = {parameter.name for parameter in operation.path_parameters}
        known = {name: api.known[name] for name in names & set(api.known)}
        ways = operation.as_strategy(generation_mode=mode)
        if known and set(known) == names and mode is GenerationMode.POSITIVE:
            ways |= operation.as_strategy(generation_mode=mode, path_parameters=known)

        @settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
        @given(ways, st.sampled_from(KINDS))
        def ask(case: schemathesis.Case, who: str) -> None:
            if isinstance(case.query, dict):
                case.query.pop("wait", None)
            headers = {"Host": "localhost"} | ({} if who == "nobody" else {"Authorization": f"Bearer {who}"})
            answer = case.call(headers=headers)
            problem = answer.json() if answer.headers.get("content-type") == ["application/problem+json"] else {}
            if problem.get("slug") not in OF_NO_ADDRESS and answer.status_code != 308:
                case.validate_response(answer, checks=CHECKS)

        # Nothing can be wrong with a request that has no parameters and no body.
        with suppress(Unsatisfiable):
            tried += 1
            try:
                ask()
            except (Failure, FailureGroup) as failure:
                failures.append(f"{operation.label}: {failure}")
    assert not failures and tried > 30, "\n".join(failures)
