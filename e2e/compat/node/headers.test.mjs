// Headers of models, read by the JavaScript hub client and by @huggingface/gguf from this server, and by the server itself.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { register } from 'tsx/esm/api'
import { givenRepo, hub, hubUrl, on, version } from './row-setup.mjs'

register()
const samples = await import('../../../api/core/parsers/testing/samples.ts')
const { gguf } = await import('@huggingface/gguf')

const authorised = { Authorization: `Bearer ${on.accessToken}` }

/** What the server says of a file. */
async function header(repo, path) {
  const url = `${hubUrl}/api/service/v1/repos/models/${repo.name}/files/main/${encodeURIComponent(path)}/header`
  const response = await fetch(url, { headers: authorised })
  assert.equal(response.status, 200)
  return response.json()
}

const bytesEach = { F32: 4, BF16: 2, F16: 2, I64: 8, I32: 4, U8: 1, U32: 4, I8: 1, F8_E4M3: 1, F8_E8M0: 1 }

/** A safetensors file: name → dtype and shape. */
function shard(tensors) {
  let at = 0
  const entries = Object.entries(tensors).map(([name, [dtype, shape]]) => {
    const size = shape.reduce((product, dimension) => product * dimension, bytesEach[dtype])
    const entry = [name, { dtype, shape, data_offsets: [at, at + size] }]
    at += size
    return entry
  })
  const all = { __metadata__: { format: 'pt' }, ...Object.fromEntries(entries) }
  return samples.safetensorsFile(all, new Uint8Array(at))
}

const layer = (n) => ({
  [`model.layers.${n}.w`]: ['BF16', [24, 16]],
  [`model.layers.${n}.norm`]: ['F32', [16]],
})

test('one safetensors file counts the same parameters', async () => {
  const tensors = { ...layer(0), ...layer(1), position_ids: ['I64', [1, 8]] }
  const repo = await givenRepo('model', { 'model.safetensors': shard(tensors) })
  const theirs = await hub.parseSafetensorsMetadata({ ...on, repo, computeParametersCount: true })
  const ours = await header(repo, 'model.safetensors')
  assert.equal(theirs.sharded, false)
  assert.deepEqual(ours.parameters_by_dtype, theirs.parameterCount)
  assert.equal(ours.tensor_count, Object.keys(theirs.header).length - 1)
})

test('shards count the same parameters, read in many ranges', async () => {
  const name = (n) => `model-0000${n}-of-00003.safetensors`
  const shards = [1, 2, 3].map((n) => [name(n), Object.assign({}, ...[0, 1, 2].map((i) => layer(n * 3 + i)))])
  const map = shards.flatMap(([file, tensors]) => Object.keys(tensors).map((tensor) => [tensor, file]))
  const index = { metadata: { total_size: 1 }, weight_map: Object.fromEntries(map) }
  const repo = await givenRepo('model', {
    ...Object.fromEntries(shards.map(([file, tensors]) => [file, shard(tensors)])),
    'model.safetensors.index.json': JSON.stringify(index),
  })
  const theirs = await hub.parseSafetensorsMetadata({ ...on, repo, computeParametersCount: true })
  const ours = await header(repo, 'model.safetensors.index.json')
  assert.equal(theirs.sharded, true)
  assert.deepEqual(ours.parameters_by_dtype, theirs.parameterCount)
  assert.equal(ours.files.length, 3)
  assert.equal(ours.tensor_count, map.length)
})

const bnbState = (name) => ({
  [`${name}.absmax`]: ['U8', [64]],
  [`${name}.quant_map`]: ['F32', [16]],
  [`${name}.nested_absmax`]: ['F32', [2]],
  [`${name}.nested_quant_map`]: ['F32', [256]],
  [`${name}.quant_state.bitsandbytes__nf4`]: ['U8', [90]],
})
const packed = (name) => ({
  [`${name}.qweight`]: ['I32', [16, 64]],
  [`${name}.qzeros`]: ['I32', [1, 8]],
  [`${name}.scales`]: ['F16', [1, 64]],
  [`${name}.g_idx`]: ['I32', [128]],
})
const group = (numBits, targets) => ({ weights: { num_bits: numBits }, targets })

/**
 * How a quantised model stores its layer `a`: its method, the configuration and the tensors.
 * @type {[name: string, quantization: object, tensors: object][]}
 */
