import { beforeEach, expect, test } from 'vitest'
import type { UserActor } from '../../../core/access/index.ts'
import { codeOf } from '../../../core/lfs/testing.ts'
import { eachDatabase, givenOrg, givenRepo, givenToken, givenUser } from '../../../testing.ts'
import { deleteRepo, transferRepo, type Repo } from '../index.ts'
import { listPins, setPins } from './pins.ts'

let made = 0

eachDatabase('pinned repos', (world) => {
  let ada: UserActor
  let bob: UserActor
  let repos: Repo[]
  beforeEach(async () => {
    made++
    ada = await givenUser(world, `ada-${made}`)
    bob = await givenUser(world, `bob-${made}`)
    repos = [
      await givenRepo(world, ada, { visibility: 'public' }),
      await givenRepo(world, ada, { visibility: 'private' }),
      await givenRepo(world, ada, { type: 'dataset', visibility: 'public' }),
    ]
  })

  const ref = ({ type, name }: Pick<Repo, 'type' | 'name'>) => ({ type, name })
  const pin = (actor: UserActor, chosen: Repo[], ns = ada.username) =>
    setPins(world.ctx(actor), ns, chosen.map(ref))
  const shown = async (actor: UserActor, ns = ada.username) =>
    (await listPins(world.ctx(actor), ns)).map(({ id }) => id)
  const ids = (...chosen: (Repo | undefined)[]) => chosen.map((repo) => repo?.id)

  test('stand in the order they were given, and others see those that they may see', async () => {
    const [open, hidden, rows] = repos as [Repo, Repo, Repo]
    await pin(ada, [rows, hidden, open])
    expect(await shown(ada)).toEqual(ids(rows, hidden, open))
    expect(await shown(bob)).toEqual(ids(rows, open))
    await pin(ada, [open])
    expect(await shown(ada)).toEqual(ids(open))
    await pin(ada, [])
    expect(await shown(ada)).toEqual([])
  })

  test('are chosen by the person and by the admins of an organisation', async () => {
    const org = await givenOrg(world, `org-${made}`, ada, [[bob, 'write']])
    const repo = await givenRepo(world, ada, { ns: org.name, visibility: 'public' })
    await pin(ada, [repo], org.name)
    expect(await shown(bob, org.name)).toEqual([repo.id])
    expect(await codeOf(pin(bob, [], org.name))).toBe('forbidden')
    expect(await codeOf(pin(bob, []))).toBe('forbidden')
    const { actor } = await givenToken(world, ada, { scopes: ['read'] })
    expect(await codeOf(pin(actor, []))).toBe('insufficient-scope')
  })

  test('must be there, belong to the namespace, and be named once; else nothing changes', async () => {
    const [open] = repos as [Repo]
    const theirs = await givenRepo(world, bob, { visibility: 'public' })
    await pin(ada, [open])
    for (const wanted of [[theirs], [open, open], [{ type: 'model' as const, name: 'no-such' } as Repo]])
      expect(await codeOf(pin(ada, wanted))).toBe('validation-failed')
    expect(await shown(ada)).toEqual(ids(open))
  })

  test('are pinned no more once they are deleted or moved away', async () => {
    const [open, , rows] = repos as [Repo, Repo, Repo]
    const org = await givenOrg(world, `to-${made}`, ada)
    await pin(ada, repos)
    await deleteRepo(world.ctx(ada), open)
    await transferRepo(world.ctx(ada), rows, org.name)
    expect(await shown(ada)).toEqual(ids(repos[1]))
    expect(await shown(ada, org.name)).toEqual([])
  })
})
