import { describe, expect, test } from 'vitest'
import { inMemory } from '../reader/file-bytes.ts'
import { GgufBytes, ggufFile } from '../testing/samples.ts'
import { quantGroups, quantLabel, quantOf } from '../index.ts'
import { readGguf } from './header.ts'
import { tensorTypes } from './types.ts'

const read = (bytes: Buffer) => readGguf(inMemory(bytes))
const codes = (bytes: Buffer) => read(bytes).problems.map(({ code }) => code)

describe.each([
  [1, false],
  [2, false],
  [3, false],
  [3, true],
])('the header of version %i, big-endian %s', (version, isBig) => {
  const write = new GgufBytes(version, isBig)
  const tokens = Buffer.concat([
    write.u32(8),
    write.count(3),
    ...['a', 'b', 'end'].map((text) => write.string(text)),
  ])
  const bytes = ggufFile({
    version,
    isBig,
    keys: [
      ['general.architecture', 8, write.string('llama')],
      ['llama.context_length', 4, write.u32(4096)],
      ['general.file_type', 4, write.u32(15)],
      ['tokenizer.ggml.tokens', 9, tokens],
      ['tokenizer.ggml.eos_token_id', 4, write.u32(2)],
      ['tokenizer.chat_template', 8, write.string('{{ messages }}')],
      ['general.base_model.0.repo_url', 8, write.string('https://hub.example/alice/base')],
    ],
    tensors: [
      { name: 'a', shape: [32, 2], type: 2, offset: 0 },
      { name: 'b', shape: [3], type: 0, offset: 64 },
    ],
    data: 96,
  })

  test('is read', () => {
    expect(read(bytes)).toMatchObject({
      version,
      isBigEndian: isBig,
      architecture: 'llama',
      contextLength: 4096,
      fileType: 'Q4_K_M',
      eosToken: 'end',
      chatTemplate: '{{ messages }}',
      baseModels: ['alice/base'],
      parameters: 67,
      parametersByType: { Q4_0: 64, F32: 3 },
      problems: version === 1 ? [{ code: 'gguf_version_old' }] : [],
    })
  })

  test('cut anywhere has a problem, and is never read beyond its end', () => {
    for (let length = 0; length < bytes.length - 96; length += 7)
      expect(read(bytes.subarray(0, length)).problems.length).toBeGreaterThan(
        version === 1 && length > 8 ? 1 : 0,
      )
  })
})

describe('a GGUF header', () => {
  const write = new GgufBytes()
  const one = { name: 'a', shape: [32], type: 0, offset: 0 }

  test.each<[string, Buffer, string]>([
    ['of another format', Buffer.from('GGML0000'), 'gguf_bad_magic'],
    ['of version 9', ggufFile({ version: 9 }), 'gguf_version_unsupported'],
    [
      'with 2^60 keys',
      Buffer.concat([Buffer.from('GGUF'), write.u32(3), write.u64(0), write.u64(2n ** 60n)]),
      'gguf_limit',
    ],
    [
      'with an array of 2^40 numbers',
      ggufFile({ keys: [['a', 9, Buffer.concat([write.u32(0), write.u64(2n ** 40n)])]] }),
      'gguf_limit',
    ],
    [
      'with an array beyond the file',
      ggufFile({ keys: [['a', 9, Buffer.concat([write.u32(10), write.u64(2n ** 23n)])]] }),
      'gguf_truncated_header',
    ],
    [
      'with arrays in arrays',
      ggufFile({
        keys: [['a', 9, Buffer.concat(Array.from({ length: 9 }, () => [write.u32(9), write.u64(1)]).flat())]],
      }),
      'gguf_limit',
    ],
    [
      'with a string of 2^62 bytes',
      ggufFile({ keys: [['a', 8, write.u64(2n ** 62n)]] }),
      'gguf_truncated_header',
    ],
    ['with a bool of 7', ggufFile({ keys: [['a', 7, Buffer.from([7])]] }), 'gguf_bad_bool'],
    [
      'with a key twice',
      ggufFile({
        keys: [
          ['a', 0, Buffer.from([7])],
          ['a', 0, Buffer.from([7])],
        ],
      }),
      'gguf_duplicate_key',
    ],
    [
      'with an odd alignment',
      ggufFile({ keys: [['general.alignment', 4, write.u32(33)]] }),
      'gguf_bad_alignment',
    ],
    [
      'with a tensor twice',
      ggufFile({ tensors: [one, { ...one, offset: 128 }], data: 256 }),
      'gguf_duplicate_tensor',
    ],
    ['with an unknown type', ggufFile({ tensors: [{ ...one, type: 77 }], data: 128 }), 'gguf_unknown_type'],
    [
      'with half a block',
      ggufFile({ tensors: [{ ...one, shape: [16], type: 2 }], data: 32 }),
      'gguf_row_not_block_multiple',
    ],
    [
      'with an offset between',
      ggufFile({ tensors: [{ ...one, offset: 5 }], data: 256 }),
      'gguf_offset_misaligned',
    ],
    ['with a gap', ggufFile({ tensors: [{ ...one, offset: 32 }], data: 256 }), 'gguf_offset_gap'],
    ['with data beyond the file', ggufFile({ tensors: [one], data: 64 }), 'gguf_out_of_bounds'],
    [
      'with a shape beyond 64 bits',
      ggufFile({ tensors: [{ ...one, shape: [2 ** 32, 2 ** 32] }] }),
      'gguf_shape_overflow',
    ],
    [
      'with more parameters than bits',
      ggufFile({ tensors: [{ ...one, shape: [2 ** 30], type: 77 }] }),
      'gguf_params_impossible',
    ],
    ['with bytes at its end', ggufFile({ tensors: [one], data: 999 }), 'gguf_trailing_bytes'],
  ])('%s has a problem', (_, bytes, code) => {
    expect(codes(bytes)).toContain(code)
  })

  test.each([...tensorTypes])('knows type %i', (type, { name, block, bytes }) => {
    const facts = read(
      ggufFile({ tensors: [{ name: 'a', shape: [block, 32], type, offset: 0 }], data: bytes * 32 }),
    )
    expect(facts).toMatchObject({ parametersByType: { [name]: block * 32 }, problems: [] })
  })
})

