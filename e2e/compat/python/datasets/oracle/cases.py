"""Small datasets of many kinds. Each is one config of a repo: one repo for each builder."""

from __future__ import annotations

import bz2
import codecs
import dataclasses
import datetime
import decimal
import gzip
import io
import json
import lzma
import zipfile

import pyarrow
import pyarrow.parquet
from datasets import Array2D, ClassLabel, Dataset, Features, List, Translation, Value


@dataclasses.dataclass(frozen=True)
class Case:
    """`files` by path below the config's own folder; `splits` by name, as patterns; `card`: further keys of the config."""

    files: dict[str, bytes]
    splits: dict[str, str] = dataclasses.field(default_factory=lambda: {"train": "*"})
    card: str = ""
    # Both refuse: the viewer's error code.
    fails: str = ""
    # Why `/info` leaves the columns to the library.
    inexact: str = ""
    # Why the library refuses what the viewer shows; then columns and rows are these.
    lenient: str = ""
    rows: list[dict] = dataclasses.field(default_factory=list)


def text(content: str, name: str = "data.csv", **more: object) -> Case:
    return Case({name: content.encode()}, **more)


def column(*values: object, name: str = "a") -> str:
    """CSV of one column beside a number: a file of one column alone is a case of its own."""
    return f"n,{name}\n" + "".join(f"{i},{value}\n" for i, value in enumerate(values))


def labelled(names: list[str]) -> str:
    listed = "".join(f"          '{i}': {name}\n" for i, name in enumerate(names))
    return f"  features:\n  - name: n\n    dtype: int64\n  - name: a\n    dtype:\n      class_label:\n        names:\n{listed}"


NO_ROWS = "a split without rows corresponds to no data"
MANY = "more columns than are shown"
FEWER = "a file without a column leaves it empty"

