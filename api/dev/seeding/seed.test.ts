import { expect, test } from 'vitest'
import { download, fileUrl } from '../../../shared/transfer.ts'
import { eachDatabase } from '../../testing.ts'
import { applySeed, type Seeders } from './apply.ts'
import { seedRepos } from './content.ts'
import { openSeeders, seedPeople } from './people.ts'

const gated = { type: 'models', ns: 'acme', name: 'gated-llm' } as const

/** Every repo with its head, as alice and bob see them together. */
async function heads({ alice, bob }: Required<Seeders>) {
  const lists = await Promise.all([alice, bob].map(({ client }) => client.listRepos()))
  const all = lists.flatMap(({ items }) => items.map((repo) => [repo.full_name, repo.head_commit] as const))
  return new Map(all.sort())
}

eachDatabase('seeding', (world) => {
  test('a second run adds nothing and keeps the passwords', async () => {
    const passwords = await seedPeople(world.deps)
    const people = await openSeeders(world.deps, passwords)
    await applySeed(people, () => {})
    const first = await heads(people)
    expect(first.size).toBe(seedRepos.length)
    await applySeed(people, () => {})
    expect(await heads(people)).toEqual(first)
    expect(await seedPeople(world.deps)).toEqual(passwords)
  })

  test('large files are LFS objects and come back whole', async () => {
    const { alice } = await openSeeders(world.deps, await seedPeople(world.deps))
    const repo = { type: 'datasets', ns: 'alice', name: 'measurements' } as const
    const path = 'data/train-00000-of-00001.parquet'
    const { file } = await alice.client.getTreePath({ params: { ...repo, rev: 'main', path } })
    const url = `http://localhost:8080${fileUrl(repo, 'main', path)}`
    const bytes = new Uint8Array(await (await download(url, { fetch: alice.fetch })).arrayBuffer())
    expect(file?.lfs?.size).toBe(bytes.length)
    expect(new TextDecoder().decode(bytes.subarray(-4))).toBe('PAR1')
  })

  test('bob waits for access to the gated repo', async () => {
    const { alice, bob } = await openSeeders(world.deps, await seedPeople(world.deps))
    const { items } = await alice.client.listAccessRequests({ params: gated, query: { status: 'pending' } })
    expect(items.map(({ user }) => user)).toEqual(['bob'])
    expect((await bob.client.getRepo({ params: gated })).access).toBe('pending')
  })
})
