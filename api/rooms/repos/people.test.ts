import { eq, inArray } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Ctx } from '../../core/ctx.ts'
import { eachDatabase, givenOrg, givenRepo, givenUser, overtake, waysToOvertake } from '../../testing.ts'
import { createAccessRequest, listAccessRequests } from './people/access-requests.ts'
import { getCollaborators, setCollaborators } from './people/collaborators.ts'
import { decideAccessRequest } from './people/decide-access.ts'
import { likeRepo, requireRepo, updateRepo } from './index.ts'

eachDatabase('people of a repo', (world) => {
  const at = (ns: string, name: string) => ({ type: 'model' as const, ns, name })
  const later = (ms: number) => (world.clock.now = new Date(world.clock.now.getTime() + ms))

  test('likes count each person once, however often and however many at once', async () => {
    const [ada, bob] = [await givenUser(world, 'ada'), await givenUser(world, 'bob')]
    const { id } = await givenRepo(world, ada, { name: 'liked', visibility: 'public' })
    const like = (user: typeof ada, liked: boolean) => likeRepo(world.ctx(user), at('ada', 'liked'), liked)
    await Promise.all([like(ada, true), like(bob, true), like(bob, true), like(ada, true)])
    const { likes, repos } = world.db.t
    const rows = () => world.db.q.$count(likes, eq(likes.repo_id, id))
    const counter = async () => (await world.db.q.select().from(repos).where(eq(repos.id, id)))[0]?.likes
    expect([await rows(), await counter()]).toEqual([2, 2])
    expect(await like(ada, false)).toEqual({ liked: false, likes: 1 })
    expect(await like(ada, false)).toEqual({ liked: false, likes: 1 })
    expect([await rows(), await counter()]).toEqual([1, 1])
  })

  test('collaborators are replaced as a whole and hold their role from then on', async () => {
    const [cid, dan, eve] = [
      await givenUser(world, 'cid'),
      await givenUser(world, 'Dan'),
      await givenUser(world, 'eve'),
    ]
    await givenRepo(world, cid, { name: 'shared' })
    const shared = at('cid', 'shared')
    const ctx = world.ctx(cid)
    const { etag } = await getCollaborators(ctx, shared)
    const set = await setCollaborators(
      ctx,
      shared,
      [
        { username: 'dan', role: 'admin' },
        { username: 'eve', role: 'read' },
      ],
      etag,
    )
    expect(set.items).toEqual([
      { username: 'Dan', role: 'admin' },
      { username: 'eve', role: 'read' },
    ])
    expect(await requireRepo(world.ctx(dan), shared, 'repo.settings')).toMatchObject({
      collaboratorRole: 'admin',
    })
    await expect(requireRepo(world.ctx(eve), shared, 'repo.commit')).rejects.toMatchObject({
      code: 'forbidden',
    })
    await expect(setCollaborators(ctx, shared, [], etag)).rejects.toMatchObject({
      code: 'precondition-failed',
    })
    await expect(getCollaborators(world.ctx(eve), shared)).rejects.toMatchObject({ code: 'forbidden' })
    await setCollaborators(ctx, shared, [])
    await expect(requireRepo(world.ctx(eve), shared, 'repo.read')).rejects.toMatchObject({
      code: 'repo-not-found',
    })
    const { audit } = world.db.t
    const trail = await world.db.q.select().from(audit).where(eq(audit.action, 'repo.collaborators.set'))
    expect(trail).toHaveLength(2)
  })

  test.each([
    [[{ username: 'nobody', role: 'read' as const }], 'items.0.username'],
    [[{ username: 'nul\0', role: 'read' as const }], 'items.0.username'],
    [
      [
        { username: 'fay', role: 'read' as const },
        { username: 'FAY', role: 'write' as const },
      ],
      'items.1.username',
    ],
  ])('refuses the collaborators %j', async (items, field) => {
    const gus = await givenUser(world, `gus-${Math.random().toString(36).slice(2)}`)
    await givenUser(world, 'fay').catch(() => 'made before')
    await givenRepo(world, gus, { name: 'x' })
    await expect(setCollaborators(world.ctx(gus), at(gus.username, 'x'), items)).rejects.toMatchObject({
      errors: [{ field }],
    })
  })

  test('a request for access is decided by an admin and opens the files', async () => {
    const [hal, ida] = [await givenUser(world, 'hal'), await givenUser(world, 'ida')]
    await givenRepo(world, hal, { name: 'gated', visibility: 'public', gated: 'manual' })
    const gated = at('hal', 'gated')
    await expect(requireRepo(world.ctx(ida), gated, 'repo.files')).rejects.toMatchObject({ code: 'gated' })
    const asked = await createAccessRequest(world.ctx(ida), gated, {
      message: 'please',
      fields: { use: 'research' },
    })
    expect(asked).toMatchObject({
      user: 'ida',
      status: 'pending',
      message: 'please',
      fields: { use: 'research' },
    })
    await expect(createAccessRequest(world.ctx(ida), gated, {})).rejects.toMatchObject({
      code: 'already-exists',
    })
    await expect(createAccessRequest(world.ctx(hal), gated, {})).rejects.toMatchObject({
      code: 'state-conflict',
    })
    const accepted = { status: 'accepted' as const }
    await expect(decideAccessRequest(world.ctx(ida), gated, asked, accepted)).rejects.toMatchObject({
      code: 'forbidden',
    })
    expect(await decideAccessRequest(world.ctx(hal), gated, asked, accepted)).toMatchObject({
      status: 'accepted',
      decidedBy: 'hal',
    })
    expect(await requireRepo(world.ctx(ida), gated, 'repo.files')).toMatchObject({ accessStatus: 'accepted' })
    await expect(decideAccessRequest(world.ctx(hal), gated, asked, accepted)).rejects.toMatchObject({
      code: 'state-conflict',
    })
    await decideAccessRequest(world.ctx(hal), gated, asked, { status: 'rejected', reason: 'no' })
    await expect(requireRepo(world.ctx(ida), gated, 'repo.files')).rejects.toMatchObject({ code: 'gated' })
  })

  test('a rejected user may ask again a day later, and auto accepts at once', async () => {
    const [jon, kim] = [await givenUser(world, 'jon'), await givenUser(world, 'kim')]
    await givenRepo(world, jon, { name: 'strict', visibility: 'public', gated: 'manual' })
    const strict = at('jon', 'strict')
    const { id } = await createAccessRequest(world.ctx(kim), strict, {})
    await decideAccessRequest(world.ctx(jon), strict, { id }, { status: 'rejected' })
    await expect(createAccessRequest(world.ctx(kim), strict, {})).rejects.toMatchObject({
      code: 'state-conflict',
    })
    later(24 * 3_600_000)
    expect(await createAccessRequest(world.ctx(kim), strict, {})).toMatchObject({ id, status: 'pending' })
    await updateRepo(world.ctx(jon), strict, { gated: 'auto' })
    expect(await createAccessRequest(world.ctx(kim), strict, {})).toMatchObject({ id, status: 'accepted' })
  })

  test('of two who decide on one request at once the first does', async () => {
    const lea = await givenUser(world, 'lea')
    await givenRepo(world, lea, { name: 'torn', visibility: 'public', gated: 'manual' })
    let round = 0
    for (const how of waysToOvertake(world))
      for (const [now, then] of [
        ['accepted', 'rejected'],
        ['rejected', 'accepted'],
      ] as const) {
        const name = `asker${++round}`
        const user = await givenUser(world, name)
        const { id } = await createAccessRequest(world.ctx(user), at('lea', 'torn'), {})
        const decide = (status: 'accepted' | 'rejected') => ({
          ctx: world.ctx(lea),
          run: (ctx: Ctx) => decideAccessRequest(ctx, at('lea', 'torn'), { id }, { status }),
        })
        await expect(overtake(how, { first: decide(now), late: decide(then) })).rejects.toMatchObject({
          code: 'state-conflict',
        })
        const { audit } = world.db.t
        const decisions = inArray(audit.action, ['repo.access.accept', 'repo.access.reject'])
        const rows = await world.db.q.select().from(audit).where(decisions)
        expect(rows.filter(({ after }) => after?.['user'] === name)).toMatchObject([
          { after: { status: now } },
        ])
      }
  })

  test('a request is found under its own repo alone, and listed by status in pages', async () => {
    const mia = await givenUser(world, 'mia')
    await givenOrg(world, 'guild', mia)
    for (const name of ['a', 'b'])
      await givenRepo(world, mia, { ns: 'guild', name, visibility: 'public', gated: 'manual' })
    const ids = []
    for (const name of ['n1', 'n2', 'n3']) {
      later(1000)
      const user = await givenUser(world, name)
      ids.unshift((await createAccessRequest(world.ctx(user), at('guild', 'a'), {})).id)
    }
    const accept = { status: 'accepted' as const }
    await expect(
      decideAccessRequest(world.ctx(mia), at('guild', 'b'), { id: ids[0] ?? '' }, accept),
    ).rejects.toMatchObject({ code: 'not-found' })
    const first = await listAccessRequests(world.ctx(mia), at('guild', 'a'), 'pending', { limit: 2 })
    expect(first.items.map(({ id }) => id)).toEqual(ids.slice(0, 2))
    const second = await listAccessRequests(world.ctx(mia), at('guild', 'a'), 'pending', {
      limit: 2,
      after: first.next,
    })
    expect(second).toMatchObject({ items: [{ id: ids[2] }] })
    expect(second.next).toBeUndefined()
    expect(
      (await listAccessRequests(world.ctx(mia), at('guild', 'a'), 'accepted', { limit: 2 })).items,
    ).toEqual([])
  })
})
