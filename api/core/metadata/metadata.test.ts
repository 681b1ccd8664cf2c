import { describe, expect, test } from 'vitest'
import type { RepoType } from '../../../shared/vocabulary.ts'
import { loadVocabulary, metadataOf, noFindings, papersIn, parametersInName, type Findings } from './index.ts'

const vocabulary = await loadVocabulary()

const metadata = (
  type: RepoType,
  frontMatter: Record<string, unknown> | null,
  found: Partial<Findings> = {},
  papers: string[] = [],
) => metadataOf(type, { frontMatter, papers }, { ...noFindings, ...found }, vocabulary)

const model = (matter: Record<string, unknown> | null, found: Partial<Findings> = {}) =>
  metadata('model', matter, found)
const dataset = (matter: Record<string, unknown> | null, found: Partial<Findings> = {}) =>
  metadata('dataset', matter, found)

describe('metadata of a model', () => {
  test('is tagged in the words of the hub', () => {
    const card = {
      language: ['en', 'de'],
      license: 'apache-2.0',
      library_name: 'transformers',
      pipeline_tag: 'fill-mask',
      tags: ['exbert', 'fill-mask'],
      datasets: ['acme/books'],
      base_model: 'acme/base',
    }
    expect(metadata('model', card, {}, papersIn('See https://arxiv.org/abs/1810.04805.'))).toMatchObject({
      task: 'fill-mask',
      library: 'transformers',
      licence: 'apache-2.0',
      tags: [
        'transformers',
        'fill-mask',
        'exbert',
        'en',
        'de',
        'dataset:acme/books',
        'base_model:acme/base',
        'base_model:finetune:acme/base',
        'license:apache-2.0',
        'arxiv:1810.04805',
        'region:us',
      ],
      facets: { language: ['en', 'de'], modality: ['nlp'], task: ['fill-mask'], library: ['transformers'] },
    })
  })

  test('without a card follows from its files', () => {
    const found: Partial<Findings> = {
      formats: ['safetensors'],
      library: 'transformers',
      architectures: ['LlamaForCausalLM'],
      modelType: 'llama',
      parameters: 1_000_000_000,
      contextLength: 2048,
      chatTemplate: '{{ messages }}',
      hasCustomCode: true,
      quantization: 'gptq',
      quantizationBits: 4,
      licence: 'Apache-2.0',
    }
    expect(model(null, found)).toMatchObject({
      task: 'text-generation',
      library: 'transformers',
      licence: 'apache-2.0',
      parameters: 1_000_000_000,
      contextLength: 2048,
      tags: [
        'transformers',
        'safetensors',
        'llama',
        'text-generation',
        'conversational',
        'custom_code',
        'license:apache-2.0',
        'gptq',
        '4-bit',
        'region:us',
      ],
    })
  })

  const tasks: [string, Record<string, unknown>, Partial<Findings>, string | null][] = [
    ['the card', { pipeline_tag: 'text-ranking', tags: ['fill-mask'] }, {}, 'text-ranking'],
    ['a tag', { tags: ['fun', 'fill-mask'] }, { architectures: ['BertForTokenClassification'] }, 'fill-mask'],
    ['an architecture', {}, { architectures: ['BertForTokenClassification'] }, 'token-classification'],
    ['an architecture without a task', {}, { architectures: ['BertForNextSentencePrediction'] }, null],
    ['text2text of old', {}, { architectures: ['T5ForConditionalGeneration'] }, 'text-generation'],
    ['an unknown class', {}, { architectures: ['AcmeForCausalLM'] }, 'text-generation'],
    ['an unknown head', {}, { architectures: ['AcmeLMHeadModel'] }, 'text-generation'],
    ...(
      [
        ['ForSequenceClassification', 'text-classification'],
        ['ForTokenClassification', 'token-classification'],
        ['ForQuestionAnswering', 'question-answering'],
        ['ForMaskedLM', 'fill-mask'],
        ['ForImageClassification', 'image-classification'],
        ['ForObjectDetection', 'object-detection'],
        ['ForSemanticSegmentation', 'image-segmentation'],
        ['ForCTC', 'automatic-speech-recognition'],
        ['ForConditionalGeneration', 'text-generation'],
        ['ForDreaming', null],
      ] as const
    ).map(([suffix, task]): [string, Record<string, unknown>, Partial<Findings>, string | null] => [
      `an unknown class ${suffix}`,
      {},
      { architectures: [`Acme${suffix}`] },
      task,
    ]),
    ['an unknown segmenter', {}, { architectures: ['AcmeForPanopticSegmentation'] }, 'image-segmentation'],
    ['an unknown bare model', {}, { architectures: ['AcmeModel'] }, 'feature-extraction'],
    [
      'an unknown class that sees',
      {},
      { architectures: ['AcmeForConditionalGeneration'], hasVision: true },
      'image-text-to-text',
    ],
    [
      'an unknown class that hears',
      {},
      { architectures: ['AcmeForConditionalGeneration'], hasSpeech: true },
      'automatic-speech-recognition',
    ],
    ['its library', { tags: ['timm'] }, {}, 'image-classification'],
    ['sentence-transformers', {}, { library: 'sentence-transformers' }, 'sentence-similarity'],
    ['stable-baselines3', { library_name: 'stable-baselines3' }, {}, 'reinforcement-learning'],
    ['the library of its files', {}, { library: 'diffusers' }, 'text-to-image'],
    ['GGUF', {}, { gguf: { total: 1, totalFileSize: 1, architecture: 'llama' } }, 'text-generation'],
    [
      'GGUF that embeds',
      {},
      { gguf: { total: 1, totalFileSize: 1, architecture: 'nomic-bert' } },
      'feature-extraction',
    ],
    [
      'GGUF with a projector',
      {},
      { gguf: { total: 1, totalFileSize: 1, architecture: 'llama' }, hasProjector: true },
      'image-text-to-text',
    ],
    ['nothing', {}, {}, null],
  ]
  test.each(tasks)('has the task of %s', (_, card, found, task) => {
    expect(model(card, found).task).toBe(task)
  })

  test.each([
    [{ library_name: 'acme-lib', tags: ['peft'] }, 'acme-lib'],
    [{ tags: ['fun', 'sentence-transformers'] }, 'sentence-transformers'],
    [{}, 'transformers'],
  ])('has the library of %j, else of its files', (card, library) => {
    expect(model(card, { library: 'transformers' }).library).toBe(library)
  })

  test.each([
    ['apache-2.0', 'apache-2.0', 'license:apache-2.0'],
    [' GPL-3.0-or-later ', 'gpl-3.0', 'license:gpl-3.0'],
    ['AGPL-3.0+', 'agpl-3.0', 'license:agpl-3.0'],
    ['Apache-2.0', 'apache-2.0', 'license:apache-2.0'],
    ['acme internal', 'other', 'license:acme-internal'],
  ])('spells the licence %j as the hub does', (license, licence, tag) => {
    const { licence: found, tags } = model({ license })
    expect(tags).toContain(tag)
    expect(found).toBe(licence)
  })

  test('of several licences the first counts, and all are tags', () => {
    expect(model({ license: ['mit', 'apache-2.0'] })).toMatchObject({
      licence: 'mit',
      facets: { licence: ['mit'] },
      tags: ['license:mit', 'license:apache-2.0', 'region:us'],
    })
  })

  const adapter = { needs: [{ kind: 'adapter_base' as const, repo: 'a/b', path: 'adapter_config.json' }] }
  const relations: [string, Record<string, unknown>, Partial<Findings>, string][] = [
    ['as it says', { base_model: 'a/b', base_model_relation: 'merge' }, { relation: 'adapter' }, 'merge:a/b'],
    ['by its library', { base_model: 'a/b', library_name: 'peft' }, {}, 'adapter:a/b'],
    ['by adapter_config.json', {}, { ...adapter, relation: 'adapter' }, 'adapter:a/b'],
    ['of two', { base_model: ['a/b', 'a/c'] }, {}, 'merge:a/b'],
    ['by mergekit_config.yml', { base_model: 'a/b' }, { relation: 'merge' }, 'merge:a/b'],
    ['by a tag', { base_model: 'a/b', tags: ['GPTQ'] }, {}, 'quantized:a/b'],
    ['by GGUF', {}, { baseModels: ['a/b'], relation: 'quantized' }, 'quantized:a/b'],
    ['otherwise', { base_model: 'a/b' }, {}, 'finetune:a/b'],
  ]
  test.each(relations)('comes from its base %s', (_, card, found, tag) => {
    expect(model(card, found).tags).toEqual(expect.arrayContaining([`base_model:${tag}`, 'base_model:a/b']))
  })

  test('needs what its card and its files name', () => {
    const found: Partial<Findings> = {
      needs: [
        { kind: 'code', repo: 'acme/code', path: 'config.json' },
        { kind: 'backbone', repo: '../secret', path: 'config.json' },
        { kind: 'adapter_base', repo: 'acme/base', revision: 'v1', path: 'adapter_config.json' },
      ],
    }
    const card = { base_model: ['acme/Base', 'https://example.com/x'], datasets: ['squad', 'a/b/c'] }
    expect(model(card, found).needs).toEqual([
      { kind: 'base_model', type: 'model', target: 'acme/Base', relation: 'merge', path: 'README.md' },
      { kind: 'code', type: 'model', target: 'acme/code', path: 'config.json' },
      {
        kind: 'adapter_base',
        type: 'model',
        target: 'acme/base',
        revision: 'v1',
        path: 'adapter_config.json',
      },
      { kind: 'dataset', type: 'dataset', target: 'squad', path: 'README.md' },
    ])
  })

  test('of a broken card is empty', () => {
    expect(model(null)).toMatchObject({
      task: null,
      library: null,
      licence: null,
      tags: ['region:us'],
      needs: [],
    })
  })

  test('keeps no tag of more than 256 characters, and no more than 500', () => {
    const tags = ['x'.repeat(257), ...Array.from({ length: 600 }, (_, i) => `t${i}`)]
    expect(model({ tags }).tags).toHaveLength(500)
    expect(model({ tags }).tags[0]).toBe('t0')
    expect(model({ language: ['x'.repeat(300), 'en'] }).facets.language).toEqual(['en'])
  })
})

