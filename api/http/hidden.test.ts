import { beforeAll, describe, expect, test } from 'vitest'
import { buildApp } from '../app.ts'
import { deleteRepo, renameRepo, updateRepo } from '../repos/index.ts'
import { eachDatabase, givenToken } from '../testing.ts'
import type { Ctx, Deps } from '../ctx.ts'
import type { App } from './env.ts'
import { answerTo } from './testing/answer.ts'
import { nativeAsks } from './testing/native-asks.ts'
import { operationsOf, type Operation } from './testing/operations.ts'
import { otherAsks } from './testing/other-asks.ts'
import { givenScene, type Scene } from './testing/scene.ts'
import { absentTarget, givenTarget, type Target } from './testing/target.ts'

type Address = Parameters<typeof deleteRepo>[1]

/** How a Repo that was public is hidden from its address. */
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

eachDatabase('what is hidden', (world) => {
  describe.each([true, false])('with anonymous_read: %s', (anonymousRead) => {
    let app: App
    let scene: Scene
    let operations: Operation[]
    let callers: Record<string, Record<string, string>>
    let n = 0

    beforeAll(async () => {
      app = buildApp(withAnonymousRead(world.deps, anonymousRead), {
        state: 'ready',
        check: async () => undefined,
      })
      operations = await operationsOf(app)
      scene = await givenScene(world)
      const { owner, repo } = scene
      const fence = { repos: [{ type: repo.type, ns: repo.ns, name: repo.name }] }
      const fenced = await givenToken(world, owner, { fence })
      const session = await givenScene(world)
      callers = {
        anonymous: {},
        'a stranger with a session': session.headers.owner,
        'a stranger with a token': scene.headers.stranger,
        'a fenced token of the owner': { Authorization: `Bearer ${fenced.secret}` },
      }
      // What is hidden is decided by the same queries on both engines; on Postgres, which takes longer, two tell.
      if (world.db.engine === 'postgres')
        for (const caller of ['anonymous', 'a stranger with a session']) delete callers[caller]
    })

    const asksAbout = async (target: Target) => [
      ...(await nativeAsks(app, operations, scene, target)),
      ...otherAsks(app, target),
    ]

    test.each(Object.entries(hidings))(
      'a %s Repo answers every route as an absent one',
      async (_, hide) => {
        const name = `hidden-${n++}`
        const { owner } = scene
        const absent = await asksAbout(absentTarget(world, scene, name))
        const before: Record<string, unknown[]> = {}
        for (const [caller, credentials] of Object.entries(callers)) {
          before[caller] = []
          for (const ask of absent) before[caller].push(await answerTo(app, ask, credentials))
        }
        const { target } = await givenTarget(world, scene, 'model', name)
        await givenTarget(world, scene, 'dataset', name)
        for (const type of ['model', 'dataset'] as const)
          await hide(world.ctx(owner), { type, ns: owner.username, name })
        const present = await asksAbout(target)
        const told: string[] = []
        for (const [caller, credentials] of Object.entries(callers))
          for (const [i, ask] of present.entries()) {
            const was = JSON.stringify(before[caller]?.[i])
            const is = JSON.stringify(await answerTo(app, ask, credentials))
            if (was !== is)
              told.push(
                `${caller}: ${ask.method} ${ask.path}\n  ${was?.slice(0, 400)}\n  ${is.slice(0, 400)}`,
              )
          }
        expect(told).toEqual([])
      },
      120_000,
    )

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