const quantised = [
  ['gptq of 4 bits', { quant_method: 'gptq', bits: 4 }, packed('a')],
  ['gptq of 8 bits', { quant_method: 'gptq', bits: 8 }, packed('a')],
  ['gptq of 3 bits', { quant_method: 'gptq', bits: 3 }, packed('a')],
  ['awq without bits', { quant_method: 'awq' }, packed('a')],
  [
    'gptq with a plain layer',
    { quant_method: 'gptq', bits: 4, modules_to_not_convert: ['lm_head'] },
    { ...packed('a'), 'lm_head.weight': ['F16', [8, 8]], 'lm_head.scales': ['F16', [8]] },
  ],
  [
    'bitsandbytes of 4 bits',
    { quant_method: 'bitsandbytes', load_in_4bit: true },
    { 'a.weight': ['U8', [2048, 1]], ...bnbState('a.weight') },
  ],
  [
    'bitsandbytes of 8 bits',
    { quant_method: 'bitsandbytes', load_in_8bit: true },
    { 'a.weight': ['I8', [64, 64]], 'a.SCB': ['F32', [64]], 'a.weight_format': ['U8', [1]] },
  ],
  [
    'fp8 in blocks',
    { quant_method: 'fp8', weight_block_size: [128, 128] },
    { 'a.weight': ['F8_E4M3', [64, 64]], 'a.weight_scale_inv': ['F32', [1, 1]] },
  ],
  [
    'fp8 with experts of fp4',
    { quant_method: 'fp8', expert_dtype: 'fp4' },
    {
      'mlp.experts.0.w1.weight': ['I8', [64, 32]],
      'mlp.experts.0.w1.scale': ['F8_E8M0', [64, 2]],
      'mlp.shared_experts.w1.weight': ['I8', [64, 32]],
      'mlp.experts.0.w2.weight': ['F8_E4M3', [8, 8]],
      'mlp.gate.tid2eid': ['I32', [10, 2]],
    },
  ],
  [
    'fp8 with experts stored as mxfp4',
    { quant_method: 'fp8', store_dtype: 'mxfp4' },
    { 'mlp.experts.0.w1.weight': ['U8', [64, 32]] },
  ],
  [
    'mxfp4',
    { quant_method: 'mxfp4', modules_to_not_convert: ['model.embed_tokens'] },
    {
      'mlp.experts.gate_up_proj_blocks': ['U8', [4, 8, 2, 16]],
      'mlp.experts.gate_up_proj_scales': ['U8', [4, 8, 2]],
      'mlp.experts.gate_up_proj_bias': ['BF16', [4, 8]],
    },
  ],
  [
    'compressed tensors of 4 bits',
    {
      quant_method: 'compressed-tensors',
      format: 'pack-quantized',
      config_groups: { group_0: group(4, ['Linear']) },
      ignore: ['lm_head', 're:.*router.*'],
    },
    {
      'a.weight_packed': ['I32', [64, 8]],
      'a.weight_scale': ['BF16', [64, 1]],
      'a.weight_shape': ['I64', [2]],
      'a.weight_zero_point': ['I32', [8, 1]],
      'a.router.weight': ['I32', [4, 4]],
      'a.map': ['I64', [4]],
      'lm_head.weight': ['BF16', [8, 8]],
    },
  ],
  [
    'compressed tensors of 3 bits',
    {
      quant_method: 'compressed-tensors',
      format: 'pack-quantized',
      config_groups: { group_0: group(3, ['Linear']) },
    },
    { 'a.weight_packed': ['I32', [5, 7]] },
  ],
  [
    'compressed tensors of two widths',
    {
      quant_method: 'compressed-tensors',
      format: 'pack-quantized',
      config_groups: { group_0: group(4, ['re:.*a$']), group_1: group(8, ['re:.*b$']) },
    },
    { 'm.a.weight_packed': ['I32', [64, 8]], 'm.b.weight_packed': ['I32', [64, 16]] },
  ],
  [
    'compressed tensors whose format says the width',
    { quant_method: 'compressed-tensors', format: 'mxfp4-pack-quantized' },
    { 'a.weight_packed': ['U8', [64, 16]], 'a.weight_scale': ['U8', [64, 1]] },
  ],
  ['another method of 4 bits', { quant_method: 'hqq', bits: 4 }, { 'a.weight': ['U8', [64, 32]] }],
]

// Clients before 2.17 know no quantisation: they count packed values as they are stored.
const isCountedByThem = Number(version.split('.')[1]) >= 17
for (const [name, quantization, tensors] of isCountedByThem ? quantised : [])
  test(`a model quantised by ${name} counts the same parameters`, async () => {
    const plain = { 'model.embed_tokens.weight': ['BF16', [32, 8]], 'model.norm.weight': ['F32', [8]] }
    const repo = await givenRepo('model', {
      'model.safetensors': shard({ ...plain, ...tensors }),
      'config.json': JSON.stringify({ model_type: 'llama', quantization_config: quantization }),
    })
    const theirs = await hub.parseSafetensorsMetadata({ ...on, repo, computeParametersCount: true })
    const ours = await header(repo, 'model.safetensors')
    assert.ok(Object.keys(theirs.parameterCount).length > 2 || theirs.parameterCount.BF16 > 256)
    assert.deepEqual(ours.parameters_by_dtype, theirs.parameterCount)
  })

/** A layer as MLX packs it; `bias` is learned. */
const mlxLayer = (name, scale = 'BF16') => ({
  [`${name}.weight`]: ['U32', [16, 6]],
  [`${name}.scales`]: [scale, [16, 1]],
  [`${name}.biases`]: ['BF16', [16, 1]],
  [`${name}.bias`]: ['BF16', [16]],
})