CSV = {
    "integers": text(column(*range(-20, 80))),
    "integers-with-gaps": text(column(1, "", 3, "NA", 5)),
    "fractions": text(column(0.5, -1.25, 3e-7, 1e22, 2)),
    "booleans": text(column("true", "False", "TRUE", "false")),
    "booleans-with-gaps": text(column("true", "", "false", "NaN")),
    "numbers-and-words": text(column(1, "two", 3.5)),
    "booleans-and-words": text(column("true", "yes", "no")),
    "dates": text(column("2020-01-01", "2021-02-03", "1999-12-31")),
    "times": text(column("2020-01-01 10:00:00", "2020-01-01 11:30:00", "2020-01-02 00:00:01")),
    "leading-zeros": text(column("007", "012", "100")),
    "signs": text(column("+5", "-5", "-0")),
    "largest": text(column(2**63 - 1, -(2**63), 0)),
    "unsigned": text(column(2**64 - 1, 2**63)),
    "beyond-64-bits": text(column(2**64, 1), fails="DatasetGenerationError"),
    "infinities": text(column("inf", "-inf", 1.5, "1e400")),
    "spellings-of-nothing": text(column("NULL", "null", "None", "n/a", "<NA>", "#N/A", "-nan", "x")),
    "only-nothing": text(column("", "", "")),
    "quotes": text('n,a\n1,"x, ""y"""\n2,"line\nbreak"\n3,"12"\n'),
    "spaces": text("n,a\n1, x \n2,\ty\n"),
    "windows-lines": text("n,a\r\n1,x\r\n2,y\r\n"),
    "byte-order-mark": text("\ufeffn,a\n1,ü\n"),
    "unicode": text("n,größe 📏\n1,日本語\n2,עברית\n3,e\u0301\n4,👩‍👩‍👧\n5,\u00a0\n"),
    "names-twice": text("a,b,a,a\n1,2,3,4\n"),
    "no-rows": text("a,b\n", lenient=NO_ROWS),
    "no-bytes": text("", fails="EmptyDatasetError"),
    "one-column": text("a\n1\n2\n3\n", inexact="pandas leaves out blank lines, which are nulls here"),
    "wide": text(f"{','.join(f'c{i}' for i in range(5000))}\n" + f"{','.join(map(str, range(5000)))}\n" * 3, inexact=MANY),
    "semicolons": text("n;a\n1;1,5\n2;2,25\n", card="  sep: ';'\n  decimal: ','\n"),
    "own-names": text("1,x\n2,y\n", card="  column_names: [n, a]\n"),
    "own-nulls": text(column("x", "missing", "y"), card="  na_values: missing\n"),
    "own-nulls-alone": text(column("x", "missing", "NA"), card="  na_values: [missing]\n  keep_default_na: false\n"),
    "skipped-lines": text(f"made by hand\n\n{column(1, 2)}", card="  skiprows: 2\n"),
    "skipped-lines-by-number": text(f'"made\nby hand"\nn,a\n\n1,x\n2,y\n', card="  skiprows: [0, 3]\n"),
    "skipped-windows-lines": text("made, by, hand\r\n\r\nn,a\r\n1,x\r\n", card="  skiprows: 1\n"),
    "header-below-a-blank-line": text("\nmade,by,hand\n\nn,a\n1,2\n", card="  header: 1\n"),
    "thousands": text('n,a\n1,"1,234"\n2,"1,234,567"\n', card="  thousands: ','\n"),
    "thousands-and-fractions": text("n;a;b\n1;1.234,5;1.2\n2;-1.234.567,25;x\n", card="  sep: ';'\n  thousands: '.'\n  decimal: ','\n"),
    "points-that-are-no-decimals": text("n;a\n1;1.5\n2;2\n", card="  sep: ';'\n  decimal: ','\n"),
    "comments": text("# made by hand\nn,a\n1,x # first\n# none\n2,y\n", card="  comment: '#'\n"),
    "comments-and-quotes": text('n,a,b\n1,"#x ""#",#y\n\n2,z"#,b\r\n#\r\n3,"c\n#d",e\n', card="  comment: '#'\n"),
    "comments-and-header": text("#\nmade,by\n# hand\nn,a\n1,x\n", card="  comment: '#'\n  header: 1\n"),
    "latin-1": Case({"data.csv": "n,größe\n1,süß\x85\n".encode("latin-1")}, card="  encoding: latin-1\n"),
    "utf-16": Case({"data.csv": "n,größe\n1,süß 👩\n".encode("utf-16")}, card="  encoding: utf-16\n"),
    "utf-16-of-the-other-order": Case({"data.csv": codecs.BOM_UTF16_BE + "n,größe\n1,süß\n".encode("utf-16-be")}, card="  encoding: utf-16\n"),
    "byte-order-mark-and-comment": text("\ufeff# x\nn,a\n1,ü\n", card="  comment: '#'\n"),
    "header-further-down": text(f"made,by,hand\n{column(1, 2)}", card="  header: 1\n"),
    "other-quotes": text("n,a\n1,'x, ''y'''\n2,\"z\n", card="  quotechar: \"'\"\n"),
    "escapes": text('n,a\n1,"x \\"y\\""\n2,z\n', card="  escapechar: '\\'\n"),
    "further-columns": Case({"a.csv": b"n,a\n1,x\n", "b.csv": b"n,a,b\n2,y,z\n"}, fails="DatasetGenerationCastError"),
    "fewer-columns": Case({"a.csv": b"n,a,b\n1,x,z\n", "b.csv": b"n,a\n2,y\n"}, lenient=FEWER, rows=[{"n": 1, "a": "x", "b": "z"}, {"n": 2, "a": "y", "b": None}]),
    "labels-by-name": text(column("good", "bad", "good"), card=labelled(["good", "bad", "never"])),
    "labels-by-number": text(column(1, 0, -1, 1), card=labelled(["good", "bad", "never"])),
    "two-splits": Case({"a.csv": b"n,a\n1,x\n", "b.csv": b"n,a\n2,y\n3,z\n"}, {"train": "a.csv", "test": "b.csv"}),
    "columns-in-another-order": Case({"a.csv": b"n,a\n1,x\n", "b.csv": b"a,n\ny,2\n"}, lenient="pandas' columns are joined by their places", rows=[{"n": 1, "a": "x"}, {"n": 2, "a": "y"}]),
    "gap-in-the-second-chunk": text(column(*range(10_000), "", 7)),
    "gzip": Case({"data.csv.gz": gzip.compress(column(*range(50)).encode(), mtime=0)}),
    "bzip2": Case({"data.csv.bz2": bz2.compress(column(*range(50)).encode())}),
    "bzip2-of-many-blocks": Case({"data.csv.bz2": bz2.compress(column(*range(40_000)).encode(), 1) + bz2.compress(b"40000,-1\n")}),
    "xz": Case({"data.csv.xz": lzma.compress(column(*range(50)).encode())}),
    "few-words": text(column(*["a", "b", "c"] * 40)),
    "many-words": text(column(*[f"word {i:03}" * (1 + i % 4) for i in range(120)])),
}


