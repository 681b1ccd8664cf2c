import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { formatPointer } from '../../../core/lfs/index.ts'
import { eachDatabase, givenRepo, givenUser } from '../../../testing.ts'
import { givenContent } from '../../../core/lfs/testing.ts'
import { givenObject, givenUpload } from '../../uploads/testing.ts'
import { commit } from './commit.ts'
import type { CommitOperation } from './operations.ts'
import { add, givenCommit, pathsOf, textOf } from '../testing.ts'
import { describePaths } from '../read/tree.ts'

eachDatabase('commit', (world) => {
  let made = 0
  async function given(more = {}) {
    const owner = await givenUser(world, `user${++made}`)
    return { owner, repo: await givenRepo(world, owner, more) }
  }
  async function rowOf(id: string) {
    const { repo_heads, repo_tags } = world.db.t
    const [row] = await world.db.q.select().from(repo_heads).where(eq(repo_heads.repo_id, id))
    const tags = await world.db.q.select().from(repo_tags).where(eq(repo_tags.repo_id, id))
    return { ...row, tags: tags.map(({ tag }) => tag).toSorted() }
  }

  describe('operations', () => {
    test('add, replace, copy, rename and delete make one commit, in their order', async () => {
      const { owner, repo } = await given()
      await givenCommit(world, owner, repo, [
        add('a'),
        add('dir/b'),
        add('dir/c'),
        add('old/d'),
        add('old/e'),
      ])
      await givenCommit(world, owner, repo, [
        add('a', 'new a'),
        { op: 'copy', from: 'dir/b', to: 'copy-of-b' },
        { op: 'rename', from: 'dir/c', to: 'moved/c' },
        { op: 'delete-folder', path: 'old/' },
        { op: 'delete', path: 'dir/b' },
        add('old/f'),
        { op: 'copy', from: 'a', to: 'copy-of-a' },
      ])
      expect(await pathsOf(world, owner, repo)).toEqual([
        '.gitattributes',
        'a',
        'copy-of-a',
        'copy-of-b',
        'moved/c',
        'old/f',
      ])
      expect(await textOf(world, owner, repo, 'copy-of-a')).toBe('new a')
      expect(await textOf(world, owner, repo, 'copy-of-b')).toBe('dir/b\n')
      expect(await textOf(world, owner, repo, 'moved/c')).toBe('dir/c\n')
    })

    test('what is added and then deleted in one list was never there', async () => {
      const { owner, repo } = await given()
      await givenCommit(world, owner, repo, [add('kept'), add('base/x')])
      await givenCommit(world, owner, repo, [
        add('new'),
        { op: 'delete', path: 'new' },
        add('kept', 'again'),
        { op: 'delete', path: 'kept' },
        add('fresh/x'),
        add('fresh/y'),
        { op: 'delete-folder', path: 'fresh' },
        add('base/y'),
        { op: 'delete-folder', path: 'base' },
        add('base/z'),
      ])
      expect(await pathsOf(world, owner, repo)).toEqual(['.gitattributes', 'base/z'])
    })

    test('a copy may come from an older revision', async () => {
      const { owner, repo } = await given()
      const { commit } = await givenCommit(world, owner, repo, [add('a', 'one')])
      await givenCommit(world, owner, repo, [add('a', 'two')])
      await givenCommit(world, owner, repo, [
        { op: 'copy', from: 'a', fromRevision: commit.slice(0, 8), to: 'restored' },
      ])
      expect(await textOf(world, owner, repo, 'restored')).toBe('one')
    })

    test('nothing changes: no new commit', async () => {
      const { owner, repo } = await given()
      const first = await givenCommit(world, owner, repo, [add('a')])
      const again = await givenCommit(world, owner, repo, [add('a')])
      expect(again).toMatchObject({ commit: first.commit, changed: false })
    })

    test.each<[string, CommitOperation[], string]>([
      ['delete of a missing file', [{ op: 'delete', path: 'no' }], 'entry-not-found'],
      ['delete of a missing folder', [{ op: 'delete-folder', path: 'no' }], 'entry-not-found'],
      ['copy of a missing file', [{ op: 'copy', from: 'no', to: 'x' }], 'entry-not-found'],
      [
        'copy of what was deleted before',
        [
          { op: 'delete', path: 'a' },
          { op: 'copy', from: 'a', to: 'x' },
        ],
        'entry-not-found',
      ],
      [
        'copy from no revision',
        [{ op: 'copy', from: 'a', fromRevision: 'v9', to: 'x' }],
        'revision-not-found',
      ],
      ['a file under a file', [add('a/b')], 'validation-failed'],
      ['a file in place of a folder', [add('dir')], 'validation-failed'],
      ['two names that fold into one', [add('Straße'), add('STRASSE')], 'validation-failed'],
      ['two forms of one accent', [add('caf\u00e9'), add('cafe\u0301')], 'validation-failed'],
      [
        'more folders than one commit may touch',
        Array.from({ length: 1600 }, (_, i) => add(`${i}${'/n'.repeat(63)}`, 'x')),
        'validation-failed',
      ],
      ['a file beyond git.max_blob_size', [add('big', 'x'.repeat(10 * 2 ** 20 + 1))], 'file-too-large'],
    ])('%s is refused, and nothing changes', async (_, operations, code) => {
      const { owner, repo } = await given()
      const { commit } = await givenCommit(world, owner, repo, [add('a'), add('dir/b')])
      await expect(givenCommit(world, owner, repo, [add('other'), ...operations])).rejects.toMatchObject({
        code,
      })
      expect((await world.deps.git.openFresh(repo.id)).findRef('refs/heads/main')?.commit).toBe(commit)
    })

    test.each([
      '../x',
      'a//b',
      '/a',
      'a/',
      '.git/config',
      'a/.GIT ./x',
      'git~1',
      'a\\..\\b',
      'a\0b',
      'a\nb',
      '.',
      '',
    ])('the path %j is refused and named', async (path) => {
      const { owner, repo } = await given()
      await expect(givenCommit(world, owner, repo, [add('ok'), add(path)])).rejects.toMatchObject({
        code: 'validation-failed',
        errors: [{ field: 'operations.1.path' }],
      })
    })

    test('a commit of no operations is refused', async () => {
      const { owner, repo } = await given()
      await expect(givenCommit(world, owner, repo, [])).rejects.toMatchObject({ code: 'validation-failed' })
    })

    test('odd but harmless names pass', async () => {
      const { owner, repo } = await given()
      const path = 'to?/awful?filename%you:should,never.give'
      await givenCommit(world, owner, repo, [add(path, 'x')])
      expect(await textOf(world, owner, repo, path)).toBe('x')
    })
  })

  describe('parents', () => {
    test('another head than the caller has seen is a conflict that names it', async () => {
      const { owner, repo } = await given()
      const first = await givenCommit(world, owner, repo, [add('a')])
      const second = await givenCommit(world, owner, repo, [add('b')])
      const third = await givenCommit(world, owner, repo, [add('c')])
      for (const parentCommit of [first.commit, first.commit.slice(0, 7), 'f'.repeat(40)])
        await expect(givenCommit(world, owner, repo, [add('d')], { parentCommit })).rejects.toMatchObject({
          code: 'commit-conflict',
          members: { current_commit: third.commit },
        })
      await expect(
        givenCommit(world, owner, repo, [add('d')], { parentCommit: second.commit }),
      ).rejects.toMatchObject({
        code: 'commit-conflict',
      })
      const parentCommit = third.commit.slice(0, 5)
      expect(await givenCommit(world, owner, repo, [add('d')], { parentCommit })).toMatchObject({
        changed: true,
      })
    })

    test('the same request again, after its answer was lost, is answered with the commit it made', async () => {
      const { owner, repo } = await given()
      const parentCommit = (await givenCommit(world, owner, repo, [add('a')])).commit
      const weights = await givenObject(world, owner, repo)
      const operations: CommitOperation[] = [
        add('b'),
        { op: 'add-lfs', path: 'model.custom', sha256: weights.sha256, sizeBytes: weights.sizeBytes },
      ]
      const lost = await givenCommit(world, owner, repo, operations, { parentCommit })
      expect(await givenCommit(world, owner, repo, operations, { parentCommit })).toMatchObject({
        commit: lost.commit,
      })
      await expect(
        givenCommit(world, owner, repo, operations, { parentCommit, title: 'another' }),
      ).rejects.toMatchObject({ code: 'commit-conflict' })
    })

    test('a branch that is not there is not made by committing to it', async () => {
      const { owner, repo } = await given()
      await expect(givenCommit(world, owner, repo, [add('a')], { branch: 'draft' })).rejects.toMatchObject({
        code: 'revision-not-found',
      })
    })
  })

  describe('large files', () => {
    const lfs = (
      path: string,
      { sha256, sizeBytes }: { sha256: string; sizeBytes: number },
    ): CommitOperation => ({
      op: 'add-lfs',
      path,
      sha256,
      sizeBytes,
    })

    test('an uploaded object is committed and read back', async () => {
      const { owner, repo } = await given()
      const weights = await givenObject(world, owner, repo)
      await givenCommit(world, owner, repo, [lfs('model.safetensors', weights)])
      expect(Buffer.from(await textOf(world, owner, repo, 'model.safetensors')).length).toBeGreaterThan(0)
      const { entries } = await describePaths(world.ctx(owner), repo, {
        paths: ['model.safetensors'],
        withLastCommits: false,
      })
      expect(entries[0]).toMatchObject({ sizeBytes: 1000, lfs: { sha256: weights.sha256, sizeBytes: 1000 } })
    })

    test('without a size the object is looked up, among those the caller may use', async () => {
      const { owner, repo } = await given()
      const stranger = await given()
      const weights = await givenObject(world, owner, repo)
      const operation: CommitOperation = { op: 'add-lfs', path: 'a.bin', sha256: weights.sha256 }
      await expect(givenCommit(world, stranger.owner, stranger.repo, [operation])).rejects.toMatchObject({
        code: 'lfs-object-missing',
      })
      expect(await givenCommit(world, owner, repo, [operation])).toMatchObject({ changed: true })
    })

    test('a known SHA-256 gives no access to the bytes: neither as LFS file nor as pointer text', async () => {
      const { owner, repo } = await given()
      const stranger = await given()
      const secret = await givenObject(world, owner, repo)
      const attempts: CommitOperation[] = [
        lfs('stolen.bin', secret),
        { op: 'add', path: 'stolen.txt', content: formatPointer(secret) },
        lfs('never-stored.bin', givenContent()),
      ]
      for (const attempt of attempts)
        await expect(givenCommit(world, stranger.owner, stranger.repo, [attempt])).rejects.toMatchObject({
          code: 'lfs-object-missing',
          errors: [{ field: 'path' in attempt ? attempt.path : '' }],
        })
      expect(
        await world.db.q.$count(world.db.t.lfs_links, eq(world.db.t.lfs_links.repo_id, stranger.repo.id)),
      ).toBe(0)
    })

    test('what no rule covers gets a rule of its own, once', async () => {
      const { owner, repo } = await given()
      const weights = await givenObject(world, owner, repo)
      const before = await textOf(world, owner, repo, '.gitattributes')
      await givenCommit(world, owner, repo, [
        lfs('dir/odd name.xyz', weights),
        lfs('model.safetensors', weights),
      ])
      const rules = await textOf(world, owner, repo, '.gitattributes')
      expect(rules).toBe(`${before}/dir/odd[[:space:]]name.xyz filter=lfs diff=lfs merge=lfs -text\n`)
      const other = await givenObject(world, owner, repo)
      await givenCommit(world, owner, repo, [lfs('dir/odd name.xyz', other)])
      expect(await textOf(world, owner, repo, '.gitattributes')).toBe(rules)
    })

    test('where there are no rules yet, the file holds the new ones and nothing else', async () => {
      const { owner, repo } = await given()
      const weights = await givenObject(world, owner, repo)
      await givenCommit(world, owner, repo, [{ op: 'delete', path: '.gitattributes' }])
      await givenCommit(world, owner, repo, [lfs('a.xyz', weights)])
      expect(await textOf(world, owner, repo, '.gitattributes')).toBe(
        '/a.xyz filter=lfs diff=lfs merge=lfs -text\n',
      )
    })

    test('what is still being verified when the wait is over is named', async () => {
      const { owner, repo } = await given()
      const content = givenContent()
      const lease_until = new Date(world.clock.now.getTime() + 60_000)
      await givenUpload(world, repo, owner, content, { status: 'joining', lease_until })
      const ctx = world.ctx(owner)
      const config = { ...ctx.config, lfs: { ...ctx.config.lfs, verify_wait: 0 } }
      const operations = [lfs('dir/late.bin', content)]
      await expect(
        commit({ ...ctx, config }, repo, { title: 'late', via: 'api', operations }),
      ).rejects.toMatchObject({
        code: 'temporarily-unavailable',
        message: expect.stringContaining('"dir/late.bin"'),
      })
    })

    test('rules that come in the same commit count', async () => {
      const { owner, repo } = await given()
      const weights = await givenObject(world, owner, repo)
      const rules = '*.xyz filter=lfs diff=lfs merge=lfs -text'
      await givenCommit(world, owner, repo, [
        lfs('a.xyz', weights),
        lfs('b.abc', weights),
        add('.gitattributes', rules),
      ])
      expect(await textOf(world, owner, repo, '.gitattributes')).toBe(
        `${rules}\n/b.abc filter=lfs diff=lfs merge=lfs -text\n`,
      )
    })

    test('a copy of a large file needs no upload', async () => {
      const { owner, repo } = await given()
      const weights = await givenObject(world, owner, repo)
      await givenCommit(world, owner, repo, [lfs('a.bin', weights)])
      await givenCommit(world, owner, repo, [{ op: 'copy', from: 'a.bin', to: 'b.bin' }])
      expect(await textOf(world, owner, repo, 'b.bin')).toBe(await textOf(world, owner, repo, 'a.bin'))
    })
  })

  describe("the repo's row", () => {
    test('follows the default branch: bytes, files, card, tags', async () => {
      const { owner, repo } = await given()
      const weights = await givenObject(world, owner, repo)
      const card = '---\nlicense: mit\ntags: [speech]\nlibrary_name: timm\n---\n# Hi\n'
      await givenCommit(world, owner, repo, [add('README.md', card), add('a', '12345')])
      await givenCommit(world, owner, repo, [
        { op: 'add-lfs', path: 'm.odd', sha256: weights.sha256, sizeBytes: weights.sizeBytes },
        add('a', '1'),
        add('b', '22'),
      ])
      const attributes = (await textOf(world, owner, repo, '.gitattributes')).length
      await givenCommit(world, owner, repo, [{ op: 'delete', path: 'b' }])
      expect(await rowOf(repo.id)).toMatchObject({
        files: 4,
        bytes: attributes + card.length + 1 + weights.sizeBytes,
        card: { license: 'mit', tags: ['speech'], library_name: 'timm' },
        licence: 'mit',
        library: 'timm',
        task: 'image-classification',
        tags: ['image-classification', 'license:mit', 'region:us', 'speech', 'timm'],
      })
      await givenCommit(world, owner, repo, [{ op: 'delete', path: 'README.md' }])
      expect(await rowOf(repo.id)).toMatchObject({ card: null, licence: null, library: null, task: null })
    })
  })
})
