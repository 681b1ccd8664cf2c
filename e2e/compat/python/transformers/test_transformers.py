"""A tiny model made here goes through `push_to_hub` and `from_pretrained` unchanged."""

import secrets

import pytest
import torch
from transformers import AutoConfig, AutoModel, AutoTokenizer, BertConfig, BertModel, BertTokenizer


@pytest.mark.row("loading with transformers", "GET /{repo}/resolve/{rev}/{path}", "HEAD /{repo}/resolve/{rev}/{path}", client="transformers")
def test_a_tiny_model_round_trips(server, api, alice, alice_token, tmp_path):
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "hub", "holds", "models"]
    (tmp_path / "vocab.txt").write_text("\n".join(words))
    tokenizer = BertTokenizer(vocab_file=str(tmp_path / "vocab.txt"))
    config = BertConfig(
        vocab_size=len(words),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=64,
    )
    torch.manual_seed(7)
    model = BertModel(config).eval()
    local = tmp_path / "model"
    model.save_pretrained(local)
    tokenizer.save_pretrained(local)
    name = f"{alice.username}/tiny-bert-{secrets.token_hex(4)}"
    api.create_repo(name, private=True)
    api.upload_folder(repo_id=name, folder_path=local)

    options = {"token": alice_token, "cache_dir": tmp_path / "cache"}
    assert AutoConfig.from_pretrained(name, **options).hidden_size == 32
    back_tokenizer = AutoTokenizer.from_pretrained(name, **options)
    back = AutoModel.from_pretrained(name, **options).eval()
    inputs = back_tokenizer("the hub holds models", return_tensors="pt")
    assert inputs["input_ids"].tolist() == tokenizer("the hub holds models", return_tensors="pt")["input_ids"].tolist()
    with torch.no_grad():
        assert torch.equal(back(**inputs).last_hidden_state, model(**inputs).last_hidden_state)


@pytest.mark.row(
    "POST /api/repos/create",
    "POST /api/{type}s/{repo}/preupload/{rev}",
    "POST /api/{type}s/{repo}/commit/{rev}",
    client="transformers",
)
def test_push_to_hub(server, api, alice, alice_token, tmp_path):
    config = BertConfig(vocab_size=9, hidden_size=16, num_hidden_layers=1, num_attention_heads=1, intermediate_size=16)
    name = f"{alice.username}/pushed-{secrets.token_hex(4)}"
    BertModel(config).push_to_hub(name, private=True, token=alice_token)
    assert {"config.json", "model.safetensors"} <= set(api.list_repo_files(name))
    assert AutoConfig.from_pretrained(name, token=alice_token, cache_dir=tmp_path).hidden_size == 16
