import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { givenCommit as givenGitCommit } from '../../../core/git/testing.ts'
import { nativeBase } from '../../../core/http/surface.ts'
import { mountJobs } from '../../../core/jobs/handlers.ts'
import { runJobs } from '../../../core/jobs/testing.ts'
import { codeOf, overFaulty } from '../../../core/lfs/testing.ts'
import { appOf, eachDatabase, givenRepo, givenToken, givenUser } from '../../../testing.ts'
import { givenObject } from '../../uploads/testing.ts'
import { mountContent } from '../handlers.ts'
import { openExport } from './open-export.ts'
import { add, givenCommit } from '../testing.ts'
import { createZip, zipExport } from './zip.ts'
import { actorNow } from '../../auth/index.ts'

const run = promisify(execFile)

interface JobAnswer {
  id: string
  status: string
  result?: { url: string; size: number }
  problem?: { code: string }
}

eachDatabase('zip export', (world) => {
  let made = 0
  async function given() {
    const owner = await givenUser(world, `user${++made}`)
    const repo = await givenRepo(world, owner, { visibility: 'public', gated: 'manual' })
    const object = await givenObject(world, owner, repo)
    await givenCommit(world, owner, repo, [
      add('dir/a.txt', 'hello'),
      add('dir/deep/b', ''),
      { op: 'add-lfs', path: 'm.bin', sha256: object.sha256, sizeBytes: object.sizeBytes },
    ])
    const { secret } = await givenToken(world, owner)
    const app = appOf(world, { native: [mountContent, mountJobs({ kinds: [zipExport], actorNow })] })
    const get = (path: string, bearer = secret, method = 'GET') =>
      app.request(path.startsWith('http') ? path : `${nativeBase}${path}`, {
        method,
        headers: { Authorization: `Bearer ${bearer}` },
      })
    const finished = async (query = ''): Promise<JobAnswer> => {
      const queued = await get(`/repos/models/${owner.username}/${repo.name}/zip${query}`, secret, 'POST')
      expect(queued.status).toBe(202)
      await runJobs(world.deps, [zipExport])
      const { pathname } = new URL(queued.headers.get('Location') ?? '', 'http://localhost')
      return (await (await get(pathname.slice(nativeBase.length))).json()) as JobAnswer
    }
    return { owner, repo, object, secret, get, finished }
  }

  test('the archive of a revision holds every file, large ones by their content', async () => {
    const { repo, object, get, finished } = await given()
    const job = await finished()
    const answer = await get(job.result?.url ?? '')
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect(answer.headers.get('Content-Disposition')).toMatch(
      /^attachment; filename="repo-.*-[\da-f]{7}\.zip"$/,
    )
    expect(bytes.length).toBe(job.result?.size)
    const path = join(world.dir, `${job.id}.zip`)
    await writeFile(path, bytes)
    const script =
      'import sys,zipfile\nz=zipfile.ZipFile(sys.argv[1])\nfor n in z.namelist(): print(n, z.read(n)[:5].hex())'
    const { stdout } = await run('python3', ['-c', script, path])
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => line.trim())
        .slice(1),
    ).toEqual([
      `${repo.name}/dir/a.txt ${Buffer.from('hello').toString('hex')}`,
      `${repo.name}/dir/deep/b`,
      `${repo.name}/m.bin ${object.bytes.subarray(0, 5).toString('hex')}`,
    ])
  })

  test('a folder alone', async () => {
    const { repo, get, finished } = await given()
    const job = await finished('?path=dir')
    const text = Buffer.from(await (await get(job.result?.url ?? '')).arrayBuffer()).toString('latin1')
    expect(text).toContain(`${repo.name}/deep/b`)
    expect(text).not.toContain('m.bin')
  })

  test('the link is of the host the caller used, where their session counts', async () => {
    const { get, finished } = await given()
    const { id } = await finished()
    const seen = (await (await get(`http://hub.example:9${nativeBase}/jobs/${id}`)).json()) as JobAnswer
    expect(seen.result?.url).toMatch(/^http:\/\/hub\.example:9\//)
    expect((await get(seen.result?.url ?? '')).status).toBe(200)
  })

  test('the link opens for those who may read the files, for a quarter of an hour', async () => {
    const { get, finished } = await given()
    const url = (await finished()).result?.url ?? ''
    const stranger = await givenToken(world, await givenUser(world, `stranger${made}`))
    expect((await get(url, stranger.secret)).status).toBe(403)
    expect((await get(`${url}0`)).status).toBe(404)
    expect(
      (await get(url.replace(/exports\/[^?]+/, 'exports/0198c9a2-7c1d-7000-8000-000000000000'))).status,
    ).toBe(404)
    expect((await get(url)).status).toBe(200)
    world.clock.now = new Date(world.clock.now.getTime() + 16 * 60_000)
    expect((await get(url)).status).toBe(403)
  })

  test('an archive that was removed is not found; one that cannot be read now is no 404', async () => {
    const { owner, finished } = await given()
    const { id, result } = await finished()
    const ctx = world.ctx(owner)
    const openWhile = async (kind: 'missing' | 'transient') => {
      const failing = overFaulty(ctx, ({ operation }) =>
        operation === 'read' ? { type: 'before', kind } : undefined,
      )
      return codeOf((await openExport(failing, id, result?.url ?? '')).open(undefined, ctx.stopping))
    }
    expect([await openWhile('missing'), await openWhile('transient')]).toEqual([
      'not-found',
      'store: transient',
    ])
  })

  test('the same request while one is under way is answered with that job', async () => {
    const { owner, repo } = await given()
    const first = await createZip(world.ctx(owner), repo, {})
    expect((await createZip(world.ctx(owner), repo, {})).id).toBe(first.id)
    expect((await createZip(world.ctx(owner), repo, { path: 'dir' })).id).not.toBe(first.id)
  })

  test('a gated reader, a file, a missing folder get no job', async () => {
    const { owner, repo } = await given()
    const reader = await givenUser(world, `reader${made}`)
    await expect(createZip(world.ctx(reader), repo, {})).rejects.toMatchObject({ code: 'gated' })
    for (const path of ['m.bin', 'no'])
      await expect(createZip(world.ctx(owner), repo, { path })).rejects.toMatchObject({
        code: 'entry-not-found',
      })
  })

  test.each(['../above', 'C:\\windows', 'deep/.git/config'])(
    'a history with the path %s makes no archive',
    async (path) => {
      const { repo, finished } = await given()
      await givenGitCommit(world, repo.id, { puts: { [path]: 'x' } })
      const job = await finished()
      expect(job).toMatchObject({ status: 'failed', problem: { code: 'invalid-path' } })
    },
  )

  test('lost bytes fail the job instead of leaving a hole', async () => {
    const { finished } = await given()
    const { lfs_objects } = world.db.t
    await world.db.write(({ q }) => q.update(lfs_objects).set({ corrupt_at: world.clock.now }))
    const job = await finished()
    expect(job.result).toBeUndefined()
    await world.db.write(({ q }) => q.update(lfs_objects).set({ corrupt_at: null }))
  })
})
