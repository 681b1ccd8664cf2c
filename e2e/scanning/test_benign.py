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


def test_training_arguments_are_suspicious(judge, tmp_path):
    arguments = transformers.TrainingArguments(output_dir=str(tmp_path), report_to=[])
    # Python 3.11.2, which Debian 12 has, pickles members of enums by builtins.getattr, and that is dangerous for any scanner.
    by_getattr = arguments.eval_strategy.__reduce_ex__(2)[0] is getattr
    assert judge.status("training_args.bin", saved(arguments)) == ("unsafe" if by_getattr else "suspicious")


def weights_below(folder):
    return sorted(file for file in folder.rglob("*") if file.is_file())


def test_pipelines_of_diffusers_are_safe(judge, tmp_path):
    from diffusers import DDPMPipeline, DDPMScheduler, UNet2DModel

    unet = UNet2DModel(sample_size=8, block_out_channels=(8, 8), norm_num_groups=4, down_block_types=("DownBlock2D", "DownBlock2D"), up_block_types=("UpBlock2D", "UpBlock2D"), layers_per_block=1)
    pipeline = DDPMPipeline(unet=unet, scheduler=DDPMScheduler())
    for form in (True, False):
        pipeline.save_pretrained(tmp_path / str(form), safe_serialization=form)
    files = weights_below(tmp_path)
    assert {"diffusion_pytorch_model.bin", "diffusion_pytorch_model.safetensors"} <= {file.name for file in files}
    for file in files:
        scan = judge.scan(str(file.relative_to(tmp_path)), file.read_bytes())
        assert (scan["status"], scan["problems"]) == ("safe", []), (file, scan)


def test_models_of_sentence_transformers_are_safe(judge, tmp_path):
    from sentence_transformers import SentenceTransformer, models

    folder = tmp_path / "bert"
    (folder).mkdir()
    (folder / "vocab.txt").write_text("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "b"]))
    config = transformers.BertConfig(hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=8, vocab_size=7)
    transformers.BertModel(config).save_pretrained(folder)
    transformers.BertTokenizer(str(folder / "vocab.txt")).save_pretrained(folder)
    words = models.Transformer(str(folder))
    dense = models.Dense(in_features=8, out_features=4)
    model = SentenceTransformer(modules=[words, models.Pooling(8), dense, models.Normalize()], device="cpu")
    for form in (True, False):
        model.save_pretrained(str(tmp_path / str(form)), safe_serialization=form)
    files = weights_below(tmp_path)
    assert "modules.json" in {file.name for file in files}
    for file in files:
        scan = judge.scan(str(file.relative_to(tmp_path)), file.read_bytes())
        assert (scan["status"], scan["problems"]) == ("safe", []), (file, scan)