def lines(*rows: object, name: str = "data.jsonl", **more: object) -> Case:
    return Case({name: "".join(json.dumps(row) + "\n" for row in rows).encode()}, **more)


def nested(depth: int) -> object:
    return {"x": nested(depth - 1)} if depth else 1


JSON = {
    "scalars": lines(*({"i": i, "f": i / 4, "s": f"s{i}", "b": i % 2 == 0} for i in range(30))),
    "nothing": lines({"a": 1, "b": None}, {"a": 2, "b": None}),
    "missing-keys": lines({"a": 1}, {"b": "x"}, {}, {"a": 2, "c": [1]}),
    "struct": lines({"o": {"x": 1, "y": "a"}}, {"o": None}, {"o": {"x": 2, "y": None}}),
    "keys-in-another-order": lines({"o": {"x": 1, "y": "a"}}, {"o": {"y": "b", "x": 2}}),
    "structs-that-differ": lines({"o": {"x": 1}}, {"o": {"y": 2}}),
    "deep": lines({"a": nested(20)}),
    "lists": lines({"l": [1, 2]}, {"l": []}, {"l": None}, {"l": [3, None]}),
    "lists-of-lists": lines({"l": [[1.5], []]}, {"l": [[2, None]]}),
    "lists-of-structs": lines({"l": [{"x": 1, "y": ["a"]}, {"x": 2, "y": []}]}, {"l": []}),
    "lists-of-structs-that-differ": lines({"l": [{"x": 1}, {"y": 2}]}),
    "empty-lists": lines({"a": 1, "l": []}, {"a": 2, "l": []}),
    "empty-objects": lines({"a": 1, "o": {}}, {"a": 2, "o": {}}),
    "numbers-and-words": lines({"a": 1}, {"a": "x"}, {"a": 2.5}),
    "objects-and-words": lines({"a": {"x": 1}}, {"a": "x"}),
    "booleans-and-numbers": lines({"a": True}, {"a": 1}),
    "mixed-lists": lines({"l": [1, "x", None]}),
    "largest": lines({"a": 2**63 - 1}, {"a": -(2**63)}),
    "beyond-64-bits": lines({"a": 2**63}, {"a": 1}),
    "dates": lines({"d": "2020-01-31", "w": "2020-01-32"}, {"d": "1969-12-31", "w": "x"}),
    "times": lines({"t": "2020-01-01T10:00:00Z", "f": "2020-01-01T10:00:00.5"}, {"t": "2020-01-01 10:00:01", "f": "2020-01-01T10:00:01.5"}),
    "times-with-zones": lines({"t": "2020-01-01T10:00:00+02:00", "o": {"l": ["2020-01-01 10:00:00-0130"]}}, {"t": "2020-01-01T10:00:00Z", "o": {"l": []}}, {"t": None, "o": None}),
    "times-without-seconds": lines({"t": "2020-01-01T10:30", "h": "2020-01-01 10", "z": "2020-01-01T10:30+05"}, {"t": "2020-01-01", "h": None, "z": "2020-01-01T23:59Z"}),
    "escapes": text('{"a": "\\u00fc \\ud83d\\ude00 \\n \\"", "é \\t": 1}\n', "data.jsonl"),
    "unicode": lines({"日本": "ünïcödé 👩‍👩‍👧", "a b": 1, 'q"q': 2, "d.d": 3}),
    "list-of-objects": text('[{"a": 1, "s": "x"},\n {"a": 2, "s": null}]', "data.json"),
    "list-of-words": text('["x", "y z", "ü"]', "data.json"),
    "one-column": lines({"a": 1}, {"a": 2}),
    "no-bytes-first": Case({"a.jsonl": b"", "b.jsonl": b'{"a": 1}\n'}),
    "no-bytes": text("", "data.jsonl", fails="EmptyDatasetError"),
    "damaged": text('{"a": 1}\n{"a": \n', "data.jsonl", fails="DatasetGenerationError"),
    "words-of-numbers": lines({"a": "1"}, {"a": "2"}),
    "further-columns": Case({"a.jsonl": b'{"a": 1}\n', "b.jsonl": b'{"a": 2, "b": 3}\n'}, fails="DatasetGenerationCastError"),
    "fewer-columns": Case({"a.jsonl": b'{"a": 1, "b": 2}\n', "b.jsonl": b'{"a": 2}\n'}),
    "a-column-without-values-that-others-lack": Case({"a.jsonl": b'{"a": 1}\n', "b.jsonl": b'{"a": 2, "b": null}\n'}, fails="DatasetGenerationCastError"),
    "further-columns-in-a-list": Case({"a.json": b'[{"a": 1}]', "b.json": b'[{"a": 2, "b": 3}]'}, fails="DatasetGenerationCastError"),
    "two-splits": Case({"a.jsonl": b'{"a": 1}\n', "b.jsonl": b'{"a": 2}\n{"a": 3}\n'}, {"train": "a.jsonl", "test": "b.jsonl"}),
}


