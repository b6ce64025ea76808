"""The HTTP API for the box's button: who can press it stands beside the box. Only translates HTTP."""

from typing import Annotated, Literal

from flask import Response, jsonify
from flask_openapi3.blueprint import APIBlueprint
from pydantic import BaseModel, Field

from host.access import DEVICE, allows
from host.api import PREFIX, TOKEN
from host.claim import Claim
from host.documented import WITH_BODY, WITH_TOKEN, answers
from host.forms import Form, MessageId


class ButtonPressed(Form):
    """A press of the button; the device deals with short ones itself."""

    id: MessageId
    press: Literal["long"]


class CodeShown(BaseModel):
    """The page /claim shows the setup code."""

    open_s: Annotated[float, Field(description="For so many seconds from now on.")]


def button_api(claim: Claim) -> APIBlueprint:
    """The button's address."""
    api = APIBlueprint("button_api", __name__, url_prefix=f"{PREFIX}/device")

    @api.post("/button", security=TOKEN, responses=answers("already-claimed", *WITH_TOKEN, *WITH_BODY, ok=CodeShown))
    @allows(DEVICE)
    def press_button(body: ButtonPressed) -> Response:
        """The button was pressed for long: the setup code is shown for two minutes, from the last press on."""
        return jsonify(open_s=claim.show())

    return api
