"""Models small enough to be made in a test; a seed fixes their weights."""

from __future__ import annotations

import pathlib

import torch
from transformers import BertConfig, BertTokenizer, PreTrainedModel

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "hub", "holds", "models"]
WIDTH = 16


def bert(kind: type[PreTrainedModel], **settings: object) -> PreTrainedModel:
    torch.manual_seed(11)
    sizes = {"hidden_size": WIDTH, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
    return kind(BertConfig(vocab_size=len(WORDS), max_position_embeddings=16, **sizes, **settings)).eval()


def bert_tokenizer(folder: pathlib.Path) -> BertTokenizer:
    """Its vocabulary is a file in the folder."""
    (folder / "vocab.txt").write_text("\n".join(WORDS))
    return BertTokenizer(vocab_file=str(folder / "vocab.txt"))


def same_weights(one: torch.nn.Module, other: torch.nn.Module) -> bool:
    ours, theirs = one.state_dict(), other.state_dict()
    return ours.keys() == theirs.keys() and all(torch.equal(ours[name], theirs[name]) for name in ours)
