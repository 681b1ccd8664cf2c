import { GGMLFileQuantizationType, GGUF_QUANT_ORDER } from '@huggingface/tasks'
import { describe, expect, test } from 'vitest'
import { inMemory, type FileBytes } from '../reader/file-bytes.ts'
import { GgufBytes, ggufFile } from '../testing/samples.ts'
import { ggufNameProblems, quantGroups, quantLabel, quantOf } from '../index.ts'
import { readGguf } from './header.ts'
import { quantOrder } from './quant-order.ts'
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
    [
      'with a name of 64 bytes',
      ggufFile({ tensors: [{ ...one, name: 'x'.repeat(64) }], data: 128 }),
      'gguf_limit',
    ],
    [
      'with 5 dimensions',
      ggufFile({ tensors: [{ ...one, shape: [32, 1, 1, 1, 1] }], data: 128 }),
      'gguf_limit',
    ],
    ['with a key of 65 536 bytes', ggufFile({ keys: [['k'.repeat(65_536), 7, Buffer.of(1)]] }), 'gguf_limit'],
    [
      'with 1 000 001 tensors',
      Buffer.concat([Buffer.from('GGUF'), write.u32(3), write.u64(1_000_001), write.u64(0)]),
      'gguf_limit',
    ],
    [
      'with a dimension above 2^32',
      ggufFile({ tensors: [{ ...one, shape: [2 ** 33], type: 77 }] }),
      'gguf_shape_overflow',
    ],
    ['with bytes at its end', ggufFile({ tensors: [one], data: 999 }), 'gguf_trailing_bytes'],
  ])('%s has a problem', (_, bytes, code) => {
    expect(codes(bytes)).toContain(code)
  })

  test('may have a name of 63 bytes, 4 dimensions and a key of 65 535 bytes', () => {
    const key = 'k'.repeat(65_535)
    const facts = read(
      ggufFile({
        keys: [[key, 7, Buffer.of(1)]],
        tensors: [{ ...one, name: 'x'.repeat(63), shape: [32, 1, 1, 1] }],
        data: 128,
      }),
    )
    expect(facts).toMatchObject({ metadata: [[key, true]], tensorCount: 1, problems: [] })
  })

  test.each([
    [1024 * 1024, 1024 * 1024],
    [1024 * 1024 + 1, 1024 * 1024],
  ])('keeps of a string of %i bytes %i', (bytes, kept) => {
    const facts = read(ggufFile({ keys: [['a', 8, write.string('x'.repeat(bytes))]] }))
    expect(facts.metadata.map(([, value]) => String(value).length)).toEqual([kept])
    expect(facts.problems).toEqual([])
  })

  test('is read up to 128 MiB', () => {
    const keyOf = (bytes: number): FileBytes => {
      const head = Buffer.concat([
        Buffer.from('GGUF'),
        write.u32(3),
        write.u64(0),
        write.u64(1),
        write.string('a'),
        write.u32(8),
        write.u64(bytes),
      ])
      // The string is passed over, so that it needs no memory.
      const sizeBytes = Math.ceil((head.length + bytes) / 32) * 32
      return {
        sizeBytes,
        read: (at, length) => {
          const found = Buffer.alloc(Math.max(0, Math.min(length, sizeBytes - at)))
          if (at < head.length) head.copy(found, 0, at)
          return found
        },
      }
    }
    const found = (bytes: number) => readGguf(keyOf(bytes)).problems.map(({ code }) => code)
    expect(found(128 * 1024 * 1024 - 100)).toEqual([])
    expect(found(128 * 1024 * 1024)).toEqual(['gguf_limit'])
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

  test.each<[string, [string, string][]]>([
    ['mtp-m-Q4_0.gguf', []],
    ['imatrix.gguf', []],
    ['imatrix_unsloth.gguf', []],
    ['llama-vocab.gguf', []],
    ['lora-F16.gguf', [['general.type', 'adapter']]],
    ['tokens.gguf', [['general.type', 'vocab']]],
    ['eyes-F16.gguf', [['general.architecture', 'clip']]],
  ])('%s with %j makes no group', (path, keys) => {
    const write = new GgufBytes()
    const facts = read(ggufFile({ keys: keys.map(([key, value]) => [key, 8, write.string(value)]) }))
    const model = { path: 'm-Q4_0.gguf', sizeBytes: 1 }
    const groups = quantGroups([model, { path, sizeBytes: 9, facts }])
    expect(groups.map(({ files }) => files)).toEqual([['m-Q4_0.gguf']])
    expect(groups[0]?.projectors).toEqual(path === 'eyes-F16.gguf' ? [path] : [])
  })

  test('have the projectors of their folder and of the one above', () => {
    const paths = ['q4/m-Q4_0.gguf', 'a/b/m-Q8_0.gguf', 'mmproj-F16.gguf', 'q4/mmproj-F32.gguf']
    expect(quantGroups(paths.map((path) => ({ path, sizeBytes: 1 })))).toMatchObject([
      { name: 'Q8_0', projectors: [] },
      { name: 'Q4_0', projectors: ['mmproj-F16.gguf', 'q4/mmproj-F32.gguf'] },
    ])
  })

  test('tell the mean bits of a parameter where all headers were read', () => {
    const tensors = [{ name: 'a', shape: [32, 32], type: 2, offset: 0 }]
    const facts = read(ggufFile({ tensors, data: 576 }))
    const shards = [1, 2].map((n) => ({ path: `m-Q4_0-0000${n}-of-00002.gguf`, sizeBytes: 640, facts }))
    expect(quantGroups(shards)[0]?.bits).toBe(5)
    expect(
      quantGroups([...shards.slice(0, 1), { path: shards[1]?.path ?? '', sizeBytes: 1 }])[0],
    ).not.toHaveProperty('bits')
  })

  test('come in the order of the public hub, whatever their bytes, and of one quant by bytes', () => {
    expect(quantOrder).toEqual(GGUF_QUANT_ORDER.map((quant) => GGMLFileQuantizationType[quant]))
    const files = [
      ['own.gguf', 99],
      ['m-Q2_K.gguf', 9],
      ['m-UD-Q4_K_XL.gguf', 1],
      ['m-Q4_K_L.gguf', 2],
      ['m-F16.gguf', 1],
      ['b-Q8_0.gguf', 5],
      ['a-Q8_0.gguf', 4],
      ['m-Q4_K_M.gguf', 7],
      ['m-BF16.gguf', 1],
    ] as const
    const groups = quantGroups(files.map(([path, sizeBytes]) => ({ path, sizeBytes })))
    expect(groups.map(({ name }) => name)).toEqual(
      'BF16,F16,Q8_0 · b,Q8_0 · a,Q4_K_L,UD-Q4_K_XL,Q4_K_M,Q2_K,UNKNOWN'.split(','),
    )
  })

  test.each<[string, Parameters<typeof ggufNameProblems>[1], string[]]>([
    ['m-Q4_0-00001-of-00003.gguf', { split: { number: 0, count: 3 } }, []],
    ['m-Q4_0-00001-of-00003.gguf', { split: { number: 0, count: 4 } }, ['split_incomplete error']],
    ['m-Q4_0.gguf', { split: { number: 0, count: 2 } }, ['split_incomplete error']],
    ['m-Q4_0.gguf', { split: { number: 0, count: 0 } }, []],
    ['m-Q4_K_M.gguf', { fileType: 'Q4_K_M' }, []],
    ['m-Q4_K_M.gguf', { fileType: 'Q4_K_S' }, ['quant_label_mismatch info']],
    ['m-Q4_K_L.gguf', { fileType: 'Q4_K_M' }, []],
    ['m-UD-Q4_K_M.gguf', { fileType: 'Q4_0' }, []],
    ['m-UD-Q4_K_XL.gguf', { fileType: 'Q8_0' }, ['quant_label_mismatch info']],
    ['m-MXFP4.gguf', { fileType: 'MXFP4_MOE' }, []],
    ['m.gguf', { fileType: 'Q8_0' }, []],
  ])('of the name %s and the header %j have the problems %j', (path, facts, problems) => {
    expect(ggufNameProblems(path, facts).map(({ code, severity }) => `${code} ${severity}`)).toEqual(problems)
  })
})
