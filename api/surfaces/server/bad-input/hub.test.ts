import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { buildApp } from '../../../app/app.ts'
import { rewriteJob } from '../../../rooms/content/index.ts'
import { runJobs } from '../../../core/jobs/testing.ts'
import { updateRepo } from '../../../rooms/repos/index.ts'
import { eachDatabase, givenToken } from '../../../testing.ts'
import { gitPurge } from '../../../core/git/index.ts'
import type { App } from '../../../core/http/env.ts'
import { hostileSegments, hostileValues, isTried } from '../testing/hostile.ts'
import { otherAsks } from '../testing/other-asks.ts'
import { givenScene, type Scene } from '../testing/scene.ts'
import { givenTarget, type Ask, type Target } from '../testing/target.ts'

const queries =
  'search author filter sort direction limit cursor full config expand recursive p revision create_pr download type status diff'.split(
    ' ',
  )
const headers = [
  'Range',
  'If-None-Match',
  'If-Range',
  'Accept',
  'Origin',
  'User-Agent',
  'X-Forwarded-For',
  'Content-Type',
]

const badHeaders = ['', '*', '"', 'bytes=-', 'bytes=9-1', 'a'.repeat(4000), '=', ';;;']

/** `count` of the values, others with each turn. */
const some = <T>(values: T[], turn: number, count: number): T[] =>
  Array.from({ length: count }, (_, i) => values[(turn * count + i) % values.length] as T)

/** Each member of a JSON body, however deep its place, with a hostile value instead. */
function* spoiledJson(value: unknown): Generator<unknown> {
  if (Array.isArray(value))
    for (const [i, item] of value.entries()) for (const bad of spoiledJson(item)) yield value.with(i, bad)
  else if (typeof value === 'object' && value !== null)
    for (const [key, member] of Object.entries(value))
      for (const bad of spoiledJson(member)) yield { ...value, [key]: bad }
  yield* hostileValues({}, value)
}

const asJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function* spoiled(ask: Ask, target: Target): Generator<Ask> {
  const { path, body } = ask
  for (const [i, segment] of path.split('/').entries())
    if (
      [target.ns, target.name, 'main', 'draft', 'v1', 'README.md', target.oid, target.uploadId].includes(
        segment,
      )
    )
      for (const bad of hostileSegments(i)) yield { ...ask, path: path.split('/').with(i, bad).join('/') }
  // Every address is tried with every parameter and header, and with some values of each: all of them over all addresses.
  for (const [i, name] of queries.entries()) {
    if (ask.method !== 'GET' && name !== 'create_pr') continue
    for (const bad of some(hostileSegments(i), i + path.length, 5))
      yield { ...ask, path: `${path}?${name}=${bad}` }
  }
  for (const [i, name] of headers.entries())
    for (const bad of some(badHeaders, i + path.length, 2))
      yield { ...ask, headers: { ...ask.headers, [name]: bad } }
  if (body === undefined) return
  for (const bad of ['', '{', '[]', 'null', '"x"', '\0', '['.repeat(20_000)]) yield { ...ask, body: bad }
  const json = asJson(body)
  if (json !== undefined) for (const bad of spoiledJson(json)) yield { ...ask, body: JSON.stringify(bad) }
}

eachDatabase('bad input to the hub surface', (world) => {
  let app: App
  let scene: Scene
  let owner: Record<string, string>
  let target: Target
  beforeAll(async () => {
    app = buildApp(world.deps, { state: 'ready', check: async () => undefined })
    scene = await givenScene(world)
    owner = { Authorization: `Bearer ${(await givenToken(world, scene.owner)).secret}` }
    target = (await givenTarget(world, scene, 'model', 'target')).target
    const at = { type: 'model', ns: target.ns, name: target.name } as const
    await updateRepo(world.ctx(scene.owner), at, { gated: null })
  })

  /** Runs the jobs that some requests wait for, until the signal aborts. */
  async function work(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await runJobs(world.deps, [rewriteJob, gitPurge])
      await pause(20)
    }
  }

  test('is never more than a bad request', async () => {
    const isOver = new AbortController()
    const working = work(isOver.signal)
    const wrong: string[] = []
    let n = 0
    const isSafe = ({ method, path }: Ask) => method !== 'DELETE' && !path.includes('/repos/move')
    for (const ask of otherAsks(app, target).filter(isSafe))
      for (const bad of spoiled(ask, target)) {
        if (!isTried(world.db.engine, n++, bad)) continue
        const { method, path, body } = bad
        const credentials = method === 'GET' ? scene.headers.stranger : owner
        const answer = await app.request(path, {
          method,
          headers: { ...credentials, ...bad.headers },
          ...(body === undefined ? {} : { body }),
        })
        const text = await answer.text()
        if (answer.status >= 500 && answer.status !== 501)
          wrong.push(
            `${method} ${path.slice(0, 150)} ${JSON.stringify(bad.headers).slice(0, 100)} ${body?.slice(0, 200)}: ${answer.status} ${text.slice(0, 200)}`,
          )
      }
    isOver.abort()
    await working
    expect(wrong).toEqual([])
  })
})
