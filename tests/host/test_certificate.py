"""The appliance's own certificate: who may read its keys, what it vouches for, and a connection that trusts it."""

import ssl
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.request import urlopen

from cryptography import x509

from host.certificate import own_certificate
from tests.host.running import RunningHost

NOW = datetime(2026, 5, 4, 20, 15, tzinfo=UTC)
NAMES = ("192.168.1.5", "localhost", "croupier.local")


def test_keys_are_nobody_elses(tmp_path: Path) -> None:
    files = own_certificate(tmp_path / "https", NAMES, NOW)
    for key in (files.key, files.key.with_name("authority.key")):
        assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert stat.S_IMODE(files.key.parent.stat().st_mode) == 0o700


def test_the_authority_stays_and_the_certificate_follows_the_addresses(tmp_path: Path) -> None:
    first = own_certificate(tmp_path / "https", NAMES, NOW)
    authority, certificate = first.authority.read_bytes(), first.certificate.read_bytes()
    assert own_certificate(tmp_path / "https", NAMES, NOW).certificate.read_bytes() == certificate
    moved = own_certificate(tmp_path / "https", ("10.0.0.7",), NOW)
    assert moved.authority.read_bytes() == authority and moved.certificate.read_bytes() != certificate
    soon = own_certificate(tmp_path / "https", ("10.0.0.7",), NOW + timedelta(days=380))
    assert x509.load_pem_x509_certificate(soon.certificate.read_bytes()).not_valid_after_utc > NOW + timedelta(
        days=700
    )


def test_it_vouches_for_a_house_alone(tmp_path: Path) -> None:
    files = own_certificate(tmp_path / "https", (*NAMES, "8.8.8.8", "bank.example"), NOW)
    held = x509.load_pem_x509_certificate(files.certificate.read_bytes()).extensions
    names = held.get_extension_for_class(x509.SubjectAlternativeName).value
    assert [str(name.value) for name in names] == list(NAMES)
    authority = x509.load_pem_x509_certificate(files.authority.read_bytes()).extensions
    assert authority.get_extension_for_class(x509.NameConstraints).critical


def test_a_phone_that_trusts_it_connects(tmp_path: Path) -> None:
    host = RunningHost(tmp_path / "data", "--https", "--https-port", "0")
    try:
        secure = (tmp_path / "data" / "address-https").read_text(encoding="ascii").strip()
        authority = host.call("GET", "/https/authority.crt")
        assert authority.headers.get_content_type() == "application/x-x509-ca-cert"
        trusting = ssl.create_default_context(cadata=authority.body.decode())
        with urlopen(f"{secure}/api/v1/health", context=trusting) as answer:
            assert answer.status == 200
        page = host.call("GET", "/https").body.decode()
        assert secure.rpartition(":")[2] in page and "iPhone" in page and "Android" in page
    finally:
        assert host.stop() == 0


def test_without_it_there_is_no_page_of_it(shared_host: RunningHost) -> None:
    assert shared_host.call("GET", "/https").status == 404
