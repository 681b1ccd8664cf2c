import { fresh, givenRepo, type Person } from './fixtures.ts'

interface Made {
  ns: string
  slug: string
}

/** A collection of these repos, in this order; its page and its address on the native API. */
export async function givenCollection(
  owner: Person,
  repos: { type: 'model' | 'dataset'; ns: string; name: string; note?: string }[] = [],
  more: Record<string, unknown> = {},
) {
  const title = fresh('Collected')
  const wanted = { ns: owner.username, title, visibility: 'public', ...more }
  const { ns, slug } = await owner.native<Made>('POST', '/collections', wanted)
  const api = `/collections/${ns}/${slug}`
  for (const { note, ...item } of repos)
    await owner.native('POST', `${api}/items`, { item, ...(note ? { note } : {}) })
  return { title, api, page: api }
}

/** Collections as their pages show them, by name of the picture. */
export async function givenCollections(owner: Person, guest: Person): Promise<Record<string, string>> {
  const model = { type: 'model', ...(await givenRepo(owner, { files: { 'a.txt': 'a\n' } })) } as const
  const dataset = { type: 'dataset', ...(await givenRepo(owner, { type: 'dataset' })) } as const
  const hidden = { type: 'model', ...(await givenRepo(owner, { visibility: 'private' })) } as const
  const ref = ({ type, ns, name }: typeof model | typeof dataset) => ({ type, ns, name })
  const shown = await givenCollection(
    owner,
    [{ ...ref(model), note: 'Small, and good enough\nfor most.' }, ref(dataset), ref(hidden)],
    { title: 'Models that fit on one device', description: 'Tried on a laptop.', theme: 'purple' },
  )
  const bare = await givenCollection(owner, [], { title: 'To be filled', visibility: 'private' })
  const theirs = await givenCollection(guest, [ref(model)], { theme: 'green' })
  const inner = { type: 'collection', ns: guest.username, slug: theirs.page.split('/').at(-1) }
  await owner.native('POST', `${shown.api}/items`, { item: inner, note: 'Another view.' })
  for (const person of [owner, guest]) await person.native('POST', `${theirs.api}/upvote`)
  return {
    collections: '/collections',
    'collections-none': '/collections?q=nothing-is-called-this',
    'collections-item': `/collections?item=models/${model.ns}/${model.name}`,
    'collection-new': `/collections/new?item=models/${model.ns}/${model.name}`,
    collection: shown.page,
    'collection-bare': bare.page,
    'collection-theirs': theirs.page,
    'collection-absent': '/collections/nobody/none-0123456789abcdef01234567',
  }
}
