"""`push_to_hub` of each part of a model, by code that names no token and no visibility; anyone loads it."""

import numpy
import pytest
from huggingface_hub import ModelCard
from tiny_models import WIDTH, bert, bert_tokenizer, same_weights
from transformers import (
    AutoConfig,
    AutoModel,
    AutoProcessor,
    AutoTokenizer,
    BertModel,
    Wav2Vec2CTCTokenizer,
    Wav2Vec2FeatureExtractor,
    Wav2Vec2Processor,
)

ROWS = (
    "POST /api/repos/create",
    "POST /api/{type}s/{repo}/preupload/{rev}",
    "POST /api/{type}s/{repo}/commit/{rev}",
    "loading with transformers",
    "GET /{repo}/resolve/{rev}/{path}",
    "HEAD /{repo}/resolve/{rev}/{path}",
)


@pytest.fixture()
def model():
    return bert(BertModel)


@pytest.mark.row(*ROWS, client="transformers")
def test_config_tokenizer_and_model_share_a_repo(publisher, model, tmp_path):
    tokenizer = bert_tokenizer(tmp_path)
    name = publisher.new_name("bert")
    model.config.push_to_hub(name)
    tokenizer.push_to_hub(name)
    model.push_to_hub(name, tags=["tiny"], commit_message="The weights")

    hub = publisher.sign_out()
    assert AutoConfig.from_pretrained(name).hidden_size == WIDTH
    text = "the hub holds models"
    assert AutoTokenizer.from_pretrained(name)(text)["input_ids"] == tokenizer(text)["input_ids"]
    assert same_weights(AutoModel.from_pretrained(name), model)
    assert {"config.json", "tokenizer_config.json", "model.safetensors"} <= publisher.fetched(name)

    info = hub.model_info(name)
    assert (info.private, info.library_name) == (False, "transformers")
    assert {"transformers", "tiny"} <= set(info.tags)
    assert "The weights" in [commit.title for commit in hub.list_repo_commits(name)]
    found = hub.get_safetensors_metadata(name)
    assert found.parameter_count == {"F32": model.num_parameters()}
    assert found.files_metadata["model.safetensors"].metadata == {"format": "pt"}
    card = ModelCard.load(name)
    assert (card.data.library_name, card.data.tags) == ("transformers", ["tiny"])


def test_a_bare_name_belongs_to_who_pushes(publisher, model):
    name = publisher.new_name("bare")
    model.push_to_hub(name.partition("/")[2])
    publisher.sign_out()
    assert same_weights(AutoModel.from_pretrained(name), model)


def test_weights_in_several_files(publisher, model):
    name = publisher.new_name("shards")
    model.push_to_hub(name, max_shard_size="8KB")
    hub = publisher.sign_out()
    assert same_weights(AutoModel.from_pretrained(name), model)
    shards = {path for path in publisher.fetched(name) if path.endswith(".safetensors")}
    assert len(shards) > 1
    found = hub.get_safetensors_metadata(name)
    assert set(found.weight_map.values()) == set(found.files_metadata) == shards
    assert found.parameter_count == {"F32": model.num_parameters()}


def test_branches_and_pull_requests(publisher, model):
    name = publisher.new_name("changes")
    model.push_to_hub(name)
    changed = BertModel(model.config).eval()
    changed.push_to_hub(name, revision="wide")
    proposed = BertModel(model.config).eval()
    assert proposed.push_to_hub(name, create_pr=True).pr_num == 1

    publisher.sign_out()
    for revision, each in (("main", model), ("wide", changed), ("refs/pr/1", proposed)):
        assert same_weights(AutoModel.from_pretrained(name, revision=revision), each)


def test_a_processor(publisher, tmp_path):
    (tmp_path / "vocab.json").write_text('{"<pad>": 0, "<s>": 1, "</s>": 2, "<unk>": 3, "|": 4, "A": 5, "H": 6}')
    tokenizer = Wav2Vec2CTCTokenizer(str(tmp_path / "vocab.json"))
    processor = Wav2Vec2Processor(Wav2Vec2FeatureExtractor(sampling_rate=8000), tokenizer)
    name = publisher.new_name("processor")
    processor.push_to_hub(name)

    publisher.sign_out()
    back = AutoProcessor.from_pretrained(name)
    sound = numpy.sin(numpy.arange(800) / 9)
    one, other = (each(sound, sampling_rate=8000, return_tensors="np") for each in (processor, back))
    assert numpy.array_equal(one["input_values"], other["input_values"])
    assert back(text="AHA")["input_ids"] == [5, 6, 5]
