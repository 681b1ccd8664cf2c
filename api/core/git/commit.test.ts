import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eachDatabase, type World } from '../../testing.ts'
import { Problem } from '../../platform/problems/index.ts'
import { CommitBuilder } from './commit-builder.ts'
import type { CommitRequest } from './commit-request.ts'
import { commit } from './commit.ts'
import { layOut } from './runner/skeleton.ts'
import { givenEmptyRepo, gitText, sourceOf } from './testing.ts'

const ADA = { name: 'Ada', email: 'ada@example.org', at: new Date('2026-03-01T12:00:00Z'), tzMinutes: 0 }
const MAIN: CommitRequest & { ref: string } = {
  ref: 'refs/heads/main',
  author: ADA,
  message: 'change',
  userId: 'u1',
  via: 'api',
}

type Change = (builder: CommitBuilder) => Promise<unknown> | void

async function make(world: World, repoId: string, change: Change, request: Partial<CommitRequest> = {}) {
  const builder = new CommitBuilder(world.deps.git, repoId)
  try {
    await change(builder)
    return await commit(world.deps.git, builder, { ...MAIN, ...request })
  } finally {
    await builder.dispose()
  }
}

async function made(
  world: World,
  repoId: string,
  change: Change,
  request: Partial<CommitRequest> = {},
): Promise<string> {
  const result = await make(world, repoId, change, request)
  return 'sha' in result ? result.sha : expect.fail(JSON.stringify(result.faults))
}

const put =
  (path: string, text = path): Change =>
  (builder) =>
    builder.putBytes(path, Buffer.from(text))

async function fsck(world: World, repoId: string): Promise<string> {
  const dir = join(world.dir, 'exported.git')
  await rm(dir, { recursive: true, force: true })
  await layOut(world.deps.git, await world.deps.git.openFresh(repoId), dir, { mayLink: true })
  expect(await gitText(dir, ['fsck', '--strict', '--full', '--no-dangling'])).toBe('')
  return dir
}