test.each([
  ['Llama-3.1-8B-Instruct', 8e9],
  ['qwen2.5-1.5b', 1.5e9],
  ['pythia_160m-deduped', 160e6],
  ['Mixtral-8x7B-v0.1', 56e9],
  ['Qwen3-30B-A3B', 30e9],
  ['model-4bit', undefined],
  ['yarn-128k', undefined],
  ['v2', undefined],
  ['0B', undefined],
])('the name %s says how large the model is', (name, count) => {
  expect(parametersInName(name)).toBe(count)
})

describe('metadata of a dataset', () => {
  test('prefixes its tags', () => {
    const card = {
      language: false,
      license: 'GPL-3.0-or-later',
      task_categories: ['text-classification'],
      tags: ['finance'],
      size_categories: 'n<1K',
      source_datasets: ['acme/raw'],
      benchmark: 'acme-bench',
    }
    expect(dataset(card, { formats: ['csv'], modalities: ['text'] })).toMatchObject({
      task: 'text-classification',
      library: null,
      licence: 'gpl-3.0',
      tags: [
        'task_categories:text-classification',
        'source_datasets:acme/raw',
        'size_categories:n<1K',
        'benchmark:acme-bench',
        'language:no',
        'license:gpl-3.0',
        'format:csv',
        'modality:text',
        'library:datasets',
        'library:pandas',
        'library:polars',
        'library:mlcroissant',
        'finance',
        'region:us',
      ],
      facets: { format: ['csv'], modality: ['text'], size_category: ['n<1K'], language: ['no'] },
      needs: [{ kind: 'dataset', target: 'acme/raw' }],
    })
  })

  const info = (features: object[], splits: object[] = []) => ({ dataset_info: { features, splits } })
  test.each([
    [{ tags: ['modality:audio', 'modality:nonsense'] }, ['audio']],
    [info([{ name: 'a', dtype: 'string' }]), ['text']],
    [
      info([
        { name: 'a', dtype: 'image' },
        { name: 'b', dtype: 'int64' },
        { name: 'c', dtype: 'int64' },
      ]),
      ['image'],
    ],
    [
      info([
        { name: 'b', dtype: 'int64' },
        { name: 'c', dtype: 'float32' },
      ]),
      ['tabular'],
    ],
    [info([{ name: 'b', dtype: 'int64' }]), []],
    [info([{ name: 'wave', sequence: 'float32' }]), ['timeseries']],
    [info([{ name: 'embedding', sequence: 'float32' }]), []],
    [{ dataset_info: [{ features: 'none' }, null] }, []],
  ])('of %j has the modalities %j', (card, modalities) => {
    expect(dataset(card).facets.modality).toEqual(modalities)
  })

  test.each([
    [999, 'n<1K'],
    [1000, '1K<n<10K'],
    [99_999, '10K<n<100K'],
    [1_000_000_000, '1B<n<10B'],
    [5_000_000_000_000, 'n>1T'],
  ])('of %d rows has the size %s', (rows, size) => {
    const found = dataset(info([], [{ num_examples: rows - 1 }, { num_examples: 1 }]))
    expect(found).toMatchObject({ rows, facets: { size_category: [size] } })
  })

  test.each<[string, Record<string, unknown>, Partial<Findings>, string[]]>([
    ['converted rows before the card', { size_categories: '1M<n<10M' }, { rows: 12 }, ['n<1K']],
    [
      'the card before its splits',
      { size_categories: ['n>1T'], ...info([], [{ num_examples: 5 }]) },
      {},
      ['n>1T'],
    ],
    ['its splits', info([], [{ num_examples: 5 }]), {}, ['n<1K']],
    ['nothing', {}, {}, []],
  ])('has the size of %s', (_, card, found, sizes) => {
    const { facets, tags } = dataset(card, found)
    expect(facets.size_category).toEqual(sizes)
    expect(tags.filter((tag) => tag.startsWith('size_categories:'))).toEqual(
      sizes.map((size) => `size_categories:${size}`),
    )
  })

  test('whose card does not count every split has unknown rows', () => {
    expect(dataset(info([], [{ num_examples: 3 }, { name: 'test' }])).rows).toBeNull()
    expect(dataset(info([], [{ num_examples: -1 }])).rows).toBeNull()
  })
})

test('papers are known by their links', () => {
  const text =
    'https://arxiv.org/pdf/2401.00001v2 (https://doi.org/10.1234/abc.def). arxiv.org/abs/2401.00001'
  expect(papersIn(text)).toEqual(['arxiv:2401.00001', 'doi:10.1234/abc.def'])
})
