"""The bodies and answers of the device's states and commands, as the OpenAPI document describes them."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, model_validator

from host.device_watch import SENTENCES
from host.forms import Form, MessageId

LONGEST_DETAIL = 200


class DeviceStateReport(Form):
    """What the device is doing."""

    id: MessageId
    state: Annotated[str, Field(json_schema_extra={"enum": sorted(set(SENTENCES) - {"no-device"})})]
    detail: Annotated[str, Field(max_length=LONGEST_DETAIL)] = ""

    @model_validator(mode="after")
    def _is_known(self) -> "DeviceStateReport":
        if self.state not in SENTENCES or self.state == "no-device":
            raise ValueError(f"state is one of {', '.join(sorted(set(SENTENCES) - {'no-device'}))}")
        return self


class DeviceState(BaseModel):
    """What the device is doing, and a sentence for people. ``is_fault``: nothing can be read."""

    state: str
    detail: str
    sentence: str
    is_fault: bool


class AskDevice(BaseModel):
    """A command for the device; further keys are its type's own."""

    model_config = {"extra": "allow"}

    id: MessageId
    type: Literal["read-again", "light", "calibration-picture", "adopt-profile", "calibrate", "teach"]


class CommandPath(BaseModel):
    """A command's address."""

    command: MessageId


class CommandOutcome(Form):
    """What came of a command."""

    status: Literal["done", "failed"]
    detail: Annotated[str, Field(max_length=LONGEST_DETAIL)] = ""
    result: Annotated[dict[str, Any], Field(default_factory=dict)]
    jpeg: Annotated[str | None, Field(description="Base64, of a calibration picture; 1.4 MB decoded.")] = None


class CommandView(BaseModel):
    """A command and what came of it. ``picture`` is where its picture is."""

    id: str
    type: str
    status: Literal["waiting", "done", "failed"]
    detail: str
    result: dict[str, Any] | None
    picture: str | None
