import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { anonymous, decide, policyOf, type Actor, type UserActor } from '../../../core/access/index.ts'
import {
  eachDatabase,
  givenOrg,
  givenRepo,
  givenToken,
  givenUser,
  setFacts,
  type GivenFacts,
} from '../../../testing.ts'
import { changeMark } from '../../../stores/db/index.ts'
import {
  countRepos,
  deleteRepo,
  listRepos,
  renameRepo,
  updateRepo,
  type ListSort,
  type NewRepo,
  type RepoFilters,
} from '../index.ts'
import { restoreRepo } from '../lifecycle/restore.ts'
import { Catalogue } from './catalogue.ts'
import { findById } from '../queries.ts'

eachDatabase('lists of repos', (world) => {
  const names = async (actor: Actor, filters: RepoFilters) =>
    (await listRepos(world.ctx(actor), filters, { sort: 'name', limit: 500 })).items.map(({ name }) => name)
  const given = async (owner: UserActor, more: Partial<NewRepo>, facts: GivenFacts) =>
    setFacts(world.db, (await givenRepo(world, owner, more)).id, facts)

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
        expect(await countRepos(world.ctx(actor), {})).toMatchObject({ total: readable.length })
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
      const head = { bytes: 2 ** 40 + (i % 3), parameters: (i % 3) - 1 }
      await setFacts(world.db, id, { repo: { likes: i % 2, updated_at }, head })
    }
    for (const sort of ['updated', 'created', 'name', 'size', 'parameters', 'likes'] satisfies ListSort[])
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

  test('what is not known comes last in both directions, also behind a page', async () => {
    const uma = await givenUser(world, 'uma')
    for (const [name, parameters] of Object.entries({ none: -1, zero: 0, also: -1, many: 9, few: 3 }))
      await given(uma, { name }, { head: { parameters } })
    for (const [ascending, known] of [
      [true, ['zero', 'few', 'many']],
      [false, ['many', 'few', 'zero']],
    ] as const) {
      const found = []
      for (let after = undefined; ;) {
        const order = { sort: 'parameters', ascending, after, limit: 1 } as const
        const page = await listRepos(world.ctx(uma), { ns: 'uma' }, order)
        found.push(...page.items.map(({ name }) => name))
        if (!page.next) break
        after = page.next
      }
      expect(found.slice(0, 3)).toEqual(known)
      expect(found.slice(3).toSorted()).toEqual(['also', 'none'])
    }
  })

  test('words are taken literally, in any case, from name and description', async () => {
    const dan = await givenUser(world, 'dan')
    await givenRepo(world, dan, { name: 'a_b', description: '100% Real, (quite) text-to-image' })
    await givenRepo(world, dan, { name: 'axb', description: '100 real \\ back' })
    expect(await names(dan, { words: ['A_B'] })).toEqual(['a_b'])
    expect(await names(dan, { words: ['100%'] })).toEqual(['a_b'])
    expect(await names(dan, { words: ['real', '100'] })).toEqual(['a_b', 'axb'])
    expect(await names(dan, { words: ['\\'] })).toEqual(['axb'])
    expect(await names(dan, { words: ["'; drop table repos; --"] })).toEqual([])
    expect(await names(dan, { idContains: ['DAN/a'], words: ['back'] })).toEqual(['axb'])
  })

  test('a word begins a word of the description, and may be any part of the name', async () => {
    const liz = await givenUser(world, 'liz')
    await givenRepo(world, liz, {
      name: 'mistral',
      description: 'A (very) large text-to-image model.\nÜbung',
    })
    expect(await names(liz, { words: ['larg', 'VERY', 'imag', 'mod', 'übu'] })).toEqual(['mistral'])
    expect(await names(liz, { words: ['istr'] })).toEqual(['mistral'])
    expect(await names(liz, { words: ['arge'] })).toEqual([])
    expect(await names(liz, { words: ['bung'] })).toEqual([])
  })

  test('words also find what begins with them among the tags, in any case', async () => {
    const tia = await givenUser(world, 'tia')
    await given(tia, { name: 'm1' }, { tags: ['LLM', 'license:mit', '100%_x'] })
    await given(tia, { name: 'm2', description: 'an llm' }, { tags: ['en'] })
    await given(tia, { name: 'm3' }, { tags: ['llmops', 'license:apache-2.0', '100xx'] })
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
    const facts: [string, GivenFacts][] = [
      [
        'f1',
        {
          tags: ['fr', 'gguf'],
          facets: {
            task: ['text-generation'],
            library: ['transformers'],
            licence: ['mit'],
            format: ['gguf', 'onnx'],
          },
        },
      ],
      ['f2', { tags: ['gguf'], facets: { task: ['text-generation'], library: ['gguf'], licence: ['mit'] } }],
      [
        'f3',
        { tags: ['fr'], facets: { task: ['fill-mask'], library: ['transformers'], licence: ['apache-2.0'] } },
      ],
    ]
    for (const [name, each] of facts) await given(eve, { name }, each)
    await givenRepo(world, eve, { type: 'dataset', name: 'd1', gated: 'auto' })
    const stranger = await givenUser(world, 'stranger')
    const mine = { ns: 'eve' }
    expect(await names(eve, { ...mine, facets: { task: ['text-generation'] } })).toEqual(['f1', 'f2'])
    expect(
      await names(eve, {
        ...mine,
        facets: { task: ['text-generation', 'fill-mask'] },
        tags: [['fr', 'language:fr']],
      }),
    ).toEqual(['f1', 'f3'])
    expect(await names(eve, { ...mine, tags: [['fr'], ['gguf']] })).toEqual(['f1'])
    expect(await names(eve, { ...mine, type: 'dataset' })).toEqual(['d1'])
    expect(await names(eve, { ...mine, isGated: true })).toEqual(['d1'])
    expect(await names(eve, { ...mine, isMirror: true })).toEqual([])
    expect(await names(eve, { ...mine, facets: { task: ['no-such-task'] } })).toEqual([])
    const chosen = { ...mine, facets: { task: ['fill-mask'], licence: ['mit', 'apache-2.0'] } }
    expect(await countRepos(world.ctx(eve), chosen)).toEqual({
      total: 1,
      facets: {
        task: [
          { value: 'text-generation', count: 2 },
          { value: 'fill-mask', count: 1 },
        ],
        library: [{ value: 'transformers', count: 1 }],
        licence: [{ value: 'apache-2.0', count: 1 }],
        format: [],
        quant: [],
        language: [],
        modality: [],
        size_category: [],
        mirror: [{ value: 'false', count: 1 }],
      },
    })
    expect(
      (await countRepos(world.ctx(eve), { ...mine, facets: { task: ['text-generation'] } })).facets,
    ).toMatchObject({
      format: [
        { value: 'gguf', count: 1 },
        { value: 'onnx', count: 1 },
      ],
    })
    expect(await countRepos(world.ctx(stranger), mine)).toMatchObject({ total: 0, facets: { task: [] } })
  })

  test('mirrors are counted beside what was made here, whichever is chosen', async () => {
    const owner = await givenUser(world, 'mira')
    const mirror = await givenRepo(world, owner, { name: 'mirrored' })
    const left = await givenRepo(world, owner, { name: 'left' })
    await givenRepo(world, owner, { name: 'own' })
    await world.db.write(async ({ q, t }) => {
      const times = { created_at: world.clock.now, updated_at: world.clock.now }
      const address = { base_url: 'http://127.0.0.1:9', viewer_url: null, namespace_prefix: '', token: null }
      await q.insert(t.upstreams).values({ id: 'hub', name: 'Hub', enabled: true, ...address, ...times })
      const how = { tracking: 'manual', history: 'shallow', fidelity: 'git' } as const
      for (const [{ id }, state] of [
        [mirror, 'idle'],
        [left, 'detached'],
      ] as const) {
        const of = { upstream: 'hub', upstream_repo: `a/${id}`, upstream_key: `a/${id}`, revision: 'main' }
        await q
          .insert(t.mirrors)
          .values({ repo_id: id, ...of, ...how, selection: {}, state, created_at: world.clock.now })
        await q
          .update(t.repos)
          .set({ changed: changeMark(t.repos.changed) })
          .where(eq(t.repos.id, id))
      }
    })
    for (const isMirror of [undefined, true, false]) {
      const found = await countRepos(world.ctx(owner), { ns: 'mira', isMirror })
      expect(found.facets.mirror).toEqual([
        { value: 'true', count: 1 },
        { value: 'false', count: 2 },
      ])
      expect(found.total).toBe(isMirror === undefined ? 3 : isMirror ? 1 : 2)
    }
    expect(await names(owner, { ns: 'mira', isMirror: true })).toEqual(['mirrored'])
  })

  test('a facet shows its fifty most frequent values, and what is chosen', async () => {
    const fay = await givenUser(world, 'fay')
    const languages = Array.from({ length: 60 }, (_, i) => `l${String(i).padStart(2, '0')}`)
    await given(fay, { name: 'all' }, { facets: { language: languages } })
    await given(fay, { name: 'some' }, { facets: { language: languages.slice(10) } })
    const values = async (language: string[] | undefined) =>
      (await countRepos(world.ctx(fay), { ns: 'fay', facets: { language } })).facets.language
    expect((await values(undefined)).map(({ value }) => value)).toEqual(languages.slice(10))
    expect((await values(['l03'])).at(-1)).toEqual({ value: 'l03', count: 1 })
    expect(await values(['l03'])).toHaveLength(51)
  })

  test('bounds are within, and what is not known is within none', async () => {
    const gil = await givenUser(world, 'gil')
    await given(gil, { name: 'small' }, { head: { parameters: 0, context_length: 512, bytes: 10, rows: 0 } })
    await given(
      gil,
      { name: 'large' },
      { head: { parameters: 7e9, context_length: 2048, bytes: 14e9, rows: 100 } },
    )
    await given(gil, { name: 'unknown' }, { head: { bytes: 5 } })
    const found = (filters: RepoFilters) => names(gil, { ns: 'gil', ...filters })
    expect(await found({ parameters: { min: 7e9, max: 7e9 } })).toEqual(['large'])
    expect(await found({ parameters: { max: 8e9 } })).toEqual(['large', 'small'])
    expect(await found({ parameters: { min: 0 } })).toEqual(['large', 'small'])
    expect(await found({ contextLength: { min: 1024 } })).toEqual(['large'])
    expect(await found({ size: { max: 10 } })).toEqual(['small', 'unknown'])
    expect(await found({ rows: { min: 1 } })).toEqual(['large'])
    expect(await found({ rows: { max: 100 } })).toEqual(['large', 'small'])
  })

  test('lists follow every change at once', async () => {
    const hal = await givenUser(world, 'hal')
    const guest = await givenUser(world, 'guest')
    const found = (actor: Actor) => names(actor, { ns: 'hal' })
    const at = { type: 'model' as const, ns: 'hal', name: 'one' }
    await givenRepo(world, hal, { name: 'one' })
    expect([await found(hal), await found(guest)]).toEqual([['one'], []])
    await updateRepo(world.ctx(hal), at, { visibility: 'public' })
    expect(await found(guest)).toEqual(['one'])
    await renameRepo(world.ctx(hal), at, 'two')
    expect(await found(guest)).toEqual(['two'])
    await deleteRepo(world.ctx(hal), { ...at, name: 'two' })
    expect([await found(hal), await found(guest)]).toEqual([[], []])
    await restoreRepo(world.ctx(hal), { ...at, name: 'two' })
    expect(await found(guest)).toEqual(['two'])
  })

  test('another server of the same database shows what this one changes', async () => {
    const ivy = await givenUser(world, 'ivy')
    const other = new Catalogue(world.db)
    const keys = async () =>
      (await other.entries()).filter(({ key }) => key.startsWith('ivy/')).map(({ key }) => key)
    expect(await keys()).toEqual([])
    const made = await Promise.all(
      Array.from({ length: 5 }, (_, i) =>
        givenRepo(world, ivy, { name: `r${i}` }).then(async (repo) => {
          await keys()
          return repo
        }),
      ),
    )
    expect((await keys()).toSorted()).toEqual(['ivy/r0', 'ivy/r1', 'ivy/r2', 'ivy/r3', 'ivy/r4'])
    for (const { name } of made) await deleteRepo(world.ctx(ivy), { type: 'model', ns: 'ivy', name })
    expect(await keys()).toEqual([])
    expect([...other.tags.numbersOf(() => true)]).toHaveLength(
      new Set((await other.entries()).flatMap(({ tags }) => [...tags])).size,
    )
  })
})
