"""`push_to_hub` of an encoder made here; anyone embeds the same with it."""

import numpy
import pytest
from huggingface_hub import ModelCard
from sentence_transformers import CrossEncoder, SentenceTransformer, SentenceTransformerModelCardData
from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
from tiny_models import WIDTH, bert, bert_tokenizer
from transformers import BertForSequenceClassification, BertModel


def write_bert(folder, kind, **settings):
    bert_tokenizer(folder).save_pretrained(folder)
    bert(kind, **settings).save_pretrained(folder)
    return str(folder)


@pytest.mark.row(
    "POST /api/repos/create",
    "POST /api/{type}s/{repo}/preupload/{rev}",
    "POST /api/{type}s/{repo}/commit/{rev}",
    "loading with sentence-transformers",
    client="sentence-transformers",
)
def test_an_encoder_round_trips(publisher, tmp_path):
    name = publisher.new_name("encoder")
    words = Transformer(write_bert(tmp_path, BertModel))
    card = SentenceTransformerModelCardData(language="en", license="apache-2.0", model_name="Tiny encoder")
    made = SentenceTransformer(modules=[words, Pooling(WIDTH)], device="cpu", model_card_data=card)
    made.push_to_hub(name)
    made.push_to_hub(name, exist_ok=True, create_pr=True)

    hub = publisher.sign_out()
    sentence = "the hub holds models"
    wanted = made.encode(sentence)
    for revision in ("main", "refs/pr/1"):
        back = SentenceTransformer(name, device="cpu", revision=revision)
        assert numpy.array_equal(back.encode(sentence), wanted)
    assert {"modules.json", "1_Pooling/config.json", "model.safetensors"} <= publisher.fetched(name)

    info = hub.model_info(name)
    assert (info.private, info.library_name) == (False, "sentence-transformers")
    assert info.pipeline_tag == "sentence-similarity"
    assert {"sentence-transformers", "feature-extraction", "en", "license:apache-2.0"} <= set(info.tags)
    assert "# Tiny encoder" in ModelCard.load(name).text


def test_a_cross_encoder_round_trips(publisher, tmp_path):
    name = publisher.new_name("cross")
    made = CrossEncoder(write_bert(tmp_path, BertForSequenceClassification, num_labels=1), device="cpu")
    made.push_to_hub(name)
    hub = publisher.sign_out()
    pairs = [("the hub", "models"), ("models", "holds")]
    back = CrossEncoder(name, device="cpu")
    assert numpy.array_equal(back.predict(pairs), made.predict(pairs))
    assert hub.model_info(name).pipeline_tag == "text-ranking"
