"""Writes what the datasets library makes of small folders: api/rooms/datasets/configs/testing/plans.json."""

import json
import pathlib
import sys
import tempfile

from datasets import load_dataset_builder

X = "a,b\n1,2\n"
J = '{"a": 1}\n'


def card(text):
    return {"README.md": f"---\n{text}\n---\n# Card\n"}


CASES = {
    "one csv": {"data.csv": X},
    "tsv": {"data.tsv": "a\tb\n1\t2\n"},
    "splits by name": {"train.csv": X, "test.csv": X, "dev-1.csv": X},
    "splits by folder": {"train/x.csv": X, "test/y.csv": X, "test.csv": X},
    "splits by folder, deep": {"data/my_training set/x.csv": X, "data/eval/y.csv": X},
    "shards": {"data/train-00000-of-00002.csv": X, "data/train-00001-of-00002.csv": X, "data/extra-00000-of-00001.csv": X},
    "shards hide the rest": {"data/x-00000-of-00001.csv": X, "train.csv": X},
    "shards with a hash": {"data/train-00000-of-00001-abc123.csv": X},
    "shards below": {"more/data/train-00000-of-00001.csv": X},
    "keywords inside names": {"my_training_set.csv": X, "contest.csv": X},
    "keywords with digits": {"train1.csv": X, "val2.csv": X, "testing.csv": X},
    "upper case keywords": {"TRAIN.csv": X, "Test.csv": X},
    "no keyword": {"b.csv": X, "a.csv": X, "sub/c.csv": X},
    "hidden files": {".hidden.csv": X, ".dir/a.csv": X, "__skip__/b.csv": X, "a.csv": X},
    "more jsonl than csv": {"a.jsonl": J, "b.jsonl": J, "c.csv": X},
    "a tie": {"a.jsonl": J, "c.csv": X},
    "compressed": {"a.jsonl.gz": "", "b.csv": X},
    "json beside config": {"config.json": "{}", "a.json": J, "dataset_infos.json": "{}"},
    "markdown beside data": {"a.csv": X, "NOTES.md": "x"},
    "much markdown": {"a.csv": X, "NOTES.md": "x", "b.md": "y"},
    "text": {"corpus.txt": "x\n"},
    "images": {"cat/1.png": "", "dog/2.JPG": "", "metadata.csv": X},
    "audio": {"a.wav": "", "b.MP3": ""},
    "tar": {"shard-000.tar": "", "shard-001.tar": ""},
    "a script beside": {"train.py": "x", "data.csv": X},
    "a licence beside": {"LICENSE": "x", "data.csv": X},
    "upper case suffix": {"data.CSV": X},
    "nothing": {"LICENSE": "x"},
    "empty": {},
    "different formats of splits": {"train.csv": X, "test.jsonl": J},
    "toml": {"pyproject.toml": "x", "data/train.csv": X},
    "card: one file": card("configs:\n- config_name: main\n  data_files: data/*.csv") | {"data/b.csv": X, "data/a.csv": X, "other.csv": X},
    "card: splits": card("configs:\n- config_name: main\n  data_files:\n  - split: train\n    path: a.csv\n  - split: test\n    path: [b.csv, 'c/*.csv']") | {"a.csv": X, "b.csv": X, "c/d.csv": X},
    "card: configs": card("configs:\n- config_name: z\n  data_files: z.csv\n- config_name: b\n  data_files: b.csv\n  default: true\n- config_name: a\n  data_files: a.csv") | {"a.csv": X, "b.csv": X, "z.csv": X},
    "card: no default": card("configs:\n- config_name: z\n  data_files: z.csv\n- config_name: b\n  data_files: b.csv") | {"b.csv": X, "z.csv": X},
    "card: default by name": card("configs:\n- config_name: z\n  data_files: z.csv\n- config_name: default\n  data_files: b.csv") | {"b.csv": X, "z.csv": X},
    "card: data_dir": card("configs:\n- config_name: en\n  data_dir: en\n- config_name: fr\n  data_dir: fr") | {"en/train.csv": X, "en/test.csv": X, "fr/data.csv": X},
    "card: options": card("configs:\n- config_name: main\n  data_files: a.csv\n  sep: ';'") | {"a.csv": "a;b\n1;2\n"},
    "card: deep": card("configs:\n- config_name: main\n  data_files: '**/*.csv'") | {"a.csv": X, "x/y/b.csv": X},
    "card: hidden": card("configs:\n- config_name: main\n  data_files: '.data/*.csv'") | {".data/a.csv": X},
    "card: letters": card("configs:\n- config_name: main\n  data_files: 'data/[!a-b]?.csv'") | {"data/a1.csv": X, "data/c1.csv": X, "data/c12.csv": X},
    "card: missing": card("configs:\n- config_name: main\n  data_files: none.csv") | {"a.csv": X},
    "card: two defaults": card("configs:\n- config_name: a\n  data_files: a.csv\n  default: true\n- config_name: b\n  data_files: a.csv\n  default: true") | {"a.csv": X},
    "card: bad split": card("configs:\n- config_name: a\n  data_files:\n  - split: my-split\n    path: a.csv") | {"a.csv": X},
    "card: features": card("dataset_info:\n  features:\n  - name: a\n    dtype: int32\n  - name: b\n    dtype:\n      class_label:\n        names:\n          '0': neg\n          '1': pos") | {"a.csv": X},
    "card: features of a config": card("configs:\n- config_name: main\n  data_files: a.csv\n  features:\n  - name: a\n    list: int32\n  - name: b\n    struct:\n    - name: c\n      dtype: string\n    - name: d\n      sequence:\n        dtype: image") | {"a.csv": X},
    "yaml file": {".huggingface.yaml": "configs:\n- config_name: own\n  data_files: b.csv\n"} | card("license: mit") | {"a.csv": X, "b.csv": X},
}


def plan(files):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder) / "tiny"
        root.mkdir()
        for path, text in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        try:
            from datasets.load import LocalDatasetModuleFactory

            module = LocalDatasetModuleFactory(str(root)).get_module()
        except Exception as error:  # noqa: BLE001
            return {"error": type(error).__name__}
        parameters = module.builder_configs_parameters
        kind = module.module_path.rsplit(".", 1)[-1]
        configs = {}
        for config in parameters.builder_configs:
            found = config.data_files
            try:
                if hasattr(found, "resolve"):
                    found = found.resolve(base_path=str(root / (config.data_dir or "")), download_config=None)
                splits = {
                    str(split): [pathlib.Path(path).relative_to(root).as_posix() for path in paths]
                    for split, paths in found.items()
                }
            except FileNotFoundError:
                splits = None
            info = (module.dataset_infos or {}).get(config.name)
            features = getattr(config, "features", None) or (info.features if info else None)
            configs[config.name] = {"splits": splits, "features": features.to_dict() if features else None}
        name = parameters.default_config_name
        return {"builder": kind, "configs": configs, "default": name or ("default" if list(configs) == ["default"] else None)}


if __name__ == "__main__":
    made = {name: {"files": files, "plan": plan(files)} for name, files in CASES.items()}
    pathlib.Path(sys.argv[1]).write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n")
