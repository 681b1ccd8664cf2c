import { describe, expect, test } from 'vitest'
import { countedSafetensors, mergeShards } from '../index.ts'
import { inMemory } from '../reader/file-bytes.ts'
import { safetensorsFile } from '../testing/samples.ts'
import { readSafetensors } from './header.ts'
import type { Quantization } from './parameters.ts'
import { readSafetensorsIndex } from './shard-index.ts'

const four = Buffer.alloc(4)
const tensor = (begin: number, end: number, dtype = 'F32', shape = [1]) => ({
  dtype,
  shape,
  data_offsets: [begin, end],
})
const read = (header: unknown, data = four) => readSafetensors(inMemory(safetensorsFile(header, data)))
const codes = (facts: { problems: { code: string }[] }) => facts.problems.map(({ code }) => code)
const entry = JSON.stringify(tensor(0, 4))

describe('the header of a safetensors file', () => {
  test('tells tensors, metadata and parameters', () => {
    const facts = read({
      __metadata__: { format: 'pt' },
      a: tensor(0, 4),
      b: tensor(4, 4, 'F16', [0, 3]),
      c: tensor(4, 4, 'BF16', [0]),
    })
    expect(facts).toMatchObject({
      tensorCount: 3,
      parameters: 1,
      metadata: { format: 'pt' },
      problems: [],
      isLoadable: true,
    })
    expect(facts.tensors[0]).toEqual({ name: 'a', dtype: 'F32', shape: [1], begin: 0, end: 4 })
  })

  test('may name a tensor __proto__', () => {
    const facts = read(`{"__proto__":${entry}}`)
    expect(facts.tensors.map(({ name }) => name)).toEqual(['__proto__'])
  })

  test.each([
    ['nothing', Buffer.alloc(7), 'st_too_small'],
    ['a length beyond 100 MB', Buffer.from('ffffffffffffffff', 'hex'), 'st_header_too_large'],
    ['a length beyond the file', Buffer.from('ff00000000000000', 'hex'), 'st_header_out_of_file'],
    [
      'bytes that are no UTF-8',
      Buffer.from('0500000000000000 7b22ff227d'.replace(' ', ''), 'hex'),
      'st_header_not_utf8',
    ],
    ['a list', safetensorsFile('[]'), 'st_header_no_brace'],
    ['half of an object', safetensorsFile('{"a":'), 'st_header_not_json'],
    ['a comma too much', safetensorsFile(`{"a":${entry},}`, four), 'st_header_not_json'],
    ['a lone surrogate', safetensorsFile(String.raw`{"\ud800":${entry}}`, four), 'st_header_not_json'],
    ['something behind the object', safetensorsFile(`{"a":${entry}}x`, four), 'st_header_not_json'],
    ['a key twice', safetensorsFile(`{"a":${entry},"a":${entry}}`, four), 'st_duplicate_key'],
    [
      'metadata that is a number',
      safetensorsFile(`{"__metadata__":{"x":1},"a":${entry}}`, four),
      'st_metadata_not_strings',
    ],
    ['offsets the wrong way round', safetensorsFile({ a: tensor(4, 0) }, four), 'st_bad_offsets'],
    ['tensors in one place', safetensorsFile({ a: tensor(0, 4), b: tensor(0, 4) }, four), 'st_overlap'],
    ['a gap', safetensorsFile({ a: tensor(4, 8) }, Buffer.alloc(8)), 'st_hole'],
    ['a shape that does not fit', safetensorsFile({ a: tensor(0, 4, 'F32', [2]) }, four), 'st_size_mismatch'],
    [
      'a shape beyond 64 bits',
      safetensorsFile({ a: tensor(0, 4, 'F32', [2 ** 40, 2 ** 40, 0]) }, four),
      'st_size_mismatch',
    ],
    ['half a byte', safetensorsFile({ a: tensor(0, 1, 'F4', [1]) }, Buffer.alloc(1)), 'st_size_mismatch'],
    ['too little data', safetensorsFile({ a: tensor(0, 4) }), 'st_truncated'],
    ['too much data', safetensorsFile({ a: tensor(0, 4) }, Buffer.alloc(5)), 'st_trailing_bytes'],
    ['an unknown dtype', safetensorsFile({ a: tensor(0, 4, 'FP4') }, four), 'st_unknown_dtype'],
    [
      'a shape of fractions',
      safetensorsFile(`{"a":{"dtype":"F32","shape":[1.0],"data_offsets":[0,4]}}`, four),
      'st_bad_entry',
    ],
    ['128 levels', safetensorsFile(`{"a":{"x":${'['.repeat(126)}${']'.repeat(126)}}}`), 'st_header_not_json'],
  ])('of %s has a problem', (_, bytes, code) => {
    expect(codes(readSafetensors(inMemory(bytes)))).toContain(code)
  })

  test.each([
    [25_000_000, []],
    [25_000_001, ['st_header_over_client_limit']],
  ])('of %i bytes, where clients read 25 000 000, can be loaded', (bytes, problems) => {
    const facts = read(`{"a":${entry}}`.padEnd(bytes, ' '))
    expect([facts.headerBytes, facts.isLoadable, codes(facts)]).toEqual([bytes, true, problems])
    expect(facts.problems.every(({ severity }) => severity === 'warning')).toBe(true)
  })

  test('with 60 000 tensors lists the first 50 000 and counts all', () => {
    const tensors = Array.from({ length: 60_000 }, (_, i) => [`t${i}`, tensor(i, i + 1, 'U8')])
    const facts = read(Object.fromEntries(tensors), Buffer.alloc(60_000))
    expect([facts.tensors.length, facts.tensorCount, facts.parameters, facts.isTruncated]).toEqual([
      50_000,
      60_000,
      60_000,
      true,
    ])
  })
})

