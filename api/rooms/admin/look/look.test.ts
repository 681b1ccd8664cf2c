import { eq } from 'drizzle-orm'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { UserActor } from '../../../core/access/index.ts'
import { imageCheck } from '../../../core/images/index.ts'
import { codeOf } from '../../../core/lfs/testing.ts'
import { blobKeys, fromChunks } from '../../../stores/storage/index.ts'
import { appOf, eachDatabase, givenToken, givenUser } from '../../../testing.ts'
import { limits } from '../../../../shared/vocabulary.ts'
import { mountLogo, mountLook } from './handlers.ts'
import { removeLogo, setLogo } from './logo.ts'
import { getSetLook, openLook, plainWords, readLogo, type LookWords } from './look.ts'
import { logoRows } from './rows.ts'
import { updateLook } from './update-look.ts'

const png = Buffer.from('\x89PNG\r\n\x1a\n of one point', 'latin1')
const minute = 60_000

eachDatabase('the look of the server', (world) => {
  let root: UserActor
  let ada: UserActor
  let secret = ''
  beforeAll(async () => {
    root = await givenUser(world, 'root', { isAdmin: true })
    ada = await givenUser(world, 'ada')
    secret = (await givenToken(world, root, { scopes: ['admin'] })).secret
  })
  afterEach(async () => {
    await updateLook(world.ctx(root), plainWords)
    await removeLogo(world.ctx(root))
  })

  const words: LookWords = { name: 'Hub of Acme', welcome: '# Hello', announcement: null }
  const upload = (actor: UserActor, bytes: Buffer = png) =>
    setLogo(world.ctx(actor), fromChunks(bytes), bytes.length)
  const audited = async (action: string) => {
    const { audit } = world.db.t
    return world.db.q.select().from(audit).where(eq(audit.action, action))
  }
  const ask = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const app = appOf(world, { native: [mountLook], root: [mountLogo] })
    const answer = await app.request(path, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, text }
  }
  const put = (body: object) =>
    ask('PUT', '/api/service/v1/admin/look', body, { Authorization: `Bearer ${secret}` })

  test('is set by admins alone, as a whole, and audited', async () => {
    expect(await codeOf(updateLook(world.ctx(ada), words))).toBe('forbidden')
    expect(await codeOf(getSetLook(world.ctx(ada)))).toBe('forbidden')
    expect(await updateLook(world.ctx(root), words)).toEqual({ ...words, logo: null })
    expect(await openLook(world.ctx())).toEqual({ ...words, logo: null })
    await updateLook(world.ctx(root), { ...plainWords, name: 'Other' })
    expect(await openLook(world.ctx())).toEqual({ ...plainWords, name: 'Other', logo: null })
    expect(await audited('look.update')).toContainEqual(
      expect.objectContaining({
        before: expect.objectContaining({ name: 'Hub of Acme', welcome: '# Hello' }) as unknown,
        after: expect.objectContaining({ name: 'Other', welcome: null }) as unknown,
      }),
    )
  })

  test('keeps the last of changes that come at the same time, whole', async () => {
    const names = ['One', 'Two', 'Three', 'Four']
    await Promise.all(names.map((name) => updateLook(world.ctx(root), { ...words, name, welcome: name })))
    const { name, welcome } = await openLook(world.ctx())
    expect(names).toContain(name)
    expect(welcome).toBe(name)
  })

  test('hides an announcement from its end on, and keeps it for admins', async () => {
    const endsAt = new Date(world.clock.now.getTime() + minute)
    const announcement = { text: 'Down on Sunday', kind: 'warning', endsAt } as const
    await updateLook(world.ctx(root), { ...plainWords, announcement })
    expect((await openLook(world.ctx())).announcement).toEqual(announcement)
    world.clock.now = endsAt
    expect((await openLook(world.ctx())).announcement).toBeNull()
    expect((await getSetLook(world.ctx(root))).announcement).toEqual(announcement)
    await updateLook(world.ctx(root), { ...plainWords, announcement: { ...announcement, endsAt: null } })
    world.clock.now = new Date(endsAt.getTime() + 1000 * minute)
    expect((await openLook(world.ctx())).announcement).toMatchObject({ text: 'Down on Sunday' })
  })

  describe('over HTTP', () => {
    const plain = {}
    const announced = (of: object) => ({
      ...plain,
      announcement: { text: 'Down', kind: 'info', ...of },
    })

    test.each([
      ['a name of two lines', { ...plain, name: 'a\nb' }],
      ['a long name', { ...plain, name: 'n'.repeat(limits.instanceNameLength + 1) }],
      ['a blank name', { ...plain, name: '  ' }],
      ['a welcome that is too long in bytes', { ...plain, welcome: 'é'.repeat(limits.welcomeBytes / 2 + 1) }],
      ['a blank welcome', { ...plain, welcome: '\n' }],
      ['a long announcement', announced({ text: 'n'.repeat(limits.announcementLength + 1) })],
      ['an announcement of two lines', announced({ text: 'a\nb' })],
      ['an unknown kind', announced({ kind: 'danger' })],
      ['an end that is no time', announced({ ends_at: 'tomorrow' })],
      ['an announcement without a kind', { announcement: { text: 'Down' } }],
      ['an unknown field', { title: 'Hub' }],
    ])('refuses %s', async (_, body) => {
      expect(await put(body)).toMatchObject({ status: 422 })
    })

    test('takes what is as long as it may be, and tells it to everyone', async () => {
      const name = 'n'.repeat(limits.instanceNameLength)
      const welcome = 'é'.repeat(limits.welcomeBytes / 2)
      const body = { ...announced({ text: 't'.repeat(limits.announcementLength) }), name, welcome }
      expect(await put(body)).toMatchObject({ status: 200 })
      const { status, text } = await ask('GET', '/api/service/v1/look')
      expect(status).toBe(200)
      const { announcement } = body
      expect(JSON.parse(text)).toEqual({
        name,
        welcome,
        announcement: { text: announcement.text, kind: 'info' },
      })
    })

    test('serves the logo to everyone, under an address that changes with it', async () => {
      expect(JSON.parse((await ask('GET', '/api/service/v1/look')).text)).toEqual({})
      await upload(root)
      const { logo_url } = JSON.parse((await ask('GET', '/api/service/v1/look')).text) as { logo_url: string }
      const answer = await ask('GET', logo_url)
      expect(answer).toMatchObject({ status: 200, text: png.toString() })
      expect(answer.headers.get('Content-Type')).toBe('image/png')
      expect(answer.headers.get('Cache-Control')).toContain('immutable')
      await upload(root)
      expect(await ask('GET', logo_url)).toMatchObject({ status: 404 })
    })
  })

  test('takes an image of few types and bytes as its logo, from admins alone', async () => {
    expect(await codeOf(upload(ada))).toBe('forbidden')
    expect(await codeOf(removeLogo(world.ctx(ada)))).toBe('forbidden')
    expect(await codeOf(upload(root, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')))).toBe(
      'unsupported-media-type',
    )
    const large = Buffer.concat([png, Buffer.alloc(limits.logoBytes)])
    expect(await codeOf(upload(root, large))).toBe('body-too-large')
    expect((await openLook(world.ctx())).logo).toBeNull()
  })

  test('keeps one logo, audits its changes, and has fsck and scrub look at its bytes', async () => {
    await Promise.all([upload(root), upload(root)])
    expect(await world.db.q.$count(world.db.t.instance_logos)).toBe(1)
    const logo = await readLogo(world.db)
    if (!logo) throw new Error('no logo was stored')
    const findings = async () => {
      const found: unknown[] = []
      for await (const each of imageCheck(logoRows, 'an admin must upload it again').run(world.ctx(), {
        deep: false,
        repair: false,
      }))
        found.push(each)
      return found
    }
    expect(await findings()).toEqual([])
    expect(await logoRows.totalBytes(world.db)).toBe(png.length)
    await world.db.write((tx) => logoRows.setCorrupt(tx, logo.id, world.clock.now))
    expect((await openLook(world.ctx())).logo).toBeNull()
    await world.db.write((tx) => logoRows.setCorrupt(tx, logo.id, null))
    expect((await openLook(world.ctx())).logo).toMatchObject({ id: logo.id })
    await world.ctx().blobs.delete(blobKeys.avatar(logo.id))
    expect(await findings()).toHaveLength(1)
    await removeLogo(world.ctx(root))
    await removeLogo(world.ctx(root))
    expect((await openLook(world.ctx())).logo).toBeNull()
    expect((await audited('logo.set')).length).toBeGreaterThan(1)
    expect((await audited('logo.remove')).length).toBeGreaterThan(0)
  })
})
