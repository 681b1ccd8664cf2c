"""Statistics of a column, made from its values by the rules of the public viewer (libcommon/statistics_utils.py)."""

from __future__ import annotations

import collections
import datetime
import fractions
import math
import statistics

BINS = 10
# A text is a label where few values differ.
FEW, MANY, SHARE = 10, 1000, 0.2


def figures(values: list, type: object) -> tuple[str, dict] | None:
    """The kind of a column and its statistics; None where a column of this type has none."""
    kind, dtype = type.get("_type"), type.get("dtype", "")
    if kind == "ClassLabel":
        return "class_label", _labels(values, type["names"])
    if kind in ("List", "LargeList"):
        return "list", numbers([None if value is None else len(value) for value in values], whole=True)
    if kind != "Value":
        return None
    if dtype.startswith(("int", "uint")):
        return "int", numbers(values, whole=True)
    if dtype.startswith(("float", "decimal")):
        return "float", numbers([None if value is None or not math.isfinite(value) else float(value) for value in values], whole=False)
    if dtype == "bool":
        counts = collections.Counter(value for value in values if value is not None)
        return "bool", {**_missing(values), "frequencies": {"True": counts[True], "False": counts[False]}}
    if dtype in ("string", "large_string"):
        return _texts(values)
    if dtype.startswith(("timestamp", "date")):
        return "datetime", _moments(values)
    return None


def _missing(values: list) -> dict:
    count = sum(value is None for value in values)
    return {"nan_count": count, "nan_proportion": count / len(values) if values else 0}


def numbers(values: list, whole: bool) -> dict:
    present = [value for value in values if value is not None]
    if not present:
        return {**_missing(values), **dict.fromkeys(("min", "max", "mean", "median", "std", "histogram"))}
    low, high = min(present), max(present)
    exact = [fractions.Fraction(value) for value in present]
    return {
        **_missing(values),
        "min": low,
        "max": high,
        "mean": float(statistics.mean(exact)),
        # In doubles, as there.
        "median": statistics.median(map(float, present)),
        "std": float(statistics.stdev(exact)) if len(present) > 1 else 0,
        "histogram": _histogram(present, low, high, whole),
    }


def _histogram(present: list, low: float, high: float, whole: bool) -> dict:
    if low == high:
        return {"hist": [len(present)], "bin_edges": [low, high]}
    if whole:
        edges = [*range(low, high, -(-(high - low + 1) // BINS)), high]
    else:
        edges = [*(low + i * ((high - low) / BINS) for i in range(BINS)), high]
    counts = [sum(left <= value < right for value in present) for left, right in zip(edges, edges[1:])]
    # The last bin is closed.
    counts[-1] += present.count(high)
    return {"hist": counts, "bin_edges": edges}


def _labels(values: list, names: list[str]) -> dict:
    counts = collections.Counter(values)
    return {
        **_missing(values),
        "no_label_count": counts[-1],
        "no_label_proportion": counts[-1] / len(values) if values else 0,
        "n_unique": len(names),
        "frequencies": {name: counts[i] for i, name in enumerate(names)},
    }


def _texts(values: list) -> tuple[str, dict]:
    present = [value for value in values if value is not None]
    moments = [_moment(value) for value in present]
    if present and all(moments):
        read = iter(moments)
        return "datetime", _moments([None if value is None else next(read) for value in values])
    # Nothing is a value of its own here.
    unique = len(set(values))
    if unique <= FEW or (unique <= MANY and unique / len(values) <= SHARE):
        counts = collections.Counter(present)
        empty = {"no_label_count": 0, "no_label_proportion": 0}
        return "string_label", {**_missing(values), **empty, "n_unique": len(counts), "frequencies": dict(counts)}
    return "string_text", numbers([None if value is None else len(value) for value in values], whole=True)


def _moment(text: str) -> datetime.datetime | None:
    if len(text) < len("2020-01-01"):
        return None
    try:
        return datetime.datetime.fromisoformat(text)
    except ValueError:
        return None


def _moments(values: list) -> dict:
    """In whole seconds since the first one."""
    days = [datetime.datetime.combine(value, datetime.time()) if type(value) is datetime.date else value for value in values]
    first = min((value for value in days if value is not None), default=None)
    seconds = [None if value is None else math.floor((value - first).total_seconds()) for value in days]
    found = numbers(seconds, whole=True)
    if first is None:
        return found

    def shown(offset: float) -> str:
        return (first + datetime.timedelta(seconds=offset)).strftime("%Y-%m-%d %H:%M:%S%z")

    histogram = found["histogram"]
    return {
        **found,
        **{name: shown(found[name]) for name in ("min", "max", "mean", "median")},
        "std": str(datetime.timedelta(seconds=round(found["std"], 5))),
        "histogram": {**histogram, "bin_edges": [shown(edge) for edge in histogram["bin_edges"]]},
    }
