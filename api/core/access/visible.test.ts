import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { newId, type Tables } from '../../stores/db/index.ts'
import { eachDatabase, givenOrg, givenToken, givenUser } from '../../testing.ts'
import {
  anonymous,
  can,
  readableRepos,
  reposWithCard,
  roleOn,
  system,
  visibleRepos,
  type Actor,
  type Policy,
  type RepoFacts,
} from './index.ts'

eachDatabase('visible repos', (world) => {
  const actors: Actor[] = [anonymous, system]

  async function givenRepo(orgId: string, name: string, more: Partial<Tables['repos']['$inferInsert']>) {
    const id = newId()
    const at = world.clock.now
    await world.db.write(async ({ q, t }) => {
      await q.insert(t.repos).values({
        id,
        type: 'model' as const,
        namespace_id: orgId,
        name,
        name_key: name.toLowerCase(),
        visibility: 'public',
        default_branch: 'main',
        discussions_enabled: true,
        created_at: at,
        updated_at: at,
        likes: 0,
        ...more,
      })
    })
    return id
  }

  beforeAll(async () => {
    const [founder, member, friend] = [
      await givenUser(world, 'founder'),
      await givenUser(world, 'member'),
      await givenUser(world, 'friend'),
    ]
    const root = await givenUser(world, 'root', { isAdmin: true })
    const acme = await givenOrg(world, 'acme', founder, [[member, 'read']])
    const other = await givenOrg(world, 'other', root)
    const at = world.clock.now
    const gated: string[] = []
    for (const org of [acme, other])
      for (const visibility of ['public', 'private'] as const) {
        await givenRepo(org.id, `${visibility}-Bert`, { visibility })
        gated.push(await givenRepo(org.id, `${visibility}-gated`, { visibility, gated: 'manual' }))
      }
    await givenRepo(acme.id, 'gone', { deleted_at: at })
    await givenRepo(acme.id, 'disabled', { disabled_at: at })
    await givenRepo(other.id, 'disabled', { visibility: 'private', disabled_at: at })
    const shared = await givenRepo(other.id, 'shared', { visibility: 'private', gated: 'auto' })
    const written = await givenRepo(other.id, 'written', { gated: 'auto' })
    await world.db.write(async ({ q, t }) => {
      await q.insert(t.collaborators).values([
        { repo_id: shared, user_id: friend.id, role: 'read' },
        { repo_id: written, user_id: friend.id, role: 'write' },
      ])
      for (const repo_id of gated)
        await q
          .insert(t.access_requests)
          .values({ id: newId(), repo_id, user_id: member.id, status: 'accepted', requested_at: at })
    })
    actors.push(founder, member, friend, root)
    const fences = [
      { namespaces: ['ACME'] },
      { repos: [{ type: 'model' as const, ns: 'Other', name: 'shared' }] },
      { repos: [{ type: 'dataset' as const, ns: 'acme', name: 'public-bert' }] },
      { repos: [{ type: 'model' as const, ns: 'acme', name: 'private-bert' }], namespaces: ['other'] },
    ]
    for (const owner of [founder, member, friend, root])
      for (const fence of fences) actors.push((await givenToken(world, owner, { fence })).actor)
  })

  const policies = [{ anonymousRead: true }, { anonymousRead: false }]

  /** What everybody is shown by `condition`, beside what `rule` says of each repo by itself. */
  async function compare(
    condition: typeof visibleRepos,
    policy: Policy,
    rule: (actor: Actor, repo: RepoFacts) => boolean,
  ) {
    const { q, t } = world.db
    const joined = eq(t.namespaces.id, t.repos.namespace_id)
    const rows = await q
      .select({ repo: t.repos, ns: t.namespaces.name })
      .from(t.repos)
      .innerJoin(t.namespaces, joined)
    const collaborations = await q.select().from(t.collaborators)
    const requests = await q.select().from(t.access_requests)
    for (const actor of actors) {
      const isMine = (row: { repo_id: string; user_id: string }, id: string) =>
        row.repo_id === id && actor.kind === 'user' && row.user_id === actor.id
      const expected = rows.filter(({ repo, ns }) => {
        const collaboratorRole = collaborations.find((row) => isMine(row, repo.id))?.role ?? null
        const accessStatus = requests.find((row) => isMine(row, repo.id))?.status ?? null
        const states = {
          isDeleted: repo.deleted_at !== null,
          isDisabled: repo.disabled_at !== null,
          isMirror: false,
        }
        const facts = { ...repo, namespaceId: repo.namespace_id, ns, ...states }
        return repo.deleted_at === null && rule(actor, { ...facts, collaboratorRole, accessStatus })
      })
      const shown = await q
        .select({ name: t.repos.name, ns: t.namespaces.name })
        .from(t.repos)
        .innerJoin(t.namespaces, joined)
        .where(condition(actor, world.db, policy))
      const named = (list: { ns: string; name: string }[]) =>
        list.map(({ ns, name }) => `${ns}/${name}`).toSorted()
      expect(named(shown), JSON.stringify(actor)).toEqual(
        named(expected.map(({ repo, ns }) => ({ ns, name: repo.name }))),
      )
    }
  }

  test.each(policies)('a list shows exactly the repos that may be seen (%o)', async (policy) => {
    await compare(visibleRepos, policy, (actor, repo) => roleOn(actor, repo, policy) !== null)
  })

  test.each(policies)(
    'a search in files looks at exactly the repos whose files may be read (%o)',
    async (policy) => {
      await compare(readableRepos, policy, (actor, repo) => can(actor, 'repo.files', repo, policy))
    },
  )

  test.each(policies)('a search in cards looks at exactly those that may be read (%o)', async (policy) => {
    await compare(reposWithCard, policy, (actor, repo) => can(actor, 'repo.card', repo, policy))
  })
})
