import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { beforeAll, expect, test, vi } from 'vitest'
import type { UserActor } from '../../../core/access/index.ts'
import type { Deps } from '../../../core/ctx.ts'
import { Execution } from '../../../core/jobs/execution.ts'
import { JobRunner } from '../../../core/jobs/index.ts'
import { claimed, jobRow, runJobs } from '../../../core/jobs/testing.ts'
import { testConfig, eachDatabase, givenRepo, givenUser } from '../../../testing.ts'
import { commit } from '../../content/index.ts'
import type { Repo } from '../../repos/index.ts'
import { readDataset } from '../facts.ts'
import { datasetConvert } from './job.ts'

eachDatabase('interrupted conversions', (world) => {
  let owner: UserActor
  beforeAll(async () => {
    owner = await givenUser(world, 'owner')
  })

  async function given(text = 'a,b\n1,2\n3,4\n'): Promise<Repo> {
    const repo = await givenRepo(world, owner, { type: 'dataset' })
    const operations = [{ op: 'add' as const, path: 'data.csv', content: Buffer.from(text) }]
    await commit(world.ctx(owner), repo, { title: 'Add data', operations, via: 'api' })
    return repo
  }
  const exportRef = async (repo: Repo) =>
    (await world.deps.git.openFresh(repo.id)).findRef('refs/convert/parquet')
  /** These stores, but that something happens before bytes of an export are stored. */
  const beforePut = (happens: () => unknown): Deps => ({
    ...world.deps,
    blobs: new Proxy(world.blobs, {
      get(store, name) {
        const value: unknown = Reflect.get(store, name, store)
        if (typeof value !== 'function') return value
        if (name !== 'put') return value.bind(store) as unknown
        return async (...args: unknown[]) => {
          if (String(args[0]).startsWith('lfs/')) await happens()
          return (await Reflect.apply(value, store, args)) as unknown
        }
      },
    }),
  })

  test.each(['cancelled', 'lease-lost'] as const)(
    'one that is %s leaves no export and no files, and the next run makes it',
    async (why) => {
      const repo = await given()
      const job = (await claimed(world.deps, datasetConvert)) ?? expect.fail('no job')
      const execution: Execution = new Execution(
        beforePut(() => execution.interrupt(why)),
        datasetConvert,
        job,
        async () => world.clock.now,
      )
      await execution.run()
      expect(await exportRef(repo)).toBeUndefined()
      expect(await readdir(join(world.dir, 'viewer', 'convert'))).toEqual([])
      expect(await readDataset(world.db, repo.id)).toMatchObject({ status: 'converting' })
      expect((await jobRow(world.db, job.id)).status).toBe(why === 'cancelled' ? 'cancelled' : 'running')
      world.clock.now = new Date(world.clock.now.getTime() + 3_600_000)
      if (why === 'lease-lost') await world.db.write(async ({ q, t }) => void (await q.delete(t.jobs)))
      const operations = [{ op: 'add' as const, path: 'more.txt', content: Buffer.from('x') }]
      await commit(world.ctx(owner), repo, { title: 'More', operations, via: 'api' })
      await runJobs(world.deps, [datasetConvert])
      expect(await readDataset(world.db, repo.id)).toMatchObject({ status: 'ready' })
    },
  )

  test.each([1, 2])('a worker converts at most viewer.convert_concurrency at once: %d', async (most) => {
    const repos = [await given('a\n1\n'), await given('a\n2\n'), await given('a\n3\n')]
    const config = testConfig(world.dir, {
      viewer: { convert_concurrency: most },
      jobs: { workers: 8 },
    })
    let [held, release] = [0, () => {}]
    const isReleased = new Promise<void>((resolve) => (release = resolve))
    const deps = beforePut(async () => {
      held++
      await isReleased
    })
    const runner = new JobRunner(
      { ...deps, config },
      { kinds: [datasetConvert], clock: async () => world.clock.now, pollMs: 20 },
    )
    const statuses = () => Promise.all(repos.map(async ({ id }) => (await readDataset(world.db, id))?.status))
    await runner.start()
    try {
      await vi.waitFor(() => expect(held).toBe(most), { timeout: 60_000 })
      const { jobs: j } = world.db.t
      const jobs = await world.db.q
        .select({ status: j.status })
        .from(j)
        .where(eq(j.kind, datasetConvert.kind))
      const count = (status: string) => jobs.filter((job) => job.status === status).length
      expect([count('running'), count('queued')]).toEqual([most, 3 - most])
      release()
      const ready = repos.map(() => 'ready')
      await vi.waitFor(async () => expect(await statuses()).toEqual(ready), { timeout: 60_000 })
    } finally {
      release()
      await runner.stop(10_000)
    }
  })

  test('a full quota leaves the repo as it is, and says what to do', async () => {
    const repo = await given('a,b\n5,6\n')
    const setQuota = (quota_bytes: number | null) =>
      world.db.write(async ({ q, t: { namespaces: n } }) => {
        await q.update(n).set({ quota_bytes }).where(eq(n.id, owner.id))
      })
    await setQuota(1)
    await runJobs(world.deps, [datasetConvert])
    await setQuota(null)
    const dataset = await readDataset(world.db, repo.id)
    expect(dataset).toMatchObject({ status: 'failed', converted_commit: null })
    expect(dataset?.problem?.message).toContain('quota')
    expect(await exportRef(repo)).toBeUndefined()
  })

  test('a split larger than viewer.max_convert_bytes is cut at a record, and says so', async () => {
    const row = (n: number) => `${n},"x\n${'y'.repeat(50)}"\n`
    const repo = await given(`a,b\n${Array.from({ length: 100 }, (_, n) => row(n)).join('')}`)
    const config = testConfig(world.dir, { viewer: { max_convert_bytes: 1000 } })
    await runJobs({ ...world.deps, config }, [datasetConvert])
    const dataset = await readDataset(world.db, repo.id)
    expect(dataset?.status).toBe('partial')
    const [split] = dataset?.configs[0]?.splits ?? []
    expect(split).toMatchObject({ is_partial: true, rows: 17, status: 'partial' })
    expect(split?.estimated_rows).toBeGreaterThan(17)
    expect(split?.files[0]?.path).toBe('default/partial-train/0000.parquet')
  })
})
