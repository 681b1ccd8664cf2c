import { setTimeout as wait } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Ctx } from '../../../core/ctx.ts'
import type { Tx } from '../../../stores/db/index.ts'
import { deleteOrg } from '../../namespaces/delete-org.ts'
import { eachDatabase, givenOrg, givenRepo, givenUser } from '../../../testing.ts'
import { createRepo } from './create.ts'
import { transferRepo } from './move.ts'

function deferred() {
  let resolve = () => undefined as void
  const promise = new Promise<void>((done) => (resolve = done))
  return { promise, resolve: () => resolve() }
}

/** `ctx` whose transactions stop before they commit until `go` is called. */
function stopping(ctx: Ctx) {
  const reached = deferred()
  const released = deferred()
  const write = <T>(change: (tx: Tx) => Promise<T>) =>
    ctx.db.write(async (tx) => {
      const made = await change(tx)
      reached.resolve()
      await released.promise
      return made
    })
  const { q, t } = ctx.db
  const db = Object.assign(Object.create(ctx.db) as Ctx['db'], { q, t, write })
  return { ctx: { ...ctx, db }, reached: reached.promise, go: released.resolve }
}

eachDatabase('a namespace that is being deleted', (world) => {
  test.each(['transfer', 'create'] as const)('takes no repo by %s', async (way) => {
    const kim = await givenUser(world, `kim-${way}`)
    const org = await givenOrg(world, `gone-${way}`, kim)
    const { name } = await givenRepo(world, kim)
    const deletion = stopping(world.ctx(kim))
    const deleted = deleteOrg(deletion.ctx, org.name)
    await deletion.reached
    const put =
      way === 'transfer'
        ? transferRepo(world.ctx(kim), { type: 'model', ns: kim.username, name }, org.name)
        : createRepo(world.ctx(kim), { type: 'model', ns: org.name, name })
    const outcome = put.then(
      () => 'put',
      (error: unknown) => error,
    )
    // It waits for the deletion, or went ahead of it; either way nothing more happens before the deletion goes on.
    await Promise.race([outcome, wait(300)])
    deletion.go()
    await deleted
    expect(await outcome).toMatchObject({ code: 'forbidden' })
    const { repos } = world.db.t
    expect(await world.db.q.$count(repos, eq(repos.namespace_id, org.id))).toBe(0)
  })
})
