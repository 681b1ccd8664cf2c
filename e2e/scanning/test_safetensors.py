"""What the Rust library accepts, we accept; what it refuses, we refuse."""

import json
import random
import re
import struct

import numpy as np
import pytest
import torch
from huggingface_hub.utils import SafetensorsFileMetadata, TensorInfo
from safetensors import SafetensorError, deserialize
from safetensors.torch import save

DTYPES = "BOOL U8 I8 F8_E4M3 F8_E5M2 F8_E8M0 I16 U16 F16 BF16 I32 U32 F32 I64 U64 F64 C64 F6_E2M3 F6_E3M2 F4 FP4 E8M0".split()


def is_accepted(content):
    try:
        deserialize(content)
        return True
    except SafetensorError:
        return False


def file_of(header, data):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def originals():
    yield save({"a": torch.zeros(3, 4), "b": torch.ones(2, dtype=torch.bfloat16)}, {"format": "pt"})
    yield save({"x": torch.zeros((), dtype=torch.int64), "y": torch.zeros(0, 3), "z": torch.zeros(5, dtype=torch.uint8)})
    yield save({})
    for dtype in DTYPES:
        size = int((re.findall(r"\d+", dtype) or [8])[0])
        yield file_of({"t": {"dtype": dtype, "shape": [8], "data_offsets": [0, size]}}, bytes(size))


def mutated(content, random):
    (length,) = struct.unpack("<Q", content[:8])
    header, data = bytearray(content[8 : 8 + length]), content[8 + length :]
    kind = random.randrange(9)
    if kind == 0:
        return content[: random.randrange(len(content))]
    if kind == 1:
        return content + bytes(random.randrange(1, 9))
    if kind == 2:
        return struct.pack("<Q", random.choice([0, 1, length - 1, length + 1, 2**63, 10**8 + 1, 2**32])) + content[8:]
    if kind == 3:
        at = random.randrange(len(content))
        return content[:at] + bytes([random.randrange(256)]) + content[at + 1 :]
    for _ in range(random.randrange(1, 4)):
        at = random.randrange(len(header) + 1)
        if kind == 4:
            header[at : at + 1] = bytes([random.randrange(256)])
        elif kind == 5:
            header[at:at] = random.choice([b" ", b"\n", b"\\u0041", b'"', b"0", b"-", b".", b"e1", b",", b"[", b"]", b"{", b"}", b"\x00", b"\xc3\xa4", b"\xff", b"null"])
        elif kind == 6:
            del header[at : at + random.randrange(1, 4)]
        elif kind == 7:
            digits = [i for i, byte in enumerate(header) if 48 <= byte <= 57]
            if digits:
                header[random.choice(digits)] = 48 + random.randrange(10)
        else:
            end = min(len(header), at + random.randrange(1, 60))
            header[at:at] = header[at:end]
    return file_of(bytes(header), data)


def test_10_000_mutated_files_are_taken_as_the_library_takes_them(judge):
    source = random.Random(18)
    bases = list(originals())
    accepted = 0
    for i in range(10_000):
        content = mutated(source.choice(bases), source)
        expected = is_accepted(content)
        accepted += expected
        facts = judge.facts("model.safetensors", content)
        assert facts["isLoadable"] == expected, (i, content, facts["problems"])
        if not expected:
            assert facts["problems"], (i, content)
    assert 300 < accepted < 9700


@pytest.mark.parametrize("content", list(originals()))
def test_files_of_the_library_are_loadable(judge, content):
    assert judge.facts("model.safetensors", content)["isLoadable"] == is_accepted(content)


@pytest.mark.parametrize(
    "header",
    [
        b'{"a":["U8",[1],[0,1]]}',
        b'{"a":["U8",[1],[0,1],1]}',
        b'{"__metadata__":null,"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}',
        b'{"__metadata__":{"x":1},"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}',
        b'{"__metadata__":{},"__metadata__":{},"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}',
        b'{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}',
        b'{"a":{"dtype":"U8","dtype":"U8","shape":[1],"data_offsets":[0,1]}}',
        b'{"a":{"dtype":"U8","x":1e999,"shape":[1],"data_offsets":[0,1]}}',
        b'{"a":{"dtype":"U8","x":"\\ud800","shape":[1],"data_offsets":[0,1]}}',
        b'{"a":{"dtype":"U8","shape":[18446744073709551616],"data_offsets":[0,1]}}',
        b'{"a":{"dtype":"U8","shape":[4294967296,4294967296,0],"data_offsets":[0,1]}}',
        b'\xef\xbb\xbf{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}',
        *(b'{"a":{"dtype":"U8","x":' + b"[" * n + b"]" * n + b',"shape":[1],"data_offsets":[0,1]}}' for n in (124, 125, 126)),
    ],
)
def test_corners_of_the_library_are_ours(judge, header):
    content = file_of(header, b"0")
    assert judge.facts("model.safetensors", content)["isLoadable"] == is_accepted(content)


def test_parameters_are_those_of_huggingface_hub(judge):
    tensors = {"a": torch.zeros(3, 4), "b": torch.zeros(7, dtype=torch.float16), "c": torch.zeros(2, 2, 2, dtype=torch.int8)}
    content = save(tensors)
    (length,) = struct.unpack("<Q", content[:8])
    header = json.loads(content[8 : 8 + length])
    infos = {name: TensorInfo(dtype=e["dtype"], shape=e["shape"], data_offsets=tuple(e["data_offsets"])) for name, e in header.items()}
    theirs = SafetensorsFileMetadata(metadata={}, tensors=infos).parameter_count
    facts = judge.facts("model.safetensors", content)
    assert facts["parametersByDtype"] == theirs
    assert facts["parameters"] == sum(np.prod(tensor.shape) for tensor in tensors.values())
