"""Bytes that are the same in every run: noise, text, numbers, and edits of them."""

from __future__ import annotations

import array
import hashlib
import pathlib
import random

KIB = 1024
MIB = 1024 * 1024


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def noise(size: int, seed: object) -> bytes:
    """Bytes that no compression shortens."""
    return random.Random(str(seed)).randbytes(size)


def write_noise(path: pathlib.Path, size: int, seed: object) -> str:
    """Fills a file and answers its SHA-256; holds little of it in memory."""
    digest, source = hashlib.sha256(), random.Random(str(seed))
    with open(path, "wb") as out:
        for start in range(0, size, 8 * MIB):
            piece = source.randbytes(min(8 * MIB, size - start))
            digest.update(piece)
            out.write(piece)
    return digest.hexdigest()


def text(size: int, seed: object) -> bytes:
    """Lines of words that do not repeat in long runs: two to three times shorter when compressed."""
    draw = random.Random(str(seed))
    words = [draw.randbytes(draw.randint(3, 8)).hex() for _ in range(500)]
    lines: list[str] = []
    length = 0
    while length < size:
        lines.append(" ".join(draw.choices(words, k=200)))
        length += len(lines[-1]) + 1
    return "\n".join(lines).encode()[:size]


def weights(count: int, seed: object) -> bytes:
    """32-bit floats around zero, as in a model: the client groups their bytes before it compresses them."""
    draw = random.Random(str(seed))
    some = [draw.gauss(0, 0.02) for _ in range(min(count, 100_000))]
    return array.array("f", (some[i % len(some)] * (1 + i // len(some)) for i in range(count))).tobytes()


def edited(data: bytes, spots: int, share: float, seed: object) -> bytes:
    """Overwrites this share of the bytes, in equal pieces that are spread evenly."""
    made = bytearray(data)
    piece = int(len(data) * share) // spots
    for i in range(spots):
        start = (2 * i + 1) * len(data) // (2 * spots)
        made[start : start + piece] = noise(piece, f"{seed} {i}")
    return bytes(made)
