"""Files that common libraries write: tensors and arrays are safe, estimators are at most suspicious."""

import io
import pickle

import joblib
import numpy as np
import pytest
import torch
import transformers
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler


def state_dicts():
    yield torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.BatchNorm1d(4)).state_dict()
    dtypes = [torch.float16, torch.bfloat16, torch.int8, torch.uint8, torch.bool, torch.complex64, torch.float8_e4m3fn]
    yield {str(dtype): torch.zeros(3, dtype=dtype) for dtype in dtypes}
    yield {"p": torch.nn.Parameter(torch.zeros(2)), "sparse": torch.eye(3).to_sparse(), "view": torch.zeros(4, 4)[1:, ::2], "empty": torch.zeros(0)}
    yield {"q": torch.quantize_per_tensor(torch.ones(4), 0.1, 0, torch.qint8), "meta": torch.zeros(2, device="meta")}
    config = transformers.BertConfig(hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=8, vocab_size=50)
    model = transformers.BertModel(config)
    yield model.state_dict()
    optimizer = torch.optim.Adam(model.parameters())
    model(torch.tensor([[1, 2]])).last_hidden_state.sum().backward()
    optimizer.step()
    yield {"epoch": 3, "model": model.state_dict(), "optimizer": optimizer.state_dict(), "rng": torch.get_rng_state()}


def saved(value, **options):
    file = io.BytesIO()
    torch.save(value, file, **options)
    return file.getvalue()


@pytest.mark.parametrize("value", list(state_dicts()), ids=lambda value: "-".join(map(str, list(value)[:1])))
def test_state_dicts_are_safe_in_every_form(judge, value):
    forms = {"zip": saved(value), "pkl2": pickle.dumps(value, protocol=2), "pkl5": pickle.dumps(value, protocol=5)}
    if not any(getattr(each, "is_quantized", False) for each in value.values()):
        forms["legacy"] = saved(value, _use_new_zipfile_serialization=False)
    for form, content in forms.items():
        for name in ("pytorch_model.bin", "model.pt", "model.ckpt"):
            scan = judge.scan(name, content)
            assert scan["status"] == "safe", (form, name, scan)


def arrays():
    yield np.arange(12.0).reshape(3, 4)
    yield np.zeros(3, dtype=[("a", "f4"), ("b", "i8")])
    yield np.array(["a", "b"] * 200)
    yield np.array(["a", {"b": 1}, None], dtype=object)
    yield np.array("2026-01-01", dtype="datetime64[D]")
    yield {"x": np.arange(1000.0), "y": [np.int64(3), np.float32(1.5)], "z": np.asfortranarray(np.zeros((3, 5)))}


@pytest.mark.parametrize("value", list(arrays()), ids=lambda value: str(getattr(value, "dtype", "map"))[:20])
def test_arrays_are_safe(judge, value):
    for protocol in range(6):
        scan = judge.scan("x.pkl", pickle.dumps(value, protocol=protocol))
        assert scan["status"] == "safe", (protocol, scan)
    for compress in (0, ("zlib", 3), ("gzip", 3)):
        file = io.BytesIO()
        joblib.dump(value, file, compress=compress)
        scan = judge.scan("x.joblib", file.getvalue())
        assert scan["status"] == "safe", (compress, scan)
    for write, name in ((np.save, "x.npy"), (np.savez, "x.npz"), (np.savez_compressed, "x.npz")):
        file = io.BytesIO()
        write(file, value)
        scan = judge.scan(name, file.getvalue())
        assert scan["status"] == "safe", (write, scan)


@pytest.mark.parametrize("estimator", [LogisticRegression(), RandomForestClassifier(3), make_pipeline(StandardScaler(), LogisticRegression())], ids=str)
def test_estimators_are_not_unsafe(judge, estimator):
    fitted = estimator.fit(np.random.default_rng(18).random((20, 3)), [0, 1] * 10)
    file = io.BytesIO()
    joblib.dump(fitted, file)
    for name, content in {"x.joblib": file.getvalue(), "x.pkl": pickle.dumps(fitted)}.items():
        scan = judge.scan(name, content)
        assert scan["status"] == "suspicious", scan
        assert all(each["module"].startswith("sklearn.") for each in scan["imports"] if each["safety"] != "innocuous")
        assert scan["problems"] == []


def test_training_arguments_are_not_unsafe(judge, tmp_path):
    arguments = transformers.TrainingArguments(output_dir=str(tmp_path), report_to=[])
    assert judge.status("training_args.bin", saved(arguments)) == "suspicious"
