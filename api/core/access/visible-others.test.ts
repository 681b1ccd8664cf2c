import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import type { Fence, Scope } from '../../../shared/vocabulary.ts'
import { newId } from '../../stores/db/index.ts'
import { eachDatabase, givenOrg, givenRepo, givenToken, givenUser } from '../../testing.ts'
import {
  actorId,
  anonymous,
  decideProfile,
  system,
  visibleCollections,
  visibleJobs,
  visibleNamespaces,
  type Actor,
} from './index.ts'

eachDatabase('visible jobs, collections and namespaces', (world) => {
  const actors: Record<string, Actor> = { anonymous, system }

  /** A job that `by` has made, named by its title. */
  async function givenJob(title: string, repoId: string | null, by: Actor = system) {
    const at = world.clock.now
    await world.db.write(async ({ q, t }) => {
      await q.insert(t.jobs).values({
        id: newId(),
        kind: 'test',
        status: 'queued',
        title,
        repo_id: repoId,
        created_by: actorId(by),
        input: {},
        attempt: 0,
        max_attempts: 1,
        run_after: at,
        cancel_requested: false,
        progress_done: 0,
        progress_unit: 'bytes',
        created_at: at,
      })
    })
  }

  beforeAll(async () => {
    const lead = await givenUser(world, 'lead')
    const writer = await givenUser(world, 'writer')
    const helper = await givenUser(world, 'helper')
    const root = await givenUser(world, 'root', { isAdmin: true })
    const acme = await givenOrg(world, 'acme', lead, [[writer, 'write']])
    const [one, two] = [
      await givenRepo(world, lead, { ns: 'acme', name: 'one' }),
      await givenRepo(world, lead, { ns: 'acme', name: 'two' }),
    ]
    await world.db.write(async ({ q, t }) => {
      await q.insert(t.collaborators).values([
        { repo_id: one.id, user_id: helper.id, role: 'admin' },
        { repo_id: two.id, user_id: helper.id, role: 'write' },
        { repo_id: two.id, user_id: writer.id, role: 'read' },
      ])
      const at = world.clock.now
      for (const visibility of ['public', 'private'] as const)
        for (const [namespace_id, ns] of [
          [acme.id, 'acme'],
          [helper.id, 'helper'],
        ] as const)
          await q.insert(t.collections).values({
            id: newId(),
            namespace_id,
            title: `${ns} ${visibility}`,
            visibility,
            position: 0,
            created_at: at,
            updated_at: at,
          })
    })
    await givenJob('one', one.id)
    await givenJob('two', two.id)
    await givenJob('nowhere', null)
    await givenJob("writer's", null, writer)
    await givenJob("writer's on one", one.id, writer)
    const token = async (of: typeof root, fence: Fence | null, scopes: Scope[] = ['write']) =>
      (await givenToken(world, of, { fence, scopes })).actor
    const toOne = { repos: [{ type: 'model' as const, ns: 'ACME', name: 'One' }] }
    Object.assign(actors, { lead, writer, helper, root })
    actors['lead, token'] = await token(lead, null)
    actors['lead, admin-only token'] = await token(lead, null, ['admin'])
    actors['lead, fenced to one'] = await token(lead, toOne)
    actors['lead, fenced to acme'] = await token(lead, { namespaces: ['Acme'] })
    actors['root, fenced to one'] = await token(root, toOne)
    actors['helper, fenced elsewhere'] = await token(helper, { namespaces: ['other'] })
  })

  const named = async (list: (actor: Actor) => Promise<string[]>) => {
    const entries = Object.entries(actors)
    const lists = await Promise.all(entries.map(([, actor]) => list(actor)))
    return Object.fromEntries(entries.map(([name], i) => [name, lists[i]?.toSorted().join(', ')]))
  }

  test('jobs are for those who made them, admins of their repo and instance admins, inside a fence', async () => {
    const jobs = async (actor: Actor) => {
      const { q, t } = world.db
      const rows = await q
        .select({ title: t.jobs.title })
        .from(t.jobs)
        .leftJoin(t.repos, eq(t.repos.id, t.jobs.repo_id))
        .leftJoin(t.namespaces, eq(t.namespaces.id, t.repos.namespace_id))
        .where(visibleJobs(actor, world.db))
      return rows.map(({ title }) => title).filter((title) => /^(one|two|nowhere|writer)/.test(title))
    }
    const all = "nowhere, one, two, writer's, writer's on one"
    const ofAcme = "one, two, writer's on one"
    const ofOne = "one, writer's on one"
    expect(await named(jobs)).toEqual({
      anonymous: '',
      system: all,
      lead: ofAcme,
      writer: "writer's, writer's on one",
      helper: ofOne,
      root: all,
      'lead, token': ofAcme,
      'lead, admin-only token': ofAcme,
      'lead, fenced to one': ofOne,
      'lead, fenced to acme': ofAcme,
      'root, fenced to one': ofOne,
      'helper, fenced elsewhere': '',
    })
  })

  const collections = (anonymousRead: boolean) => async (actor: Actor) => {
    const { q, t } = world.db
    const rows = await q
      .select({ title: t.collections.title })
      .from(t.collections)
      .innerJoin(t.namespaces, eq(t.namespaces.id, t.collections.namespace_id))
      .where(visibleCollections(actor, t, { anonymousRead }))
    return rows.map(({ title }) => title)
  }

  test('collections are for the public where it may read, private ones for members and instance admins', async () => {
    const all = 'acme private, acme public, helper private, helper public'
    const open = 'acme public, helper public'
    const ofAcme = 'acme private, acme public, helper public'
    expect(await named(collections(true))).toEqual({
      anonymous: open,
      system: all,
      lead: ofAcme,
      writer: ofAcme,
      helper: 'acme public, helper private, helper public',
      root: all,
      'lead, token': ofAcme,
      'lead, admin-only token': ofAcme,
      'lead, fenced to one': open,
      'lead, fenced to acme': ofAcme,
      'root, fenced to one': open,
      'helper, fenced elsewhere': open,
    })
  })

  test('without anonymous reading a fence that does not name the namespace hides its public collections', async () => {
    const shown = await named(collections(false))
    expect(shown).toMatchObject({
      anonymous: '',
      lead: 'acme private, acme public, helper public',
      'lead, fenced to one': '',
      'lead, fenced to acme': 'acme private, acme public',
      'root, fenced to one': '',
      'helper, fenced elsewhere': '',
    })
  })

  test.each([true, false])(
    'a list shows exactly the namespaces whose profile may be seen (%o)',
    async (open) => {
      const policy = { anonymousRead: open }
      const { q, t } = world.db
      const spaces = await q.select({ name: t.namespaces.name }).from(t.namespaces)
      expect(spaces.length).toBeGreaterThan(3)
      for (const [name, actor] of Object.entries(actors)) {
        const shown = await q
          .select({ name: t.namespaces.name })
          .from(t.namespaces)
          .where(visibleNamespaces(actor, t, policy))
        const expected = spaces.filter((ns) => decideProfile(actor, ns.name, policy) === 'ok')
        // With anonymous reading a token without the scope `read` sees what anybody sees.
        if (open && name === 'lead, admin-only token') expect(shown).toHaveLength(spaces.length)
        else
          expect(shown.map((ns) => ns.name).toSorted(), name).toEqual(
            expected.map((ns) => ns.name).toSorted(),
          )
      }
    },
  )
})
