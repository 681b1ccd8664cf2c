import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Finding } from '../../core/check.ts'
import { Git } from '../../core/git/index.ts'
import { blobKeys } from '../../stores/storage/index.ts'
import { eachDatabase, givenRepo, givenUser, setFacts } from '../../testing.ts'
import { givenObject } from '../uploads/testing.ts'
import { headCheck } from './checks.ts'
import { add, givenCommit } from './testing.ts'

eachDatabase('content check', (world) => {
  let made = 0
  async function given() {
    const owner = await givenUser(world, `user${++made}`)
    const repo = await givenRepo(world, owner)
    const object = await givenObject(world, owner, repo)
    await givenCommit(world, owner, repo, [
      add('README.md', '---\nlicense: mit\n---\n'),
      { op: 'add-lfs', path: 'm.bin', sha256: object.sha256 },
    ])
    const check = async (repair = false, deps = world.deps): Promise<Finding[]> => {
      const found: Finding[] = []
      for await (const finding of headCheck.run(deps, { deep: false, repair, repoId: repo.id }))
        found.push(finding)
      return found
    }
    const row = async () => {
      const { repo_heads } = world.db.t
      return (await world.db.q.select().from(repo_heads).where(eq(repo_heads.repo_id, repo.id)))[0]
    }
    return { owner, repo, object, check, row }
  }

  test('finds nothing where the row says what the head holds', async () => {
    const { owner, repo, check } = await given()
    expect(await check()).toEqual([])
    await givenCommit(world, owner, repo, [add('a/b'), { op: 'delete', path: 'm.bin' }])
    expect(await check()).toEqual([])
  })

  test('a row that says otherwise is found, and repaired with its card', async () => {
    const { repo, check, row } = await given()
    const { bytes, files } = (await row()) ?? {}
    await setFacts(world.db, repo.id, { head: { bytes: 1, files: 9, licence: null } })
    expect(await check()).toMatchObject([{ check: 'content.head', severity: 'error', repo_id: repo.id }])
    expect(await row()).toMatchObject({ bytes: 1 })
    expect(await check(true)).toMatchObject([{ repaired: true }])
    expect(await row()).toMatchObject({ bytes, files, licence: 'mit' })
    expect(await check()).toEqual([])
  })

  test('searches that find another card are found, and repaired', async () => {
    const { repo, check } = await given()
    const { card_texts: c } = world.db.t
    const text = () => world.db.q.select().from(c).where(eq(c.repo_id, repo.id))
    const before = await text()
    await world.db.write(({ q }) =>
      q.update(c).set({ readme: null, words: '' }).where(eq(c.repo_id, repo.id)),
    )
    expect(await check(true)).toMatchObject([{ check: 'content.head', repaired: true }])
    expect(await text()).toEqual(before)
    // One that no server has read yet is left to its job.
    await world.db.write(({ q }) => q.delete(c).where(eq(c.repo_id, repo.id)))
    expect(await check()).toEqual([])
  })

  test('a head that cannot be read is damage', async () => {
    const { repo, check } = await given()
    for (const { id } of (await world.deps.git.openFresh(repo.id)).packs)
      await world.blobs.delete(blobKeys.pack(repo.id, id))
    // With nothing in its cache.
    const cache_dir = `${world.dir}/empty-${repo.id}`
    const git = new Git({ ...world.deps.git.deps, config: { git: { ...world.deps.config.git, cache_dir } } })
    expect(await check(false, { ...world.deps, git })).toMatchObject([
      { check: 'content.head', severity: 'error' },
    ])
    await git.close()
  })
})
