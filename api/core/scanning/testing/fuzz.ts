import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { inMemory, inspectBytes } from '../../parsers/index.ts'
import { optimizedParquet, plainParquet } from '../../parsers/testing/parquet.ts'
import { ggufFile, GgufBytes, safetensorsFile } from '../../parsers/testing/samples.ts'
import { scanBytes } from '../scan-bytes.ts'
import { bytes, call, oldCall, pickle, text } from './pickles.ts'
import { tarOf, zipOf } from './zips.ts'

const write = new GgufBytes()
const tensor = { dtype: 'U8', shape: [4], data_offsets: [0, 4] }
const tokens = Buffer.concat([write.u32(8), write.u64(2), write.string('a'), write.string('b')])
const gguf = {
  keys: [
    ['general.architecture', 8, write.string('llama')],
    ['general.alignment', 4, write.u32(32)],
    ['tokenizer.ggml.tokens', 9, tokens],
    ['tokenizer.ggml.eos_token_id', 4, write.u32(1)],
  ] as [string, number, Buffer][],
  tensors: [{ name: 'a', shape: [32, 2], type: 2, offset: 0 }],
  data: 64,
}
const objects = pickle(call('collections', 'OrderedDict'), oldCall('posix', 'system'))
const nested = pickle(
  '\x80\x04',
  bytes(call('os', 'system')),
  text('abc'),
  '\x94(h\x00h\x00t\x94}(',
  text('k'),
  'K\x01u\x87b.',
)
const npy = Buffer.concat([Buffer.from("\x93NUMPY\x01\x00\x14\x00{'descr': '|O', } \n", 'latin1'), objects])
const members = [
  { name: 'a/data.pkl', bytes: objects, isPacked: true },
  { name: 'a/data/0', bytes: Buffer.alloc(64) },
  { name: 'config.json', bytes: Buffer.from('{"layers":[{"class_name":"Dense","module":"keras"}]}') },
]

/** Files that each reader begins with, by the name that leads to it. */
export const corpora: Record<string, { path: string; files: Buffer[] }> = {
  safetensors: {
    path: 'model.safetensors',
    files: [
      safetensorsFile(
        { __metadata__: { a: 'b' }, t: tensor, u: { ...tensor, data_offsets: [4, 8] } },
        Buffer.alloc(8),
      ),
    ],
  },
  'index of shards': {
    path: 'model.safetensors.index.json',
    files: [
      Buffer.from('{"metadata":{"total_size":8},"weight_map":{"a":"x-00001-of-00002.safetensors","b":"y"}}'),
    ],
  },
  gguf: {
    path: 'model.gguf',
    files: [
      ggufFile(gguf),
      ggufFile({ ...gguf, isBig: true, keys: [], tensors: [] }),
      ggufFile({ version: 1 }),
    ],
  },
  settings: {
    path: 'tokenizer_config.json',
    files: [
      Buffer.from(
        '{"chat_template":[{"name":"default","template":"{{ a }}"}],"auto_map":{"A":["a/b--c.D",null]},"eos_token":{"content":"x"}}',
      ),
    ],
  },
  config: {
    path: 'config.json',
    files: [
      Buffer.from(
        '{"architectures":["A"],"max_position_embeddings":2048,"rope_scaling":{"type":"yarn","factor":4.0},"quantization_config":{"quant_method":"compressed-tensors","ignore":["re:a.*","b"],"config_groups":{"g":{"weights":{"num_bits":4}}}},"auto_map":{"A":"a/b--c.D"}}',
      ),
    ],
  },
  adapter: {
    path: 'adapter_config.json',
    files: [Buffer.from('{"peft_type":"LORA","base_model_name_or_path":"a/b","revision":"main"}')],
  },
  pipeline: {
    path: 'model_index.json',
    files: [Buffer.from('{"_class_name":"P","unet":["diffusers","UNet"],"vae":[null,null]}')],
  },
  'config of MLX': {
    path: 'config.json',
    files: [
      Buffer.from(
        '{"quantization":{"group_size":64,"bits":4,"mode":"affine","a.b":{"bits":6,"group_size":32},"c":false},"text_config":{}}',
      ),
    ],
  },
  parquet: { path: 'rows.parquet', files: [plainParquet, optimizedParquet] },
  pickle: { path: 'model.pkl', files: [objects, nested, pickle("(lp0\nS'a\\x41'\np1\naI1\naV\\u0041\na.")] },
  zip: { path: 'model.pt', files: [zipOf(members), zipOf(members, objects)] },
  tar: {
    path: 'model.nemo',
    files: [
      tarOf([
        { name: 'a.ckpt', bytes: objects },
        { name: 'b', type: '2', link: 'a' },
      ]),
    ],
  },
  npy: { path: 'array.npy', files: [npy] },
  compressed: {
    path: 'model.joblib',
    files: [gzipSync(objects), deflateSync(nested), deflateRawSync(objects)],
  },
  graphs: {
    path: 'model.onnx',
    files: [
      Buffer.from('\n\x08location\x12\x07weights\x12\x08ReadFile', 'latin1'),
      Buffer.from('\x89HDF\r\n\x1a\n{"class_name": "Dense"}', 'latin1'),
    ],
  },
  'saved model': {
    path: 'saved_model.pb',
    files: [Buffer.from('\x08\x01\x12\x2e\x0a\x04read\x12\x08ReadFile\x1a\x04name\x12\x06PyFunc', 'latin1')],
  },
  yaml: {
    path: 'model_config.yaml',
    files: [
      Buffer.from('target:\n  _target_: nemo.core.Model\n  base: &a {_target_: os.system}\nagain: *a\n'),
      Buffer.from('- !!python/object/apply:os.system [id]\n- "\\u0041"\n- |\n  text\n'),
    ],
  },
  template: {
    path: 'chat_template.jinja',
    files: [
      Buffer.from(
        '{% for m in messages %}{{ m.content | attr("x") }}{{ "".__class__.__mro__ }}{% endfor %}{# é #}',
      ),
    ],
  },
}

/** Numbers by a seed (mulberry32), so that a fault is found again. */
export function randomOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) % below
  }
}

const edges = [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0xffffffff]

/** A file with one to eight changes. */
export function mutated(file: Buffer, random: (below: number) => number): Buffer {
  let found = Buffer.from(file)
  for (let i = 1 + random(8); i > 0; i--) {
    const at = random(found.length + 1)
    const length = random(16)
    const kind = random(6)
    if (kind === 0 && found.length > at) found[at] = random(256)
    else if (kind === 1) found = Buffer.concat([found.subarray(0, at), found.subarray(at + length)])
    else if (kind === 2)
      found = Buffer.concat([found.subarray(0, at), found.subarray(at, at + length), found.subarray(at)])
    else if (kind === 3 && found.length >= at + 4) found.writeUInt32LE(edges[random(edges.length)] ?? 0, at)
    else if (kind === 4) found = found.subarray(0, Math.max(1, at))
    else found = Buffer.concat([found.subarray(0, at), Buffer.from([random(256)]), found.subarray(at)])
  }
  return found
}

/** Reads a file as the indexer and the scanner do. Throws where one of them fails, or says more than is kept. */
export function readAll(path: string, file: Buffer): void {
  const said = JSON.stringify([inspectBytes({ path }, inMemory(file)), scanBytes({ path }, inMemory(file))])
  if (said.length > 1_000_000)
    throw new Error(`The facts of ${file.length} bytes have ${said.length} characters.`)
}
