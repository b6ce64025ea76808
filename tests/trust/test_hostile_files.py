"""Files that somebody gives away: recordings, profiles, taught dice, settings and backups that mean harm.

Each is read in a process that may take little memory, and is refused in one line.
"""

import base64
import io
import json
import os
import re
import resource
import struct
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from calibration.profile_file import ProfileError, read_profile, write_profile
from calibration.taught_file import TaughtFileError, read_taught
from device.decode import Undecodable, decode_bytes
from device.recording import RecordingError
from device.recording_folder import load_recording
from device.settings_file import SettingsError, load_settings, parse_settings
from host.backup import BadBackup, stage_restore
from host.store import open_store, sqlite_url

MOST_MEMORY_BYTES = 1_500_000_000
"""Address space, not all of it used: OpenCV and numpy alone map most of it."""

PACKAGES = ("vision", "device", "host", "calibration")
UNSAFE = re.compile(
    r"\b(pickle|cPickle|marshal|shelve|dill|joblib|cloudpickle|jsonpickle)\b|allow_pickle=True|yaml\.(unsafe_)?load\b"
    r"|(?<![.\w])(eval|exec)\(|\bos\.(system|popen)\(|shell=True|extractall\(|tempfile\.mktemp\("
    r"|weights_only=False"
)