describe('parameters', () => {
  const count = (quantization: Partial<Quantization>, tensors: [string, string, number[]][]) => {
    const all = { method: '', notConverted: [], ignored: [], ...quantization }
    const header = Object.fromEntries(
      tensors.map(([name, dtype, shape]) => [name, { dtype, shape, data_offsets: [0, 0] }]),
    )
    return readSafetensors(inMemory(safetensorsFile(header)), all).parameters
  }

  test.each<[string, Partial<Quantization>, [string, string, number[]][], number]>([
    [
      'gptq packs eight into one',
      { method: 'gptq', bits: 4 },
      [
        ['a.qweight', 'I32', [2, 3]],
        ['a.scales', 'F16', [9]],
        ['b', 'F16', [5]],
      ],
      53,
    ],
    ['awq of bytes', { method: 'awq', bits: 4 }, [['a', 'U8', [3]]], 6],
    [
      'bitsandbytes in 4 bits',
      { method: 'bitsandbytes', isLoadIn4Bit: true },
      [
        ['a.weight', 'U8', [6, 1]],
        ['a.weight.absmax', 'F32', [9]],
      ],
      12,
    ],
    [
      'mxfp4',
      { method: 'mxfp4' },
      [
        ['a_blocks', 'U8', [4]],
        ['a_scales', 'U8', [4]],
      ],
      8,
    ],
    [
      'compressed-tensors',
      { method: 'compressed-tensors', format: 'pack-quantized', groups: [{ targets: ['Linear'], bits: 4 }] },
      [
        ['a.weight_packed', 'I32', [2]],
        ['a.weight_scale', 'F16', [2]],
      ],
      16,
    ],
    [
      'compressed-tensors of 3 bits, rounded',
      { method: 'compressed-tensors', format: 'pack-quantized', groups: [{ targets: ['Linear'], bits: 3 }] },
      [['a', 'I32', [3]]],
      32,
    ],
    [
      'fp8 with experts in fp4',
      { method: 'fp8', expertDtype: 'fp4' },
      [
        ['m.experts.1.w', 'I8', [4]],
        ['m.shared.experts.w', 'I8', [4]],
      ],
      12,
    ],
    [
      'what was not converted',
      { method: 'gptq', notConverted: ['head'], ignored: ['x.y', 're:.*gate$'] },
      [
        ['head.qweight', 'I32', [2]],
        ['x.y.qweight', 'I32', [2]],
        ['a.gate.qweight', 'I32', [2]],
        ['z.qweight', 'I32', [2]],
      ],
      22,
    ],
    [
      'what a glob says was not converted',
      { method: 'gptq', notConverted: ['model.*.gate*', '*_head.*'] },
      [
        ['model.1.gate.qweight', 'I32', [2]],
        ['lm_head.qweight', 'I32', [2]],
        ['model.1.up.qweight', 'I32', [2]],
        ['a.model.1.gate.qweight', 'I32', [2]],
      ],
      36,
    ],
    ['gptq of bytes with 2 bits', { method: 'gptq', bits: 2 }, [['a', 'U8', [3]]], 12],
    ['awq of bytes with 2 bits', { method: 'awq', bits: 2 }, [['a', 'U8', [3]]], 12],
    ['awq of bytes with 8 bits', { method: 'awq', bits: 8 }, [['a', 'U8', [3]]], 3],
    ['another method with 4 bits', { method: 'hqq', bits: 4 }, [['a', 'U8', [3]]], 6],
    ['another method loaded in 4 bits', { method: 'quanto', isLoadIn4Bit: true }, [['a', 'U8', [3]]], 6],
    ['another method with 8 bits', { method: 'hqq', bits: 8 }, [['a', 'U8', [3]]], 3],
    [
      'maps and nested scales of bitsandbytes',
      { method: 'bitsandbytes', isLoadIn4Bit: true },
      [
        ['a.weight', 'U8', [6, 1]],
        ['a.weight.quant_map', 'F32', [16]],
        ['a.weight.nested_absmax', 'F32', [9]],
        ['a.weight.nested_quant_map', 'F32', [256]],
        ['a.weight.quant_state.bitsandbytes__nf4', 'U8', [90]],
      ],
      12,
    ],
    [
      'dimensions up to 2^32',
      {},
      [
        ['a', 'U8', [2 ** 32]],
        ['b', 'U8', [2 ** 32 + 1]],
        ['c', 'U8', [2]],
      ],
      2 ** 32 + 2,
    ],
    [
      'modules that MLX packed, beside one that it left',
      { mlx: { packing: { bits: 4, isAffine: true }, modules: [['head', null]] } },
      [
        ['a.weight', 'U32', [4]],
        ['a.scales', 'F16', [2]],
        ['a.biases', 'F16', [2]],
        ['a.bias', 'F16', [1]],
        ['b.weight', 'U32', [4]],
        ['b.scales', 'F16', [2]],
        ['head.weight', 'U32', [4]],
        ['head.scales', 'F16', [2]],
      ],
      32 + 1 + 6 + 6,
    ],
    [
      'modules that MLX packed without zero points',
      { mlx: { packing: { bits: 8, isAffine: false }, modules: [] } },
      [
        ['a.weight', 'U32', [4]],
        ['a.scales', 'F8_E8M0', [2]],
        ['a.biases', 'F16', [3]],
      ],
      16 + 3,
    ],
    [
      'scalars and scales',
      {},
      [
        ['a', 'F32', []],
        ['b', 'F8_E8M0', [4]],
        ['c', 'F32', [1]],
      ],
      1,
    ],
  ])('%s', (_, quantization, tensors, expected) => {
    expect(count(quantization, tensors)).toBe(expected)
  })
})