/**
 * What a `config.json` of MLX says.
 * @type {[name: string, config: object][]}
 */
const ofMlx = [
  ['affine, of 4 bits', { quantization: { group_size: 64, bits: 4 } }],
  ['affine, of 3 bits', { quantization: { group_size: 32, bits: 3, mode: 'affine' } }],
  ['mxfp4', { quantization: { mode: 'mxfp4', group_size: 32, bits: 4 } }],
  ['nvfp4 with its usual sizes', { quantization: { mode: 'nvfp4' } }],
  ['mxfp8', { quantization: { mode: 'MXFP8', bits: 8, group_size: 32 } }],
  ['an older configuration', { quantization_config: { group_size: 64, bits: 8 } }],
  ['the part for text', { text_config: { quantization: { group_size: 64, bits: 4 } } }],
  [
    'modules of their own',
    { quantization: { group_size: 64, bits: 4, 'm.b': { bits: 6, group_size: 64 }, 'm.c': false } },
  ],
  ['one module alone', { quantization: { mode: 'none', 'm.b': { bits: 8, group_size: 64 } } }],
  ['a width that MLX does not have', { quantization: { group_size: 64, bits: 7 } }],
  ['another method', { quantization: { group_size: 64, bits: 4, quant_method: 'gptq' } }],
]
const plainLayers = {
  'm.norm.weight': ['F32', [8]],
  'm.table.weight': ['U32', [4, 4]],
  'm.gate.scales': ['BF16', [8]],
}

for (const [name, config] of isCountedByThem ? ofMlx : [])
  test(`a model packed by MLX, ${name}, counts the same parameters in one file and in shards`, async () => {
    const layers = { ...mlxLayer('m.a'), ...mlxLayer('m.b'), ...mlxLayer('m.c', 'U8'), ...plainLayers }
    const names = Object.keys(layers)
    // The border of the shards parts a layer from its scales.
    const cut = names.indexOf('m.b.scales')
    const fileOf = (i) => `model-0000${i < cut ? 1 : 2}-of-00002.safetensors`
    const shardOf = (file) => Object.fromEntries(Object.entries(layers).filter((_, i) => fileOf(i) === file))
    const index = { metadata: {}, weight_map: Object.fromEntries(names.map((each, i) => [each, fileOf(i)])) }
    const settings = { 'config.json': JSON.stringify({ model_type: 'llama', ...config }) }
    const one = await givenRepo('model', { ...settings, 'model.safetensors': shard(layers) })
    const two = await givenRepo('model', {
      ...settings,
      'model.safetensors.index.json': JSON.stringify(index),
      ...Object.fromEntries([fileOf(0), fileOf(cut)].map((file) => [file, shard(shardOf(file))])),
    })
    for (const { repo, path } of [
      { repo: one, path: 'model.safetensors' },
      { repo: two, path: 'model.safetensors.index.json' },
    ]) {
      const theirs = await hub.parseSafetensorsMetadata({ ...on, repo, computeParametersCount: true })
      const ours = await header(repo, path)
      assert.deepEqual(ours.parameters_by_dtype, theirs.parameterCount, path)
    }
  })

test('a GGUF file is read by @huggingface/gguf, and says the same', async () => {
  const write = new samples.GgufBytes()
  const tokens = Array.from({ length: 20_000 }, (_, i) => write.string(`token ${i}`))
  const file = samples.ggufFile({
    keys: [
      ['general.architecture', 8, write.string('llama')],
      ['llama.context_length', 4, write.u32(8192)],
      ['tokenizer.ggml.tokens', 9, Buffer.concat([write.u32(8), write.u64(tokens.length), ...tokens])],
    ],
    tensors: [
      { name: 'token_embd.weight', shape: [256, 40], type: 12, offset: 0 },
      { name: 'output_norm.weight', shape: [256], type: 0, offset: 5760 },
    ],
    data: 5760 + 1024,
  })
  const repo = await givenRepo('model', { 'tiny-Q4_K_M.gguf': file })
  const url = `${hubUrl}/${repo.name}/resolve/main/tiny-Q4_K_M.gguf`
  const theirs = await gguf(url, { additionalFetchHeaders: authorised, computeParametersCount: true })
  const ours = await header(repo, 'tiny-Q4_K_M.gguf')
  assert.equal(ours.parameters, theirs.parameterCount)
  assert.deepEqual(
    ours.header.tensors.map(({ name, shape }) => [name, shape]),
    theirs.tensorInfos.map(({ name, shape }) => [name, shape.map(Number)]),
  )
  const keys = new Map(ours.header.keys.map(({ key, value }) => [key, value]))
  assert.equal(keys.get('llama.context_length'), theirs.metadata['llama.context_length'])
  assert.equal(keys.get('tokenizer.ggml.tokens').length, theirs.metadata['tokenizer.ggml.tokens'].length)
})