def test_nothing_is_unpickled_evaluated_or_given_to_a_shell() -> None:
    root = Path(__file__).parents[2]
    found = [
        f"{path.relative_to(root)}: {line.strip()}"
        for package in PACKAGES
        for path in sorted((root / package).rglob("*.py"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if UNSAFE.search(line)
    ]
    assert not found
    loading = re.compile(r"(np|torch)\.load\((?!.*(allow_pickle=False|weights_only=True))")
    assert not [
        p for k in PACKAGES for p in (root / k).rglob("*.py") if loading.search(p.read_text(encoding="utf-8"))
    ]


# Pictures that are larger than they look ---------------------------------------------------------------------------


def png(width: int, height: int) -> bytes:
    """A PNG that says it is so large, with hardly anything in it."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(bytes(1000)))
        + chunk(b"IEND", b"")
    )


def jpeg(width: int, height: int, padding: bytes = b"") -> bytes:
    """A JPEG that says so, one grey component; markers may be padded."""
    tables = b"\xff\xdb\x00\x43\x00" + b"\x01" * 64
    frame = b"\xff" + padding + b"\xc0\x00\x0b\x08" + struct.pack(">HH", height, width) + b"\x01\x01\x11\x00"
    huffman = (
        b"\xff\xc4\x00\x14\x00"
        + b"\x01"
        + bytes(15)
        + b"\x00"
        + b"\xff\xc4\x00\x14\x10"
        + b"\x01"
        + bytes(15)
        + b"\x00"
    )
    return (
        b"\xff\xd8"
        + tables
        + frame
        + huffman
        + b"\xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00"
        + bytes(9000)
        + b"\xff\xd9"
    )


def bmp(width: int, height: int) -> bytes:
    """A BMP in run lengths that says so."""
    head = struct.pack("<IiiHHIIiiII", 40, width, height, 1, 8, 1, 4, 0, 0, 256, 0)
    return b"BM" + struct.pack("<IHHI", 54 + 1028, 0, 0, 54 + 1024) + head + bytes(1024) + b"\x00\x01\x00\x00"


BOMBS = {
    "png": png(60_000, 60_000),
    "jpg": jpeg(65_000, 65_000),
    "padded.jpg": jpeg(65_000, 65_000, b"\xff\xff"),
    "bmp": bmp(30_000, 30_000),
}


@pytest.mark.parametrize("name", ["png", "jpg", "padded.jpg"])
def test_a_huge_picture_is_not_decoded(name: str) -> None:
    with pytest.raises(Undecodable, match="million is the most"):
        decode_bytes(BOMBS[name])


def test_a_jpeg_that_states_no_size_is_not_decoded() -> None:
    with pytest.raises(Undecodable, match="damaged"):
        decode_bytes(b"\xff\xd8\x00" + jpeg(640, 480)[2:])


def limited() -> None:
    """What holds for the reading process."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY_BYTES, MOST_MEMORY_BYTES))


def test_the_command_refuses_pictures_of_any_format_in_little_memory(tmp_path: Path) -> None:
    for name, content in BOMBS.items():
        (tmp_path / f"bomb.{name}").write_bytes(content)
    ended = subprocess.run(
        [sys.executable, "-m", "device", "read", *sorted(map(str, tmp_path.iterdir()))],
        capture_output=True,
        text=True,
        timeout=120,
        preexec_fn=limited,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
    )
    answers = [json.loads(line) for line in ended.stdout.splitlines()]
    assert ended.returncode == 1 and len(answers) == len(BOMBS), ended.stderr
    assert all(set(answer) == {"image", "error"} for answer in answers)
    assert "Traceback" not in ended.stderr


def test_profiles_and_taught_dice_do_not_decode_huge_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cv2.imdecode", lambda *_: pytest.fail("decoded"))
    for content in (png(60_000, 60_000), jpeg(20_000, 20_000)):
        text = base64.b64encode(content).decode()
        taught = {
            "format": "croupier dice",
            "version": 1,
            "kind": "chance-cube",
            "body": None,
            "faces": {"red": [text]},
        }
        with pytest.raises(TaughtFileError, match="picture of a face"):
            read_taught(json.dumps(taught).encode())
        with pytest.raises(ProfileError, match="picture of the empty tray"):
            read_profile(json.dumps(sound_profile() | {"empty_tray": {"jpeg_base64": text}}).encode())


def sound_profile() -> dict[str, object]:
    """A profile that is read, without a picture."""
    from calibration.profile_file import MeasuredProfile
    from vision.profile import Profile, assumed_camera

    profile = Profile((640, 480), assumed_camera((640, 480), 400.0), False, None, None)
    whole: dict[str, object] = json.loads(
        write_profile(MeasuredProfile(profile, "2026-05-04", {}, "assumed", None, {}))
    )
    return whole


# Texts -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["[" * 5000, "a = " + "[" * 5000, "a = " + "1" * 5000, "[camera]\nfps = " + "9" * 4999, "\x00"]
)
def test_settings_that_no_parser_takes_are_a_fault_with_a_line(text: str) -> None:
    with pytest.raises(SettingsError, match=r"^settings.toml line 1|^settings.toml line 2"):
        parse_settings(text, Path("settings.toml"))


def test_settings_larger_than_any_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_bytes(b"# " + b"x" * 200_000)
    with pytest.raises(SettingsError, match="is larger than 100 kB"):
        load_settings(tmp_path / "settings.toml")


@pytest.mark.parametrize(
    "image", ["../../etc/passwd", "/etc/passwd", "link.jpg", "frames/../../x.jpg", "a\x1b[2J.jpg"]
)
def test_a_recording_reaches_nothing_outside_of_its_folder(tmp_path: Path, image: str) -> None:
    folder = tmp_path / "recording"
    folder.mkdir()
    (tmp_path / "x.jpg").write_bytes(jpeg(64, 64))
    (folder / "link.jpg").symlink_to("/etc/passwd")
    (folder / "frames.jsonl").write_text(json.dumps({"image": image, "t": 0, "rest": True, "dice": None}))
    with pytest.raises(RecordingError) as refused:
        load_recording(folder)
    assert str(refused.value).isprintable()


# Backups -----------------------------------------------------------------------------------------------------------


def backup(members: dict[str, bytes], packed: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A backup with these members, and a manifest that vouches for them."""
    sums = {name: sha256(content).hexdigest() for name, content in members.items()}
    manifest = {"format": "croupier-backup", "version": 1, "croupier": "0", "at": "", "sha256": sums}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", packed) as archive:
        archive.writestr("manifest.json", json.dumps(manifest))
        for name, content in members.items():
            archive.writestr(name, content)
    return out.getvalue()


def slipping(database: bytes = b"no database") -> bytes:
    return backup(
        {"croupier.db": database, "seat-key": b"key"}
        | {f"pictures/{way}.jpg": b"x" for way in ("../../escaped", "/tmp/escaped", "..\\escaped", "a/../../escaped")}  # noqa: S108
    )


def bombing() -> bytes:
    return backup({"croupier.db": bytes(200 * 2**20), "seat-key": b"key"})


def lying() -> bytes:
    """Says that the database is small, and unpacks to much more."""
    content = bytearray(bombing())
    directory = content.rindex(b"croupier.db") - 46
    content[directory + 24 : directory + 28] = struct.pack("<I", 1000)
    return bytes(content)


def listing_much() -> bytes:
    entry = b"PK\x01\x02" + bytes(24) + struct.pack("<H", 1) + bytes(16) + b"a"
    count = 300_000
    end = b"PK\x05\x06" + bytes(4) + struct.pack("<HHIIH", 0xFFFF, 0xFFFF, len(entry) * count, 0, 0)
    return entry * count + end


def packed_otherwise() -> bytes:
    return backup({"croupier.db": bytes(1000), "seat-key": b"key"}, zipfile.ZIP_LZMA)


def broken_inside() -> bytes:
    content = bytearray(backup({"croupier.db": os.urandom(5000), "seat-key": b"key"}))
    place = content.index(b"manifest.json") + len("manifest.json")
    content[place : place + 40] = b"\xff" * 40
    return bytes(content)


def nested() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("manifest.json", "[" * 100_000)
    return out.getvalue()


@pytest.mark.parametrize("make", [slipping, bombing, lying, listing_much, packed_otherwise, broken_inside, nested])
def test_a_hostile_backup_is_refused_and_leaves_nothing(tmp_path: Path, make: Callable[[], bytes]) -> None:
    data = tmp_path / "deep" / "data"
    data.mkdir(parents=True)
    (file := tmp_path / "backup.zip").write_bytes(make())
    with pytest.raises(BadBackup) as refused:
        stage_restore(file, data, "2026-05-04T20:15:00.000Z", lambda _: None)
    assert str(refused.value).isprintable()
    assert list(data.iterdir()) == [] and sorted(path.name for path in tmp_path.iterdir()) == ["backup.zip", "deep"]


def test_pictures_of_a_backup_land_among_the_pictures_or_nowhere(tmp_path: Path) -> None:
    data = tmp_path / "deep" / "deeper" / "data"
    data.mkdir(parents=True)
    open_store(sqlite_url(tmp_path / "sound.db"), "2026-05-04T20:15:00.000Z").close()
    (file := tmp_path / "backup.zip").write_bytes(slipping((tmp_path / "sound.db").read_bytes()))
    stage_restore(file, data, "2026-05-04T20:15:00.000Z", lambda _: None)
    assert list((data / "pictures.restored").iterdir()) == []
    assert not list(tmp_path.rglob("*escaped*")) and not Path("/tmp/escaped.jpg").exists()  # noqa: S108


def test_a_hostile_backup_takes_little_memory(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    for make in (bombing, lying, listing_much):
        (tmp_path / f"{make.__name__}.zip").write_bytes(make())
    program = (
        "import sys, resource, tracemalloc; from pathlib import Path\n"
        "from host.backup import BadBackup, stage_restore\n"
        "tracemalloc.start()\n"
        "for file in sys.argv[2:]:\n"
        "    try: stage_restore(Path(file), Path(sys.argv[1]), '2026-05-04T20:15:00.000Z', lambda _: None)\n"
        "    except BadBackup as error: print(error)\n"
        "print(tracemalloc.get_traced_memory()[1])\n"
    )
    files = sorted(map(str, tmp_path.glob("*.zip")))
    command = [sys.executable, "-c", program, str(tmp_path / "data"), *files]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    *refusals, most = ended.stdout.splitlines()
    # The largest database that is taken, 64 MB, twice for a moment.
    assert len(refusals) == 3 and int(most) < 150 * 2**20