describe('shards', () => {
  const index = readSafetensorsIndex(
    inMemory(
      Buffer.from(
        JSON.stringify({
          metadata: { total_size: 8, total_parameters: 99 },
          weight_map: { a: 'x.safetensors', b: 'y.safetensors' },
        }),
      ),
    ),
  )

  test('are added up, and the stated total counts only where it is smaller', () => {
    const one = read({ a: tensor(0, 4) })
    expect(
      mergeShards(
        index,
        new Map([
          ['x.safetensors', one],
          ['y.safetensors', one],
        ]),
      ),
    ).toEqual({
      tensorCount: 2,
      parameters: 2,
      parametersByDtype: { F32: 2 },
      problems: [],
    })
  })

  test('count a module of MLX that they part as one', () => {
    const mlx = { packing: { bits: 4, isAffine: true }, modules: [] }
    const quantization = { method: '', notConverted: [], ignored: [], mlx }
    const shard = (header: unknown, data: Uint8Array) =>
      readSafetensors(inMemory(safetensorsFile(header, data)), quantization)
    const one = shard({ 'm.weight': tensor(0, 8, 'U32', [2]) }, Buffer.alloc(8))
    const other = shard(
      { 'm.scales': tensor(0, 2, 'F16', [1]), 'm.biases': tensor(2, 4, 'F16', [1]) },
      Buffer.alloc(4),
    )
    expect([one.parametersByDtype, other.parametersByDtype]).toEqual([{ U32: 2 }, { F16: 2 }])
    const both = new Map([
      ['x.safetensors', one],
      ['y.safetensors', other],
    ])
    expect(mergeShards(index, both)).toMatchObject({ parameters: 16, parametersByDtype: { U32: 16 } })
  })

  test('that are missing or too many are named', () => {
    const both = read({ a: tensor(0, 4), b: tensor(4, 8) }, Buffer.alloc(8))
    expect(codes(mergeShards(index, new Map([['x.safetensors', both]])))).toEqual(['st_index_missing_shard'])
    expect(
      codes(
        mergeShards(
          index,
          new Map([
            ['x.safetensors', both],
            ['y.safetensors', both],
          ]),
        ),
      ),
    ).toEqual(['st_index_tensor_mismatch'])
  })

  test.each(['../x', '/x', 'a/../x', 'https://x/y'])('an index may not lead to %s', (path) => {
    const unsafe = readSafetensorsIndex(inMemory(Buffer.from(JSON.stringify({ weight_map: { a: path } }))))
    expect(codes(unsafe)).toEqual(['st_index_unsafe_path'])
    expect(unsafe.files).toEqual([])
  })

  test('of an index above 250 MB are not read', () => {
    const reads: number[] = []
    const sizeBytes = 250_000_001
    const tooLarge = readSafetensorsIndex({
      sizeBytes,
      read: (_, length) => {
        reads.push(length)
        return Buffer.alloc(length)
      },
    })
    expect([codes(tooLarge), reads]).toEqual([['st_index_too_large'], []])
  })

  test('are at most 10 000', () => {
    const named = (count: number) =>
      readSafetensorsIndex(
        inMemory(
          Buffer.from(
            JSON.stringify({
              weight_map: Object.fromEntries(
                Array.from({ length: count }, (_, i) => [`t${i}`, `m-${i}.safetensors`]),
              ),
            }),
          ),
        ),
      )
    expect(named(10_000)).toMatchObject({ tensorCount: 10_000, problems: [] })
    const tooMany = named(10_001)
    expect([tooMany.files.length, tooMany.tensorCount, codes(tooMany)]).toEqual([
      10_000,
      10_001,
      ['st_limit'],
    ])
  })

  test.each([
    [64, []],
    [65, ['st_index_not_json']],
  ])('are read from an index of %i levels with the problems %j', (levels, problems) => {
    const deep = `${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}`
    const nested = readSafetensorsIndex(inMemory(Buffer.from(`{"weight_map":{"a":"x"},"other":${deep}}`)))
    expect(codes(nested)).toEqual(problems)
  })
})

describe('which safetensors count', () => {
  test.each([
    [['model.safetensors', 'model.safetensors.index.json'], { files: ['model.safetensors'] }],
    [
      ['model.safetensors.index.json', 'model-00001-of-00002.safetensors'],
      { index: 'model.safetensors.index.json' },
    ],
    [
      ['unet/diffusion_pytorch_model.safetensors', 'other.safetensors'],
      { files: ['unet/diffusion_pytorch_model.safetensors'] },
    ],
    [
      ['w-00001-of-00002.safetensors', 'w-00002-of-00002.safetensors'],
      { files: ['w-00001-of-00002.safetensors', 'w-00002-of-00002.safetensors'] },
    ],
    [['own.safetensors', 'own.fp16.safetensors', 'consolidated.safetensors'], { files: ['own.safetensors'] }],
    [['adapter_model.safetensors'], { files: ['adapter_model.safetensors'] }],
    [['a.safetensors', 'b.safetensors'], undefined],
  ])('of %j', (paths, expected) => {
    expect(countedSafetensors(paths)).toEqual(expected)
  })
})