def stored(table: pyarrow.Table, **options: object) -> bytes:
    out = io.BytesIO()
    pyarrow.parquet.write_table(table, out, **options)
    return out.getvalue()


def arrays(**columns: object) -> pyarrow.Table:
    return pyarrow.table(columns)


def known(features: Features, rows: dict) -> pyarrow.Table:
    """A table with the library's own types in its metadata."""
    return Dataset.from_dict(rows, features=features).data.table


DAY = datetime.date(2024, 2, 29)
NOON = datetime.datetime(2024, 2, 29, 12, 30, 15, 250)
HOUR = datetime.timedelta(hours=1)

# Tables that Parquet and Arrow files hold alike.
TABLES = {
    "integers": arrays(**{f"{kind}int{bits}": pyarrow.array([0, 100, None, 7], f"{kind}int{bits}") for kind in ("", "u") for bits in (8, 16, 32, 64)}),
    "floats": arrays(
        half=pyarrow.array([1.5, -2, None, 0.25], pyarrow.float16()),
        single=pyarrow.array([0.1, float("nan"), None, 3], pyarrow.float32()),
        double=pyarrow.array([0.1, float("inf"), None, -1e300]),
    ),
    "decimals": arrays(
        small=pyarrow.array([decimal.Decimal("1.10"), None, decimal.Decimal("-0.05")], pyarrow.decimal128(9, 2)),
        large=pyarrow.array([decimal.Decimal("12345678901234567890.123456789"), decimal.Decimal(1), None], pyarrow.decimal128(38, 9)),
        huge=pyarrow.array([decimal.Decimal(10) ** 60, decimal.Decimal(-1), None], pyarrow.decimal256(76, 0)),
    ),
    "dates": arrays(d32=pyarrow.array([DAY, None, datetime.date(1900, 1, 1)], pyarrow.date32()), n=[1, 2, 3]),
    "times-of-day": arrays(
        ms=pyarrow.array([datetime.time(1, 2, 3), None], pyarrow.time32("ms")),
        us=pyarrow.array([datetime.time(23, 59, 59, 999999), None], pyarrow.time64("us")),
    ),
    "timestamps": arrays(**{unit: pyarrow.array([NOON.replace(microsecond=0) + HOUR * i for i in range(50)] + [None], pyarrow.timestamp(unit)) for unit in ("ms", "us", "ns")}),
    "timestamps-with-fractions": arrays(us=pyarrow.array([NOON, None], pyarrow.timestamp("us"))),
    "timestamps-with-zones": arrays(t=pyarrow.array([NOON.replace(tzinfo=datetime.timezone.utc), None], pyarrow.timestamp("us", "UTC"))),
    "durations": arrays(d=pyarrow.array([HOUR, -HOUR, HOUR * 48, None], pyarrow.duration("us")), n=[1, 2, 3, 4]),
    "binary": arrays(b=[b"\x00\xff", b"", None], f=pyarrow.array([b"abcd", None, b"efgh"], pyarrow.binary(4)), n=[1, 2, 3]),
    "strings": arrays(s=["a", "ü", None, ""], l=pyarrow.array(["x", None, "日本", "z"], pyarrow.large_string())),
    "dictionary": arrays(d=pyarrow.array(["a", "b", "a", None]).dictionary_encode()),
    "structs": arrays(s=[{"x": 1, "y": {"z": ["a"]}}, None, {"x": None, "y": None}], n=[1, 2, 3]),
    "lists": arrays(l=[[1, 2], None, [], [None]], ll=[[["a"], []], None, [], [None]], ls=[[{"x": 1.5}], [], None, [None]]),
    "large-lists": arrays(l=pyarrow.array([[1], None, []], pyarrow.large_list(pyarrow.int64()))),
    "fixed-lists": arrays(l=pyarrow.array([[1, 2], [3, 4]], pyarrow.list_(pyarrow.int32(), 2))),
    "no-rows": arrays(a=pyarrow.array([], pyarrow.int64()), s=pyarrow.array([], pyarrow.string())),
    "one-column": arrays(only=[3, 1, 2]),
    "wide": pyarrow.table({f"c{i}": [i, -i] for i in range(5000)}),
    "booleans": arrays(b=[True, None, False, True]),
    "unicode-names": pyarrow.table({"größe 📏": [1], "a.b": [2], 'q"q': [3], "": [4]}),
    "labels": known(Features({"l": ClassLabel(names=["no", "yes", "never"]), "n": Value("int32")}), {"l": [0, 1, -1, 1, None], "n": [1, 2, 3, 4, 5]}),
    "arrays": known(Features({"a": Array2D((2, 3), "float32"), "n": Value("int64")}), {"a": [[[1, 2, 3], [4, 5, 6]]] * 2, "n": [1, 2]}),
    "translations": known(Features({"t": Translation(["en", "de"])}), {"t": [{"en": "one", "de": "eins"}, {"en": "two", "de": "zwei"}]}),
    "lists-of-labels": known(Features({"l": List(ClassLabel(names=["x", "y"]))}), {"l": [[0, 1], []]}),
    "one-value": arrays(i=[7] * 20, f=[1.5] * 20, s=["same"] * 20),
    "spread": arrays(i=[i * i for i in range(200)], f=[(i * 37 % 200) / 8 for i in range(200)], s=[f"text {'x' * (i % 17)}{i}" for i in range(200)], l=[list(range(i % 9)) for i in range(200)]),
}

