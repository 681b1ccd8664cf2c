import { describe, expect, test } from 'vitest'
import type { RepoType } from '../../../shared/vocabulary.ts'
import { inMemory, inspectBytes, type FileFacts } from '../parsers/index.ts'
import { safetensorsFile } from '../parsers/testing/samples.ts'
import { filesToRead, findingsOf, noFindings, shardsToRead } from './index.ts'
import { licenceOfText } from './licence-text.ts'

const listed = (paths: string[]) => paths.map((path) => ({ path, sizeBytes: 1000 }))

/** Findings of files of which some have contents. */
function findings(type: RepoType, files: Record<string, string | Buffer | undefined>, licenceText?: string) {
  const facts = new Map<string, FileFacts>()
  for (const [path, content] of Object.entries(files)) {
    const found = content === undefined ? undefined : inspectBytes({ path }, inMemory(Buffer.from(content)))
    if (found) facts.set(path, found)
  }
  return findingsOf({ type, files: listed(Object.keys(files)), facts, licenceText })
}

describe('formats and library of a model', () => {
  test.each<[string[], string[], string | undefined]>([
    [[], [], undefined],
    [['pytorch_model-00001-of-00002.bin', 'x.pth'], ['pytorch'], undefined],
    [['tf_model.h5', 'flax_model.msgpack'], ['tensorflow', 'jax'], undefined],
    [['a.bin'], [], undefined],
    [['a.Q4_K_M.gguf'], ['gguf'], 'gguf'],
    [['a.Q4_K_M.gguf', 'model.safetensors'], ['safetensors', 'gguf'], undefined],
    [['onnx/model.onnx', 'model.safetensors'], ['onnx', 'safetensors'], undefined],
    [['adapter_config.json', 'adapter_model.safetensors', 'modules.json'], ['safetensors'], 'peft'],
    [['model_index.json', 'unet/diffusion_pytorch_model.safetensors'], ['safetensors'], 'diffusers'],
    [['modules.json', 'config_setfit.json'], [], 'setfit'],
    [['modules.json'], [], 'sentence-transformers'],
    [['speech.nemo'], ['nemo'], 'nemo'],
    [['m.mlpackage/Manifest.json'], ['coreml'], 'coreml'],
    [['open_clip_config.json'], [], 'open_clip'],
    [['sklearn_model.joblib'], ['joblib'], 'sklearn'],
    [['model.skops'], ['joblib'], 'sklearn'],
    [['hyperparams.yaml'], [], 'speechbrain'],
    [['gliner_config.json'], [], 'gliner'],
    [['mlc-chat-config.json'], [], 'mlc-llm'],
    [['a.keras'], ['keras'], 'keras'],
    [['a.weights.h5'], ['keras'], undefined],
    [['saved_model.pb'], ['tensorflow'], 'tf-keras'],
    [['m.tflite', 'm.litertlm'], ['tflite'], 'litert'],
    [['openvino_model.xml'], ['openvino'], undefined],
    [['m.pdparams', 'm.pte', 'm.engine', 'm.dduf'], ['paddle', 'dduf', 'executorch', 'tensorrt'], undefined],
  ])('of %j are %j and %s', (paths, formats, library) => {
    const found = findings('model', Object.fromEntries(paths.map((path) => [path, undefined])))
    expect([found.formats, found.library]).toEqual([formats, library])
  })

  test('are those of transformers where a configuration names an architecture beside weights', () => {
    const config = JSON.stringify({ architectures: ['BertModel'], model_type: 'bert' })
    expect(findings('model', { 'config.json': config, 'pytorch_model.bin': undefined }).library).toBe(
      'transformers',
    )
    expect(findings('model', { 'config.json': config }).library).toBeUndefined()
  })

  test('are those of MLX by its quantisation or its metadata', () => {
    const config = JSON.stringify({
      architectures: ['LlamaForCausalLM'],
      quantization: { group_size: 64, bits: 4 },
    })
    expect(findings('model', { 'config.json': config, 'model.safetensors': undefined })).toMatchObject({
      library: 'mlx',
      formats: ['safetensors', 'mlx'],
      relation: 'quantized',
    })
    const weights = safetensorsFile({ __metadata__: { format: 'mlx' } })
    expect(findings('model', { 'model.safetensors': weights })).toMatchObject({ library: 'mlx' })
  })
})

describe('formats and modalities of a dataset', () => {
  const images = Array.from({ length: 12 }, (_, i) => `img/${i}.jpg`)
  test.each<[string[], string[], string[]]>([
    [['README.md', '.gitattributes', 'dataset_infos.json', 'make.py'], [], []],
    [['data/train.parquet'], ['parquet'], []],
    [['a.csv', 'b.tsv.gz', 'c.jsonl.zst', 'd.txt'], ['csv', 'json', 'text'], ['text']],
    [['a/state.json', 'a/data.arrow', 'a/dataset_info.json'], ['arrow'], []],
    [['t.lance/data/0.bin'], ['lance'], []],
    [['shard-000.tar'], ['webdataset'], []],
    [images, ['imagefolder'], ['image']],
    [['a.wav', 'b.mp3'], ['audiofolder'], ['audio']],
    [['a.csv', ...images], ['csv'], ['image']],
    [['a.csv', 'logo.png'], ['csv'], []],
    [['a.pdf', 'b.glb', 'c.geojson', 'd.mp4'], ['videofolder'], ['3d', 'document', 'geospatial', 'video']],
  ])('of %j are %j and %j', (paths, formats, modalities) => {
    const found = findings('dataset', Object.fromEntries(paths.map((path) => [path, undefined])))
    expect([found.formats, found.modalities.toSorted()]).toEqual([formats, modalities])
  })
})

