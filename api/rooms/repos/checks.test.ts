import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Finding } from '../../core/check.ts'
import { newId } from '../../stores/db/index.ts'
import { eachDatabase, givenRepo, givenUser } from '../../testing.ts'
import { redirectKey } from './address.ts'
import { repoCheck } from './checks.ts'
import { deleteRepo } from './lifecycle/delete.ts'
import { likeRepo } from './people/like.ts'
import { renameRepo } from './lifecycle/move.ts'
import { addRedirect, findById, setRepo } from './queries.ts'

eachDatabase('repos check', (world) => {
  let made = 0
  async function given() {
    const owner = await givenUser(world, `user${++made}`)
    const repo = await givenRepo(world, owner, { name: 'r' })
    const check = async (repair = false): Promise<Partial<Finding>[]> => {
      const found: Finding[] = []
      for await (const finding of repoCheck.run(world.deps, { deep: false, repair, repoId: repo.id }))
        found.push(finding)
      return found.map(({ check: name, repaired }) =>
        repaired ? { check: name, repaired } : { check: name },
      )
    }
    return { owner, repo, check }
  }

  test('finds nothing in sound repos, renamed, liked or deleted', async () => {
    const { owner, repo, check } = await given()
    const ctx = world.ctx(owner)
    await likeRepo(ctx, repo, true)
    await renameRepo(ctx, repo, 'S')
    await renameRepo(ctx, { ...repo, name: 'S' }, 'r')
    expect(await check()).toEqual([])
    await deleteRepo(ctx, { ...repo, name: 'r' })
    expect(await check()).toEqual([])
  })

  test('a repo without a namespace', async () => {
    const { repo, check } = await given()
    await world.db.write((tx) => setRepo(tx, repo.id, { namespace_id: newId(), address_key: null }))
    expect(await check()).toEqual([{ check: 'repos.namespace' }, { check: 'repos.name' }])
  })

  test.each([{ name_key: 'R' }, { address_key: null }, { full_key: 'x/r' }, { name: 'other' }])(
    'a name that is not held: %j',
    async (change) => {
      const { repo, check } = await given()
      await world.db.write((tx) => setRepo(tx, repo.id, change))
      expect(await check()).toEqual([{ check: 'repos.name' }])
    },
  )

  test('an address both held and redirected; repair ends the redirect', async () => {
    const { owner, repo, check } = await given()
    const other = await givenRepo(world, owner)
    await world.db.write((tx) => addRedirect(tx, repo, other.id, world.clock.now))
    expect(await check(true)).toEqual([{ check: 'repos.redirect', repaired: true }])
    const { repo_redirects: r } = world.db.t
    expect(await world.db.q.$count(r, eq(r.address, redirectKey(repo)))).toBe(0)
    expect(await check()).toEqual([])
  })

  test('likes counted wrong; repair counts again', async () => {
    const { owner, repo, check } = await given()
    await likeRepo(world.ctx(owner), repo, true)
    await world.db.write((tx) => setRepo(tx, repo.id, { likes: 7 }))
    expect(await check()).toEqual([{ check: 'repos.likes' }])
    expect(await check(true)).toEqual([{ check: 'repos.likes', repaired: true }])
    expect(await findById(world.db, repo.id, '')).toMatchObject({ likes: 1 })
    expect(await check()).toEqual([])
  })
})