PARQUET = {
    **{name: Case({"data.parquet": stored(table)}, lenient=NO_ROWS if name == "no-rows" else "") for name, table in TABLES.items()},
    "shards": Case({f"{i}.parquet": stored(arrays(a=[i, i + 10], s=["x", "y"])) for i in range(3)}),
    "row-groups": Case({"data.parquet": stored(arrays(a=list(range(1000))), row_group_size=64, compression="zstd")}),
    "plain-pages": Case({"data.parquet": stored(arrays(a=list(range(100)), s=["x", None] * 50), use_dictionary=False, data_page_version="2.0", compression="gzip")}),
    "timestamps-in-seconds": Case({"data.parquet": stored(arrays(t=pyarrow.array([NOON.replace(microsecond=0), None], pyarrow.timestamp("s"))))}),
    "further-columns": Case({"a.parquet": stored(arrays(a=[1])), "b.parquet": stored(arrays(a=[2], b=[3]))}, fails="DatasetGenerationCastError"),
    "fewer-columns": Case({"a.parquet": stored(arrays(a=[1], b=[3])), "b.parquet": stored(arrays(a=[2]))}),
    "two-splits": Case({"a.parquet": stored(arrays(a=[1])), "b.parquet": stored(arrays(a=[2, 3]))}, {"train": "a.parquet", "test": "b.parquet"}),
    "cut": Case({"data.parquet": stored(arrays(a=[1]))[:-20]}, fails="DatasetGenerationError"),
}

def ipc(table: pyarrow.Table, is_file: bool = False, **options: object) -> bytes:
    out = io.BytesIO()
    begin = pyarrow.ipc.new_file if is_file else pyarrow.ipc.new_stream
    with begin(out, table.schema, **options) as writer:
        writer.write_table(table, max_chunksize=64)
    return out.getvalue()


# What these show has nothing to do with the file.
SHOWN_ONCE = {"wide", "spread", "one-value", "one-column", "unicode-names", "booleans"}