describe('parameters', () => {
  const shard = (count: number) =>
    safetensorsFile(
      { [`w${count}`]: { dtype: 'F32', shape: [count], data_offsets: [0, 4 * count] } },
      new Uint8Array(4 * count),
    )
  const index = JSON.stringify({
    weight_map: { w3: 'model-00001-of-00002.safetensors', w4: 'model-00002-of-00002.safetensors' },
  })
  const files = {
    'model.safetensors.index.json': index,
    'model-00001-of-00002.safetensors': shard(3),
    'model-00002-of-00002.safetensors': shard(4),
  }

  test('are those of all shards of an index', () => {
    expect(findings('model', files)).toMatchObject({
      parameters: 7,
      safetensors: { parameters: { F32: 7 }, total: 7 },
      tensorFiles: ['model-00001-of-00002.safetensors', 'model-00002-of-00002.safetensors'],
    })
  })

  test('are unknown where a shard is missing', () => {
    const { parameters } = findings('model', { ...files, 'model-00002-of-00002.safetensors': undefined })
    expect(parameters).toBeUndefined()
  })

  test('are read from settings, from what counts, and then from the shards of the index', () => {
    const listing = listed([
      ...Object.keys(files),
      'config.json',
      'original/model.safetensors',
      'b.Q8_0.gguf',
    ])
    expect(filesToRead('model', listing)).toEqual([
      'config.json',
      'model.safetensors.index.json',
      'b.Q8_0.gguf',
    ])
    const found = inspectBytes({ path: 'model.safetensors.index.json' }, inMemory(Buffer.from(index)))
    const facts = new Map(found ? [['model.safetensors.index.json', found]] : [])
    expect(shardsToRead(listing, facts)).toEqual([
      'model-00001-of-00002.safetensors',
      'model-00002-of-00002.safetensors',
    ])
    expect(filesToRead('dataset', listing)).toEqual([])
  })
})

test('quants are known by the names of files whose headers were not read', () => {
  const paths = [
    'a-Q4_K_M.gguf',
    'a-q8_0.gguf',
    'mmproj-F16.gguf',
    'b-Q8_0-00001-of-00002.gguf',
    'b-Q8_0-00002-of-00002.gguf',
  ]
  const found = findings('model', Object.fromEntries(paths.map((path) => [path, undefined])))
  expect(found).toMatchObject({ hasProjector: true, relation: 'quantized' })
  expect(found.quants.toSorted()).toEqual(['Q4_K_M', 'Q8_0'])
  // One quant stands for all: the largest of the fewest files.
  expect(filesToRead('model', listed(paths))).toEqual(['a-q8_0.gguf'])
})

test.each([
  [{}, { model_max_length: 4096 }, 4096],
  [{ max_position_embeddings: 512 }, { model_max_length: 4096 }, 512],
  [{}, { model_max_length: 1e9 - 1 }, 1e9 - 1],
  [{}, { model_max_length: 1e9 }, undefined],
  [{}, { model_max_length: 1e30 }, undefined],
])('of the config %j and the tokenizer %j the context length is %s', (config, tokenizer, length) => {
  const files = { 'config.json': JSON.stringify(config), 'tokenizer_config.json': JSON.stringify(tokenizer) }
  expect(findings('model', files).contextLength).toBe(length)
})

test('a tokenizer of another repo is needed only where none lies here', () => {
  const config = JSON.stringify({ tokenizer_name: 'acme/tok', vision_tower: 'acme/clip' })
  const kinds = (files: Record<string, string | undefined>) =>
    findings('model', files).needs.map(({ kind }) => kind)
  expect(kinds({ 'config.json': config })).toEqual(['tokenizer', 'backbone'])
  expect(kinds({ 'config.json': config, 'tokenizer.json': undefined })).toEqual(['backbone'])
})

test.each([
  [
    '                                 Apache License\n                           Version 2.0, January 2004',
    'apache-2.0',
  ],
  ['MIT License\n\nCopyright (c) 2024', 'mit'],
  ['GNU GENERAL PUBLIC LICENSE\n Version 3, 29 June 2007', 'gpl-3.0'],
  ['GNU LESSER GENERAL PUBLIC LICENSE\n Version 3', 'lgpl-3.0'],
  ['BSD 3-Clause License', 'bsd-3-clause'],
  ['Creative Commons Attribution-NonCommercial 4.0 International', 'cc-by-nc-4.0'],
  ['LLAMA 3.1 COMMUNITY LICENSE AGREEMENT', 'llama3.1'],
  ['Acme Internal Licence', undefined],
])('a licence is known by how its text begins: %j', (text, id) => {
  expect(licenceOfText(text)).toBe(id)
  expect(findings('model', {}, text).licence).toBe(id)
})

test('of no files nothing is found', () => {
  expect(findings('model', {})).toEqual(noFindings)
})
