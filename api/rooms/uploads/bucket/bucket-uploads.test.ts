import { afterAll, beforeAll, expect, test } from 'vitest'
import { JobRunner } from '../../../core/jobs/index.ts'
import { checkPointers, mayUse } from '../../../core/lfs/index.ts'
import {
  asked,
  givenContent,
  hours,
  objectRow,
  pass,
  sweepRun,
  type Content,
} from '../../../core/lfs/testing.ts'
import { collect } from '../../../stores/storage/index.ts'
import { eachDirectStore } from '../../../testing.ts'
import { directUploads, arrivalKey } from './bucket-uploads.ts'
import { uploadSweep } from '../expire/expire.ts'
import { freshUpload } from '../testing.ts'
import { fileOf, nativeUploads, UploadSite, type PlannedUpload } from '../testing/upload-site.ts'
import { lfsVerify, verifyArrived } from '../index.ts'

const MiB = 1024 * 1024
const partBytes = 16 * MiB

eachDirectStore('uploads that go straight to the bucket', (world) => {
  const site = new UploadSite(world)
  let runner: JobRunner
  beforeAll(async () => {
    runner = new JobRunner(world.deps, {
      kinds: [lfsVerify],
      clock: async () => world.clock.now,
      pollMs: 20,
    })
    await runner.start()
  })
  afterAll(() => runner.stop(1000))
  const ctx = () => world.ctx(site.owner)
  const ownerOf = () => ({ repoId: site.repo.id, userId: site.owner.id })

  /** As a client that knows nothing of us: no header but those of any PUT. Answers the tag. */
  async function put(url: string, body: Buffer): Promise<string> {
    const send = () => fetch(url, { method: 'PUT', body: Uint8Array.from(body) })
    let answer = await send()
    // versitygw 1.8.0 says 500 or 409 where the folder of a key is removed at that moment. Clients of S3 try again.
    for (let tries = 1; tries < 5 && [409, 500].includes(answer.status); tries++) answer = await send()
    expect([answer.status, await answer.text()]).toEqual([200, ''])
    return answer.headers.get('etag') ?? ''
  }
  const isOurs = (url: string) => url.startsWith(world.deps.config.server.public_url)
  const pieceOf = ({ bytes }: Content, n: number, sizeBytes: number) =>
    bytes.subarray((n - 1) * sizeBytes, n * sizeBytes)
  const complete = ({ id }: PlannedUpload, parts: { n: number; etag: string }[]) =>
    site.call('POST', `${nativeUploads}/${id}/complete`, { parts })

  /** Waits as a commit does until the object may be used. Only what two looks in a row lack is missing, as for a commit. */
  async function untilUsable({ sha256, sizeBytes }: Content) {
    const pointers = [{ sha256, sizeBytes }]
    for (let looksWithout = 0; looksWithout < 2;) {
      const { missing, completing } = await checkPointers(world.db, ctx(), site.repo.id, pointers)
      if (missing.length + completing.length === 0) return
      const isLost = missing.length > 0 && !(await verifyArrived(ctx(), ownerOf(), missing))
      looksWithout = isLost ? looksWithout + 1 : 0
      if (!isLost) await new Promise((resolve) => setTimeout(resolve, 20))
    }
    expect.fail('missing')
  }

  test('in parts: what has arrived is reported, the rest is sent, and the object is the whole', async () => {
    const content = givenContent(partBytes + 5)
    const upload = await site.opened(content)
    expect(upload.parts.map(({ url }) => isOurs(url))).toEqual([false, false])
    const first = await put(upload.parts[0]?.url ?? '', pieceOf(content, 1, upload.part_size))
    const early = await complete(upload, [{ n: 1, etag: first }])
    expect([early.status, early.body['code']]).toEqual([422, 'validation-failed'])
    const { body } = await site.call('GET', `${nativeUploads}/${upload.id}`)
    expect(body).toMatchObject({
      status: 'open',
      bytes_received: partBytes,
      parts: [{ n: 1, size: partBytes }],
    })
    const again = await site.opened(content)
    expect(again.id).toBe(upload.id)
    // A part may come through here as well, for a client that knows of no other way.
    const sent = await site.put(
      `${nativeUploads}/${upload.id}/parts/2`,
      pieceOf(content, 2, partBytes),
      site.mine,
    )
    const second = sent.headers.get('etag') ?? ''
    const wrong = await complete(upload, [
      { n: 1, etag: second },
      { n: 2, etag: second },
    ])
    expect(wrong.status).toBe(422)
    const parts = [
      { n: 1, etag: first },
      { n: 2, etag: second },
    ]
    const [done, repeated] = [await complete(upload, parts), await complete(upload, parts)]
    expect([done.status, done.body['status']]).toEqual([200, 'complete'])
    expect(repeated.body).toEqual(done.body)
    expect((await world.blobs.stat((await objectRow(world, content.sha256))?.key ?? ''))?.sizeBytes).toBe(
      content.sizeBytes,
    )
    expect((await site.plan([fileOf(content)]))[0]?.mode).toBe('skip')
  })

  test('a small one in one PUT, whose address can harm nothing afterwards', async () => {
    const content = givenContent()
    const upload = await site.opened(content)
    const url = upload.parts[0]?.url ?? ''
    const none = await complete(upload, [])
    expect([none.status, none.body['code']]).toEqual([422, 'validation-failed'])
    const etag = await put(url, content.bytes)
    expect((await complete(upload, [{ n: 1, etag }])).body['status']).toBe('complete')
    await put(url, givenContent().bytes)
    const answer = await fetch(await redirected(await site.link(content, 'download')))
    expect(Buffer.from(await answer.arrayBuffer()).equals(content.bytes)).toBe(true)
    pass(world, world.deps.config.lfs.upload_url_ttl)
    const { blob_deletions: d } = world.db.t
    expect((await world.db.q.select().from(d)).map(({ key }) => key)).toContain(`uploads/${upload.id}/whole`)
  })
  const redirected = async (href: string) => (await site.app.request(href)).headers.get('location') ?? ''

  test('LFS basic: the verify of git-lfs, or the wait of a commit, has the bytes verified', async () => {
    for (const saysSo of [true, false]) {
      const content = givenContent()
      const { actions = {} } = await site.batch(content)
      const { upload, verify } = actions
      expect(isOurs(upload?.href ?? '')).toBe(false)
      expect(upload?.header).toEqual({})
      expect((await site.post(verify?.href ?? '', asked(content), {})).status).toBe(404)
      await put(upload?.href ?? '', content.bytes)
      if (saysSo) expect((await site.post(verify?.href ?? '', asked(content), {})).status).toBe(200)
      await untilUsable(content)
      expect(await site.batch(content)).toEqual({ transfer: 'basic', ...asked(content) })
    }
  })

  test('LFS multipart: every object has parts of the bucket and our completion', async () => {
    const { multipart_threshold } = world.deps.config.lfs
    world.deps.config.lfs.multipart_threshold = partBytes
    const content = givenContent(partBytes + 5)
    const { transfer, actions = {} } = await site.batch(content, 'upload', ['basic', 'multipart'])
    world.deps.config.lfs.multipart_threshold = multipart_threshold
    expect(transfer).toBe('multipart')
    const { href = '', header = {} } = actions['upload'] ?? {}
    const { chunk_size, ...urls } = header
    expect([chunk_size, Object.keys(urls), isOurs(href)]).toEqual([
      String(partBytes),
      ['00001', '00002'],
      true,
    ])
    const parts: { partNumber: number; etag: string }[] = []
    for (const [i, url] of Object.values(urls).entries())
      parts.push({ partNumber: i + 1, etag: await put(url, pieceOf(content, i + 1, partBytes)) })
    for (let i = 0; i < 2; i++)
      expect((await site.post(href, { oid: content.sha256, parts }, {})).status).toBe(200)
    // What is being verified is not asked for again: the commit waits for it.
    expect(await site.batch(content)).toMatchObject(asked(content))
    await untilUsable(content)
    expect(await mayUse(world.db, ctx(), content.sha256)).toBe(true)
    // Its bytes are where they arrived, and the addresses of the parts change nothing there any more.
    const before = await objectRow(world, content.sha256)
    const again = await fetch(urls['00002'] ?? '', { method: 'PUT', body: 'other' })
    expect(again.ok).toBe(false)
    const { key = '', size } = before ?? {}
    expect(await world.blobs.stat(key)).toMatchObject({ sizeBytes: size })
    expect((await collect(await world.blobs.read(key), 2 * partBytes)).equals(content.bytes)).toBe(true)
  })

  test('what one PUT cannot hold comes through here, and so does an empty object', async () => {
    for (const size of [0, 5 * 2 ** 30 + 1]) {
      const content = { ...givenContent(), sizeBytes: size }
      expect(isOurs(await site.link(content, 'upload'))).toBe(true)
    }
    expect(isOurs(await site.link({ ...givenContent(), sizeBytes: 5 * 2 ** 30 }, 'upload'))).toBe(false)
  })

  test('an upload that ends takes the multipart upload of the store with it', async () => {
    const upload = await site.opened(givenContent(partBytes + 5))
    const begun = await freshUpload(world, upload.id)
    const parts = () => directUploads(world).listParts(arrivalKey(begun), begun.store_upload_id ?? '')
    expect(await parts()).toEqual([])
    pass(world, hours(168) + 1)
    await uploadSweep.run(ctx(), sweepRun(world))
    await expect(parts()).rejects.toMatchObject({ kind: 'missing' })
    expect((await freshUpload(world, upload.id)).store_upload_id).toBeNull()
  })

  test('an upload whose parts the store has dropped begins again when it is planned again', async () => {
    const content = givenContent(partBytes + 5)
    const first = await site.opened(content)
    await put(first.parts[0]?.url ?? '', pieceOf(content, 1, partBytes))
    const begun = await freshUpload(world, first.id)
    await directUploads(world).abort(arrivalKey(begun), begun.store_upload_id ?? '')
    // Two clients at once are given the same one, which a later plan keeps.
    const plans = await Promise.all([site.opened(content), site.opened(content)])
    const parts: { n: number; etag: string }[] = []
    for (const { n, url } of plans[0].parts)
      parts.push({ n, etag: await put(url, pieceOf(content, n, partBytes)) })
    const idsIn = ({ parts: planned }: PlannedUpload) =>
      planned.map(({ url }) => new URL(url).searchParams.get('uploadId'))
    const [id] = idsIn(plans[0])
    for (const plan of [...plans, await site.opened(content)])
      expect([plan.id, idsIn(plan)]).toEqual([first.id, [id, id]])
    expect(idsIn(first)).not.toContain(id)
    expect((await complete(first, parts)).body['status']).toBe('complete')
  })

  test('where the bucket lies behind our own origin, all comes through here', async () => {
    const { server } = world.deps.config
    const own = server.public_url
    const content = givenContent()
    server.public_url = world.deps.config.storage.s3.endpoint
    expect(new URL(await site.link(content, 'upload')).pathname).toContain('/api/info/lfs/')
    server.public_url = own
  })
})
