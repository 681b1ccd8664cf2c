"""A model of pickles alone is loaded, and no conversion service hears of it: the server refuses what would tell of it."""

import secrets
import threading

import pytest
import torch
from transformers import AutoModel, BertConfig, BertModel

GUARD = "safetensors-conversion guard"


@pytest.mark.row(GUARD, client="transformers")
def test_a_pickled_model_is_loaded_and_not_converted(api, alice, alice_token, tmp_path, monkeypatch):
    config = BertConfig(vocab_size=9, hidden_size=16, num_hidden_layers=1, num_attention_heads=1, intermediate_size=16)
    made = BertModel(config).eval()
    config.save_pretrained(tmp_path)
    torch.save(made.state_dict(), tmp_path / "pytorch_model.bin")
    name = f"{alice.username}/pickled-{secrets.token_hex(4)}"
    api.create_repo(name)
    api.upload_folder(repo_id=name, folder_path=tmp_path, allow_patterns=["*.json", "*.bin"])

    monkeypatch.delenv("DISABLE_SAFETENSORS_CONVERSION")
    back = AutoModel.from_pretrained(name, token=alice_token, cache_dir=tmp_path / "cache")
    assert torch.equal(back.embeddings.word_embeddings.weight, made.embeddings.word_embeddings.weight)
    # By its name: the load can also start the monitor of tqdm, which never ends.
    for conversion in [each for each in threading.enumerate() if each.name == "Thread-auto_conversion"]:
        conversion.join(timeout=60)
    assert list(api.get_repo_discussions(name)) == []
