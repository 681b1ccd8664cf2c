import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../../../core/access/index.ts'
import { runJobs } from '../../../core/jobs/testing.ts'
import { eachDatabase, givenUser } from '../../../testing.ts'
import { repoIndex } from '../../indexing/index.ts'
import { requireRepo } from '../../repos/index.ts'
import { givenHub, siteOf } from '../testing/site.ts'
import { viewPull } from '../view-pull.ts'
import { createPull, type PullWish } from './create-pull.ts'
import { pull } from './pull-job.ts'
import type { PullInput } from './ticket.ts'

eachDatabase('dependencies of a pull', (world) => {
  const hub = givenHub(world)
  let person: UserActor
  const site = siteOf(world, hub)
  beforeAll(async () => {
    person = await givenUser(world, 'puller')
  })

  const readme = { 'README.md': '# Model\n' }
  /** Configuration whose code is in other repos. */
  const uses = (...repos: string[]) => ({
    'config.json': JSON.stringify({
      auto_map: Object.fromEntries(repos.map((repo, i) => [`AutoModel${i}`, `${repo}--model.Model`])),
    }),
  })
  const based = (base: string) => ({ 'README.md': `---\nbase_model: ${base}\n---\n# Model\n` })
  const isHere = (name: string) => {
    const [ns = '', repo = ''] = name.split('/')
    return requireRepo(site.ctx(person), { type: 'model', ns, name: repo }, 'repo.read').then(
      ({ isMirror }) => isMirror,
      () => false,
    )
  }

  /** Pulls, with the job that reads files beside it, until nothing is left to do. */
  async function pulledWithAll(
    name: string,
    more: Partial<PullWish> = {},
    config: Record<string, unknown> = {},
  ) {
    const dependencies = { code: true, base_models: false }
    const ctx = site.ctx(person, { dependencies: { ...world.deps.config.pull.dependencies, ...config } })
    const { id } = await createPull(ctx, site.wish(name, { dependencies, ...more }))
    const pulling = runJobs(ctx, [pull]).then(() => 'over')
    const readOnce = () => runJobs(ctx, [repoIndex]).then(() => pause(20))
    while ((await Promise.race([pulling, readOnce()])) !== 'over');
    const { q, t } = world.db
    const [row] = await q.select().from(t.jobs).where(eq(t.jobs.id, id))
    return { id, status: row?.status, ...(await viewPull(world.deps, id)) }
  }
  const childrenOf = async (id: string) => {
    const { q, t } = world.db
    const rows = await q
      .select({ input: t.jobs.input, status: t.jobs.status })
      .from(t.pulls)
      .innerJoin(t.jobs, eq(t.jobs.id, t.pulls.job_id))
      .where(eq(t.pulls.parent_id, id))
    return rows.map(({ input, status }) => ({ ...(input as PullInput), status }))
  }

  test('they come as jobs of their own; a circle ends and is reported', async () => {
    await hub.commit('deps/code', { ...readme, ...uses('deps/uses-code'), 'model.py': '' })
    await hub.commit('deps/uses-code', { ...readme, ...uses('deps/code') })
    const root = await pulledWithAll('deps/uses-code')
    expect(root).toMatchObject({
      status: 'succeeded',
      warnings: ['deps/uses-code and deps/code need each other. Each of them comes once.'],
    })
    const [child, ...others] = root.children
    expect(others).toEqual([])
    expect(await viewPull(world.deps, child ?? '')).toMatchObject({ parent: root.id, children: [] })
    expect(await isHere('deps/code')).toBe(true)
  })

  test('what is missing or gated is reported on the pull, which succeeds', async () => {
    await hub.commit('deps/locked', { ...readme, 'model.py': '' })
    hub.gated.add('deps/locked')
    hub.misbehave = ({ url }, response) => {
      if (!url?.includes('deps/locked')) return false
      response.writeHead(403, { 'X-Error-Code': 'GatedRepo' }).end()
      return true
    }
    await hub.commit('deps/lacks', { ...readme, ...uses('deps/locked', 'deps/nowhere') })
    const root = await pulledWithAll('deps/lacks')
    expect(root.status).toBe('succeeded')
    expect(root.warnings.toSorted()).toEqual([
      expect.stringMatching(/^deps\/locked did not come \(gated\): /),
      expect.stringMatching(/^deps\/nowhere did not come \(not-found\): /),
    ])
  })

  test('of a repo that is wanted for its code come its code, configuration and readme alone', async () => {
    const large = {
      'weights.bin': randomBytes(3000),
      'big.json': randomBytes(2000),
      'big.py': randomBytes(1000),
    }
    await hub.commit('deps/module', { ...readme, ...based('deps/base-of-code'), 'model.py': '' }, { large })
    await hub.commit('deps/base-of-code', readme)
    await hub.commit('deps/with-module', { ...readme, ...uses('deps/module') })
    const root = await pulledWithAll('deps/with-module', {}, { auto_pull_base_models: true })
    const [child] = root.children
    const { files } = await viewPull(world.deps, child ?? '')
    expect(files.map(({ path, status }) => [path, status])).toEqual([
      ['big.json', 'done'],
      ['big.py', 'done'],
    ])
    // And it follows code alone, also where base models are pulled by themselves.
    expect(await isHere('deps/base-of-code')).toBe(false)
  })

  test('base models come where they are asked for, or the configuration says so, and theirs with them', async () => {
    for (const [name, asked, config] of [
      ['one', { dependencies: { code: true, base_models: true } }, {}],
      ['two', {}, { auto_pull_base_models: true }],
    ] as const) {
      await hub.commit(`deps/root-${name}`, { ...readme }, { large: { 'a.bin': randomBytes(500) } })
      await hub.commit(`deps/base-${name}`, based(`deps/root-${name}`))
      await hub.commit(`deps/tuned-${name}`, based(`deps/base-${name}`))
      const root = await pulledWithAll(`deps/tuned-${name}`, asked, config)
      expect(root.warnings).toEqual([])
      expect(await childrenOf(root.id)).toMatchObject([
        { name: `deps/base-${name}`, selection: { all: true } },
      ])
      expect(await isHere(`deps/root-${name}`)).toBe(true)
      expect((await site.read(site.ctx(person), `deps/root-${name}`, 'a.bin')).length).toBe(500)
    }
    await hub.commit('deps/base-three', readme)
    await hub.commit('deps/tuned-three', based('deps/base-three'))
    expect((await pulledWithAll('deps/tuned-three')).children).toEqual([])
  })

  test('a repo that two others need comes once, and what is too many steps away is reported', async () => {
    await hub.commit('deps/shared', { ...readme, ...uses('deps/far') })
    await hub.commit('deps/left', { ...readme, ...uses('deps/shared') })
    await hub.commit('deps/right', { ...readme, ...uses('deps/shared') })
    await hub.commit('deps/top', { ...readme, ...uses('deps/left', 'deps/right') })
    const root = await pulledWithAll('deps/top', {}, { max_depth: 2 })
    expect(root.warnings).toEqual([
      'deps/far was not pulled: it is 2 steps away (pull.dependencies.max_depth).',
    ])
    const below = (await Promise.all(root.children.map(childrenOf))).flat()
    expect(below.map(({ name }) => name)).toEqual(['deps/shared'])
  })

  test('what is one step away comes before what is two steps away, on every branch of the tree', async () => {
    await hub.commit('deps/c-far', readme)
    await hub.commit('deps/d-far', readme)
    await hub.commit('deps/a-near', { ...readme, ...uses('deps/c-far') })
    await hub.commit('deps/b-near', { ...readme, ...uses('deps/d-far') })
    await hub.commit('deps/levels', { ...readme, ...uses('deps/a-near', 'deps/b-near') })
    const from = hub.asked.length
    await pulledWithAll('deps/levels')
    const fetched = hub.asked.slice(from).flatMap(({ url }) => /^\/(deps\/[\w-]+)/.exec(url)?.[1] ?? [])
    expect([...new Set(fetched)]).toEqual([
      'deps/levels',
      'deps/a-near',
      'deps/b-near',
      'deps/c-far',
      'deps/d-far',
    ])
  })

  test('a tree of more than 200 repos is cut, level by level, and says what it left out', async () => {
    const names = Array.from({ length: 205 }, (_, i) => `deps/wide-${String(i).padStart(3, '0')}`)
    await hub.commit('deps/wide', { ...readme, ...uses(...names) })
    // None of them exists: the tree is what is asked for.
    const root = await pulledWithAll('deps/wide')
    expect(root.children).toHaveLength(199)
    expect(await childrenOf(root.id)).toMatchObject(
      expect.arrayContaining(
        Array.from({ length: 199 }, () => expect.objectContaining({ status: 'failed' })),
      ),
    )
    const cut = root.warnings.filter((line) => line.includes('200 repos'))
    expect(cut).toHaveLength(6)
  })
})
