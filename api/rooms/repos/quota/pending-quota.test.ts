import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { UserActor } from '../../../core/access/index.ts'
import { fileOf, freshXorb, Sender, wholeFile, work } from '../../chunk/testing/sender.ts'
import { givenCommit } from '../../content/testing.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { codeOf, givenContent, hours, pass, type Content } from '../../../core/lfs/testing.ts'
import { getNamespace } from '../../namespaces/get-namespace.ts'
import { setQuota } from '../../namespaces/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { fromChunks } from '../../../stores/storage/index.ts'
import { eachDatabase, givenRepo, givenUser, testConfig } from '../../../testing.ts'
import { batch } from '../../uploads/batch/batch.ts'
import { planUploads } from '../../uploads/plan.ts'
import { storeObject } from '../../uploads/receive/store-object.ts'
import { requireQuota } from '../index.ts'
import type { Repo } from '../queries.ts'

const KB = 1000
let made = 0

eachDatabase('bytes that wait for a commit', (world) => {
  let root: UserActor
  let owner: UserActor
  let repo: Repo

  beforeAll(async () => {
    root = await givenUser(world, 'root', { isAdmin: true })
  })
  /** Somebody with room for 20 KB more. */
  beforeEach(async () => {
    owner = await givenUser(world, `owner-${++made}`)
    repo = await givenRepo(world, owner, { name: 'narrow', visibility: 'public' })
    const { storage } = await getNamespace(world.ctx(owner), owner.username)
    await setQuota(world.ctx(root), owner.username, (storage?.usedBytes ?? 0) + 20 * KB)
  })

  const plan = (files: Content[], ctx: Ctx = world.ctx(owner), to = repo) =>
    planUploads(
      ctx,
      to,
      files.map((file) => ({ ...file, path: `${file.sha256}.bin`, isLfs: true })),
    )
  const ask = (files: Content[], who = owner) =>
    batch(
      world.ctx(who),
      { type: 'model', ns: repo.ns, name: repo.name },
      {
        operation: 'upload',
        objects: files.map(({ sha256, sizeBytes }) => ({ oid: sha256, size: sizeBytes })),
      },
    )
  const put = (file: Content, who = owner) =>
    storeObject(world.ctx(), { repoId: repo.id, userId: who.id }, file, fromChunks(file.bytes))
  const some = (kilobytes: number) => givenContent(kilobytes * KB)
  const pending = async () => (await getNamespace(world.ctx(owner), owner.username)).storage?.pendingBytes

  test('count from their plan on, once, until they are committed', async () => {
    const file = some(15)
    await plan([file])
    expect(await pending()).toBe(15 * KB)
    expect(await codeOf(plan([some(6)]))).toBe('quota-exceeded')
    await plan([file])
    await ask([file])
    await put(file)
    await put(file)
    expect(await pending()).toBe(15 * KB)
    expect(await codeOf(ask([some(6)]))).toBe('quota-exceeded')
    const { sha256, sizeBytes } = file
    await givenCommit(world, owner, repo, [{ op: 'add-lfs', path: 'w.bin', sha256, sizeBytes }])
    expect(await pending()).toBe(0)
    await put(file)
    expect(await pending()).toBe(0)
    const { lfs_grants: g } = world.db.t
    expect(await world.db.q.$count(g, eq(g.repo_id, repo.id)), 'a link takes the place of a grant').toBe(0)
    await plan([some(3)])
  })

  test('are refused with what is held, pending and allowed, and when they expire', async () => {
    await ask([some(15)])
    await expect(ask([some(6)])).rejects.toMatchObject({
      code: 'quota-exceeded',
      status: 413,
      detail: expect.stringMatching(
        /^owner-\d+ holds \d+ bytes and would have 21000 pending, of at most \d+\. Commit .*expire, the first at 2026-\d\d-\d\dT/,
      ),
    })
    pass(world, hours(24 * 8))
    expect(await pending()).toBe(0)
    await ask([some(15)])
  })

  test('cannot pass the quota by racing, whether they were announced or not', async () => {
    const taken = (outcomes: unknown[]) => outcomes.filter((code) => code === 'ok').length
    const files = Array.from({ length: 4 }, () => some(15))
    expect(taken(await Promise.all(files.map((file) => codeOf(plan([file])))))).toBe(1)
    pass(world, hours(24 * 8))
    expect(taken(await Promise.all(files.map((file) => codeOf(put(file)))))).toBe(1)
    expect(await pending()).toBe(15 * KB)
  })

  test('of outsiders leave members their room, and grow by bytes of a private repo as by others', async () => {
    const hidden = await givenRepo(world, owner, { name: 'hidden', visibility: 'private' })
    const secret = some(8)
    await storeObject(world.ctx(), { repoId: hidden.id, userId: owner.id }, secret, fromChunks(secret.bytes))
    const { sha256, sizeBytes } = secret
    await givenCommit(world, owner, hidden, [{ op: 'add-lfs', path: 's.bin', sha256, sizeBytes }])
    const room = async (sent: Content) => {
      const reader = await givenUser(world, `reader-${++made}`)
      await ask([sent], reader)
      await put(sent, reader)
      let left = 0
      while ((await codeOf(ask([some(1)], reader))) === 'ok') left++
      pass(world, hours(24 * 8))
      return left
    }
    expect(await room(secret)).toBe(await room(some(8)))
    const reader = await givenUser(world, `reader-${++made}`)
    await ask([some(6)], reader)
    await expect(ask([some(6)], reader)).rejects.toMatchObject({
      detail: expect.stringMatching(
        /^owner-\d+ has no room for these bytes\. You would have 12000 pending\. Commit/,
      ),
    })
    await ask([some(7)])
  })

  test('are chunk containers, too, until a manifest names them', async () => {
    const sender = new Sender(world, owner, repo)
    const xorb = freshXorb([15 * KB])
    await sender.put(xorb)
    expect(await pending()).toBeGreaterThan(15 * KB)
    expect(await codeOf(sender.put(freshXorb([6 * KB])))).toBe('quota-exceeded')
    await sender.put(xorb)
    await sender.describe([wholeFile(xorb)])
    expect(await pending()).toBe(15 * KB)
    await work(world)
    expect(await pending()).toBe(15 * KB)
  })

  test('are files that a small container makes large', async () => {
    const sender = new Sender(world, owner, repo)
    const xorb = freshXorb([6 * KB])
    await sender.put(xorb)
    const twice = { xorb, start: 0, end: 1 }
    const first = fileOf([twice, twice])
    const second = fileOf([twice, twice, twice])
    await sender.describe([first])
    expect(await codeOf(sender.describe([second]))).toBe('quota-exceeded')
    await work(world)
    expect(await pending()).toBe(12 * KB)
  })

  test('as containers are kept up to four times the quota, named or not; what comes whole is still taken', async () => {
    const sender = new Sender(world, owner, repo)
    const { quotaBytes } = (await getNamespace(world.ctx(owner), owner.username)).storage ?? {}
    let takenBytes = 0
    let refusal: unknown
    for (let n = 0; n < 20 && !refusal; n++) {
      const xorb = freshXorb([100, 9 * KB])
      refusal = await sender.put(xorb).catch((error: unknown) => error)
      if (!(refusal instanceof Problem)) {
        refusal = undefined
        takenBytes += xorb.body.length
        await sender.describe([fileOf([{ xorb, start: 0, end: 1 }])])
      }
    }
    expect(refusal).toMatchObject({
      code: 'quota-exceeded',
      detail: expect.stringContaining('HF_HUB_DISABLE_XET=1'),
    })
    const limit = 4 * (quotaBytes ?? 0)
    expect(takenBytes).toBeLessThanOrEqual(limit)
    expect(takenBytes).toBeGreaterThan(limit - 10 * KB)
    await plan([some(5)])
  })

  test('of one user are limited where there is no quota, too', async () => {
    const ada = await givenUser(world, `ada-${++made}`)
    const free = await givenRepo(world, ada)
    const tebibytes = (n: number) => ({ ...givenContent(10), sizeBytes: n * 2 ** 40 })
    await plan([tebibytes(5)], world.ctx(ada), free)
    await expect(plan([some(1)], world.ctx(ada), free)).rejects.toMatchObject({
      code: 'quota-exceeded',
      detail: expect.stringContaining(
        'You would have 5497558139880 bytes pending, of at most 5497558138880.',
      ),
    })
    const config = testConfig(world.dir, { chunk: { max_file_size: 2 ** 41 } })
    await plan([some(1)], { ...world.ctx(ada), config }, free)
  })

  test('do not keep a commit from what is stored', async () => {
    await plan([some(15)])
    const room = (bytes: number) => codeOf(requireQuota(world.ctx(owner), repo.id, { bytes }))
    expect([await room(10 * KB), await room(21 * KB)]).toEqual(['ok', 'quota-exceeded'])
  })
})
