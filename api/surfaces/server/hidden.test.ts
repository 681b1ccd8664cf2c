import { beforeAll, describe, expect, test } from 'vitest'
import { buildApp } from '../../app/app.ts'
import { deleteRepo, renameRepo, updateRepo } from '../../rooms/repos/index.ts'
import { eachDatabase, givenToken, type World } from '../../testing.ts'
import type { Ctx, Deps } from '../../core/ctx.ts'
import type { App } from '../../core/http/env.ts'
import { answerTo } from './testing/answer.ts'
import { nativeAsks } from './testing/native-asks.ts'
import { operationsOf, type Operation } from './testing/operations.ts'
import { otherAsks } from './testing/other-asks.ts'
import { givenScene, type Scene } from './testing/scene.ts'
import { absentTarget, givenTarget, type Target } from './testing/target.ts'

type Address = Parameters<typeof deleteRepo>[1]

/** Of the length of every other name here, so that answers differ in nothing else. */
const absentName = 'hidden-x'

/** How a repo that was public is hidden from its address. */
const hidings: Record<string, (ctx: Ctx, at: Address) => Promise<unknown>> = {
  private: (ctx, at) => updateRepo(ctx, at, { visibility: 'private' }),
  'soft-deleted': (ctx, at) => deleteRepo(ctx, at),
  'renamed away while private': async (ctx, at) => {
    await updateRepo(ctx, at, { visibility: 'private' })
    await renameRepo(ctx, at, `${at.name}-elsewhere`)
  },
}

const withAnonymousRead = (deps: Deps, anonymous_read: boolean): Deps => ({
  ...deps,
  config: { ...deps.config, security: { ...deps.config.security, anonymous_read } },
})

/**
 * Who asks. What is hidden is decided by the same queries on both engines: on Postgres, which takes longer, two tell. A
 * session finds what a token does, even if others may read.
 */
async function callersOf(world: World, { owner, repo, headers }: Scene, anonymousRead: boolean) {
  const fence = { repos: [{ type: repo.type, ns: repo.ns, name: repo.name }] }
  const fenced = await givenToken(world, owner, { fence })
  const callers: Record<string, Record<string, string>> = {
    'a stranger with a token': headers.stranger,
    'a fenced token of the owner': { Authorization: `Bearer ${fenced.secret}` },
  }
  if (world.engine === 'postgres') return callers
  callers['anonymous'] = {}
  if (anonymousRead) callers['a stranger with a session'] = (await givenScene(world)).headers.owner
  return callers
}

eachDatabase('what is hidden', (world) => {
  const policies = world.engine === 'postgres' ? [true] : [true, false]
  describe.each(policies)('with anonymous_read: %s', (anonymousRead) => {
    let app: App
    let scene: Scene
    let operations: Operation[]
    let callers: Record<string, Record<string, string>>
    /** Every answer about a repo that is not there, by caller. */
    const absent: Record<string, string[]> = {}
    let n = 0

    const asksAbout = async (target: Target) => [
      ...(await nativeAsks(app, operations, scene, target)),
      ...otherAsks(app, target),
    ]

    beforeAll(async () => {
      app = buildApp(withAnonymousRead(world.deps, anonymousRead), {
        state: 'ready',
        check: async () => undefined,
      })
      operations = await operationsOf(app)
      scene = await givenScene(world)
      callers = await callersOf(world, scene, anonymousRead)
      const asks = await asksAbout(absentTarget(world, scene, absentName))
      for (const [caller, credentials] of Object.entries(callers)) {
        absent[caller] = []
        for (const ask of asks) absent[caller].push(JSON.stringify(await answerTo(app, ask, credentials)))
      }
    })

    test.each(Object.entries(hidings))('a %s repo answers every route as an absent one', async (_, hide) => {
      const name = `hidden-${n++}`
      const { owner } = scene
      const { target } = await givenTarget(world, scene, 'model', name)
      await givenTarget(world, scene, 'dataset', name)
      for (const type of ['model', 'dataset'] as const)
        await hide(world.ctx(owner), { type, ns: owner.username, name })
      const asks = await asksAbout(target)
      const told: string[] = []
      for (const [caller, credentials] of Object.entries(callers))
        for (const [i, ask] of asks.entries()) {
          const was = absent[caller]?.[i]
          const is = JSON.stringify(await answerTo(app, ask, credentials)).replaceAll(name, absentName)
          if (was !== is)
            told.push(`${caller}: ${ask.method} ${ask.path}\n  ${was?.slice(0, 400)}\n  ${is.slice(0, 400)}`)
        }
      expect(told).toEqual([])
    })

    test('the owner is shown by most of these requests what others are not', async () => {
      const { owner } = scene
      const { target } = await givenTarget(world, scene, 'model', `hidden-${n++}`)
      await updateRepo(
        world.ctx(owner),
        { type: 'model', ns: target.ns, name: target.name },
        { visibility: 'private' },
      )
      const reads = (await asksAbout(target)).filter(
        ({ method, path }) => method === 'GET' && path.includes(`/${target.name}`),
      )
      const shown: string[] = []
      for (const ask of reads)
        if ((await answerTo(app, ask, scene.headers.owner)).status === 200) shown.push(ask.path)
      expect(shown.length).toBeGreaterThan(12)
    })
  })
})
