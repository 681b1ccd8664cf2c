import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { Ctx } from '../../../core/ctx.ts'
import { runJobs } from '../../../core/jobs/testing.ts'
import type { JobRow } from '../../../core/jobs/index.ts'
import { pass } from '../../../core/lfs/testing.ts'
import { collect } from '../../../stores/storage/index.ts'
import type { Actor } from '../../../core/access/index.ts'
import type { World } from '../../../testing/world.ts'
import { openFileAt, openRevision } from '../../content/index.ts'
import { requireRepo } from '../../repos/index.ts'
import { createPull, type PullWish } from '../pull/create-pull.ts'
import { pull } from '../pull/pull-job.ts'
import { mirrorSync } from '../sync/sync-job.ts'
import { TestHub } from './hub.ts'

/** A hub for the tests that follow. Before each of them it behaves, and what was kept of it for a while has expired. */
export function givenHub(world: World): TestHub {
  const hub = new TestHub()
  beforeAll(() => hub.start())
  afterAll(() => hub.stop())
  beforeEach(() => {
    hub.misbehave = undefined
    hub.cdnMisbehave = undefined
    pass(world, 7_200_000)
  })
  return hub
}

/** A world whose configuration has the hub as its upstream `hub`. */
export function siteOf(world: World, hub: TestHub) {
  const configured = (more: Record<string, unknown> = {}) => {
    const { config } = world.deps
    const upstream = { base_url: hub.url, enabled: true, token: '', namespace_prefix: '', viewer_url: '' }
    // The hub's CDN is on this machine, too.
    const security = { ...config.security, outbound_allow: ['upstream=127.0.0.1/32'] }
    return { ...config, security, upstreams: { hub: upstream }, pull: { ...config.pull, ...more } }
  }
  return {
    /** A caller's context. */
    ctx: (actor?: Actor, more?: Record<string, unknown>): Ctx => ({
      ...world.ctx(actor),
      config: configured(more),
    }),
    /** What a person asks for, unless it says otherwise. */
    wish: (name: string, more: Partial<PullWish> = {}): PullWish => ({
      upstream: 'hub',
      type: 'model',
      name,
      revision: 'main',
      selection: { all: true },
      tracking: 'follow',
      history: 'shallow',
      dependencies: { code: false, base_models: false },
      ...more,
    }),
    /** Asks for a pull and lets a worker run it; the job as it ended. */
    async pulled(ctx: Ctx, wish: PullWish): Promise<JobRow> {
      const { id } = await createPull(ctx, wish)
      return this.run(ctx, id)
    },
    /** Lets a worker run what is due. */
    async run(ctx: Ctx, id: string): Promise<JobRow> {
      await runJobs(ctx, [pull, mirrorSync])
      const { jobs } = world.db.t
      const [row] = await world.db.q.select().from(jobs).where(eq(jobs.id, id))
      if (!row) throw new Error('the job has gone')
      return row
    },
    /** A file of a repo, as its readers get it. */
    async read(ctx: Ctx, name: string, path: string, revision?: string): Promise<Buffer> {
      const [ns = '', repoName = ''] = name.split('/')
      const repo = await requireRepo(ctx, { type: 'model', ns, name: repoName }, 'repo.files')
      const file = await openFileAt(ctx, repo, await openRevision(ctx, repo.id, revision), path)
      return collect(await file.open(), 2 ** 30)
    },
  }
}
