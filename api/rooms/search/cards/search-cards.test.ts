import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { anonymous, type Actor, type UserActor } from '../../../core/access/index.ts'
import { requestReindex } from '../../indexing/index.ts'
import { indexRepo } from '../../indexing/index-job.ts'
import { add, givenCommit } from '../../content/testing.ts'
import { restoreRepo } from '../../repos/lifecycle/restore.ts'
import { deleteRepo, repoPurge, type Repo } from '../../repos/index.ts'
import { runJobs } from '../../../core/jobs/testing.ts'
import { appOf, eachDatabase, givenRepo, givenToken, givenUser, setFacts } from '../../../testing.ts'
import { mountSearch } from '../handlers.ts'
import { searchCards, type CardSearch } from './search-cards.ts'

interface Answer {
  cards?: { items: unknown[]; next_cursor: string }
}

eachDatabase('search in cards', (world) => {
  let made = 0
  const givenPerson = () => givenUser(world, `person${++made}`)
  async function givenCard(
    owner: UserActor,
    card: string,
    of: Partial<Parameters<typeof givenRepo>[2]> = {},
  ) {
    const repo = await givenRepo(world, owner, { visibility: 'public', ...of })
    await writeCard(owner, repo, card)
    return repo
  }
  const writeCard = (owner: UserActor, repo: Repo, card: string) =>
    givenCommit(world, owner, repo, [add('README.md', card)])
  const find = (q: string, actor: Actor, more: Partial<CardSearch> = {}) =>
    searchCards(world.ctx(actor), { q, limit: 50, ...more })
  const names = async (q: string, actor: Actor, more: Partial<CardSearch> = {}) =>
    (await find(q, actor, more)).items.map(({ name }) => name)

  test('follows the README of the default branch', async () => {
    const ada = await givenPerson()
    const repo = await givenCard(ada, '---\nlicense: mit\n---\n# A quokka\nIt hops.', { name: 'hopper' })
    expect(await names('quokka', ada)).toEqual(['hopper'])
    expect(await names('mit', ada)).toEqual([])
    await writeCard(ada, repo, 'A wombat now.')
    expect(await names('quokka', ada)).toEqual([])
    expect(await names('wombat', ada)).toEqual(['hopper'])
    await givenCommit(world, ada, repo, [{ op: 'delete', path: 'README.md' }])
    expect(await names('wombat', ada)).toEqual([])
  })

  test('finds every word, phrases, and the beginning of the last word', async () => {
    const ada = await givenPerson()
    await givenCard(ada, 'Zebrafish swim in the blue-green river.', { name: 'fish' })
    const found: Record<string, number> = {}
    for (const q of [
      'ZEBRAFISH',
      'river zebrafish',
      'zebra',
      'zebra river',
      '"zebra"',
      '"swim in the"',
      '"in swim"',
      '"swim in th',
      'blue-green',
      'green-blue',
      'zebrafish absent',
    ])
      found[q] = (await names(q, ada)).length
    expect(found).toEqual({
      ZEBRAFISH: 1,
      'river zebrafish': 1,
      zebra: 1,
      'zebra river': 0,
      '"zebra"': 0,
      '"swim in the"': 1,
      '"in swim"': 0,
      '"swim in th': 1,
      'blue-green': 1,
      'green-blue': 0,
      'zebrafish absent': 0,
    })
  })

  test.each([
    ['模型', 1],
    ['型模', 0],
    ['很好', 1],
    ['ÜBERFLUSS', 0],
    ['Überfluß', 1],
    ['かな', 1],
    ['हिन्दी', 1],
    ['🚀', 0],
    ['rocket🚀', 1],
    ['qwen2.5', 1],
    ['qwen2', 1],
    ['7e5', 1],
    ['001', 1],
    ['v1.10', 1],
  ])('finds the words of any script and numbers as they are written: %s', async (q, count) => {
    const ada = await givenPerson()
    await givenCard(ada, '这个模型很好。 Überfluß, ひらがなかな हिन्दी 🚀rocket qwen2.5-7e5 001 v1.10')
    expect(await find(q, ada)).toMatchObject({ items: { length: expect.any(Number) } })
    expect((await names(q, ada)).length > 0).toBe(count === 1)
  })

  test.each([
    '"',
    '""',
    '*',
    'a*',
    'NEAR(',
    'NEAR(a b, 2)',
    "'; drop table repos; --",
    'a AND',
    'NOT a',
    'OR',
    'words:a',
    '^a',
    '(',
    '\\',
    "\\'",
    "a:*'",
    '<->',
    '!a & | b',
    '-',
    'ﷺ',
    '\u0301',
    '\ud800',
    '¼ ½',
    '中'.repeat(200),
    'a '.repeat(100),
    '"'.repeat(200),
  ])('takes anything for words: %j', async (q) => {
    const ada = await givenPerson()
    await expect(find(q, ada)).resolves.toHaveProperty('items')
  })

  test('shows where the words stand, as text', async () => {
    const ada = await givenPerson()
    const before = 'lorem '.repeat(50)
    await givenCard(ada, `${before}<b>the</b> *axolotl* & axolotls [here](https://x.example) ${before}`)
    const [card] = (await find('the axolotl', ada)).items
    const text = card?.excerpt.map((piece) => piece.text).join('') ?? ''
    expect(text).toMatch(/^…lorem .* the axolotl & axolotls here lorem .*…$/)
    expect(text.length).toBeLessThanOrEqual(165)
    expect(card?.excerpt.flatMap((piece) => (piece.marked ? [piece.text] : []))).toEqual([
      'the',
      'axolotl',
      'axolotls',
    ])
    expect(card).toMatchObject({ type: 'model', likes: 0, task: null, updatedAt: expect.any(Date) })
  })

  test('shows what the caller may read alone', async () => {
    const [ada, eve] = [await givenPerson(), await givenPerson()]
    const hidden = await givenCard(ada, 'pangolin', { name: 'hidden', visibility: 'private' })
    const open = await givenCard(ada, 'pangolin', { name: 'open' })
    const gated = await givenCard(ada, 'pangolin', { name: 'gated' })
    await setFacts(world.db, gated.id, { repo: { gated: 'manual' } })
    const sorted = async (actor: Actor) => (await names('pangolin', actor)).toSorted()
    expect(await sorted(ada)).toEqual(['gated', 'hidden', 'open'])
    expect(await sorted(eve)).toEqual(['gated', 'open'])
    await setFacts(world.db, open.id, { repo: { disabled_at: new Date() } })
    expect(await sorted(eve)).toEqual(['gated'])
    await setFacts(world.db, hidden.id, { repo: { visibility: 'public' } })
    expect(await sorted(eve)).toEqual(['gated', 'hidden'])
    const { actor } = await givenToken(world, eve, { fence: { namespaces: [eve.username] } })
    expect(await sorted(actor)).toEqual([])
    await expect(names('pangolin', anonymous)).rejects.toMatchObject({ code: 'unauthenticated' })
  })

  test('goes and comes back with its repo', async () => {
    const ada = await givenPerson()
    const repo = await givenCard(ada, 'numbat', { name: 'numbat' })
    const rows = () => world.db.q.$count(world.db.t.card_texts, eq(world.db.t.card_texts.repo_id, repo.id))
    await deleteRepo(world.ctx(ada), repo)
    expect(await names('numbat', ada)).toEqual([])
    await restoreRepo(world.ctx(ada), repo)
    expect(await names('numbat', ada)).toEqual(['numbat'])
    await deleteRepo(world.ctx(ada), repo)
    world.clock.now = new Date(world.clock.now.getTime() + 8 * 24 * 3_600_000)
    await runJobs(world.deps, [repoPurge])
    expect(await rows()).toBe(0)
    // The index must not have kept its words for the row that comes next.
    await givenCard(ada, 'potoroo', { name: 'next' })
    expect(await names('numbat', ada)).toEqual([])
  })

  test('orders by how well cards fit, then by likes, in pages', async () => {
    const ada = await givenPerson()
    const rest = 'and something else '.repeat(20)
    await givenCard(ada, `echidna ${rest}`, { name: 'little' })
    await givenCard(ada, 'echidna echidna', { name: 'much' })
    const liked = await givenCard(ada, 'echidna echidna', { name: 'liked', type: 'dataset' })
    await setFacts(world.db, liked.id, { repo: { likes: 3 } })
    expect(await names('echidna', ada)).toEqual(['liked', 'much', 'little'])
    expect(await names('echidna', ada, { type: 'model' })).toEqual(['much', 'little'])
    const first = await find('echidna', ada, { limit: 2 })
    expect(first).toMatchObject({ items: [{ name: 'liked' }, { name: 'much' }], next: 2 })
    const second = await find('echidna', ada, { limit: 2, after: first.next })
    expect(second).toEqual({ items: [expect.objectContaining({ name: 'little' })] })
  })

  test('orders as if what is hidden were not there', async () => {
    const [ada, eve] = [await givenPerson(), await givenPerson()]
    // Each has one word more often. What counts all cards would put the one with the rarer word first.
    const liked = await givenCard(ada, `${'kowari '.repeat(5)} ${'mulgara '.repeat(4)}`, { name: 'kowari' })
    await givenCard(ada, `${'mulgara '.repeat(5)} ${'kowari '.repeat(4)}`, { name: 'mulgara' })
    await setFacts(world.db, liked.id, { repo: { likes: 1 } })
    const before = await names('kowari mulgara', eve)
    expect(before).toEqual(['kowari', 'mulgara'])
    for (let n = 0; n < 3; n++) await givenCard(ada, 'kowari', { visibility: 'private', name: `hidden-${n}` })
    expect(await names('kowari mulgara', eve)).toEqual(before)
  })

  test('is made again by a reindex, and read once where no server has recorded it', async () => {
    const ada = await givenPerson()
    const repo = await givenCard(ada, 'bilby', { name: 'bilby' })
    const index = () => indexRepo(world.ctx(), repo.id, { write: (change) => world.db.write(change) })
    await world.db.write(({ q, t }) => q.delete(t.card_texts))
    await index()
    expect(await names('bilby', ada)).toEqual(['bilby'])
    await world.db.write(({ q, t }) => q.update(t.card_texts).set({ words: 'other' }))
    await requestReindex(world.deps, repo.id)
    await index()
    expect(await names('bilby', ada)).toEqual(['bilby'])
  })

  test('answers over HTTP only when cards are asked for', async () => {
    const ada = await givenPerson()
    for (const name of ['one', 'two']) await givenCard(ada, 'dunnart', { name })
    const { secret } = await givenToken(world, ada)
    const app = appOf(world, { native: [mountSearch] })
    const ask = async (query: string) => {
      const headers = { Authorization: `Bearer ${secret}` }
      const response = await app.request(`/api/service/v1/search?${query}`, { headers })
      return { status: response.status, body: (await response.json()) as Answer }
    }
    expect((await ask('q=dunnart')).body).toEqual({ repos: [], namespaces: [], collections: [] })
    const first = await ask('q=dunnart&types=cards&limit=1&type=models')
    expect(first.body).toMatchObject({
      repos: [],
      cards: {
        items: [{ type: 'model', ns: ada.username, excerpt: [{ text: 'dunnart', marked: true }] }],
        next_cursor: expect.stringMatching(/./),
      },
    })
    const rest = `types=cards&limit=1&cursor=${encodeURIComponent(first.body.cards?.next_cursor ?? '')}`
    expect((await ask(`q=dunnart&type=models&${rest}`)).body).toMatchObject({
      cards: { items: [{ name: expect.stringMatching(/one|two/) }], next_cursor: '' },
    })
    expect(await ask(`q=quoll&type=models&${rest}`)).toMatchObject({ body: { code: 'invalid-cursor' } })
    expect(await ask('q=dunnart&types=cards&type=spaces')).toMatchObject({ status: 422 })
  })
})
