import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildApp, nativeRooms } from '../../../app/app.ts'
import type { Deps } from '../../../core/ctx.ts'
import { eachDatabase, testConfig, type World } from '../../../testing.ts'
import type { App } from '../../../core/http/env.ts'
import { nativeSurface } from '../frame.ts'
import { baseRequest, send, type BaseRequest } from '../testing/base-request.ts'
import { countWrites, forgetThrottles, stateOf } from '../testing/dump.ts'
import { isTried } from '../testing/hostile.ts'
import { faultOf } from '../testing/judge.ts'
import { operationsIn, operationsOf, type Operation } from '../testing/operations.ts'
import { givenScene, type Scene, type Sender } from '../testing/scene.ts'
import { spoiled } from '../testing/spoil.ts'
import { watchTables, type WatchedTables } from '../testing/watched-tables.ts'
import { nativeBase } from '../../../core/http/surface.ts'
import { nativeDocument } from '../reference.ts'

const maxBodyBytes = 64 * 1024
const operations = operationsIn(nativeDocument(nativeSurface(nativeRooms)))
const others: Sender[] = ['reader', 'stranger', 'anonymous']

const providers = [{ id: 'idp', name: 'IdP', issuer: 'https://id.example.org', client_id: 'arsenal' }]

/** Small bodies are enough; people may register, and connect a provider. */
const configured = (world: World): Deps => ({
  ...world.deps,
  config: testConfig(world.dir, {
    server: { max_request_body: maxBodyBytes },
    security: { registration: 'open' },
    oidc: { providers },
  }),
})

eachDatabase('bad input', (world) => {
  let app: App
  let scene: Scene
  let watched: WatchedTables
  let first: Record<string, string | null>
  let writes: () => number
  beforeAll(async () => {
    app = buildApp(configured(world), { state: 'ready', check: async () => undefined })
    scene = await givenScene(world)
    for (const headers of Object.values(scene.headers)) await app.request(`${nativeBase}/me`, { headers })
    watched = await watchTables(world)
    first = await stateOf(world)
    writes = countWrites(world)
  })
  afterAll(() => watched.close())

  async function ask(operation: Operation, request: BaseRequest) {
    const answer = await send(app, operation, scene, request)
    return { answer, text: await answer.text() }
  }

  /** Sends one request; answers what is wrong with the answer, and whether it did what was asked. */
  async function attempt(operation: Operation, request: BaseRequest, isFit: boolean) {
    const before = writes()
    let { answer, text } = await ask(operation, request)
    if (answer.status === 429) {
      await forgetThrottles(world)
      ;({ answer, text } = await ask(operation, request))
    }
    const hasWritten = writes() !== before
    const fault = answer.status === 429 ? 'throttled' : faultOf(operation, answer, text, isFit)
    return { fault, hasWritten, isDone: isFit && answer.ok && operation.method !== 'GET' }
  }

  test('the document that is served is the one these tests read', async () => {
    expect(await operationsOf(app)).toEqual(operations)
  })

  test('what is compared tells a change from the traces of a refusal', async () => {
    await watched.restore()
    const before = await stateOf(world)
    const operation = operations.find(({ id }) => id === 'createRepo')
    if (!operation) throw new Error('there is no operation createRepo')
    const request = await baseRequest(app, operation, scene)
    const wrong = { ...request.headers, Authorization: 'Bearer x' }
    expect((await send(app, operation, scene, { ...request, headers: wrong })).status).toBe(401)
    expect(await stateOf(world)).toEqual(before)
    expect((await send(app, operation, scene, request)).ok).toBe(true)
    expect(await stateOf(world)).not.toEqual(before)
  })

  describe.each(operations.map((operation) => [operation.id, operation] as const))('%s', (_, operation) => {
    test('answers hostile values with declared problems, and changes nothing', async () => {
      const faults: string[] = []
      const begin = async () => {
        await watched.restore()
        const base = await baseRequest(app, operation, scene)
        return { base, before: { ...first, ...(await stateOf(world, await watched.touched())) } }
      }
      const isAsBefore = async () =>
        Object.entries(await stateOf(world, await watched.touched())).every(
          ([name, held]) => held === before[name],
        )
      let { base, before } = await begin()
      let n = 0
      for (const { what, request, fits } of spoiled(operation, base, maxBodyBytes)) {
        if (!isTried(world.db.engine, ++n, request)) continue
        const sender = others[n % others.length] ?? 'anonymous'
        for (const by of n % 5 === 0 ? [base.sender, sender] : [base.sender]) {
          const { fault, hasWritten, isDone } = await attempt(operation, { ...request, sender: by }, fits)
          if (fault) faults.push(`${what} by ${by}: ${fault}`)
          if (!hasWritten || (await isAsBefore())) continue
          if (!isDone) faults.push(`${what} by ${by}: changed something`)
          ;({ base, before } = await begin())
        }
      }
      expect(faults.slice(0, 20)).toEqual([])
    })
  })

  test('every operation succeeds on the requests that were spoiled, and what it changes is noticed', async () => {
    const refused: string[] = []
    const unnoticed: string[] = []
    for (const operation of operations) {
      await watched.restore()
      const { answer, text } = await ask(operation, await baseRequest(app, operation, scene))
      // Its upstream is not there.
      const asksUpstream = ['createPull', 'discover', 'discoverRepo'].includes(operation.id)
      const isExpected = asksUpstream && answer.status === 504
      if (!answer.ok && !isExpected) refused.push(`${operation.id}: ${answer.status} ${text}`)
      const touched = await watched.touched()
      for (const [name, held] of Object.entries(await stateOf(world)))
        if (held !== first[name] && !touched.includes(name)) unnoticed.push(`${operation.id}: ${name}`)
    }
    expect(refused).toEqual([])
    expect(unnoticed).toEqual([])
    await watched.restore()
    expect(await stateOf(world)).toEqual(first)
  })
})
