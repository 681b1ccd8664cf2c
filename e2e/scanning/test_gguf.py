"""What `gguf` writes, we read: all types of values and tensors, both byte orders, shards."""

import gguf
import numpy as np
import pytest

VALUES = {
    "UINT8": 7,
    "INT8": -7,
    "UINT16": 65535,
    "INT16": -32768,
    "UINT32": 2**32 - 1,
    "INT32": -(2**31),
    "FLOAT32": 1.5,
    "BOOL": True,
    "STRING": "text ä",
    "UINT64": 2**53 - 1,
    "INT64": -(2**53) + 1,
    "FLOAT64": -2.25,
}


def written(path, fill, **options):
    writer = gguf.GGUFWriter(path, "llama", **options)
    fill(writer)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


@pytest.mark.parametrize("order", list(gguf.GGUFEndian))
def test_values_of_all_types(judge, tmp_path, order):
    path = tmp_path / "model.gguf"

    def fill(writer):
        for name, value in VALUES.items():
            writer.add_key_value(f"v.{name}", value, gguf.GGUFValueType[name])
            writer.add_key_value(f"a.{name}", [value, value], gguf.GGUFValueType.ARRAY, sub_type=gguf.GGUFValueType[name])
        writer.add_context_length(4096)
        writer.add_file_type(gguf.LlamaFileType.MOSTLY_Q4_K_M)
        writer.add_chat_template("{{ messages }}")
        writer.add_token_list([f"t{i}" for i in range(300)])
        writer.add_eos_token_id(299)
        writer.add_tensor("x", np.zeros((4, 32), dtype=np.float32))

    written(path, fill, endianess=order)
    facts = judge.facts("model.gguf", path.read_bytes())
    assert facts["problems"] == []
    metadata = dict(facts["metadata"])
    for name, value in VALUES.items():
        assert metadata[f"v.{name}"] == value
        assert metadata[f"a.{name}"]["first"] == [value, value]
    assert (facts["contextLength"], facts["fileType"], facts["eosToken"]) == (4096, "Q4_K_M", "t299")
    assert facts["chatTemplate"] == "{{ messages }}"
    assert facts["isBigEndian"] == (order == gguf.GGUFEndian.BIG)


# Q8_1 is never stored; ggml gives its blocks 36 bytes (ggml: src/ggml-common.h), this package 40.
STORED = [kind for kind in gguf.GGML_QUANT_SIZES if kind.name != "Q8_1"]


@pytest.mark.parametrize("kind", STORED, ids=lambda kind: kind.name)
def test_tensors_of_all_types(judge, tmp_path, kind):
    path = tmp_path / "model.gguf"
    block, size = gguf.GGML_QUANT_SIZES[kind]

    def fill(writer):
        data = np.zeros((3, 2 * size), dtype=np.uint8)
        writer.add_tensor("x", data, raw_dtype=kind)
        writer.add_tensor("y", np.zeros(5, dtype=np.float32))

    written(path, fill)
    facts = judge.facts("model.gguf", path.read_bytes())
    theirs = gguf.GGUFReader(path).tensors
    assert facts["problems"] == []
    assert facts["parameters"] == sum(int(tensor.n_elements) for tensor in theirs) == 6 * block + 5
    assert [tensor["type"] for tensor in facts["tensors"]] == [tensor.tensor_type.name for tensor in theirs]
    assert facts["dataOffset"] == min(tensor.data_offset for tensor in theirs)


def test_shards(judge, tmp_path):
    def fill(writer):
        for i in range(6):
            writer.add_tensor(f"x{i}", np.zeros((2, 32), dtype=np.float32))

    written(tmp_path / "model.gguf", fill, split_max_tensors=2)
    shards = sorted(tmp_path.glob("*.gguf"))
    facts = [judge.facts(shard.name, shard.read_bytes()) for shard in shards]
    assert len(shards) == 3
    assert [each["split"] for each in facts] == [{"number": i, "count": 3, "tensors": 6} for i in range(3)]
    assert sum(each["parameters"] for each in facts) == 6 * 64
    assert all(each["problems"] == [] for each in facts)
