import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { and, eq, ne } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildApp } from '../../app/app.ts'
import { listCommits, readHead } from '../../rooms/content/index.ts'
import { listen } from '../server/listen.ts'
import { findRepo, type Repo } from '../../rooms/repos/index.ts'
import { eachDatabase, givenRepo, givenToken, givenUser } from '../../testing.ts'
import type { UserActor } from '../../core/access/index.ts'
import { gitText } from '../../core/git/testing.ts'

interface Said {
  code: number
  text: string
}

eachDatabase('git over HTTP', (world) => {
  let server: Server
  let owner: UserActor
  let secret = ''
  let base = ''

  beforeAll(async () => {
    const { deps } = world
    const config = { ...deps.config, git: { ...deps.config.git, max_blob_size: 100_000 } }
    server = await listen(
      buildApp({ ...deps, config }, { state: 'ready', check: async () => undefined }),
      '127.0.0.1:0',
    )
    owner = await givenUser(world, 'gitty')
    secret = (await givenToken(world, owner)).secret
    base = `http://gitty:${secret}@127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  async function given() {
    const repo = await givenRepo(world, owner)
    const url = `${base}/${repo.ns}/${repo.name}`
    const dir = await mkdtemp(join(world.dir, 'work-'))
    await gitText(dir, ['clone', '-q', url, '.'])
    return { repo, url, dir, remove: () => rm(dir, { recursive: true }) }
  }

  async function commitIn(dir: string, files: Record<string, string | Buffer>, message = 'change') {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(dir, path)), { recursive: true })
      await writeFile(join(dir, path), content)
    }
    await gitText(dir, ['add', '-A'])
    await gitText(dir, ['commit', '-qm', message])
    return gitText(dir, ['rev-parse', 'HEAD'])
  }

  const said = (args: string[], cwd: string): Promise<Said> =>
    new Promise((resolve) =>
      execFile(
        'git',
        args,
        { cwd, env: { PATH: process.env['PATH'], HOME: world.dir } },
        (error, out, text) => resolve({ code: error ? 1 : 0, text: `${out}${text}` }),
      ),
    )
  const push = (dir: string, ...refs: string[]) => said(['push', 'origin', ...refs], dir)

  const headOf = async (repo: Repo) => (await findRepo(world.ctx(owner), repo)).live?.headCommit
  const packsOf = async (repo: Repo) => {
    const { git_packs } = world.db.t
    const isRepos = eq(git_packs.repo_id, repo.id)
    return {
      live: await world.db.q.$count(git_packs, and(isRepos, eq(git_packs.state, 'live'))),
      others: await world.db.q.$count(git_packs, and(isRepos, ne(git_packs.state, 'live'))),
    }
  }

  test('a push moves the branch, the facts of its head and the history together', async () => {
    const { repo, dir, remove } = await given()
    const one = await commitIn(dir, { 'README.md': '---\nlicense: mit\n---\n' }, 'one')
    const two = await commitIn(dir, { 'dir/a.txt': 'a\n' }, 'two')
    expect(await push(dir, 'main')).toMatchObject({ code: 0 })
    expect(await headOf(repo)).toBe(two)
    const { commits, total } = await listCommits(world.ctx(owner), repo, { limit: 10 })
    expect(total).toBe(3)
    expect(commits.map(({ sha }) => sha).slice(0, 2)).toEqual([two, one])
    const { live } = await findRepo(world.ctx(owner), repo)
    expect(live).toMatchObject({ licence: 'mit', headFiles: 3 })
    expect(await readHead(world.deps, repo, 'main')).toBeDefined()
    expect(await packsOf(repo)).toEqual({ live: 2, others: 0 })
    await remove()
  })

  test('a repo without any ref is cloned and filled', async () => {
    const { repo, url, remove } = await given()
    await world.db.write(async ({ q, t }) => {
      await q.delete(t.git_refs).where(eq(t.git_refs.repo_id, repo.id))
      await q.update(t.git_repos).set({ ref_seq: 9 }).where(eq(t.git_repos.repo_id, repo.id))
    })
    const empty = await mkdtemp(join(world.dir, 'empty-'))
    for (const version of [0, 2])
      await gitText(empty, ['-c', `protocol.version=${version}`, 'clone', '-q', url, `v${version}`])
    const head = await commitIn(join(empty, 'v2'), { 'first.txt': '1\n' })
    expect(await gitText(join(empty, 'v2'), ['symbolic-ref', 'HEAD'])).toBe('refs/heads/main')
    expect(await push(join(empty, 'v2'), 'main')).toMatchObject({ code: 0 })
    expect(await headOf(repo)).toBe(head)
    await rm(empty, { recursive: true })
    await remove()
  })

  test.each([0, 2])(
    'a fetch that excludes missing commits gets an error, in protocol %i',
    async (version) => {
      const { dir, url, remove } = await given()
      const fetch = (how: string) =>
        said(['-c', `protocol.version=${version}`, 'clone', '-q', how, url, `to-${version}`], dir)
      const { code, text } = await fetch('--shallow-exclude=nosuch')
      expect(code).toBe(1)
      expect(text).toContain('remote error: "nosuch" is not the name of one branch or tag here')
      expect((await fetch('--shallow-exclude=main')).text).toContain('remote error: no commit is left')
      await remove()
    },
  )

  test('objects of a refused ref are not kept when others move', async () => {
    const { repo, dir, remove } = await given()
    await commitIn(dir, { 'fine.txt': 'fine\n' })
    const fine = await gitText(dir, ['rev-parse', 'HEAD'])
    const large = await commitIn(dir, { 'large.bin': randomBytes(200_000) })
    const { code, text } = await push(dir, `${fine}:refs/heads/fine`, `${large}:refs/heads/large`)
    expect(code).toBe(1)
    expect(text).toContain('large.bin  (195.3 KiB, refs/heads/large)')
    const snapshot = await world.deps.git.openFresh(repo.id)
    expect(snapshot.findRef('refs/heads/fine')?.commit).toBe(fine)
    expect(await snapshot.findCommit(large)).toBeUndefined()
    await remove()
  })

  test('a path that is no UTF-8 is named as git names it', async () => {
    const { dir, remove } = await given()
    const blob = await gitText(dir, ['hash-object', '-w', '--stdin'], 'text')
    const listing = Buffer.from(`100644 blob ${blob}\tcaf\xe9.txt\n`, 'latin1')
    const tree = await gitText(dir, ['mktree'], listing)
    const commit = await gitText(dir, ['commit-tree', '-p', 'HEAD', '-m', 'latin', tree])
    const { code, text } = await push(dir, `${commit}:refs/heads/latin`)
    expect(code).toBe(1)
    expect(text).toContain('the path "caf\\351.txt" must be valid Unicode')
    await remove()
  })

  test('a push that is refused leaves neither pack nor file behind', async () => {
    const { repo, dir, remove } = await given()
    await commitIn(dir, { 'large.bin': randomBytes(200_000) })
    const before = await headOf(repo)
    expect(await push(dir, 'main')).toMatchObject({ code: 1 })
    expect(await headOf(repo)).toBe(before)
    expect(await packsOf(repo)).toEqual({ live: 1, others: 0 })
    await remove()
  })

  test('of two pushes of the same history to two branches at once both are taken and listed', async () => {
    const { repo, dir, remove } = await given()
    for (let i = 0; i < 5; i++) await commitIn(dir, { n: String(i) }, `step ${i}`)
    const head = await gitText(dir, ['rev-parse', 'HEAD'])
    const said = await Promise.all(
      ['one', 'two', 'three'].map((name) => push(dir, `main:refs/heads/${name}`)),
    )
    expect(said.map(({ code }) => code)).toEqual([0, 0, 0])
    for (const revision of ['one', 'two', 'three']) {
      const { commits, total } = await listCommits(world.ctx(owner), repo, { revision, limit: 10 })
      expect(total).toBe(6)
      expect(commits).toHaveLength(6)
      expect(commits[0]?.sha).toBe(head)
    }
    await remove()
  })
})
