import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { exportRepository } from '../../../core/git/index.ts'
import type { Repo } from '../../repos/index.ts'
import { eachDatabase, givenRepo, givenUser } from '../../../testing.ts'
import { givenObject } from '../../uploads/testing.ts'
import type { CommitOperation } from './operations.ts'
import { add, givenCommit, pathsOf, textOf } from '../testing.ts'

const run = promisify(execFile)

const evil = '[submodule "a"]\n\turl = -u./payload\n'
const long = `${'x'.repeat(2048)}\n`
/** More than is read at once, so that it streams. */
const streamed = (text: string): CommitOperation => {
  const bytes = Buffer.from(`${'#\n'.repeat(200_000)}${text}`)
  async function* source() {
    for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
  }
  return { op: 'add', path: 'sub/.gitattributes', content: { source: source(), sizeBytes: bytes.length } }
}

eachDatabase('what git checks in a commit', (world) => {
  let made = 0
  async function given() {
    const owner = await givenUser(world, `judge${++made}`)
    return { owner, repo: await givenRepo(world, owner) }
  }

  /** Everything real git says of the repo as it is now. */
  async function fsck(repo: Repo): Promise<string> {
    const dir = join(world.dir, `export-${repo.id}`)
    await exportRepository(world.deps.git, repo.id, dir)
    const args = ['fsck', '--strict', '--full', '--no-dangling', '--no-progress']
    const { stdout, stderr } = await run('git', args, { cwd: dir })
    return stdout + stderr
  }

  test.each<[string, CommitOperation[], string]>([
    ['a url that is an option', [add('.gitmodules', evil)], 'operations.0.path'],
    ['a disguised name', [add('a'), add('b/GITMOD~1', evil)], 'operations.1.path'],
    ['no configuration', [add('.gitmodules', 'url\nno = "')], 'operations.0.path'],
    ['.gitmodules too large', [add('.gitmodules', '#'.repeat(300_000))], 'operations.0.path'],
    ['a folder named .gitmodules', [add('.gitmodules/x')], 'operations.0.path'],
    ['a folder named .gitattributes', [add('x/.GITATTRIBUTES /y')], 'operations.0.path'],
    ['a line too long', [add('.gitattributes', long)], 'operations.0.path'],
    ['a line too long in a stream', [add('a'), streamed(long)], 'operations.1.path'],
    [
      'a large file',
      [{ op: 'add-lfs', path: '.gitmodules', sha256: 'a'.repeat(64), sizeBytes: 1 }],
      'operations.0.path',
    ],
    ['a copy of what is there', [{ op: 'copy', from: 'evil', to: '.gitmodules' }], 'operations.0.to'],
    ['a renamed file', [{ op: 'rename', from: 'long', to: 'x/.gitattributes' }], 'operations.0.to'],
    [
      'a copy of what comes with it',
      [add('new', evil), { op: 'copy', from: 'new', to: '.gitmodules' }],
      'operations.1.to',
    ],
  ])('%s is refused and nothing changes', async (_, operations, field) => {
    const { owner, repo } = await given()
    const { commit } = await givenCommit(world, owner, repo, [add('evil', evil), add('long', long)])
    await expect(givenCommit(world, owner, repo, operations)).rejects.toMatchObject({
      code: 'validation-failed',
      errors: [{ field }],
    })
    expect((await world.deps.git.open(repo.id)).findRef('refs/heads/main')?.commit).toBe(commit)
    expect(await fsck(repo)).toBe('')
  })

  test('a sound .gitmodules and .gitattributes are taken, also copied, and git agrees', async () => {
    const { owner, repo } = await given()
    const modules = '[submodule "lib/a"]\n\tpath = lib/a\n\turl = https://example.org/a.git\n'
    await givenCommit(world, owner, repo, [
      add('.gitmodules', modules),
      add('kept', modules),
      streamed('*.x text\n'),
    ])
    await givenCommit(world, owner, repo, [
      { op: 'copy', from: '.gitmodules', to: 'a/.gitmodules' },
      { op: 'copy', from: 'kept', to: 'b/.gitmodules' },
      add('c/.gitattributes', '*.y text\n'),
      { op: 'copy', from: 'c/.gitattributes', to: 'd/.gitattributes' },
    ])
    expect(await pathsOf(world, owner, repo)).toContain('d/.gitattributes')
    expect(await textOf(world, owner, repo, 'b/.gitmodules')).toBe(modules)
    expect(await fsck(repo)).toBe('')
  })

  test('rules the server adds for large files stay within what git reads, whatever stands before them', async () => {
    const { owner, repo } = await given()
    const blanks = `${' '.repeat(240)}x`
    const path = [blanks, blanks, blanks, `${blanks}.weights`].join('/')
    const notUtf8 = Buffer.concat([Buffer.from('# '), Buffer.alloc(2040, 0xfe)])
    const { sha256 } = await givenObject(world, owner, repo)
    await givenCommit(world, owner, repo, [
      { op: 'add', path: '.gitattributes', content: notUtf8 },
      { op: 'add-lfs', path, sha256 },
    ])
    const rules = await textOf(world, owner, repo, '.gitattributes')
    expect(rules).toContain(`/${path.replaceAll(' ', '?')} filter=lfs`)
    expect(await fsck(repo)).toBe('')
  })
})
