import { and, eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import type { UserActor } from '../../../core/access/index.ts'
import { imageCheck } from '../../../core/images/index.ts'
import { gcJob } from '../../../core/lfs/index.ts'
import { codeOf, storedKeys } from '../../../core/lfs/testing.ts'
import { enqueue } from '../../../core/jobs/index.ts'
import { runJobs } from '../../../core/jobs/testing.ts'
import { blobKeys, fromChunks } from '../../../stores/storage/index.ts'
import { eachDatabase, givenOrg, givenToken, givenUser } from '../../../testing.ts'
import { limits } from '../../../../shared/vocabulary.ts'
import { getNamespace } from '../get-namespace.ts'
import { setQuota } from '../quota.ts'
import { usedAtMost } from '../storage.ts'
import { removeAvatar, setAvatar } from './change.ts'
import { openAvatar, openPicture } from './open.ts'
import { findAvatarOf } from './queries.ts'
import { avatarRows } from './rows.ts'

const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(500, 7)])
let made = 0

eachDatabase('uploaded avatars', (world) => {
  let ada: UserActor
  beforeEach(async () => {
    ada = await givenUser(world, `ada-${++made}`)
  })

  const upload = (actor: UserActor, ns = actor.username, bytes: Buffer = png, declared?: number) =>
    setAvatar(world.ctx(actor), ns, fromChunks(bytes.subarray(0, 5), bytes.subarray(5)), declared)
  const shown = async (ns: string) => {
    const avatar = await openAvatar(world.ctx(ada), ns)
    return 'path' in avatar ? avatar.path.slice('/avatars/'.length) : 'initials'
  }
  const keys = () => storedKeys(world, 'avatars/')

  test('take the place of the initials, each under an address of its own, and of one another', async () => {
    expect(await shown(ada.username)).toBe('initials')
    await upload(ada)
    const first = await shown(ada.username)
    expect(first).toMatch(/^[0-9a-f-]{36}\.png$/)
    expect(await openPicture(world.ctx(ada), first)).toMatchObject({ size: png.length, type: 'png' })
    await upload(ada, ada.username, Buffer.from('ffd8ffe000104a46494600010100', 'hex'))
    const second = await shown(ada.username)
    expect(second).toMatch(/\.jpg$/)
    expect(await codeOf(openPicture(world.ctx(ada), first))).toBe('not-found')
    await removeAvatar(world.ctx(ada), ada.username)
    expect(await shown(ada.username)).toBe('initials')
    expect(await codeOf(openPicture(world.ctx(ada), second))).toBe('not-found')
  })

  test('are set by the person themselves, and by the admins of an organisation', async () => {
    const bob = await givenUser(world, `bob-${made}`)
    const org = await givenOrg(world, `org-${made}`, ada, [[bob, 'write']])
    await upload(ada, org.name)
    expect(await codeOf(upload(bob, org.name))).toBe('forbidden')
    expect(await codeOf(removeAvatar(world.ctx(bob), org.name))).toBe('forbidden')
    expect(await codeOf(upload(bob, ada.username))).toBe('forbidden')
    const { actor } = await givenToken(world, ada, { scopes: ['read'] })
    expect(await codeOf(upload(actor))).toBe('insufficient-scope')
    const anonymous = { ...world.ctx(), actor: { kind: 'anonymous' } as const }
    expect(await codeOf(setAvatar(anonymous, ada.username, fromChunks(png), undefined))).toBe(
      'unauthenticated',
    )
  })

  test.each([
    ['a GIF', 'GIF89a and the rest'],
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['nothing', ''],
  ])('%s is refused, and leaves nothing', async (_, text) => {
    const before = await keys()
    expect(await codeOf(upload(ada, ada.username, Buffer.from(text)))).toBe('unsupported-media-type')
    expect(await keys()).toEqual(before)
  })

  test('1 MiB is taken and a byte more is not, whatever was declared', async () => {
    const most = Buffer.concat([png], limits.avatarBytes)
    await upload(ada, ada.username, most)
    const more = Buffer.concat([most, Buffer.from('x')])
    const before = await keys()
    for (const declared of [more.length, undefined, 12])
      expect(await codeOf(upload(ada, ada.username, more, declared))).toBe('body-too-large')
    expect(await keys()).toEqual(before)
  })

  test('count towards the quota, which keeps the earlier one where there is no room', async () => {
    const root = await givenUser(world, `root-${made}`, { isAdmin: true })
    await upload(ada)
    const first = await shown(ada.username)
    const { storage } = await getNamespace(world.ctx(ada), ada.username)
    expect(storage?.usedBytes).toBe(png.length)
    expect(await usedAtMost(world.db, ada.id)).toBe(png.length)
    await setQuota(world.ctx(root), ada.username, png.length)
    const larger = Buffer.concat([png, Buffer.from('x')])
    expect(await codeOf(upload(ada, ada.username, larger))).toBe('quota-exceeded')
    expect(await shown(ada.username)).toBe(first)
  })

  test('of several uploaded at once one stays, and gc leaves its bytes alone', async () => {
    const { audit } = world.db.t
    const written = (action: string) =>
      world.db.q.$count(audit, and(eq(audit.action, action), eq(audit.target_id, ada.id)))
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => codeOf(upload(ada))))
    expect(outcomes).toEqual(['ok', 'ok', 'ok', 'ok'])
    expect(await written('avatar.set')).toBe(4)
    const row = (await findAvatarOf(world.db, ada.id)) ?? expect.fail('no avatar')
    world.clock.now = new Date(world.clock.now.getTime() + world.deps.config.gc.grace_period + 3_600_000)
    const gc = gcJob([])
    await world.db.write((tx) => enqueue(tx, world.ctx(), gc, {}))
    await runJobs(world.deps, [gc])
    const { avatars: a } = world.db.t
    const named = (await world.db.q.select({ id: a.id }).from(a)).map(({ id }) => blobKeys.avatar(id))
    expect((await keys()).toSorted()).toEqual(named.toSorted())
    expect(named).toContain(blobKeys.avatar(row.id))
    await removeAvatar(world.ctx(ada), ada.username)
    await removeAvatar(world.ctx(ada), ada.username)
    expect(await written('avatar.remove')).toBe(1)
  })

  test('fsck names one whose bytes are gone', async () => {
    await upload(ada)
    const row = (await findAvatarOf(world.db, ada.id)) ?? expect.fail('no avatar')
    await world.deps.blobs.delete(blobKeys.avatar(row.id))
    const found: string[] = []
    for await (const { message } of imageCheck(avatarRows, 'its owner must upload it again').run(world.deps, {
      deep: false,
      repair: false,
    }))
      found.push(message)
    expect(found).toEqual([`the bytes of image ${row.id} are gone; its owner must upload it again`])
    await removeAvatar(world.ctx(ada), ada.username)
  })

  test('one that is damaged is not shown: the initials are', async () => {
    await upload(ada)
    const name = await shown(ada.username)
    const { avatars: a } = world.db.t
    await world.db.write(({ q }) =>
      q.update(a).set({ corrupt_at: world.clock.now }).where(eq(a.namespace_id, ada.id)),
    )
    expect(await shown(ada.username)).toBe('initials')
    expect(await codeOf(openPicture(world.ctx(ada), name))).toBe('store-unavailable')
  })
})
