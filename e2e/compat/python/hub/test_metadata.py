"""What the server finds in files, as the library lists and shows it."""

import inspect
import json
import secrets
import struct
import time

import pytest
from huggingface_hub import HfApi

CONFIG = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "max_position_embeddings": 2048,
    "quantization_config": {"quant_method": "gptq", "bits": 4},
}
TOKENIZER = {"chat_template": "{{ messages }}", "mask_token": "<mask>", "eos_token": "</s>"}
KNOWN = inspect.signature(HfApi.list_models).parameters


def safetensors(count: int) -> bytes:
    header = json.dumps({"w": {"dtype": "BF16", "shape": [count], "data_offsets": [0, 2 * count]}}).encode()
    return struct.pack("<Q", len(header)) + header + bytes(2 * count)


def gguf() -> bytes:
    def text(value: str) -> bytes:
        return struct.pack("<Q", len(value)) + value.encode()

    keys = text("general.architecture") + struct.pack("<I", 8) + text("llama")
    keys += text("llama.context_length") + struct.pack("<II", 4, 4096)
    tensor = text("w") + struct.pack("<IQQIQ", 2, 32, 4, 0, 0)
    header = b"GGUF" + struct.pack("<IQQ", 3, 1, 2) + keys + tensor
    return header + bytes(-len(header) % 32) + bytes(32 * 4 * 4)


@pytest.fixture(scope="module")
def shelf(server, alice, alice_token):
    """A model, a quantised copy of it, and a dataset, whose files have been read."""
    api, tag = HfApi(endpoint=server.url, token=alice_token), f"meta-{secrets.token_hex(4)}"
    names = {kind: f"{alice.username}/{kind}-{tag}" for kind in ("llama", "quants", "table")}
    card = f"---\ntags: [{tag}]\n---\n"
    quants = f"---\ntags: [{tag}]\nbase_model: {names['llama']}\n---\n"
    files = {
        "llama": {
            "README.md": card.encode(),
            "config.json": json.dumps(CONFIG).encode(),
            "tokenizer_config.json": json.dumps(TOKENIZER).encode(),
            "model.safetensors": safetensors(3000),
        },
        "quants": {"README.md": quants.encode(), "m-Q4_K_M.gguf": gguf()},
        "table": {"README.md": card.encode(), "data/train.csv": b"a,b\n1,2\n"},
    }
    for kind, each in files.items():
        repo_type = "dataset" if kind == "table" else "model"
        api.create_repo(names[kind], repo_type=repo_type)
        for path, content in each.items():
            api.upload_file(
                path_or_fileobj=content, path_in_repo=path, repo_id=names[kind], repo_type=repo_type
            )
    for kind, fact in (("llama", "safetensors"), ("quants", "gguf"), ("table", "format:csv")):
        info = api.dataset_info if kind == "table" else api.model_info
        for _ in range(300):
            if fact in (info(names[kind]).tags or []):
                break
            time.sleep(0.1)
    return {"tag": tag, **names}


def ids(found) -> list[str]:
    return sorted(each.id for each in found)


def test_a_model_tells_what_its_files_say(api, shelf):
    info = api.model_info(shelf["llama"])
    assert (info.pipeline_tag, info.library_name) == ("text-generation", "transformers")
    assert info.config["architectures"] == ["LlamaForCausalLM"]
    assert info.config["model_type"] == "llama"
    assert info.config["quantization_config"] == {"quant_method": "gptq", "bits": 4}
    assert info.config["tokenizer_config"]["eos_token"] == "</s>"
    assert (info.safetensors.parameters, info.safetensors.total) == ({"BF16": 3000}, 3000)
    assert info.transformers_info.auto_model == "AutoModelForCausalLM"
    assert info.transformers_info.pipeline_tag == "text-generation"
    assert info.transformers_info.processor == "AutoTokenizer"
    assert {"llama", "conversational", "gptq", "4-bit", "region:us"} <= set(info.tags)
    expanded = api.model_info(shelf["llama"], expand=["safetensors", "config", "mask_token", "transformersInfo"])
    assert (expanded.safetensors.total, expanded.mask_token) == (3000, "<mask>")


def test_a_gguf_model_tells_its_base(api, shelf):
    info = api.model_info(shelf["quants"], expand=["gguf", "baseModels", "tags"])
    assert info.gguf["total"] == 128
    assert (info.gguf["architecture"], info.gguf["context_length"]) == ("llama", 4096)
    assert f"base_model:quantized:{shelf['llama']}" in info.tags
    if hasattr(info, "base_models"):
        assert info.base_models == [shelf["llama"]]
        children = api.model_info(shelf["llama"], expand=["childrenModelCount"]).children_model_count
        assert children == 1


def test_models_are_found_by_what_their_files_say(api, shelf):
    tag, llama, quants = shelf["tag"], shelf["llama"], shelf["quants"]
    assert ids(api.list_models(filter=[tag, "safetensors"])) == [llama]
    assert ids(api.list_models(filter=[tag, "gguf"])) == [quants]
    assert ids(api.list_models(filter=[tag, "llama", "transformers"])) == [llama]
    assert ids(api.list_models(filter=tag, pipeline_tag="text-generation")) == sorted([llama, quants])
    assert ids(api.list_models(filter=[tag, f"base_model:{llama}"])) == [quants]
    found = list(api.list_models(filter=tag, sort="num_parameters"))
    assert [each.id for each in found] == [llama, quants]
    if "num_parameters" in KNOWN:
        assert ids(api.list_models(filter=tag, num_parameters="min:1K,max:1M")) == [llama]
        assert ids(api.list_models(filter=tag, num_parameters="max:0.5K")) == [quants]
        assert ids(api.list_models(filter=tag, num_parameters="min:6B,max:128B")) == []
    if "apps" in KNOWN:
        assert ids(api.list_models(filter=tag, apps="ollama")) == [quants]
        assert ids(api.list_models(filter=tag, apps=["vllm"])) == [llama]
    if "library" in KNOWN:
        assert ids(api.list_models(filter=tag, library="transformers")) == [llama]
    line = next(each for each in api.list_models(filter=tag, fetch_config=True) if each.id == llama)
    assert line.config["model_type"] == "llama"


def test_datasets_are_found_by_their_formats(api, shelf):
    for query in (["format:csv"], ["library:pandas", "format:csv"]):
        assert ids(api.list_datasets(filter=[shelf["tag"], *query])) == [shelf["table"]]
    assert ids(api.list_datasets(filter=[shelf["tag"], "format:parquet"])) == []
