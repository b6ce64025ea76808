"""A certificate of the appliance's own, so that phones may connect over HTTPS in a house without the internet.

The appliance has an authority of its own, made once. People let their phones trust it; it may vouch for addresses
within a house alone, so that nobody who steals its key could pass for a bank. It signs the host's certificate anew
whenever the host's addresses change or the certificate is about to expire.
"""

import ipaddress
import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

AUTHORITY_DAYS = 3_650
HOST_DAYS = 397
"""Apple's phones take none that is valid for longer than 398 days, or 825 from an authority of one's own."""

RENEWED_DAYS_BEFORE = 30

HOUSE_NETWORKS = (
    "10.0.0.0/8",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "169.254.0.0/16",
    "127.0.0.0/8",
    "fc00::/7",
    "fe80::/10",
    "::1/128",
)
"""Addresses that mean something within a house or a machine alone (RFC 1918, 3927, 4193, 4291)."""

HOUSE_NAMES = ("localhost", "local")


@dataclass(frozen=True, slots=True)
class CertificateFiles:
    """Where the authority's certificate lies, for phones, and the host's with its key, for the server."""

    authority: Path
    certificate: Path
    key: Path


def own_certificate(directory: Path, names: Sequence[str], now: datetime) -> CertificateFiles:
    """The files in ``directory``, made or made anew where they must be. ``names`` are addresses and host names.

    Keys are readable by their owner alone. Raises ``OSError``, and ``ValueError`` for files that are none.
    """
    directory.mkdir(mode=0o700, exist_ok=True)
    files = CertificateFiles(directory / "authority.crt", directory / "host.crt", directory / "host.key")
    authority_key = directory / "authority.key"
    wanted = [_general(name) for name in names if _is_of_house(name)]
    if not (files.authority.exists() and authority_key.exists()):
        key = ec.generate_private_key(ec.SECP256R1())
        _write(authority_key, _key_text(key), 0o600)
        _write(files.authority, _authority(key, now).public_bytes(serialization.Encoding.PEM), 0o644)
        files.certificate.unlink(missing_ok=True)
    if not _still_fits(files, wanted, now):
        signer = serialization.load_pem_private_key(authority_key.read_bytes(), password=None)
        if not isinstance(signer, ec.EllipticCurvePrivateKey):
            raise ValueError(f"{authority_key} holds no key of this program")
        key = ec.generate_private_key(ec.SECP256R1())
        issuer = x509.load_pem_x509_certificate(files.authority.read_bytes())
        certificate = _host(key, signer, issuer, wanted, now)
        _write(files.key, _key_text(key), 0o600)
        _write(files.certificate, certificate.public_bytes(serialization.Encoding.PEM), 0o644)
    return files


def _authority(key: ec.EllipticCurvePrivateKey, now: datetime) -> x509.Certificate:
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"Croupier {os.urandom(3).hex()}")])
    permitted: list[x509.GeneralName] = [x509.IPAddress(ipaddress.ip_network(net)) for net in HOUSE_NETWORKS]
    permitted += [x509.DNSName(house_name) for house_name in HOUSE_NAMES]
    usage = x509.KeyUsage(
        digital_signature=False,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=True,
        crl_sign=True,
        encipher_only=False,
        decipher_only=False,
    )
    return (
        _builder(name, name, key, now, AUTHORITY_DAYS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.NameConstraints(permitted, None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )


def _host(
    key: ec.EllipticCurvePrivateKey,
    signer: ec.EllipticCurvePrivateKey,
    issuer: x509.Certificate,
    names: Sequence[x509.GeneralName],
    now: datetime,
) -> x509.Certificate:
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Croupier host")])
    return (
        _builder(subject, issuer.subject, key, now, HOST_DAYS)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False)
        .sign(signer, hashes.SHA256())
    )


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, now: datetime, days: int
) -> x509.CertificateBuilder:
    # A day back: the clocks of phones and of a Pi without a battery do not agree.
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=days - 1))
    )


def _still_fits(files: CertificateFiles, names: Sequence[x509.GeneralName], now: datetime) -> bool:
    if not (files.certificate.exists() and files.key.exists()):
        return False
    certificate = x509.load_pem_x509_certificate(files.certificate.read_bytes())
    held = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return list(held) == list(names) and certificate.not_valid_after_utc > now + timedelta(days=RENEWED_DAYS_BEFORE)


def _general(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _is_of_house(name: str) -> bool:
    """
    >>> _is_of_house("192.168.1.5"), _is_of_house("croupier.local"), _is_of_house("8.8.8.8")
    (True, True, False)
    """
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return name == "localhost" or name.endswith(".local")
    return any(address in ipaddress.ip_network(net) for net in HOUSE_NETWORKS)


def _key_text(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def _write(path: Path, text: bytes, mode: int) -> None:
    new = path.with_name(path.name + ".new")
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
        file.write(text)
    new.replace(path)
