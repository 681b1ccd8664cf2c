import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { UserActor } from '../../../core/access/index.ts'
import { imageCheck } from '../../../core/images/index.ts'
import { gcJob } from '../../../core/lfs/index.ts'
import { storedKeys } from '../../../core/lfs/testing.ts'
import { enqueue } from '../../../core/jobs/index.ts'
import { runJobs } from '../../../core/jobs/testing.ts'
import { deleteRepo, repoPurge, updateRepo, type Repo } from '../../repos/index.ts'
import { fromChunks } from '../../../stores/storage/index.ts'
import { eachDatabase, givenRepo, givenToken, givenUser } from '../../../testing.ts'
import { limits } from '../../../../shared/vocabulary.ts'
import { comment } from '../comment.ts'
import { editComment, hideComment } from '../edit-comment.ts'
import { getDiscussion } from '../get.ts'
import { givenDiscussion } from '../testing.ts'
import { attachmentPath } from './address.ts'
import { attachmentRows } from './rows.ts'
import { openAttachment } from './open.ts'
import { unusedAttachments } from './sweep.ts'
import { uploadAttachment } from './upload.ts'

const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(500, 7)])

eachDatabase('images in comments', (world) => {
  let ada: UserActor
  let bob: UserActor
  let eve: UserActor
  let repo: Repo
  let num: number
  beforeAll(async () => {
    ada = await givenUser(world, 'ada')
    bob = await givenUser(world, 'bob')
    eve = await givenUser(world, 'eve')
  })
  beforeEach(async () => {
    repo = await givenRepo(world, ada, { visibility: 'public' })
    num = await givenDiscussion(world, bob, repo)
  })

  const upload = (actor: UserActor, bytes: Buffer = png, declared: number | undefined = bytes.length) =>
    uploadAttachment(world.ctx(actor), fromChunks(bytes.subarray(0, 5), bytes.subarray(5)), declared)
  const say = (actor: UserActor, text: string) => comment(world.ctx(actor), repo, num, text)
  const given = async (actor: UserActor) => {
    const image = await upload(actor)
    const path = attachmentPath(image)
    return { id: image.id, name: path.slice('/uploads/'.length), text: `See ![it](http://hub.test${path}).` }
  }
  const sees = (actor: UserActor | undefined, name: string) =>
    openAttachment(actor ? world.ctx(actor) : { ...world.ctx(), actor: { kind: 'anonymous' } }, name).then(
      ({ isPublic }) => (isPublic ? 'everybody' : 'some'),
      ({ code }: { code: string }) => code,
    )
  const keys = async () => (await storedKeys(world)).filter((key) => key.startsWith('attachments/'))

  const gc = gcJob([unusedAttachments])
  async function sweepAfter(ms: number) {
    world.clock.now = new Date(world.clock.now.getTime() + ms)
    await world.db.write((tx) => enqueue(tx, world.ctx(), gc, {}))
    await runJobs(world.deps, [gc, repoPurge])
  }
  const grace = () => world.deps.config.gc.grace_period

  test.each([
    ['png', png],
    ['jpg', Buffer.from('ffd8ffe000104a46494600010100', 'hex')],
    ['gif', Buffer.from('GIF89a and the rest')],
    ['webp', Buffer.from('RIFF\x10\0\0\0WEBPVP8 ', 'latin1')],
  ] as const)('a %s image is known by its bytes', async (type, bytes) => {
    expect(await upload(ada, bytes)).toMatchObject({ type, sizeBytes: bytes.length })
  })

  test.each([
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['a page', '<!doctype html><script>alert(1)</script>'],
    ['a PNG in name only', '\x89PNG is not enough'],
    ['nothing', ''],
    ['three letters', 'GIF'],
  ])('%s is refused, and leaves nothing', async (_, text) => {
    const before = await keys()
    await expect(upload(ada, Buffer.from(text, 'latin1'))).rejects.toMatchObject({
      code: 'unsupported-media-type',
    })
    expect(await keys()).toEqual(before)
  })

  test('10 MiB are taken and a byte more is not, whatever was declared', async () => {
    const most = Buffer.concat([png], limits.attachmentBytes)
    expect(await upload(eve, most)).toMatchObject({ sizeBytes: limits.attachmentBytes })
    const more = Buffer.concat([most, Buffer.from('x')])
    const before = await keys()
    for (const declared of [more.length, undefined, 12])
      await expect(upload(eve, more, declared)).rejects.toMatchObject({ code: 'body-too-large' })
    expect(await keys()).toEqual(before)
  })

  test('strangers and tokens that only read upload nothing', async () => {
    const anonymous = { ...world.ctx(), actor: { kind: 'anonymous' } as const }
    await expect(uploadAttachment(anonymous, fromChunks(png), png.length)).rejects.toMatchObject({
      code: 'unauthenticated',
    })
    const { actor } = await givenToken(world, ada, { scopes: ['read'] })
    await expect(upload(actor)).rejects.toMatchObject({ code: 'insufficient-scope' })
  })

  test('its uploader alone sees an image until a comment shows it; then all who read the thread', async () => {
    const image = await given(bob)
    expect([await sees(bob, image.name), await sees(ada, image.name)]).toEqual(['some', 'not-found'])
    expect(await sees(bob, image.name.replace('.png', '.gif'))).toBe('not-found')
    await say(bob, image.text)
    expect([await sees(ada, image.name), await sees(eve, image.name)]).toEqual(['some', 'some'])
    expect(await sees(undefined, image.name)).toBe('unauthenticated')
    await updateRepo(world.ctx(ada), repo, { visibility: 'private' })
    expect([await sees(ada, image.name), await sees(eve, image.name)]).toEqual(['some', 'not-found'])
    await updateRepo(world.ctx(ada), repo, { visibility: 'public', discussionsEnabled: false })
    expect(await sees(eve, image.name)).toBe('not-found')
  })

  test('naming an image of another person elsewhere opens it to no one', async () => {
    const shut = await givenRepo(world, ada, { visibility: 'private' })
    const image = await given(ada)
    await givenDiscussion(world, ada, shut, { body: image.text })
    await say(bob, image.text)
    expect(await sees(eve, image.name)).toBe('not-found')
    expect(await sees(ada, image.name)).toBe('some')
    await say(ada, image.text)
    expect(await sees(eve, image.name)).toBe('some')
  })

  test('an edit by another keeps it, a quote keeps it when the first goes, and what is hidden is gone', async () => {
    const image = await given(bob)
    const { id } = await say(bob, image.text)
    await editComment(world.ctx(ada), repo, { num, id }, `${image.text} Edited.`)
    expect(await sees(eve, image.name)).toBe('some')
    const quote = await say(eve, `> ${image.text}`)
    await editComment(world.ctx(bob), repo, { num, id }, 'Without it.')
    expect(await sees(ada, image.name)).toBe('some')
    await hideComment(world.ctx(ada), repo, { num, id: quote.id })
    expect([await sees(ada, image.name), await sees(bob, image.name)]).toEqual(['not-found', 'some'])
  })

  test('what no comment has shown for the grace period is removed, with its bytes', async () => {
    const [kept, never, gone] = [await given(bob), await given(bob), await given(bob)]
    await say(bob, kept.text)
    const { id } = await say(bob, gone.text)
    await sweepAfter(grace() - 1000)
    expect(await sees(bob, never.name)).toBe('some')
    await editComment(world.ctx(bob), repo, { num, id }, 'Never mind.')
    await sweepAfter(2000)
    expect([await sees(bob, never.name), await sees(bob, gone.name)]).toEqual(['not-found', 'some'])
    await say(bob, gone.text)
    await sweepAfter(grace() + 1000)
    await sweepAfter(grace() + 1000)
    expect([await sees(eve, kept.name), await sees(eve, gone.name)]).toEqual(['some', 'some'])
    const left = (await keys()).join(' ')
    expect(left).toContain(kept.id)
    expect(left).not.toContain(never.id)
    expect((await getDiscussion(world.ctx(bob), repo, num)).events).toHaveLength(4)
  })

  test('the purge of a repo leaves its images to the sweep', async () => {
    const image = await given(bob)
    await say(bob, image.text)
    await deleteRepo(world.ctx(ada), repo)
    expect([await sees(ada, image.name), await sees(bob, image.name)]).toEqual(['not-found', 'some'])
    await sweepAfter(world.deps.config.repos.restore_window + 1000)
    await sweepAfter(grace() + 1000)
    await sweepAfter(grace() + 1000)
    expect(await sees(bob, image.name)).toBe('not-found')
    expect((await keys()).join(' ')).not.toContain(image.id)
  })

  test('a hundred may wait for their comment; those that are shown do not count', async () => {
    const fay = await givenUser(world, 'fay')
    const image = await given(fay)
    for (let n = 1; n < 100; n++) await upload(fay)
    await expect(upload(fay)).rejects.toMatchObject({ code: 'quota-exceeded' })
    await say(fay, image.text)
    const results = await Promise.allSettled([upload(fay), upload(fay), upload(fay)])
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected'])
  })

  test('they count towards the quota of their uploader', async () => {
    const gil = await givenUser(world, 'gil')
    const { namespaces } = world.db.t
    await world.db.write(({ q }) =>
      q.update(namespaces).set({ quota_bytes: 1000 }).where(eq(namespaces.id, gil.id)),
    )
    await upload(gil)
    await expect(upload(gil)).rejects.toMatchObject({ code: 'quota-exceeded' })
    expect(await upload(ada)).toMatchObject({ sizeBytes: png.length })
  })

  test('the check finds an image whose bytes are gone', async () => {
    const found = async () => {
      const all: string[] = []
      for await (const { message } of imageCheck(attachmentRows, 'its author must upload it again').run(
        world.deps,
        { deep: false, repair: false },
      ))
        all.push(message)
      return all
    }
    expect(await found()).toEqual([])
    const image = await given(ada)
    await world.blobs.delete((await keys()).find((key) => key.includes(image.id)) ?? '')
    expect(await found()).toEqual([
      `the bytes of image ${image.id} are gone; its author must upload it again`,
    ])
  })
})