describe('quants', () => {
  test.each([
    ['Llama-3-8B-Q4_K_M.gguf', 'Q4_K_M'],
    ['model.q4_k_m.gguf', 'Q4_K_M'],
    ['model-Q4_K_L.gguf', 'Q4_K_L'],
    ['model-Q4_0_4_4.gguf', 'Q4_0_4_4'],
    ['UD-Q4_K_XL/model-UD-Q4_K_XL-00001-of-00003.gguf', 'UD-Q4_K_XL'],
    ['BF16/model-00001-of-00002.gguf', 'BF16'],
    ['model-fp16.gguf', 'F16'],
    ['model-IQ2_XXS.gguf', 'IQ2_XXS'],
    ['model-TQ1_0.gguf', 'TQ1_0'],
    ['gpt-oss-MXFP4_MOE.gguf', 'MXFP4_MOE'],
    ['Q8B-chat.gguf', undefined],
  ])('%s is %s', (path, label) => {
    expect(quantLabel(path)).toBe(label)
  })

  test('come from the name, the header, or what most bytes are', () => {
    const header = { fileType: 'Q6_K', bytesByType: { F32: 4, Q4_K: 900 } }
    expect(quantOf('a-Q8_0.gguf', header)).toBe('Q8_0')
    expect(quantOf('a.gguf', header)).toBe('Q6_K')
    expect(quantOf('a.gguf', { bytesByType: header.bytesByType })).toBe('Q4_K')
    expect(quantOf('a.gguf')).toBe('UNKNOWN')
  })

  test('group shards, leave projectors out and tell bases apart', () => {
    const files = [
      { path: 'm-Q8_0-00001-of-00003.gguf', sizeBytes: 10 },
      { path: 'm-Q8_0-00002-of-00003.gguf', sizeBytes: 10 },
      { path: 'a-Q4_0.gguf', sizeBytes: 5 },
      { path: 'b-Q4_0.gguf', sizeBytes: 4 },
      { path: 'mmproj-F16.gguf', sizeBytes: 99 },
    ]
    expect(quantGroups(files)).toMatchObject([
      {
        name: 'Q8_0',
        files: files.slice(0, 2).map(({ path }) => path),
        sizeBytes: 20,
        isSharded: true,
        missingShards: 1,
        projectors: ['mmproj-F16.gguf'],
      },
      { name: 'Q4_0 · a', isSharded: false },
      { name: 'Q4_0 · b' },
    ])
  })
})
