import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import {
  eachDatabase,
  givenOrg,
  givenRepo,
  givenUser,
  overtake,
  waysToOvertake,
  type Verb,
} from '../../testing.ts'
import { settingsEtag } from './etag.ts'
import {
  createRepo,
  deleteRepo,
  moveRepo,
  renameRepo,
  requireRepo,
  transferRepo,
  updateRepo,
} from './index.ts'
import { listDeletedRepos } from './lifecycle/deleted.ts'
import { restoreRepo } from './lifecycle/restore.ts'

eachDatabase('life of a repo', (world) => {
  const at = (ns: string, name: string) => ({ type: 'model' as const, ns, name })
  const actions = async (id: string) => {
    const { audit } = world.db.t
    const rows = await world.db.q.select().from(audit).where(eq(audit.target_id, id)).orderBy(audit.id)
    return rows.map(({ action }) => action)
  }

  test('deleted repos are listed for those who can restore them, the last deleted first', async () => {
    const [fay, gus] = [await givenUser(world, 'fay'), await givenUser(world, 'gus')]
    await givenOrg(world, 'fays-lab', fay)
    for (const [ns, name] of [
      ['fay', 'first'],
      ['fay', 'second'],
      ['fays-lab', 'third'],
    ] as const) {
      await givenRepo(world, fay, { name, ns })
      await deleteRepo(world.ctx(fay), at(ns, name))
    }
    const first = await listDeletedRepos(world.ctx(fay), { limit: 2 })
    const rest = await listDeletedRepos(world.ctx(fay), { limit: 2, after: first.next })
    expect([...first.items, ...rest.items].map(({ name }) => name).toSorted()).toEqual([
      'first',
      'second',
      'third',
    ])
    expect((await listDeletedRepos(world.ctx(gus), { limit: 2 })).items).toEqual([])
    await restoreRepo(world.ctx(fay), at('fay', 'second'))
    const left = await listDeletedRepos(world.ctx(fay), { limit: 5 })
    expect(left.items.map(({ name }) => name).toSorted()).toEqual(['first', 'third'])
  })

  test('settings change together with their trace, and not for those who saw an older state', async () => {
    const ada = await givenUser(world, 'ada')
    const ctx = world.ctx(ada)
    const repo = await givenRepo(world, ada, { name: 'set' })
    const etag = settingsEtag(repo)
    const changed = await updateRepo(
      ctx,
      at('ada', 'set'),
      { visibility: 'public', gated: 'auto', description: 'x' },
      etag,
    )
    expect(changed).toMatchObject({ visibility: 'public', gated: 'auto', description: 'x' })
    await expect(updateRepo(ctx, at('ada', 'set'), { description: '' }, etag)).rejects.toMatchObject({
      code: 'precondition-failed',
    })
    await expect(deleteRepo(ctx, at('ada', 'set'), etag)).rejects.toMatchObject({
      code: 'precondition-failed',
    })
    expect(
      await updateRepo(ctx, at('ada', 'set'), { description: '', gated: null }, settingsEtag(changed)),
    ).toMatchObject({
      description: null,
      gated: null,
    })
    await updateRepo(ctx, at('ada', 'set'), { visibility: 'public' })
    expect(await actions(repo.id)).toEqual(['repo.create', 'repo.update', 'repo.update'])
    await expect(
      updateRepo(ctx, at('ada', 'set'), { defaultBranch: { name: 'nope', readHead: async () => undefined } }),
    ).rejects.toMatchObject({
      errors: [{ field: 'default_branch' }],
    })
  })

  test('a rename keeps the repo, and a change of case needs no redirect', async () => {
    const bob = await givenUser(world, 'bob')
    const { id } = await givenRepo(world, bob, { name: 'one' })
    expect(await renameRepo(world.ctx(bob), at('bob', 'one'), 'ONE')).toMatchObject({ id, name: 'ONE' })
    expect(await world.db.q.$count(world.db.t.repo_redirects)).toBe(0)
    expect(await renameRepo(world.ctx(bob), at('bob', 'ONE'), 'two')).toMatchObject({ id, name: 'two' })
    expect(await world.db.q.$count(world.db.t.repo_redirects)).toBe(1)
    expect(await renameRepo(world.ctx(bob), at('bob', 'two'), 'one')).toMatchObject({ id, name: 'one' })
    await givenRepo(world, bob, { name: 'three' })
    await expect(renameRepo(world.ctx(bob), at('bob', 'one'), 'Three')).rejects.toMatchObject({
      code: 'name-taken',
    })
    await expect(renameRepo(world.ctx(bob), at('bob', 'one'), 'a--b')).rejects.toMatchObject({
      code: 'invalid-name',
    })
    expect(await actions(id)).toEqual(['repo.create', 'repo.rename', 'repo.rename', 'repo.rename'])
  })

  test('a transfer needs admin on both sides, and tells a taken name only then', async () => {
    const [cid, dan] = [await givenUser(world, 'cid'), await givenUser(world, 'dan')]
    await givenOrg(world, 'theirs', dan, [[cid, 'write']])
    await givenOrg(world, 'ours', cid)
    await givenRepo(world, cid, { name: 'wander' })
    await givenRepo(world, dan, { ns: 'theirs', name: 'wander' })
    await expect(transferRepo(world.ctx(cid), at('cid', 'wander'), 'theirs')).rejects.toMatchObject({
      code: 'forbidden',
    })
    await expect(transferRepo(world.ctx(cid), at('cid', 'wander'), 'nowhere')).rejects.toMatchObject({
      code: 'forbidden',
    })
    expect(await transferRepo(world.ctx(cid), at('cid', 'wander'), 'Ours')).toMatchObject({ ns: 'ours' })
    expect(await moveRepo(world.ctx(cid), at('ours', 'wander'), { ns: 'cid', name: 'home' })).toMatchObject({
      ns: 'cid',
      name: 'home',
    })
  })

  test('deletion frees the name, and restoring onto a taken one is refused', async () => {
    const eve = await givenUser(world, 'eve')
    const ctx = world.ctx(eve)
    const { id } = await givenRepo(world, eve, { name: 'phoenix' })
    await deleteRepo(ctx, at('eve', 'phoenix'))
    await expect(deleteRepo(ctx, at('eve', 'phoenix'))).rejects.toMatchObject({ code: 'repo-not-found' })
    await givenRepo(world, eve, { name: 'Phoenix' })
    await expect(restoreRepo(ctx, at('eve', 'phoenix'))).rejects.toMatchObject({ code: 'name-taken' })
    await renameRepo(ctx, at('eve', 'Phoenix'), 'other')
    expect(await restoreRepo(ctx, at('eve', 'phoenix'))).toMatchObject({ id, isDeleted: false })
    expect(await requireRepo(ctx, at('eve', 'phoenix'), 'repo.read')).toMatchObject({ id })
    await expect(restoreRepo(ctx, at('eve', 'phoenix'))).rejects.toMatchObject({ code: 'state-conflict' })
  })

  test('of a rename and a creation under one name the first wins', async () => {
    const ida = await givenUser(world, 'ida')
    // The name is in the way of the other once it is in the index.
    const lock = /^update "repos" set .*"address_key" = /
    let round = 0
    for (const how of waysToOvertake(world))
      for (const isRenamed of [true, false]) {
        await givenRepo(world, ida, { name: `from${++round}` })
        const rename: Verb<unknown> = {
          ctx: world.ctx(ida),
          run: (ctx) => renameRepo(ctx, at('ida', `from${round}`), `to${round}`),
        }
        const create: Verb<unknown> = {
          ctx: world.ctx(ida),
          run: (ctx) => createRepo(ctx, at('ida', `To${round}`)),
        }
        const [first, late] = isRenamed ? [rename, create] : [create, rename]
        await expect(overtake(how, { first, late, lock })).rejects.toMatchObject({ code: 'name-taken' })
        const winner = at('ida', isRenamed ? `to${round}` : `To${round}`)
        expect(await requireRepo(world.ctx(ida), winner, 'repo.read')).toMatchObject(winner)
      }
  })

  test('of a transfer and a deletion the first decides where the repo is', async () => {
    const jon = await givenUser(world, 'jon')
    await givenOrg(world, 'haven', jon)
    let round = 0
    for (const how of waysToOvertake(world))
      for (const isMoved of [true, false]) {
        const name = `r${++round}`
        const { id } = await givenRepo(world, jon, { name })
        const move: Verb<unknown> = {
          ctx: world.ctx(jon),
          run: (ctx) => transferRepo(ctx, at('jon', name), 'haven'),
        }
        const remove: Verb<unknown> = { ctx: world.ctx(jon), run: (ctx) => deleteRepo(ctx, at('jon', name)) }
        const [first, late] = isMoved ? [move, remove] : [remove, move]
        await expect(overtake(how, { first, late })).rejects.toThrow()
        const { repos } = world.db.t
        const [row] = await world.db.q.select().from(repos).where(eq(repos.id, id))
        expect([row?.deleted_at === null, row?.address_key === null]).toEqual([isMoved, !isMoved])
      }
  })
})