ARROW = {
    **{name: Case({"data.arrow": ipc(table, is_file=i % 2 == 0)}, lenient=NO_ROWS if name == "no-rows" else "") for i, (name, table) in enumerate(TABLES.items()) if name not in SHOWN_ONCE},
    "timestamps-in-seconds": Case({"data.arrow": ipc(arrays(t=pyarrow.array([NOON.replace(microsecond=0), None], pyarrow.timestamp("s"))))}),
    "batches-in-a-stream": Case({"data.arrow": ipc(arrays(a=list(range(1000)), s=["x", None] * 500))}),
    "batches-in-a-file": Case({"data.arrow": ipc(arrays(a=list(range(1000)), s=["x", None] * 500), is_file=True)}),
    "shards": Case({f"{i}.arrow": ipc(arrays(a=[i, i + 10], s=["x", "y"])) for i in range(3)}),
    "further-columns": Case({"a.arrow": ipc(arrays(a=[1])), "b.arrow": ipc(arrays(a=[2], b=[3]))}, fails="DatasetGenerationCastError"),
    "fewer-columns": Case({"a.arrow": ipc(arrays(a=[1], b=[3])), "b.arrow": ipc(arrays(a=[2]))}),
    "two-splits": Case({"a.arrow": ipc(arrays(a=[1])), "b.arrow": ipc(arrays(a=[2, 3]))}, {"train": "a.arrow", "test": "b.arrow"}),
    "cut": Case({"data.arrow": ipc(arrays(a=list(range(1000))))[:-800]}, fails="DatasetGenerationError"),
    "no-arrow": Case({"data.arrow": b"a,b\n1,2\n" * 100}, fails="DatasetGenerationError"),
}

TEXT = {
    "lines": text("one\ntwo\n\n three \n", "data.txt"),
    "no-end-of-line": text("one\ntwo", "data.txt"),
    "windows-lines": text("one\r\ntwo\r\n", "data.txt"),
    "unicode": text("ü\n日本語\n👩‍👩‍👧\n\u2028x\n", "data.txt"),
    "quotes": text('"a, b\n\'c\n', "data.txt"),
    "long-line": text("x" * 300_000 + "\ny\n", "data.txt"),
    "two-files": Case({"a.txt": b"one\n", "b.txt": b"two\nthree\n"}),
    "line-ends": Case({"a.txt": b"one\n\ntwo\r\n", "b.txt": b"three\nfour", "c.txt": b"\n", "d.txt": b"five"}, card="  keep_linebreaks: true\n"),
    "no-line-ends": Case({"a.txt": b"one\n\ntwo"}, card="  keep_linebreaks: false\n"),
    "documents-with-line-ends": Case({"a.txt": b"one\ntwo\n"}, card="  sample_by: document\n  keep_linebreaks: true\n"),
    "documents": Case({"a.txt": b"one\ntwo\n", "b.txt": b"three"}, card="  sample_by: document\n"),
}

def packed(**members: str | bytes) -> bytes:
    """A zip file; `__` stands for the slash of a folder."""
    parts = {name: name.replace("__", "/").rpartition("_") for name in members}
    return zipped({f"{path}.{suffix}": members[name] for name, (path, _, suffix) in parts.items()})


def zipped(members: dict[str, str | bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in members.items():
            archive.writestr(path, content)
    return out.getvalue()


CSV |= {
    "zip-of-one": Case({"data.csv.zip": packed(data_csv="a,b\n1,x\n2,y\n")}),
    "zip-of-several": Case({"data.zip": packed(z_csv="a,b\n1,2\n", sub__c_csv="a,b\n3,4\n", a_csv="a,b\n5,6\n")}),
    "zip-of-gzip": Case({"data.zip": zipped({"a.csv.gz": gzip.compress(b"a,b\n1,x\n2,y\n", mtime=0), "b.csv": b"a,b\n3,z\n"})}),
    "zip-and-plain": Case({"a.csv.zip": packed(a_csv="a,b\n1,x\n"), "b.csv": b"a,b\n2,y\n"}),
}
JSON |= {"zip": Case({"data.jsonl.zip": packed(z_jsonl='{"a": 1, "b": [1]}\n{"a": null, "b": []}\n')})}
TEXT |= {"zip": Case({"data.txt.zip": packed(b_txt="three", a_txt="one\ntwo\n")})}

BUILDERS = {"csv": CSV, "json": JSON, "parquet": PARQUET, "arrow": ARROW, "text": TEXT}
CASES = {f"{builder}/{name}": case for builder, cases in BUILDERS.items() for name, case in cases.items()}
