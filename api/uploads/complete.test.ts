import { beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../access/index.ts'
import type { Ctx } from '../ctx.ts'
import { mayUse } from '../lfs/index.ts'
import { Problem } from '../problems/index.ts'
import type { Repo } from '../repos/index.ts'
import { failAt, fromChunks, StoreError, type Fault } from '../storage/index.ts'
import { eachDatabase, givenUser } from '../testing.ts'
import { completeUpload } from './complete.ts'
import { uploadSweep } from './expire.ts'
import { putPart } from './put-part.ts'
import { findUpload, partsOf, setUpload, type UploadRow } from './queries.ts'
import { storeObject } from './store-object.ts'
import {
  givenContent,
  givenRepo,
  givenUpload,
  hours,
  objectRow,
  overFaulty,
  pass,
  storeCalls,
  storedKeys,
  sweepRun,
  type Content,
} from './testing.ts'

const partSize = 500

eachDatabase('completing an upload', (world) => {
  let owner: UserActor
  let repo: Repo
  beforeAll(async () => {
    owner = await givenUser(world, 'owner')
    repo = await givenRepo(world, owner, 'tiny')
  })
  const ctx = () => world.ctx(owner)
  const fresh = async (id: string) => (await findUpload(world.db, id)) ?? expect.fail('no upload')
  const claims = async (id: string) => (await partsOf(world.db, id)).map(({ n, etag }) => ({ n, etag }))
  const pieces = ({ bytes }: Content) =>
    Array.from({ length: Math.ceil(bytes.length / partSize) }, (_, i) =>
      bytes.subarray(i * partSize, (i + 1) * partSize),
    )
  const sendPart = (at: Ctx, upload: UploadRow, content: Content, n: number) =>
    putPart(at, upload, n, fromChunks(pieces(content)[n - 1] ?? Buffer.alloc(0)), undefined)
  async function sent(content = givenContent()) {
    const upload = await givenUpload(world, repo, owner, content, { part_size: partSize })
    for (const [i] of pieces(content).entries()) await sendPart(ctx(), upload, content, i + 1)
    return { content, upload, parts: await claims(upload.id) }
  }
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => 'ok',
      (error: unknown) =>
        error instanceof Problem ? error.code : error instanceof StoreError ? `store: ${error.kind}` : error,
    )
  const isUsable = (sha256: string) => mayUse(world.db, ctx(), sha256)

  const faults: Fault[] = [
    { type: 'before', kind: 'transient' },
    { type: 'after', kind: 'transient' },
    { type: 'before', kind: 'full' },
    { type: 'before', kind: 'permanent' },
    { type: 'short' },
    { type: 'flip' },
  ]
  test.each(faults)(
    'no failure of the store makes a false success or loses the upload: %o',
    async (fault) => {
      for (let n = 1; ; n++) {
        const { content, upload, parts } = await sent()
        let isHit = false
        const faulty = overFaulty(ctx(), (io) => {
          const found = failAt(n, fault)(io)
          isHit ||= found !== undefined
          // A store that turns bits while it writes is found by the deep check alone.
          return fault.type === 'flip' && !io.key.startsWith('uploads/') ? undefined : found
        })
        const outcome = await codeOf(completeUpload(faulty, upload.id, parts))
        const { status } = await fresh(upload.id)
        if (outcome === 'ok') {
          expect(status).toBe('complete')
          const row = (await objectRow(world, content.sha256)) ?? expect.fail('no object')
          const stored: Uint8Array[] = []
          for await (const chunk of await world.blobs.read(row.key)) stored.push(chunk)
          expect(Buffer.concat(stored).equals(content.bytes)).toBe(true)
        } else {
          expect(await objectRow(world, content.sha256)).toBeUndefined()
          // Bytes that came out wrong end the upload; whatever may pass keeps it with its parts.
          const isWrong = outcome === 'digest-mismatch' || outcome === 'size-mismatch'
          expect(status, `${String(outcome)} at ${n}`).toBe(isWrong ? 'aborted' : 'open')
          expect(await claims(upload.id)).toEqual(isWrong ? [] : parts)
          if (!isWrong) expect((await completeUpload(ctx(), upload.id, parts)).status).toBe('complete')
        }
        if (!isHit) break
      }
    },
  )

  test('a part that is lost is asked for again', async () => {
    const { content, upload, parts } = await sent()
    const [first] = await partsOf(world.db, upload.id)
    await world.blobs.delete(first?.key ?? '')
    expect(await codeOf(completeUpload(ctx(), upload.id, parts))).toBe('store-unavailable')
    expect(await codeOf(completeUpload(ctx(), upload.id, parts))).toBe('validation-failed')
    await sendPart(ctx(), await fresh(upload.id), content, 1)
    expect((await completeUpload(ctx(), upload.id, parts)).status).toBe('complete')
  })

  test('a part whose put fails at any step can be sent again', async () => {
    for (const fault of faults.slice(0, 4))
      for (let n = 1; n <= 3; n++) {
        const content = givenContent(partSize)
        const upload = await givenUpload(world, repo, owner, content, { part_size: partSize })
        await codeOf(sendPart(overFaulty(ctx(), failAt(n, fault)), upload, content, 1))
        await sendPart(ctx(), upload, content, 1)
        expect((await completeUpload(ctx(), upload.id, await claims(upload.id))).status).toBe('complete')
      }
    expect(await storedKeys(world, 'uploads/')).toEqual(await namedParts())
  })
  const namedParts = async () => {
    const { upload_parts: p, blob_deletions: d } = world.db.t
    const parts = (await world.db.q.select({ key: p.key }).from(p)).map(({ key }) => key)
    const listed = (await world.db.q.select({ key: d.key }).from(d)).map(({ key }) => key)
    const stored = await storedKeys(world, 'uploads/')
    return stored.filter((key) => parts.includes(key) || listed.includes(key))
  }

  test('many completions at once: one does it, the others wait or agree', async () => {
    const { content, upload, parts } = await sent()
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () => codeOf(completeUpload(ctx(), upload.id, parts))),
    )
    expect(outcomes).toContain('ok')
    expect(outcomes.filter((outcome) => outcome !== 'ok' && outcome !== 'temporarily-unavailable')).toEqual(
      [],
    )
    expect((await fresh(upload.id)).attempt).toBe(1)
    expect(await isUsable(content.sha256)).toBe(true)
  })

  test('parts sent while a completion runs neither fail nor change what it proves', async () => {
    const { content, upload, parts } = await sent()
    const other = givenContent()
    const [outcome, ...sentAgain] = await Promise.all([
      codeOf(completeUpload(ctx(), upload.id, parts)),
      ...[1, 2].map((n) => codeOf(sendPart(ctx(), upload, other, n))),
    ])
    const { status } = await fresh(upload.id)
    expect(sentAgain).toEqual(['ok', 'ok'])
    // Either the completion came first and the parts were dropped, or one replaced a part it had been told of.
    expect([outcome, status]).toEqual(outcome === 'ok' ? ['ok', 'complete'] : ['validation-failed', 'open'])
    if (outcome === 'ok') expect(await isUsable(content.sha256)).toBe(true)
  })

  test('a completion that died is taken over once its lease has lapsed, and cannot come back', async () => {
    const { content, upload, parts } = await sent()
    const dead = {
      status: 'completing' as const,
      attempt: 1,
      lease_until: new Date(world.clock.now.getTime() + 60_000),
    }
    await world.db.write((tx) => setUpload(tx, upload.id, undefined, dead))
    expect(await codeOf(completeUpload(ctx(), upload.id, parts))).toBe('temporarily-unavailable')
    pass(world, 60_000)
    expect((await completeUpload(ctx(), upload.id, parts)).attempt).toBe(2)
    expect(await isUsable(content.sha256)).toBe(true)
  })

  test('a completion outlived by its lease gives way while it reads', async () => {
    const { upload, parts } = await sent()
    let reads = 0
    const slow = overFaulty(ctx(), ({ operation }) => {
      if (operation === 'read' && ++reads === 2) pass(world, hours(1))
      return undefined
    })
    const first = codeOf(completeUpload(slow, upload.id, parts))
    const second = first.then(() => completeUpload(ctx(), upload.id, parts))
    expect(await first).toBe('ok')
    expect((await second).attempt).toBe(1)
  })

  test('an upload past its deadline takes nothing more and is swept with its parts', async () => {
    const { content, upload, parts } = await sent()
    pass(world, hours(168) + 1)
    expect(await codeOf(completeUpload(ctx(), upload.id, parts))).toBe('state-conflict')
    expect(await codeOf(sendPart(ctx(), upload, content, 1))).toBe('state-conflict')
    expect((await uploadSweep.run(ctx(), sweepRun(world, true)))['expired']).toBeGreaterThan(0)
    expect((await fresh(upload.id)).status).toBe('open')
    await uploadSweep.run(ctx(), sweepRun(world))
    expect((await fresh(upload.id)).status).toBe('aborted')
    expect(await partsOf(world.db, upload.id)).toEqual([])
    pass(world, hours(168))
    await uploadSweep.run(ctx(), sweepRun(world))
    expect(await findUpload(world.db, upload.id)).toBeUndefined()
  })

  test('each part moves the deadline on', async () => {
    const content = givenContent()
    const upload = await givenUpload(world, repo, owner, content, { part_size: partSize })
    for (const n of [1, 2]) {
      pass(world, hours(100))
      await sendPart(ctx(), await fresh(upload.id), content, n)
    }
    expect((await completeUpload(ctx(), upload.id, await claims(upload.id))).status).toBe('complete')
  })

  test('an upload to a purged Repo is swept', async () => {
    const upload = await givenUpload(world, { ...repo, id: 'gone' }, owner, givenContent())
    await uploadSweep.run(ctx(), sweepRun(world))
    expect((await fresh(upload.id)).status).toBe('aborted')
  })

  test('bytes that others have are put, proved and dropped by the same steps as new ones', async () => {
    const stranger = await givenUser(world, 'stranger')
    const theirs = await givenRepo(world, stranger, 'theirs')
    const where = { repoId: theirs.id, userId: stranger.id }
    const have = givenContent()
    await storeObject(ctx(), { repoId: repo.id, userId: owner.id }, have, fromChunks(have.bytes))
    const run = (content: Content) =>
      storeCalls(world.ctx(stranger), (at) => storeObject(at, where, content, fromChunks(content.bytes)))
    expect(await run(have)).toEqual(await run(givenContent()))
    const parts = (content: Content) =>
      storeCalls(world.ctx(stranger), async (at) => {
        const upload = await givenUpload(world, theirs, stranger, content, { part_size: partSize })
        for (const [i] of pieces(content).entries()) await sendPart(at, upload, content, i + 1)
        await completeUpload(at, upload.id, await claims(upload.id))
      })
    const again = givenContent()
    await storeObject(ctx(), { repoId: repo.id, userId: owner.id }, again, fromChunks(again.bytes))
    expect(await parts(again)).toEqual(await parts(givenContent()))
    expect(await mayUse(world.db, world.ctx(stranger), again.sha256)).toBe(true)
  })

  test('an object put in one piece survives every failing step or is not there', async () => {
    for (const fault of faults.slice(0, 4))
      for (let n = 1; n <= 3; n++) {
        const content = givenContent()
        const at = overFaulty(ctx(), failAt(n, fault))
        const put = storeObject(at, { repoId: repo.id, userId: owner.id }, content, fromChunks(content.bytes))
        const outcome = await codeOf(put)
        expect((await objectRow(world, content.sha256)) !== undefined).toBe(outcome === 'ok')
        expect(await isUsable(content.sha256)).toBe(outcome === 'ok')
      }
  })
})
