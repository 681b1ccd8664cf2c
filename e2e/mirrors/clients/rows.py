"""Loads a config of a dataset as people do; prints the rows of each split, as JSON. Arguments: repo, config."""

import json
import sys

from datasets import load_dataset

repo, config = sys.argv[1:3]
loaded = load_dataset(repo, config)
print(json.dumps({split: [row["text"] for row in rows] for split, rows in loaded.items()}))
