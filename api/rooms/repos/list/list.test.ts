import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { anonymous, decide, policyOf, type Actor } from '../../../core/access/index.ts'
import { eachDatabase, givenOrg, givenRepo, givenToken, givenUser } from '../../../testing.ts'
import { countFacets } from './facets.ts'
import { countRepos, deleteRepo, listRepos, type ListSort, type RepoFilters } from '../index.ts'
import { findById } from '../queries.ts'

eachDatabase('lists of Repos', (world) => {
  const names = async (actor: Actor, filters: RepoFilters) =>
    (await listRepos(world.ctx(actor), filters, { sort: 'name', limit: 500 })).items.map(({ name }) => name)
  const setFacts = (id: string, set: object, tags: string[] = []) =>
    world.db.write(async ({ q, t }) => {
      if (Object.keys(set).length > 0) await q.update(t.repos).set(set).where(eq(t.repos.id, id))
      for (const tag of tags) await q.insert(t.repo_tags).values({ repo_id: id, tag })
    })

  test('a list shows exactly what its caller may read one by one', async () => {
    const [ada, bob] = [await givenUser(world, 'ada'), await givenUser(world, 'bob')]
    const [boss, admin] = [await givenUser(world, 'boss'), await givenUser(world, 'adm', { isAdmin: true })]
    await givenOrg(world, 'org', boss, [[bob, 'read']])
    const made = []
    for (const visibility of ['public', 'private'] as const) {
      made.push(
        await givenRepo(world, ada, { visibility }),
        await givenRepo(world, boss, { ns: 'org', visibility }),
      )
      made.push(await givenRepo(world, ada, { visibility, name: `gone-${visibility}` }))
      await deleteRepo(world.ctx(ada), { type: 'model', ns: 'ada', name: `gone-${visibility}` })
    }
    const shared = made[3]
    await world.db.write(({ q, t }) =>
      q.insert(t.collaborators).values({ repo_id: shared?.id ?? '', user_id: bob.id, role: 'read' }),
    )
    const fence = {
      namespaces: ['org'],
      repos: [{ type: 'model' as const, ns: 'ada', name: made[0]?.name ?? '' }],
    }
    const actors: Actor[] = [ada, bob, boss, admin, anonymous]
    for (const owner of [ada, bob, boss, admin]) {
      actors.push((await givenToken(world, owner, { fence })).actor)
      actors.push((await givenToken(world, owner, { scopes: ['read'] })).actor)
    }
    const { security } = world.deps.config
    for (const anonymousRead of [false, true]) {
      security.anonymous_read = anonymousRead
      for (const actor of actors) {
        if (actor.kind === 'anonymous' && !anonymousRead) continue
        const listed = (await listRepos(world.ctx(actor), {}, { sort: 'updated', limit: 500 })).items
        const readable = []
        for (const { id } of made) {
          const repo = await findById(world.db, id, actor.kind === 'user' ? actor.id : '')
          if (
            repo &&
            !repo.isDeleted &&
            decide(actor, 'repo.read', repo, policyOf(world.deps.config)) === 'ok'
          )
            readable.push(id)
        }
        expect(listed.map(({ id }) => id).toSorted()).toEqual(readable.toSorted())
        expect(await countRepos(world.ctx(actor), {})).toEqual({ total: readable.length, isExact: true })
      }
    }
    security.anonymous_read = false
    await expect(listRepos(world.ctx(anonymous), {}, { sort: 'name', limit: 1 })).rejects.toMatchObject({
      code: 'unauthenticated',
    })
  })

  test('every sort pages through everything once, also among equals', async () => {
    const cid = await givenUser(world, 'cid')
    for (let i = 0; i < 7; i++) {
      const { id } = await givenRepo(world, cid, { name: `p${i}` })
      const updated_at = new Date(world.clock.now.getTime() + (i % 3) * 1000)
      await setFacts(id, { likes: i % 2, head_bytes: 2 ** 40 + (i % 3), updated_at })
    }
    for (const sort of ['updated', 'created', 'name', 'size', 'likes'] satisfies ListSort[])
      for (const ascending of [true, false]) {
        const all = await listRepos(world.ctx(cid), { ns: 'CID' }, { sort, ascending, limit: 100 })
        const paged = []
        for (let after = undefined; ;) {
          const page = await listRepos(world.ctx(cid), { ns: 'cid' }, { sort, ascending, after, limit: 2 })
          paged.push(...page.items)
          if (!page.next) break
          after = page.next
        }
        expect(paged.map(({ name }) => name)).toEqual(all.items.map(({ name }) => name))
        expect(new Set(paged.map(({ id }) => id)).size).toBe(7)
      }
    expect((await names(cid, { ns: 'cid' })).toSorted()).toEqual(await names(cid, { ns: 'cid' }))
  })

  test('words are taken literally, in any case, from name and description', async () => {
    const dan = await givenUser(world, 'dan')
    await givenRepo(world, dan, { name: 'a_b', description: '100% Real' })
    await givenRepo(world, dan, { name: 'axb', description: '100 real \\ back' })
    expect(await names(dan, { words: ['A_B'] })).toEqual(['a_b'])
    expect(await names(dan, { words: ['100%'] })).toEqual(['a_b'])
    expect(await names(dan, { words: ['real', '100'] })).toEqual(['a_b', 'axb'])
    expect(await names(dan, { words: ['\\'] })).toEqual(['axb'])
    expect(await names(dan, { words: ["'; drop table repos; --"] })).toEqual([])
    expect(await names(dan, { idContains: ['DAN/a'], words: ['back'] })).toEqual(['axb'])
  })

  test('words also find what begins with them among the tags, in any case', async () => {
    const tia = await givenUser(world, 'tia')
    await setFacts((await givenRepo(world, tia, { name: 'm1' })).id, {}, ['LLM', 'license:mit', '100%_x'])
    await setFacts((await givenRepo(world, tia, { name: 'm2', description: 'an llm' })).id, {}, ['en'])
    await setFacts((await givenRepo(world, tia, { name: 'm3' })).id, {}, [
      'llmops',
      'license:apache-2.0',
      '100xx',
    ])
    const found = (...words: string[]) => names(tia, { ns: 'tia', words })
    expect(await found('llm')).toEqual(['m1', 'm2', 'm3'])
    expect(await found('LLMo')).toEqual(['m3'])
    expect(await found('License:')).toEqual(['m1', 'm3'])
    expect(await found('llm', 'license:MIT')).toEqual(['m1'])
    expect(await found('mit')).toEqual([])
    expect(await found('100%_')).toEqual(['m1'])
    expect(await countRepos(world.ctx(tia), { ns: 'tia', words: ['llm'] })).toMatchObject({ total: 3 })
    expect(await names(await givenUser(world, 'una'), { ns: 'tia', words: ['llm'] })).toEqual([])
  })

  test('filters hold together, and a facet ignores its own', async () => {
    const eve = await givenUser(world, 'eve')
    const facts = [
      { name: 'f1', task: 'text-generation', library: 'transformers', licence: 'mit', tags: ['fr', 'gguf'] },
      { name: 'f2', task: 'text-generation', library: 'gguf', licence: 'mit', tags: ['gguf'] },
      { name: 'f3', task: 'fill-mask', library: 'transformers', licence: 'apache-2.0', tags: ['fr'] },
    ]
    for (const { name, tags, ...set } of facts)
      await setFacts((await givenRepo(world, eve, { name })).id, set, tags)
    await givenRepo(world, eve, { type: 'dataset', name: 'd1', gated: 'auto' })
    const stranger = await givenUser(world, 'stranger')
    const mine = { ns: 'eve' }
    expect(await names(eve, { ...mine, tasks: ['text-generation'] })).toEqual(['f1', 'f2'])
    expect(
      await names(eve, { ...mine, tasks: ['text-generation', 'fill-mask'], tags: [['fr', 'language:fr']] }),
    ).toEqual(['f1', 'f3'])
    expect(await names(eve, { ...mine, tags: [['fr'], ['gguf']] })).toEqual(['f1'])
    expect(await names(eve, { ...mine, type: 'dataset' })).toEqual(['d1'])
    expect(await names(eve, { ...mine, isGated: true })).toEqual(['d1'])
    expect(await names(eve, { ...mine, isMirror: true })).toEqual([])
    expect(
      await countFacets(world.ctx(eve), { ...mine, tasks: ['fill-mask'], licences: ['mit', 'apache-2.0'] }),
    ).toEqual({
      task: [
        { value: 'text-generation', count: 2 },
        { value: 'fill-mask', count: 1 },
      ],
      library: [{ value: 'transformers', count: 1 }],
      licence: [{ value: 'apache-2.0', count: 1 }],
    })
    expect((await countFacets(world.ctx(stranger), mine)).task).toEqual([])
  })

  test('tags that many Repos have narrow a list as others do', async () => {
    const zoe = await givenUser(world, 'zoe')
    const [plain, both] = [
      await givenRepo(world, zoe, { name: 'plain' }),
      await givenRepo(world, zoe, { name: 'both' }),
    ]
    await setFacts(plain.id, { likes: 0 }, ['frequent'])
    await setFacts(both.id, { likes: 0 }, ['frequent', 'rare'])
    await world.db.write(async ({ q, t }) => {
      const [row] = await q.select().from(t.repos).where(eq(t.repos.id, plain.id))
      if (!row) expect.fail('no Repo')
      const many = Array.from({ length: 1000 }, (_, i) => ({
        ...row,
        id: `many-${i}`,
        address_key: `many-${i}`,
      }))
      for (let at = 0; at < many.length; at += 250) await q.insert(t.repos).values(many.slice(at, at + 250))
      await q.insert(t.repo_tags).values(many.map(({ id }) => ({ repo_id: id, tag: 'frequent' })))
    })
    const found = async (...tags: string[][]) =>
      (await listRepos(world.ctx(zoe), { tags, ns: 'zoe' }, { sort: 'name', limit: 2000 })).items.length
    expect(await found(['frequent'])).toBe(1002)
    expect(await found(['frequent'], ['rare'])).toBe(1)
    expect(await found(['rare'], ['frequent', 'none'])).toBe(1)
    expect(await found(['frequent'], ['none'])).toBe(0)
  })
})
