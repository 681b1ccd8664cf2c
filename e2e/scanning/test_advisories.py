"""Ways past picklescan and fickling that their advisories and issues tell of, built by Python and by fickling: unsafe here."""

import importlib
import io
import operator
import pickle
import pkgutil
import struct
import zipfile
import zlib

import pytest
from fickling.fickle import (
    BinUnicode,
    EmptyTuple,
    Get,
    Global,
    Mark,
    Memoize,
    NewObj,
    NoneOpcode,
    Pickled,
    Pop,
    Proto,
    Put,
    Reduce,
    ShortBinUnicode,
    StackGlobal,
    Stop,
    Tuple,
    TupleOne,
)


class Call:
    """Pickled as a call of a function, whose arguments may be calls."""

    def __init__(self, function, *arguments):
        self._made = (function, arguments)

    def __reduce__(self):
        return self._made

    def __call__(self):
        """Python pickles a call of what another call answers only where that can be called."""


SYSTEM = Global.create("os", "system")
COMMAND = BinUnicode("id")


def dumped(*opcodes):
    return Pickled([*opcodes, Stop()]).dumps()


# Each as where it was reported: an advisory or an issue of picklescan (mmaitre314) or fickling (trailofbits).
PICKLES = {
    # picklescan GHSA-vvpj-8cmc-gx39: one function that finds any other.
    "resolve_name": pickle.dumps(Call(Call(pkgutil.resolve_name, "os:system"), "id")),
    # picklescan issue 66.
    "import_module": pickle.dumps(Call(getattr, Call(importlib.import_module, "os"), "system")),
    "attrgetter": pickle.dumps(Call(Call(operator.attrgetter, "system"), Call(importlib.import_module, "os"))),
    # picklescan issue 14: PUT and MEMOIZE number the memo differently.
    "memo numbers": dumped(
        Proto.create(4),
        ShortBinUnicode("os"),
        Put(0),
        Pop(),
        ShortBinUnicode("system"),
        Put(1),
        Pop(),
        ShortBinUnicode("torch._utils"),
        Put(7),
        Pop(),
        Get.create(0),
        Get.create(1),
        StackGlobal(),
        COMMAND,
        TupleOne(),
        Reduce(),
    ),
    # picklescan issue 22: the operand of STACK_GLOBAL comes out of the memo.
    "memo operand": dumped(
        Proto.create(4),
        ShortBinUnicode("os"),
        Memoize(),
        Pop(),
        ShortBinUnicode("collections"),
        Pop(),
        Get.create(0),
        ShortBinUnicode("system"),
        StackGlobal(),
        COMMAND,
        TupleOne(),
        Reduce(),
    ),
    # fickling: the answer of a call is dropped, and the call with it.
    "dropped answer": dumped(SYSTEM, COMMAND, TupleOne(), Reduce(), Pop(), NoneOpcode()),
    # The call is made although nothing can be loaded afterwards.
    "broken after the call": dumped(SYSTEM, COMMAND, TupleOne(), Reduce())[:-1] + b"\xff\xff",
    "a second pickle": pickle.dumps({"a": 1}) + dumped(SYSTEM, COMMAND, TupleOne(), Reduce()),
    "by MARK and TUPLE": dumped(SYSTEM, Mark(), COMMAND, Tuple(), Reduce()),
    "by NEWOBJ": dumped(Global.create("subprocess", "Popen"), Mark(), COMMAND, Tuple(), NewObj()),
    "without arguments": dumped(Global.create("code", "interact"), EmptyTuple(), Reduce()),
    # picklescan GHSA-f7qq-56ww-84cr: a submodule of a listed module.
    "submodule": dumped(Global.create("asyncio.unix_events", "_UnixSubprocessTransport._start"), COMMAND, TupleOne(), Reduce()),
    # picklescan CVE-2025-1716.
    "pip": dumped(Global.create("pip", "main"), COMMAND, TupleOne(), Reduce()),
    # picklescan GHSA-xp4f-hrf8-rxw7.
    "ensurepip": dumped(Global.create("ensurepip", "_run_pip"), COMMAND, TupleOne(), Reduce()),
    # picklescan GHSA-v7x6-rv5q-mhwc.
    "timeit": dumped(Global.create("timeit", "timeit"), COMMAND, TupleOne(), Reduce()),
}


@pytest.mark.parametrize("name", PICKLES)
def test_a_pickle_of_an_advisory_is_unsafe_under_any_name(judge, name):
    # picklescan GHSA-jgw4-cr84-mqxg: the extension chose how a file was read.
    for path in ["x.pkl", "pytorch_model.bin", "x.pt", "x.dat"]:
        assert judge.status(path, PICKLES[name]) == "unsafe", path


def archive(member="archive/data.pkl", compression=zipfile.ZIP_STORED):
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", compression) as made:
        made.writestr(member, PICKLES["resolve_name"])
        made.writestr("archive/version", "3\n")
    return target.getvalue()


def changed(content, signature, offset, value):
    """Every header that begins with `signature` gets `value` at `offset`."""
    made = bytearray(content)
    at = made.find(signature)
    while at >= 0:
        made[at + offset : at + offset + len(value)] = value
        at = made.find(signature, at + 4)
    return bytes(made)


LOCAL, CENTRAL = b"PK\3\4", b"PK\1\2"
FLAGS = [struct.pack("<H", bit) for bit in (0x1, 0x20, 0x40)]

ARCHIVES = {
    "as it is": archive(),
    "compressed": archive(compression=zipfile.ZIP_DEFLATED),
    # CVE-2025-10156: Python's zipfile raises for a wrong CRC, torch does not look.
    "a wrong CRC": changed(archive(), CENTRAL, 16, struct.pack("<I", zlib.crc32(b"other"))),
    # picklescan GHSA-7q5r-7gvp-wc82: flags that make zipfile raise.
    **{f"flag {int.from_bytes(flag, 'little'):#x}": changed(changed(archive(), LOCAL, 6, flag), CENTRAL, 8, flag) for flag in FLAGS},
    # zipfile compares both names, torch takes the one in the directory.
    "another local name": changed(archive(), LOCAL, 30, b"archive/dato"),
    # Other programs than torch load members by other names.
    "a member without extension": archive("archive/data"),
    "a member of another extension": archive("archive/model.txt"),
    "before other bytes": b"GIF89a" + archive(),
    "after a pickle": pickle.dumps({"a": 1}) + archive(),
}


@pytest.mark.parametrize("name", ARCHIVES)
def test_an_archive_of_an_advisory_is_unsafe(judge, name):
    for path in ["x.pt", "pytorch_model.bin"]:
        assert judge.status(path, ARCHIVES[name]) == "unsafe", path

