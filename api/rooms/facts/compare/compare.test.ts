import { expect, test } from 'vitest'
import { anonymous, type UserActor } from '../../../core/access/index.ts'
import { jobRow, runJobs } from '../../../core/jobs/testing.ts'
import { safetensorsFile } from '../../../core/parsers/testing/samples.ts'
import { eachDatabase, givenRepo, givenUser } from '../../../testing.ts'
import { add, givenCommit } from '../../content/testing.ts'
import type { CommitOperation } from '../../content/index.ts'
import type { Repo } from '../../repos/index.ts'
import { diffOfCommit } from '../../content/read/diff.ts'
import { headerOf, put, SparseFiles, weights } from '../testing.ts'
import { compareBytes } from './compare-bytes.ts'
import { getComparison, queueComparison, tensorsCompare } from './compare-job.ts'
import { headerDiff } from './header-diff.ts'
import { openSides } from './sides.ts'

eachDatabase('tensors of two revisions', (world) => {
  let made = 0
  /** A repo with these commits one on the other. */
  async function given(...commits: CommitOperation[][]) {
    const owner = await givenUser(world, `owner${++made}`)
    const repo = await givenRepo(world, owner)
    const shas: string[] = []
    for (const operations of commits) shas.push((await givenCommit(world, owner, repo, operations)).commit)
    return { owner, repo, shas }
  }
  const diff = async (owner: UserActor, repo: Repo, sha: string, path: string) =>
    headerDiff(world.ctx(owner), repo, await diffOfCommit(world.ctx(owner), repo, sha, { path }))
  const sides = (shas: string[], path = 'm.safetensors') => ({
    old: { commit: shas[0] ?? '', path },
    new: { commit: shas[1] ?? '', path },
  })

  async function compared(owner: UserActor, repo: Repo, asked: ReturnType<typeof sides>) {
    const { id } = await queueComparison(world.ctx(owner), repo, asked)
    await runJobs(world.deps, [tensorsCompare])
    const { comparison } = await getComparison(world.ctx(owner), repo, asked)
    return { job: await jobRow(world.db, id), comparison }
  }

  test('a diff names tensors and keys that were added, removed and changed', async () => {
    const before = weights(
      { a: ['F32', [2], 4], b: ['F32', [2], 4], c: ['F32', [4], 4] },
      { by: 'x', k: '1' },
    )
    const after = weights(
      { a: ['F32', [2], 4], c: ['BF16', [4], 2], d: ['F32', [1, 2], 4] },
      { k: '2', n: 'y' },
    )
    const { owner, repo, shas } = await given(
      [put('m.safetensors', before), add('notes.txt')],
      [put('m.safetensors', after), add('notes.txt', 'other')],
    )
    const found = await diff(owner, repo, shas[1] ?? '', 'm.safetensors')
    expect(found).toMatchObject({
      old: { commit: shas[0], path: 'm.safetensors' },
      new: { commit: shas[1], path: 'm.safetensors' },
      tensors: {
        added: { count: 1, items: [{ name: 'd', shape: [1, 2] }] },
        removed: { count: 1, items: [{ name: 'b' }] },
        changed: { count: 1, items: [{ old: { dtype: 'F32' }, new: { name: 'c', dtype: 'BF16' } }] },
        alikeCount: 1,
      },
      keys: {
        added: { items: [{ key: 'n', value: 'y' }] },
        removed: { items: [{ key: 'by', value: 'x' }] },
        changed: { items: [{ key: 'k', old: '1', new: '2' }] },
      },
      isTruncated: false,
    })
    expect(await diff(owner, repo, shas[1] ?? '', 'notes.txt')).toBeUndefined()
    expect(await diff(owner, repo, shas[0] ?? '', 'm.safetensors')).toMatchObject({
      tensors: { added: { count: 3 }, removed: { count: 0 } },
    })
  })

  test('a sharded model is compared as one, also where a tensor moves to another shard', async () => {
    const index = (map: Record<string, string>) =>
      add('m.safetensors.index.json', JSON.stringify({ weight_map: map }))
    const { owner, repo, shas } = await given(
      [
        index({ a: 's1.safetensors', b: 's1.safetensors', c: 's2.safetensors' }),
        put('s1.safetensors', weights({ a: ['F32', [2], 4, 1], b: ['F32', [3], 4, 2] })),
        put('s2.safetensors', weights({ c: ['F32', [4], 4, 3] })),
      ],
      [
        index({ a: 's1.safetensors', b: 's2.safetensors', c: 's2.safetensors' }),
        put('s1.safetensors', weights({ a: ['F32', [2], 4, 9] })),
        put('s2.safetensors', weights({ b: ['F32', [3], 4, 2], c: ['F32', [4], 4, 3] })),
      ],
    )
    const path = 'm.safetensors.index.json'
    expect(await diff(owner, repo, shas[1] ?? '', path)).toMatchObject({
      tensors: { added: { count: 0 }, removed: { count: 0 }, changed: { count: 0 }, alikeCount: 3 },
    })
    const { comparison } = await compared(owner, repo, sides(shas, path))
    expect(comparison).toMatchObject({ equal: 2, differentCount: 1, different: ['a'], readBytes: 2 * 36 })
  })

  test('bytes are compared by a job, once for a pair of contents', async () => {
    const before = weights({
      a: ['F32', [2], 4, 1],
      b: ['F32', [2000], 4, 2],
      none: ['F32', [0], 4],
      c: ['U8', [1], 1],
    })
    const after = weights({
      a: ['F32', [2], 4, 1],
      b: ['F32', [2000], 4, 3],
      none: ['F32', [0], 4],
      d: ['U8', [1], 1],
    })
    const { owner, repo, shas } = await given([put('m.safetensors', before)], [put('m.safetensors', after)])
    const asked = sides(shas)
    expect((await getComparison(world.ctx(owner), repo, asked)).comparison).toBeUndefined()
    const first = await compared(owner, repo, asked)
    expect(first.job).toMatchObject({
      status: 'succeeded',
      result: { equal: 2, different: 1, read: 2 * 8008 },
    })
    expect(first.comparison).toMatchObject({ equal: 2, differentCount: 1, different: ['b'] })
    const other = await given([put('m.safetensors', before)], [put('m.safetensors', after)])
    expect((await getComparison(world.ctx(other.owner), other.repo, sides(other.shas))).comparison).toEqual(
      first.comparison,
    )
    expect((await queueComparison(world.ctx(owner), repo, asked)).id).not.toBe(first.job.id)
  })

  test('what both revisions have in one file is not read', async () => {
    const owner = await givenUser(world, `owner${++made}`)
    const repo = await givenRepo(world, owner)
    const sparse = new SparseFiles(world)
    const large = headerOf({ big: ['BF16', [1024, 1024, 1024, 16], 2] })
    const index = (k: string) =>
      add(
        'm.safetensors.index.json',
        JSON.stringify({
          metadata: { total_size: k },
          weight_map: { big: 'l.safetensors', s: 's.safetensors' },
        }),
      )
    const operations = [await sparse.add(owner, repo, 'l.safetensors', large)]
    const shas = [
      await givenCommit(world, owner, repo, [
        ...operations,
        index('1'),
        put('s.safetensors', weights({ s: ['F32', [2], 4, 1] })),
      ]),
      await givenCommit(world, owner, repo, [
        index('2'),
        put('s.safetensors', weights({ s: ['F32', [2], 4, 2] })),
      ]),
    ].map(({ commit }) => commit)
    const asked = sides(shas, 'm.safetensors.index.json')
    await queueComparison(sparse.over(world.ctx(owner)), repo, asked)
    await runJobs({ ...world.deps, blobs: sparse.over(world.ctx()).blobs }, [tensorsCompare])
    expect((await getComparison(world.ctx(owner), repo, asked)).comparison).toMatchObject({
      equal: 1,
      different: ['s'],
      readBytes: 16,
    })
    expect(sparse.readBytes).toBeLessThan(1_000_000)
  })

  test('a header whose tensors overlap or end beyond the file is refused, not read again and again', async () => {
    const span = (begin: number, end: number) => ({
      dtype: 'U8',
      shape: [end - begin],
      data_offsets: [begin, end],
    })
    const file = (header: object, fill: number) => safetensorsFile(header, Buffer.alloc(100, fill))
    for (const header of [{ a: span(0, 60), b: span(40, 100) }, { a: span(0, 200) }]) {
      const { owner, repo, shas } = await given(
        [put('m.safetensors', file(header, 1))],
        [put('m.safetensors', file(header, 2))],
      )
      const { job, comparison } = await compared(owner, repo, sides(shas))
      expect(job).toMatchObject({ status: 'failed', problem: { code: 'validation-failed' } })
      expect(comparison).toBeUndefined()
    }
  })

  test('a cancel ends the reading at once, and leaves no result', async () => {
    const large = (fill: number) =>
      weights({ a: ['U8', [4 * 1024 * 1024], 1, fill], b: ['U8', [1024], 1, fill] })
    const { owner, repo, shas } = await given(
      [put('m.safetensors', large(1))],
      [put('m.safetensors', large(2))],
    )
    const ctx = world.ctx(owner)
    const opened = await openSides(ctx, repo, sides(shas))
    const cancel = new AbortController()
    let readBytes = 0
    const comparing = compareBytes(opened, {
      signal: cancel.signal,
      onRead: async (bytes) => {
        readBytes += bytes
        cancel.abort(new Error('cancelled'))
      },
    })
    await expect(comparing).rejects.toThrow('cancelled')
    expect(readBytes).toBeLessThanOrEqual(2 * 1024 * 1024)
    expect((await getComparison(ctx, repo, sides(shas))).comparison).toBeUndefined()
  })

  test('needs an account, access to the files, and a file with tensors', async () => {
    const { owner, repo, shas } = await given(
      [put('m.safetensors', weights({ a: ['U8', [1], 1] })), add('x')],
      [add('y')],
    )
    const stranger = await givenUser(world, `stranger${++made}`)
    const ask = (actor: Parameters<typeof world.ctx>[0], path?: string) =>
      queueComparison(world.ctx(actor), repo, sides(shas, path))
    await expect(ask(stranger)).rejects.toMatchObject({ code: 'repo-not-found' })
    await expect(ask(anonymous)).rejects.toMatchObject({ code: 'unauthenticated' })
    await expect(ask(owner, 'x')).rejects.toMatchObject({ code: 'validation-failed' })
    await expect(ask(owner, 'none.gguf')).rejects.toMatchObject({ code: 'entry-not-found' })
  })
})
