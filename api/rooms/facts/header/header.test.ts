import { expect, test } from 'vitest'
import type { UserActor } from '../../../core/access/index.ts'
import { givenObject } from '../../uploads/testing.ts'
import { contentOf } from '../../../core/lfs/testing.ts'
import { GgufBytes, ggufFile } from '../../../core/parsers/testing/samples.ts'
import { eachDatabase, givenRepo, givenUser } from '../../../testing.ts'
import { add, givenCommit } from '../../content/testing.ts'
import type { CommitOperation } from '../../content/index.ts'
import type { Repo } from '../../repos/index.ts'
import { headerOf, put, SparseFiles, weights } from '../testing.ts'
import { getFileHeader, type HeaderPosition } from './file-header.ts'

const GIB = 1024 ** 3

eachDatabase('headers of files', (world) => {
  let made = 0
  async function given(operations: CommitOperation[] = []) {
    const owner = await givenUser(world, `owner${++made}`)
    const repo = await givenRepo(world, owner)
    if (operations.length > 0) await givenCommit(world, owner, repo, operations)
    return { owner, repo, ctx: world.ctx(owner) }
  }
  const read = (owner: UserActor, repo: Repo, path: string, more: { limit?: number } = {}) =>
    getFileHeader(world.ctx(owner), repo, { revision: 'main', path, limit: 1000, ...more })

  test('a safetensors file says its tensors, where they lie, and its keys', async () => {
    const file = weights({ a: ['F32', [2, 3], 4], 'b.c': ['BF16', [5], 2] }, { format: 'pt' })
    const { owner, repo } = await given([put('model.safetensors', file)])
    const { set, tensors, isFirst, next } = await read(owner, repo, 'model.safetensors')
    const start = file.length - 34
    expect({ ...set, files: set.files.length }).toMatchObject({
      format: 'safetensors',
      metadata: [['format', 'pt']],
      tensorCount: 2,
      parameters: 11,
      parametersByDtype: { F32: 6, BF16: 5 },
      problems: [],
      isTruncated: false,
    })
    expect([isFirst, next]).toEqual([true, undefined])
    expect(tensors).toEqual([
      { name: 'a', dtype: 'F32', shape: [2, 3], sizeBytes: 24, file: 0, offset: start },
      { name: 'b.c', dtype: 'BF16', shape: [5], sizeBytes: 10, file: 0, offset: start + 24 },
    ])
  })

  test('shows the shards of an index as one tree, and names a missing one', async () => {
    const shard = (name: string) => weights({ [name]: ['F16', [4], 2] })
    const weightMap = {
      a: 'm-00001-of-00003.safetensors',
      b: 'm-00002-of-00003.safetensors',
      c: 'gone.safetensors',
    }
    const index = JSON.stringify({ metadata: { total_size: 24 }, weight_map: weightMap })
    const { owner, repo } = await given([
      add('x/m.safetensors.index.json', index),
      put('x/m-00001-of-00003.safetensors', shard('a')),
      put('x/m-00002-of-00003.safetensors', shard('b')),
    ])
    const { set, tensors } = await read(owner, repo, 'x/m.safetensors.index.json')
    expect(tensors.map(({ name, file }) => [name, set.files[file]?.file.path])).toEqual([
      ['a', 'x/m-00001-of-00003.safetensors'],
      ['b', 'x/m-00002-of-00003.safetensors'],
    ])
    expect(set).toMatchObject({ parameters: 8, metadata: [['total_size', 24]] })
    expect(set.problems.map(({ code }) => code)).toEqual(['st_index_missing_shard'])
  })

  test('of GGUF the first shard stands for all', async () => {
    const write = new GgufBytes()
    const key = (name: string, value: string): [string, number, Buffer] => [name, 8, write.string(value)]
    const shard = (name: string, keys: [string, number, Buffer][] = []) =>
      ggufFile({ keys, tensors: [{ name, shape: [32], type: 8, offset: 0 }], data: 34 })
    const { owner, repo } = await given([
      put('m-00001-of-00003.gguf', shard('a', [key('general.architecture', 'llama')])),
      put('m-00002-of-00003.gguf', shard('b')),
    ])
    const { set, tensors } = await read(owner, repo, 'm-00001-of-00003.gguf')
    expect(set).toMatchObject({
      format: 'gguf',
      parameters: 64,
      metadata: [['general.architecture', 'llama']],
    })
    expect(tensors.map(({ name, dtype, sizeBytes, file }) => [name, dtype, sizeBytes, file])).toEqual([
      ['a', 'Q8_0', 34, 0],
      ['b', 'Q8_0', 34, 1],
    ])
    expect(set.problems.map(({ code }) => code)).toContain('split_incomplete')
    expect((await read(owner, repo, 'm-00002-of-00003.gguf')).tensors).toHaveLength(1)
  })

  test('a GGUF file has the problems of its name', async () => {
    const number = (value: number) => {
      const bytes = Buffer.alloc(4)
      bytes.writeUInt32LE(value)
      return bytes
    }
    const file = ggufFile({
      keys: [
        ['general.file_type', 4, number(7)],
        ['split.count', 4, number(2)],
      ],
    })
    const { owner, repo } = await given([put('m-Q4_K_M.gguf', file)])
    const { set } = await read(owner, repo, 'm-Q4_K_M.gguf')
    expect(set.problems.map(({ code }) => code)).toEqual(['split_incomplete', 'quant_label_mismatch'])
  })

  test('pages stay with the commit of the first', async () => {
    const names = Array.from({ length: 25 }, (_, i) => `t${i}`)
    const file = weights(Object.fromEntries(names.map((name) => [name, ['U8', [1], 1]])))
    const { owner, repo, ctx } = await given([put('model.safetensors', file)])
    const seen: string[] = []
    let from: HeaderPosition | undefined
    for (let page = 0; page === 0 || from; page++) {
      const found = await getFileHeader(ctx, repo, {
        revision: 'main',
        path: 'model.safetensors',
        limit: 10,
        ...(from ? { from } : {}),
      })
      expect(found.isFirst).toBe(page === 0)
      seen.push(...found.tensors.map(({ name }) => name))
      from = found.next
      if (page === 0) await givenCommit(world, owner, repo, [{ op: 'delete', path: 'model.safetensors' }])
    }
    expect(seen).toEqual(names)
  })

  test('a model of 40 GiB costs the bytes of its headers, and nothing the second time', async () => {
    const { owner, repo, ctx } = await given()
    const sparse = new SparseFiles(world)
    const weightMap: Record<string, string> = {}
    const operations: CommitOperation[] = []
    let headerBytes = 0
    for (let n = 1; n <= 8; n++) {
      const path = `model-0000${n}-of-00008.safetensors`
      const names = Array.from({ length: 60 }, (_, i) => `model.layers.${n * 60 + i}.mlp.up_proj.weight`)
      for (const name of names) weightMap[name] = path
      const shard = headerOf(
        Object.fromEntries(names.map((name) => [name, ['BF16', [5 * 1024, (GIB / 1024 / 60 / 2) | 0], 2]])),
      )
      headerBytes += 8 + JSON.stringify(shard.header).length
      operations.push(await sparse.add(owner, repo, path, shard))
    }
    const index = JSON.stringify({ metadata: {}, weight_map: weightMap })
    operations.push(add('model.safetensors.index.json', index))
    await givenCommit(world, owner, repo, operations)
    const query = { revision: 'main', path: 'model.safetensors.index.json', limit: 10 }
    const over = sparse.over(ctx)
    const { set } = await getFileHeader(over, repo, query)
    expect(set).toMatchObject({ tensorCount: 480, problems: [] })
    expect(set.files.reduce((sum, { file }) => sum + file.sizeBytes, 0)).toBeGreaterThan(39.9 * GIB)
    expect(sparse.readBytes).toBeGreaterThanOrEqual(headerBytes)
    // Beside the headers, the first block of each shard, which holds the length.
    expect(sparse.readBytes).toBeLessThan(headerBytes + 8 * 40_000)
    const first = sparse.readBytes
    await getFileHeader(over, repo, query)
    // Another repo with the same contents, as a copy or a mirror has them, re-reads nothing either.
    const other = await givenRepo(world, owner)
    await givenCommit(world, owner, other, operations)
    await getFileHeader(over, other, query)
    expect(sparse.readBytes).toBe(first)
  })

  test('are refused with the reason where there is none, or no access', async () => {
    const { owner, repo } = await given([add('README.md', 'x'), put('bad.safetensors', Buffer.from('short'))])
    await expect(read(owner, repo, 'README.md')).rejects.toMatchObject({ code: 'validation-failed' })
    await expect(read(owner, repo, 'none.gguf')).rejects.toMatchObject({ code: 'entry-not-found' })
    const { set } = await read(owner, repo, 'bad.safetensors')
    expect(set.problems.map(({ code }) => code)).toEqual(['st_too_small'])
    const stranger = await givenUser(world, `stranger${++made}`)
    await expect(read(stranger, repo, 'bad.safetensors')).rejects.toMatchObject({ code: 'repo-not-found' })
    const gated = await givenRepo(world, owner, { visibility: 'public', gated: 'manual' })
    await givenCommit(world, owner, gated, [put('m.safetensors', weights({ a: ['U8', [1], 1] }))])
    await expect(read(stranger, gated, 'm.safetensors')).rejects.toMatchObject({ code: 'gated' })
  })

  test('large files are read from their objects', async () => {
    const { owner, repo } = await given()
    const content = contentOf(weights({ big: ['F64', [1000], 8] }))
    await givenObject(world, owner, repo, content)
    const { sha256, sizeBytes } = content
    await givenCommit(world, owner, repo, [{ op: 'add-lfs', path: 'm.safetensors', sha256, sizeBytes }])
    expect((await read(owner, repo, 'm.safetensors')).set.parametersByDtype).toEqual({ F64: 1000 })
  })
})
