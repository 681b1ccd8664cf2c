import { expect, test } from 'vitest'
import {
  createBranch,
  createTag,
  deleteBranch,
  deleteTag,
  push,
  superSquash,
} from '../../../rooms/content/index.ts'
import { add, givenCommit } from '../../../rooms/content/testing.ts'
import type { Ctx } from '../../ctx.ts'
import { mergePullRequest, openDiscussion } from '../../../rooms/discussions/index.ts'
import { givenPullRequest } from '../../../rooms/discussions/testing.ts'
import { eachDatabase, givenRepo, givenUser, type World } from '../../../testing.ts'
import { Git } from '../git.ts'
import type { RefListener } from './listener.ts'

type Heard = [name: string, change: 'made' | 'moved' | 'deleted']

/** The world with a listener that notes what it hears inside the transaction, and that may refuse. */
function listening(world: World) {
  const heard: Heard[] = []
  const state = { refuses: false }
  const note: RefListener = async () => ({
    async after(tx, moves) {
      for (const { name, from, to } of moves)
        heard.push([name, from === undefined ? 'made' : to === undefined ? 'deleted' : 'moved'])
      if (state.refuses) throw new Error('the listener refuses')
      // What it reads in the transaction is what the move has left.
      for (const { repoId, name, to } of moves) {
        const { git_refs: r } = tx.t
        const rows = await tx.q.select({ repoId: r.repo_id, name: r.name }).from(r)
        expect(rows.some((row) => row.repoId === repoId && row.name === name)).toBe(to !== undefined)
      }
    },
  })
  const { deps } = world.deps.git
  const git = new Git({ ...deps, refListeners: [...deps.refListeners, note] })
  const wide: World = Object.create(world, {
    ctx: { value: (...actor: Parameters<World['ctx']>): Ctx => ({ ...world.ctx(...actor), git }) },
  })
  return { heard, state, git, wide }
}

eachDatabase('listeners of refs', (world) => {
  test('hear every way in which a ref moves', async () => {
    const owner = await givenUser(world, 'owner')
    const repo = await givenRepo(world, owner)
    const { heard, git, wide } = listening(world)
    const ctx = wide.ctx(owner)
    const takes = async (act: () => Promise<unknown>): Promise<Heard[]> => {
      heard.length = 0
      await act()
      return [...heard]
    }
    const branch = { name: 'side', via: 'api' } as const
    expect(await takes(() => givenCommit(wide, owner, repo, [add('a')]))).toEqual([
      ['refs/heads/main', 'moved'],
    ])
    expect(await takes(() => createBranch(ctx, repo, branch))).toEqual([['refs/heads/side', 'made']])
    await givenCommit(wide, owner, repo, [add('b')])
    const again = { ...branch, from: 'main', overwrite: true }
    expect(await takes(() => createBranch(ctx, repo, again))).toEqual([['refs/heads/side', 'moved']])
    expect(await takes(() => createBranch(ctx, repo, { name: 'bare', isEmpty: true, via: 'api' }))).toEqual([
      ['refs/heads/bare', 'made'],
    ])
    expect(await takes(() => deleteBranch(ctx, repo, 'bare', 'api'))).toEqual([
      ['refs/heads/bare', 'deleted'],
    ])
    const tags = ['plain', 'said'] as const
    for (const name of tags) {
      const message = name === 'said' ? { message: 'One' } : {}
      expect(await takes(() => createTag(ctx, repo, { name, via: 'api', ...message }))).toEqual([
        [`refs/tags/${name}`, 'made'],
      ])
    }
    expect(await takes(() => deleteTag(ctx, repo, 'plain', 'api'))).toEqual([['refs/tags/plain', 'deleted']])
    const empty = { kind: 'pull_request', title: 'Empty', body: '', via: 'api' } as const
    expect(await takes(() => openDiscussion(ctx, repo, empty))).toEqual([['refs/pr/1', 'made']])
    expect(await takes(() => givenPullRequest(wide, owner, repo, { c: 'c' }))).toEqual([
      ['refs/pr/2', 'made'],
    ])
    expect(await takes(() => mergePullRequest(ctx, repo, 2, {}))).toEqual([['refs/heads/main', 'moved']])
    expect(await takes(() => superSquash(ctx, repo, 'main'))).toEqual([['refs/heads/main', 'moved']])
    const head = (await git.openFresh(repo.id)).findRef('refs/heads/main')?.commit ?? ''
    const pushed = { isAtomic: false, signal: new AbortController().signal }
    const commands = [
      { ref: 'refs/heads/pushed', new: head },
      { ref: 'refs/tags/said', old: (await git.open(repo.id)).findRef('refs/tags/said')?.oid ?? '' },
    ]
    expect(await takes(() => push(ctx, repo, { ...pushed, commands }))).toEqual([
      ['refs/heads/pushed', 'made'],
      ['refs/tags/said', 'deleted'],
    ])
    await git.close()
  })

  test('whose rows fail keep the ref where it is, and all that belongs to the move away', async () => {
    const owner = await givenUser(world, 'keeper')
    const repo = await givenRepo(world, owner)
    const { state, git, wide } = listening(world)
    const before = await git.openFresh(repo.id)
    state.refuses = true
    await expect(givenCommit(wide, owner, repo, [add('a')])).rejects.toThrow('the listener refuses')
    await expect(createBranch(wide.ctx(owner), repo, { name: 'x', via: 'api' })).rejects.toThrow('refuses')
    const after = await git.openFresh(repo.id)
    expect(after.listRefs()).toEqual(before.listRefs())
    expect(after.packs).toEqual(before.packs)
    state.refuses = false
    await givenCommit(wide, owner, repo, [add('a')])
    await git.close()
  })

  test('the facts of the head follow a squash and an empty branch', async () => {
    const owner = await givenUser(world, 'counter')
    const repo = await givenRepo(world, owner)
    const ctx = world.ctx(owner)
    const facts = async () => {
      const { repo_heads, repo_tags } = world.db.t
      const rows = await world.db.q.select().from(repo_heads)
      const row = rows.find(({ repo_id }) => repo_id === repo.id)
      const tags = (await world.db.q.select().from(repo_tags)).filter(({ repo_id }) => repo_id === repo.id)
      return { files: row?.files, bytes: row?.bytes, tags: tags.map(({ tag }) => tag).sort() }
    }
    const fresh = await facts()
    const card = '---\ntags: [one]\n---\n'
    await givenCommit(world, owner, repo, [add('README.md', card), add('a', 'four')])
    const full = await facts()
    expect(full).toEqual({
      files: (fresh.files ?? 0) + 2,
      bytes: (fresh.bytes ?? 0) + card.length + 4,
      tags: ['one', 'region:us'],
    })
    await superSquash(ctx, repo, 'main')
    expect(await facts()).toEqual(full)
    await createBranch(ctx, repo, { name: 'main', isEmpty: true, overwrite: true, via: 'api' })
    expect(await facts()).toEqual({ files: 0, bytes: 0, tags: ['region:us'] })
  })
})
