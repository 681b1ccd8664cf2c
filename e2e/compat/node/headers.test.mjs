// Headers of models, read by the JavaScript hub client and by @huggingface/gguf from this server, and by the server itself.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { register } from 'tsx/esm/api'
import { givenRepo, hub, hubUrl, on } from './row-setup.mjs'

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

const bytesEach = { F32: 4, BF16: 2, I64: 8 }

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