eachDatabase('commit', (world) => {
  test('what was committed is read back, by us and by git', async () => {
    const { git } = world.deps
    const repoId = await givenEmptyRepo(world)
    const big = Buffer.alloc(700_000, 'abc')
    const first = await made(world, repoId, async (builder) => {
      await builder.putFile('data/big.bin', sourceOf(big), big.length)
      await builder.putBytes('README.md', Buffer.from('# Hi\n'))
      await builder.putPointer('model.bin', { sha256: 'a'.repeat(64), sizeBytes: 5 })
    })
    const snapshot = await git.open(repoId)
    expect(await snapshot.resolve()).toEqual({ commit: first, ref: 'refs/heads/main' })
    expect(await snapshot.resolve(first.slice(0, 9))).toEqual({ commit: first })
    const entry = (await snapshot.entryAt(first, 'data/big.bin')) ?? expect.fail('no entry')
    const opened =
      (await snapshot.openBlob(entry.oid, { offset: 300_000, length: 10 })) ?? expect.fail('no blob')
    expect(opened.sizeBytes).toBe(700_000)
    for await (const chunk of opened.source) expect(Buffer.from(chunk).toString()).toBe('abcabcabca')
    const pointer = (await snapshot.entryAt(first, 'model.bin')) ?? expect.fail('no entry')
    expect(await snapshot.describe([pointer.oid, '1'.repeat(40)])).toEqual([
      { sizeBytes: 126, pointer: { sha256: 'a'.repeat(64), sizeBytes: 5 } },
      undefined,
    ])
    const dir = await fsck(world, repoId)
    expect(await gitText(dir, ['log', '--format=%H %an %s'])).toBe(`${first} Ada change`)
    expect(await gitText(dir, ['ls-tree', '-r', '--name-only', 'main'])).toBe(
      'README.md\ndata/big.bin\nmodel.bin',
    )
  })

  test('a commit that changes nothing answers the head', async () => {
    const repoId = await givenEmptyRepo(world)
    const first = await made(world, repoId, put('a'))
    expect(await make(world, repoId, put('a'))).toEqual({ sha: first, ref: MAIN.ref, changed: false })
    const { refSeq, packs } = await world.deps.git.open(repoId)
    expect({ refSeq, packs: packs.length }).toEqual({ refSeq: 1, packs: 1 })
  })

  test('20 committers on one branch lose nothing', async () => {
    const repoId = await givenEmptyRepo(world)
    const shas = await Promise.all(Array.from({ length: 20 }, (_, i) => made(world, repoId, put(`f${i}`))))
    expect(new Set(shas).size).toBe(20)
    const dir = await fsck(world, repoId)
    expect((await gitText(dir, ['rev-list', '--first-parent', 'main'])).split('\n').sort()).toEqual(
      shas.sort(),
    )
    expect((await gitText(dir, ['ls-tree', '--name-only', 'main'])).split('\n')).toHaveLength(20)
  })

  test('a commit against an old head fails with the current one', async () => {
    const repoId = await givenEmptyRepo(world)
    const first = await made(world, repoId, put('a'))
    const second = await made(world, repoId, put('b'), { userId: 'u2' })
    await expect(made(world, repoId, put('c'), { expectedHead: first })).rejects.toMatchObject({
      code: 'commit-conflict',
      members: { current_commit: second },
    })
    expect((await world.deps.git.open(repoId)).findRef(MAIN.ref)?.commit).toBe(second)
  })

  test('the retry of a lost answer gets the commit that was made', async () => {
    const repoId = await givenEmptyRepo(world)
    const first = await made(world, repoId, put('a'))
    const second = await made(world, repoId, put('b'), { expectedHead: first })
    expect(await made(world, repoId, put('b'), { expectedHead: first })).toBe(second)
    await expect(made(world, repoId, put('c'), { expectedHead: first })).rejects.toThrow(Problem)
    await expect(made(world, repoId, put('b'), { expectedHead: first, userId: 'u2' })).rejects.toThrow(
      Problem,
    )
  })

  test('edits that cannot be made are named and leave nothing', async () => {
    const repoId = await givenEmptyRepo(world)
    await made(world, repoId, put('a/b'))
    const result = await make(world, repoId, (builder) => {
      builder.delete('nope')
      return builder.putBytes('a', Buffer.from('x'))
    })
    expect(result).toEqual({
      faults: [
        { code: 'no-such-file', path: 'nope' },
        { code: 'is-a-folder', path: 'a' },
      ],
    })
    expect((await world.deps.git.open(repoId)).refSeq).toBe(1)
  })

  test('when a row beside the commit is refused, nothing of it is kept', async () => {
    const repoId = await givenEmptyRepo(world)
    const refuse = made(world, repoId, put('a'), {
      alongside: async () => {
        throw new Problem('lfs-object-missing')
      },
    })
    await expect(refuse).rejects.toMatchObject({ code: 'lfs-object-missing' })
    const snapshot = await world.deps.git.openFresh(repoId)
    expect({ refs: snapshot.listRefs(), packs: snapshot.packs, refSeq: snapshot.refSeq }).toEqual({
      refs: [],
      packs: [],
      refSeq: 0,
    })
    const keys: string[] = []
    for await (const { key } of world.blobs.list(`git/${repoId.slice(-2)}/${repoId}`)) keys.push(key)
    expect(keys).toEqual([])
  })

  test('a history may be squashed to one commit with the same tree', async () => {
    const { git } = world.deps
    const repoId = await givenEmptyRepo(world)
    await made(world, repoId, put('a'))
    const head = await made(world, repoId, put('b'))
    const before = await (await git.open(repoId)).findCommit(head)
    const tree = before?.tree ?? expect.fail('no commit')
    const squashed = await made(world, repoId, () => {}, {
      base: null,
      tree,
      expectedHead: head,
      message: 'all',
    })
    expect(await (await git.open(repoId)).findCommit(squashed)).toMatchObject({
      parents: [],
      tree,
      subject: 'all',
    })
    await fsck(world, repoId)
  })

  test('an earlier tree can be brought back as a new commit', async () => {
    const { git } = world.deps
    const repoId = await givenEmptyRepo(world)
    const first = await made(world, repoId, put('a', '1'))
    await made(world, repoId, put('a', '2'))
    const tree = (await (await git.open(repoId)).findCommit(first))?.tree ?? expect.fail('no commit')
    const back = await make(world, repoId, () => {}, { tree })
    expect(back).toMatchObject({ changed: true })
    expect(await make(world, repoId, () => {}, { tree })).toMatchObject({ changed: false })
    await fsck(world, repoId)
  })
})
