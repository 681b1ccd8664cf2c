import { describe, expect, test } from 'vitest'
import { anonymous } from '../../../core/access/index.ts'
import type { Repo } from '../../repos/index.ts'
import { collect } from '../../../stores/storage/index.ts'
import { eachDatabase, givenRepo, givenUser } from '../../../testing.ts'
import { givenObject } from '../../uploads/testing.ts'
import { getCommit } from './commit-detail.ts'
import { listCommits } from './commits.ts'
import { diffOfCommit } from './diff.ts'
import { openFile } from './file.ts'
import { preupload } from '../commit/preupload.ts'
import { listRefs } from '../refs/refs.ts'
import type { CommitOperation } from '../commit/operations.ts'
import { add, givenCommit, textOf } from '../testing.ts'
import { describePaths, listTree, type TreeQuery } from './tree.ts'

eachDatabase('reading', (world) => {
  let made = 0
  async function given(more = {}) {
    const owner = await givenUser(world, `user${++made}`)
    const repo = await givenRepo(world, owner, more)
    return { owner, repo, ctx: world.ctx(owner) }
  }
  const large = (
    { sha256, sizeBytes }: { sha256: string; sizeBytes: number },
    path: string,
  ): CommitOperation => ({
    op: 'add-lfs',
    path,
    sha256,
    sizeBytes,
  })

  describe('tree', () => {
    test('others have their turn while many paths are looked up', async () => {
      const { owner, repo, ctx } = await given()
      await givenCommit(world, owner, repo, [add('dir/a')])
      const paths = Array.from({ length: 6000 }, (_, i) => `dir/${i}`)
      let isDone = false
      let turns = 0
      const watch = () => {
        turns++
        if (!isDone) setImmediate(watch)
      }
      await describePaths(ctx, repo, { paths: ['dir/a'], withLastCommits: false })
      setImmediate(watch)
      const { entries } = await describePaths(ctx, repo, { paths, withLastCommits: false })
      isDone = true
      expect(entries).toEqual([])
      expect(turns).toBeGreaterThan(5)
    })

    test('pages of one folder together are the folder, each entry with its last commit', async () => {
      const { owner, repo, ctx } = await given()
      const names = Array.from({ length: 25 }, (_, i) => `f${String(i).padStart(2, '0')}`)
      const first = await givenCommit(world, owner, repo, [
        ...names.map((name) => add(`dir/${name}`)),
        add('dir/sub/x'),
      ])
      const second = await givenCommit(world, owner, repo, [add('dir/f03', 'changed')])
      const seen: [string, string | undefined][] = []
      let after: string | undefined
      do {
        const query: TreeQuery = {
          path: 'dir',
          withLastCommits: true,
          limit: 10,
          ...(after ? { after } : {}),
        }
        const page = await listTree(ctx, repo, query)
        seen.push(
          ...page.entries.map(({ name, lastCommit }): [string, string | undefined] => [
            name,
            lastCommit?.sha,
          ]),
        )
        after = page.next
      } while (after !== undefined)
      expect(seen).toEqual(
        [...names, 'sub'].map((name) => [name, name === 'f03' ? second.commit : first.commit]),
      )
    })

    test('recursive pages hold folders before what is in them', async () => {
      const { owner, repo, ctx } = await given()
      await givenCommit(world, owner, repo, [add('a/b/c'), add('a/d'), add('e')])
      const paths: string[] = []
      let after: string | undefined
      do {
        const query = { isRecursive: true, withLastCommits: false, limit: 2, ...(after ? { after } : {}) }
        const page = await listTree(ctx, repo, query)
        paths.push(...page.entries.map(({ path }) => path))
        after = page.next
      } while (after !== undefined)
      expect(paths).toEqual(['.gitattributes', 'a', 'a/b', 'a/b/c', 'a/d', 'e'])
    })

    test('a file is described, with its large object', async () => {
      const { owner, repo, ctx } = await given()
      const object = await givenObject(world, owner, repo)
      const { commit } = await givenCommit(world, owner, repo, [large(object, 'm.bin')])
      const page = await listTree(ctx, repo, { path: 'm.bin', withLastCommits: true, limit: 10 })
      expect(page).toMatchObject({
        commit,
        kind: 'file',
        entries: [],
        file: {
          path: 'm.bin',
          sizeBytes: object.sizeBytes,
          lfs: { sha256: object.sha256, sizeBytes: object.sizeBytes },
          lastCommit: { sha: commit },
        },
      })
    })

    test.each(['no', '.gitattributes/x', '../x', 'a\\b'])('no entry at %j', async (path) => {
      const { repo, ctx } = await given()
      await expect(listTree(ctx, repo, { path, withLastCommits: false, limit: 1 })).rejects.toMatchObject({
        code: 'entry-not-found',
        members: { commit: repo.headCommit },
      })
    })

    test('of asked paths only those that are there come back, folders too', async () => {
      const { owner, repo, ctx } = await given()
      const { commit } = await givenCommit(world, owner, repo, [add('a/b')])
      const { entries } = await describePaths(ctx, repo, {
        paths: ['a/', 'a/b', 'no', '../x'],
        withLastCommits: true,
      })
      expect(entries.map(({ path, kind, lastCommit }) => [path, kind, lastCommit?.sha])).toEqual([
        ['a', 'directory', commit],
        ['a/b', 'file', commit],
      ])
    })
  })

  describe('commits', () => {
    test('newest first, by page, also those of one path', async () => {
      const { owner, repo, ctx } = await given()
      const shas: string[] = []
      for (let i = 0; i < 5; i++)
        shas.unshift(
          (
            await givenCommit(world, owner, repo, [add(i % 2 ? 'odd' : 'even/x', String(i))], {
              title: `c${i}`,
              body: 'why',
            })
          ).commit,
        )
      const page = await listCommits(ctx, repo, { limit: 2, offset: 1 })
      expect(page).toMatchObject({
        head: shas[0],
        total: 6,
        commits: [
          { sha: shas[1], subject: 'c3', body: 'why', userId: owner.id, author: { name: owner.username } },
          { sha: shas[2] },
        ],
      })
      const odd = await listCommits(ctx, repo, { path: 'odd', limit: 10 })
      expect(odd.commits.map(({ subject }) => subject)).toEqual(['c3', 'c1'])
      expect((await listCommits(ctx, repo, { path: 'even', limit: 10 })).total).toBe(3)
    })

    test('a commit lists what it changed, and shows it line by line', async () => {
      const { owner, repo, ctx } = await given()
      const object = await givenObject(world, owner, repo)
      await givenCommit(world, owner, repo, [
        add('text', 'one\ntwo\n'),
        add('gone'),
        add('bin', 'a\0b'),
        large(object, 'm.bin'),
      ])
      const other = await givenObject(world, owner, repo)
      const { commit } = await givenCommit(world, owner, repo, [
        add('text', 'one\n2\n'),
        { op: 'delete', path: 'gone' },
        add('bin', 'a\0c'),
        large(other, 'm.bin'),
      ])
      const detail = await getCommit(ctx, repo, commit.slice(0, 8))
      const bySides = detail.files.map((f) => [f.path, f.status, f.additions, f.deletions, f.isBinary])
      expect(bySides).toEqual([
        ['bin', 'modified', undefined, undefined, true],
        ['gone', 'deleted', 0, 1, false],
        ['m.bin', 'modified', undefined, undefined, false],
        ['text', 'modified', 1, 1, false],
      ])
      expect(await diffOfCommit(ctx, repo, commit, { path: 'text' })).toMatchObject({
        hunks: [
          {
            oldStart: 1,
            lines: [
              { kind: 'context', text: 'one' },
              { kind: 'delete', text: 'two' },
              { kind: 'add', text: '2' },
            ],
          },
        ],
      })
      expect(await diffOfCommit(ctx, repo, commit, { path: 'bin' })).toMatchObject({
        isBinary: true,
        hunks: [],
      })
      expect(await diffOfCommit(ctx, repo, commit, { path: 'm.bin' })).toMatchObject({
        hunks: [],
        change: {
          old: { facts: { pointer: { sha256: object.sha256 } } },
          new: { facts: { pointer: { sha256: other.sha256 } } },
        },
      })
      await expect(diffOfCommit(ctx, repo, commit, { path: 'none' })).rejects.toMatchObject({
        code: 'entry-not-found',
      })
    })

    test('only a sha names a commit', async () => {
      const { repo, ctx } = await given()
      for (const sha of ['main', 'HEAD', 'f'.repeat(40), 'abc', '0000000'])
        await expect(getCommit(ctx, repo, sha)).rejects.toMatchObject({ code: 'revision-not-found' })
    })
  })

  describe('files', () => {
    test('git stores the pointer, people get the object, whole or in part', async () => {
      const { owner, repo, ctx } = await given()
      const object = await givenObject(world, owner, repo)
      await givenCommit(world, owner, repo, [large(object, 'm.bin')])
      const file = await openFile(ctx, repo, { path: 'm.bin' })
      expect(file).toMatchObject({ etag: object.sha256, sizeBytes: object.sizeBytes })
      const part = await collect(await file.open({ offset: 10, length: 5 }), 100)
      expect(part).toEqual(object.bytes.subarray(10, 15))
      const raw = await openFile(ctx, repo, { path: 'm.bin', form: 'git' })
      const pointer = (await collect(await raw.open(), 1000)).toString()
      expect(pointer).toContain(`oid sha256:${object.sha256}`)
      expect(raw).toMatchObject({ etag: raw.oid, sizeBytes: pointer.length })
    })

    test('a folder, a file as folder, nothing: not a file', async () => {
      const { owner, repo, ctx } = await given()
      await givenCommit(world, owner, repo, [add('a/b')])
      for (const path of ['a', 'a/b/c', 'no', ''])
        await expect(openFile(ctx, repo, { path })).rejects.toMatchObject({ code: 'entry-not-found' })
    })

    test('lost bytes are no missing file', async () => {
      const { owner, repo, ctx } = await given()
      const object = await givenObject(world, owner, repo)
      await givenCommit(world, owner, repo, [large(object, 'm.bin')])
      const { lfs_objects } = world.db.t
      await world.db.write(({ q }) => q.update(lfs_objects).set({ corrupt_at: world.clock.now }))
      const file = await openFile(ctx, repo, { path: 'm.bin' })
      await expect(file.open()).rejects.toMatchObject({ code: 'store-unavailable' })
      await world.db.write(({ q }) => q.update(lfs_objects).set({ corrupt_at: null }))
    })
  })

  describe('advice before an upload', () => {
    test('rules, size and emptiness decide; what is there is named', async () => {
      const { owner, repo, ctx } = await given()
      const object = await givenObject(world, owner, repo)
      await givenCommit(world, owner, repo, [
        add('.gitignore', 'build/\n'),
        add('a.txt', 'x'),
        large(object, 'm.bin'),
        add('data/.gitattributes', '*.bin -filter\n'),
      ])
      const files = [
        ['a.txt', 1],
        ['m.bin', 5],
        ['empty.bin', 0],
        ['big.txt', 11 * 2 ** 20],
        ['data/x.bin', 5],
        ['build/o', 5],
      ].map(([path, sizeBytes]) => ({ path: String(path), sizeBytes: Number(sizeBytes) }))
      const advice = await preupload(ctx, repo, { files })
      expect(advice.map(({ path, mode, isIgnored }) => [path, mode, isIgnored])).toEqual([
        ['a.txt', 'regular', false],
        ['m.bin', 'lfs', false],
        ['empty.bin', 'regular', false],
        ['big.txt', 'lfs', false],
        ['data/x.bin', 'regular', false],
        ['build/o', 'regular', true],
      ])
      expect(advice[1]?.oid).toBe(object.sha256)
      expect(advice[0]?.oid).toMatch(/^[0-9a-f]{40}$/)
      expect(advice[2]?.oid).toBeUndefined()
      const own = await preupload(ctx, repo, {
        files: [{ path: 'a.txt', sizeBytes: 1 }],
        gitAttributes: '*.txt filter=lfs',
      })
      expect(own[0]?.mode).toBe('lfs')
    })
  })

  describe('who may', () => {
    const reads = (
      repo: Repo,
      ctx: ReturnType<typeof world.ctx>,
      commit: string,
    ): Record<string, () => Promise<unknown>> => ({
      refs: () => listRefs(ctx, repo),
      tree: () => listTree(ctx, repo, { withLastCommits: true, limit: 10 }),
      paths: () => describePaths(ctx, repo, { paths: ['a'], withLastCommits: false }),
      commits: () => listCommits(ctx, repo, { limit: 10 }),
      commit: () => getCommit(ctx, repo, commit),
      readme: () => openFile(ctx, repo, { path: 'README.md' }),
      diff: () => diffOfCommit(ctx, repo, commit, { path: 'a' }),
      file: () => openFile(ctx, repo, { path: 'a' }),
      attributes: () => openFile(ctx, repo, { path: '.gitattributes' }),
    })
    const codesOf = async (calls: Record<string, () => Promise<unknown>>) => {
      const codes: Record<string, string> = {}
      for (const [name, call] of Object.entries(calls))
        codes[name] = await call().then(
          () => 'ok',
          (error: { code: string }) => error.code,
        )
      return codes
    }

    test('a private repo is not there for others, whatever they ask', async () => {
      const { owner, repo } = await given()
      const { commit } = await givenCommit(world, owner, repo, [add('a'), add('README.md')])
      const stranger = world.ctx(await givenUser(world, `stranger${made}`))
      expect(new Set(Object.values(await codesOf(reads(repo, stranger, commit))))).toEqual(
        new Set(['repo-not-found']),
      )
      const nobody = world.ctx(anonymous)
      expect(new Set(Object.values(await codesOf(reads(repo, nobody, commit))))).toEqual(
        new Set(['unauthenticated']),
      )
    })

    test('a gated repo shows everything but the contents of its files', async () => {
      const { owner, repo } = await given({ visibility: 'public', gated: 'manual' })
      const { commit } = await givenCommit(world, owner, repo, [add('a'), add('README.md')])
      const reader = world.ctx(await givenUser(world, `reader${made}`))
      expect(await codesOf(reads(repo, reader, commit))).toEqual({
        refs: 'ok',
        tree: 'ok',
        paths: 'ok',
        commits: 'ok',
        commit: 'ok',
        readme: 'ok',
        diff: 'gated',
        file: 'gated',
        attributes: 'gated',
      })
    })

    test('a reader may not write', async () => {
      const { repo } = await given({ visibility: 'public' })
      const reader = await givenUser(world, `reader${made}`)
      await expect(givenCommit(world, reader, repo, [add('a')])).rejects.toMatchObject({ code: 'forbidden' })
      expect(await textOf(world, reader, repo, '.gitattributes')).toContain('filter=lfs')
    })
  })
})
