import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { eachDatabase, givenUser } from '../../testing.ts'
import { givenLink, givenObject, givenRepo, givenUpload } from '../../rooms/uploads/testing.ts'
import { givenContent, hours, objectRow, pass } from './testing.ts'
import { checkPointers, linkPointers, unlinkRepo, type Pointer } from './index.ts'

eachDatabase('pointers of a commit', (world) => {
  let made = 0
  async function given() {
    const owner = await givenUser(world, `user${++made}`)
    return { owner, repo: await givenRepo(world, owner, 'a') }
  }
  const link = (repoId: string, pointers: Pointer[]) =>
    world.db.write((tx) => linkPointers(tx, repoId, pointers, world.clock.now))

  test('what the caller uploaded passes, with its very size', async () => {
    const { owner, repo } = await given()
    const content = await givenObject(world, owner, repo)
    const check = (pointer: Pointer) => checkPointers(world.db, world.ctx(owner), repo.id, [pointer])
    expect(await check(content)).toMatchObject({ missing: [], completing: [] })
    const wrong = { sha256: content.sha256, sizeBytes: content.sizeBytes + 1 }
    expect(await check(wrong)).toMatchObject({ missing: [wrong], completing: [] })
  })

  test('a known SHA-256 of somebody else is missing, exactly as an unknown one', async () => {
    const [mine, theirs] = [await given(), await given()]
    const secret = await givenObject(world, theirs.owner, theirs.repo)
    await givenLink(world, theirs.repo, secret)
    const absent = givenContent()
    const { missing } = await checkPointers(world.db, world.ctx(mine.owner), mine.repo.id, [secret, absent])
    expect(missing).toEqual([secret, absent])
  })

  test('every writer may use what is linked here, whichever user uploaded it', async () => {
    const { owner, repo } = await given()
    const content = await givenObject(world, owner, repo)
    await givenLink(world, repo, content)
    const colleague = await givenUser(world, 'colleague')
    expect((await checkPointers(world.db, world.ctx(colleague), repo.id, [content])).missing).toEqual([])
  })

  test('an upload under verification is worth waiting for, until its lease lapses', async () => {
    const { owner, repo } = await given()
    const content = givenContent()
    const lease_until = new Date(world.clock.now.getTime() + hours(1))
    await givenUpload(world, repo, owner, content, { status: 'joining', lease_until })
    const check = async () => {
      const { missing, completing } = await checkPointers(world.db, world.ctx(owner), repo.id, [content])
      return [missing.length, completing.length]
    }
    expect(await check()).toEqual([0, 1])
    pass(world, hours(2))
    expect(await check()).toEqual([1, 0])
  })

  test('linking uses the object: its mark goes, and a gone one is named', async () => {
    const { owner, repo } = await given()
    const content = await givenObject(world, owner, repo)
    await world.db.write(async ({ q, t: { lfs_objects: o } }) => {
      await q.update(o).set({ unreferenced_since: world.clock.now }).where(eq(o.sha256, content.sha256))
    })
    pass(world, hours(1))
    expect(await link(repo.id, [content])).toEqual([])
    expect(await objectRow(world, content.sha256)).toMatchObject({
      unreferenced_since: null,
      touched_at: world.clock.now,
    })
    const gone = givenContent()
    expect(await link(repo.id, [content, gone])).toEqual([gone])
  })

  test('a purged repo leaves neither links nor grants', async () => {
    const { owner, repo } = await given()
    const content = await givenObject(world, owner, repo)
    await givenLink(world, repo, content)
    await world.db.write((tx) => unlinkRepo(tx, repo.id))
    const { lfs_links: l, lfs_grants: g } = world.db.t
    expect(await world.db.q.$count(l, eq(l.repo_id, repo.id))).toBe(0)
    expect(await world.db.q.$count(g, and(eq(g.repo_id, repo.id)))).toBe(0)
  })
})
