import type { RepoCreate } from '../../../shared/client.ts'
import { safetensors, weatherCsv, weatherParquet } from './files.ts'

/** One commit of a seeded repo; its title is what tells that it was made already. */
interface SeedCommit {
  title: string
  files: Record<string, string | Buffer>
}

/** A repo with its history. `owner`: `org`, or a person, who commits to it. */
export interface SeedRepo {
  owner: 'org' | 'alice' | 'bob'
  repo: Omit<RepoCreate, 'ns'>
  commits: SeedCommit[]
  branch?: string
  tag?: string
}

const org = 'acme'
export const seedOrg = { ns: org, display_name: 'Acme Research', bio: 'Small models for small machines.' }

const bertConfig = {
  architectures: ['BertForMaskedLM'],
  model_type: 'bert',
  hidden_size: 64,
  intermediate_size: 256,
  num_attention_heads: 2,
  num_hidden_layers: 2,
  vocab_size: 512,
}

const bertCard = (training: string) => `---
license: apache-2.0
library_name: transformers
pipeline_tag: fill-mask
language: [en, no]
tags: [tiny, example]
---

# Tiny BERT

Two layers of random weights, for trying things out.

| | |
| --- | --- |
| Parameters | about 0.1 M |
| Training | ${training} |

$$ p(w_i \\mid w_{\\setminus i}) = \\mathrm{softmax}(W h_i) $$
`

const bert = (seed: number) =>
  safetensors(seed, {
    'bert.embeddings.word_embeddings.weight': [512, 64],
    'bert.encoder.layer.0.attention.self.query.weight': [64, 64],
    'bert.encoder.layer.1.attention.self.query.weight': [64, 64],
    'cls.predictions.decoder.weight': [512, 64],
  })

const shard = (n: number) => safetensors(n, { [`model.layers.${n}.mlp.up_proj.weight`]: [1024, 1024] })

const weatherCard = `---
license: cc-by-4.0
language: [en]
task_categories: [tabular-regression]
configs:
  - config_name: default
    data_files:
      - { split: train, path: data/train.csv }
      - { split: test, path: data/test.csv }
---

# Weather

Invented readings of five stations.
`

/** What a seeded server holds: public, private and gated, model and dataset, LFS and plain, branches and tags. */
export const seedRepos: SeedRepo[] = [
  {
    owner: 'org',
    repo: {
      type: 'model',
      name: 'tiny-bert',
      visibility: 'public',
      description: 'Two layers of random weights',
    },
    commits: [
      {
        title: 'Add the model',
        files: {
          'README.md': bertCard('none yet'),
          'config.json': `${JSON.stringify(bertConfig, null, 2)}\n`,
          'model.safetensors': bert(1),
        },
      },
      {
        title: 'Add a tokenizer',
        files: { 'vocab.txt': `[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nhello\nworld\n` },
      },
      { title: 'Train longer', files: { 'README.md': bertCard('longer'), 'model.safetensors': bert(2) } },
    ],
    branch: 'experiments/longer',
    tag: 'v1.0',
  },
  {
    owner: 'org',
    repo: {
      type: 'model',
      name: 'gated-llm',
      visibility: 'public',
      gated: 'manual',
      description: 'Ask first',
    },
    commits: [
      {
        title: 'Add the weights in two shards',
        files: {
          'README.md':
            '---\nlicense: other\npipeline_tag: text-generation\n---\n\n# Gated LLM\n\nAsk for access.\n',
          'model-00001-of-00002.safetensors': shard(1),
          'model-00002-of-00002.safetensors': shard(2),
        },
      },
    ],
  },
  {
    owner: 'org',
    repo: { type: 'dataset', name: 'weather', visibility: 'public', description: 'CSV with two Splits' },
    commits: [
      {
        title: 'Add the readings',
        files: {
          'README.md': weatherCard,
          'data/train.csv': weatherCsv(1, 2_000),
          'data/test.csv': weatherCsv(2, 200),
        },
      },
    ],
  },
  {
    owner: 'alice',
    repo: { type: 'dataset', name: 'measurements', visibility: 'private', description: 'Parquet, private' },
    commits: [
      {
        title: 'Add the measurements',
        files: {
          'README.md': '---\nlicense: mit\n---\n\n# Measurements\n',
          'data/train-00000-of-00001.parquet': weatherParquet(3, 5_000),
        },
      },
    ],
  },
  {
    owner: 'bob',
    repo: { type: 'model', name: 'scratch', visibility: 'private' },
    commits: [
      {
        title: 'Keep some notes',
        files: {
          'notes/a first idea.md': '# Ideas\n\n- [ ] try\n- [x] think\n',
          'notes/größe/übung 1.py': 'def area(radius: float) -> float:\n    return 3.14159 * radius**2\n',
        },
      },
    ],
  },
]
