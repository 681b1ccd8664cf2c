"""What other scanners call dangerous, we never call safe."""

import io
import pickle
import pickletools
import random

import fickling.fickle as fickle
import pytest
import torch
from fickling.analysis import Severity, check_safety
from fickling.pytorch import PyTorchModelWrapper
from picklescan import scanner


def dangerous_names():
    for module, names in scanner._unsafe_globals.items():
        for name in ["anything"] if names == "*" else [names] if isinstance(names, str) else sorted(names):
            yield module, name


def by_global(module, name):
    return f"c{module}\n{name}\n(S'id'\ntR.".encode()


def by_instance(module, name):
    return f"(S'id'\ni{module}\n{name}\n.".encode()


def by_stack(module, name):
    text = lambda value: pickle.SHORT_BINUNICODE + bytes([len(value)]) + value.encode()  # noqa: E731
    return pickle.PROTO + b"\4" + text(module) + pickle.MEMOIZE + text(name) + pickle.MEMOIZE + pickle.STACK_GLOBAL + b")R."


@pytest.mark.parametrize("form", [by_global, by_instance, by_stack])
@pytest.mark.parametrize("module, name", list(dangerous_names()))
def test_every_name_that_picklescan_calls_dangerous_is_unsafe(judge, module, name, form):
    # Python 2 is gone: its names mean what Python 3 calls them, which protocol 4 does not do.
    assert judge.status("x.pkl", form(module, name)) == "unsafe"


def is_dangerous_to_picklescan(content):
    try:
        return scanner.scan_pickle_bytes(io.BytesIO(content), "x.pkl").issues_count > 0
    except ValueError:
        return False


def is_malicious_to_fickling(content):
    try:
        stacked = fickle.StackedPickle.load(io.BytesIO(content))
        return any(check_safety(each).severity >= Severity.LIKELY_OVERTLY_MALICIOUS for each in stacked)
    except Exception:
        return False


def injected():
    base = {"a": [1, "text", (None, 2)], "b": {"c": b"bytes"}}
    for protocol in range(6):
        for first in (True, False):
            pickled = fickle.Pickled.load(pickle.dumps(base, protocol=protocol))
            pickled.insert_python_exec("print(1)", run_first=first)
            yield pickled.dumps()
        pickled = fickle.Pickled.load(pickle.dumps(base, protocol=protocol))
        pickled.insert_python_eval("1+1")
        yield pickled.dumps()
        pickled = fickle.Pickled.load(pickle.dumps(base, protocol=protocol))
        pickled.insert_python("id", module="os", attr="system")
        yield pickled.dumps()


@pytest.mark.parametrize("content", list(injected()))
def test_what_fickling_injects_is_unsafe(judge, content):
    assert judge.status("x.pkl", content) == "unsafe"


@pytest.mark.parametrize("way", ["insertion", "combination"])
def test_what_fickling_injects_into_a_torch_file_is_unsafe(judge, tmp_path, way):
    source, target = tmp_path / "a.pt", tmp_path / "b.pt"
    torch.save(torch.nn.Linear(2, 2).state_dict(), source)
    PyTorchModelWrapper(source, force=True).inject_payload("print(1)", target, injection=way)
    assert judge.status("b.pt", target.read_bytes()) == "unsafe"


def test_3000_mutated_pickles_are_judged_as_severely_as_by_others(judge):
    source = random.Random(18)
    bases = [*injected(), *(by_global(*each) for each in dangerous_names()), *(by_stack(*each) for each in dangerous_names())]
    opcodes = [opcode.code.encode("latin1") for opcode in pickletools.opcodes]
    dangerous = malicious = 0
    for _ in range(3000):
        content = bytearray(source.choice(bases))
        for _ in range(source.randrange(1, 4)):
            at = source.randrange(len(content))
            if source.random() < 0.5:
                content[at:at] = source.choice(opcodes)
            else:
                content[at] = source.randrange(256)
        content = bytes(content)
        by_picklescan, by_fickling = is_dangerous_to_picklescan(content), is_malicious_to_fickling(content)
        dangerous += by_picklescan
        malicious += by_fickling
        if by_picklescan or by_fickling:
            assert judge.status("x.pkl", content) != "safe", content
    assert dangerous > 500 and malicious > 150
