import { expect, test } from 'vitest'
import type { Ctx } from '../../core/ctx.ts'
import {
  codeOf,
  collect as collectGarbage,
  givenContent,
  objectRow,
  overFaulty,
  pass,
  storedKeys,
  sweepRun,
  type Content,
} from '../../core/lfs/testing.ts'
import { collect } from '../../stores/storage/index.ts'
import { after, before, eachDatabase, hold } from '../../testing.ts'
import { completeUpload } from './complete/complete.ts'
import { uploadSweep } from './expire/expire.ts'
import { joiningLeaseMs } from './transitions.ts'
import { partsOf } from './queries.ts'
import { freshUpload, givenUpload, sendPart, TinyRepo } from './testing.ts'

eachDatabase('an upload between two looks', (world) => {
  const tiny = new TinyRepo(world)
  const complete = ({ upload, parts }: Awaited<ReturnType<typeof tiny.sent>>) => {
    return (ctx: Ctx) => completeUpload(ctx, upload.id, parts)
  }
  const sweepUploads = (ctx: Ctx) => uploadSweep.run(ctx, sweepRun(world))

  async function expectObject({ sha256, bytes }: Content): Promise<void> {
    const row = (await objectRow(world, sha256)) ?? expect.fail('no object')
    expect((await collect(await world.blobs.read(row.key), 5000)).equals(bytes)).toBe(true)
    expect(await tiny.isUsable(sha256)).toBe(true)
  }

  test('a completion that was frozen beyond its lease ends nothing while another is at it', async () => {
    const sent = await tiny.sent()
    const frozen = await hold(tiny.ctx(), before('write', { nth: 2 }), complete(sent))
    pass(world, joiningLeaseMs(tiny.ctx()) + 1)
    const second = await hold(tiny.ctx(), after('write'), complete(sent))
    expect(await codeOf(frozen.resume())).toBe('temporarily-unavailable')
    expect(await freshUpload(world, sent.upload.id)).toMatchObject({ status: 'joining', attempt: 2 })
    expect(await objectRow(world, sent.content.sha256)).toBeUndefined()
    expect(await second.resume()).toMatchObject({ status: 'complete', attempt: 2 })
    await expectObject(sent.content)
  })

  test('nor does it open the upload again when it fails', async () => {
    const sent = await tiny.sent()
    const lost = overFaulty(tiny.ctx(), ({ operation }) =>
      operation === 'put' ? { type: 'after', kind: 'transient' } : undefined,
    )
    const frozen = await hold(lost, before('write', { nth: 2 }), complete(sent))
    pass(world, joiningLeaseMs(tiny.ctx()) + 1)
    const second = await hold(tiny.ctx(), after('write'), complete(sent))
    expect(await codeOf(frozen.resume())).toBe('store: transient')
    expect(await freshUpload(world, sent.upload.id)).toMatchObject({ status: 'joining', attempt: 2 })
    await second.resume()
    await expectObject(sent.content)
  })

  test('a completion whose reservation has lapsed makes no object of bytes that gc may be deleting', async () => {
    const sent = await tiny.sent()
    const slow = await hold(tiny.ctx(), before('write', { nth: 2 }), complete(sent))
    await world.db.write(({ q, t }) => q.update(t.blob_deletions).set({ at: world.clock.now }))
    expect(await codeOf(slow.resume())).toBe('temporarily-unavailable')
    expect(await objectRow(world, sent.content.sha256)).toBeUndefined()
    expect((await freshUpload(world, sent.upload.id)).status).toBe('open')
    await complete(sent)(tiny.ctx())
    await expectObject(sent.content)
  })

  test('a part that comes while the parts are joined is dropped', async () => {
    const sent = await tiny.sent()
    const joining = await hold(tiny.ctx(), after('read'), complete(sent))
    expect(await codeOf(sendPart(tiny.ctx(), sent.upload, givenContent(), 1))).toBe('ok')
    expect((await joining.resume()).status).toBe('complete')
    await expectObject(sent.content)
  })

  test('so is one that was on its way when they were, also when that is over', async () => {
    for (const isOver of [false, true]) {
      const sent = await tiny.sent()
      const sending = await hold(tiny.ctx(), after('put'), (ctx) =>
        sendPart(ctx, sent.upload, givenContent(), 1),
      )
      const joining = await hold(tiny.ctx(), before('put'), complete(sent))
      if (isOver) await joining.resume()
      expect(await codeOf(sending.resume())).toBe('ok')
      expect((await joining.resume()).status).toBe('complete')
      await expectObject(sent.content)
    }
  })

  test('one that comes before replaces a part that the completion names', async () => {
    const sent = await tiny.sent()
    const late = await hold(tiny.ctx(), before('write'), complete(sent))
    await sendPart(tiny.ctx(), sent.upload, givenContent(), 1)
    expect(await codeOf(late.resume())).toBe('validation-failed')
    expect((await freshUpload(world, sent.upload.id)).status).toBe('open')
  })

  test('a part that arrives by the clock of another server keeps the upload from being swept', async () => {
    const content = givenContent()
    const upload = await givenUpload(world, tiny.repo, tiny.owner, content, { part_size: 500 })
    const slower = new Date(upload.expires_at.getTime() - 1)
    pass(world, upload.expires_at.getTime() - world.clock.now.getTime())
    const sweep = await hold(tiny.ctx(), after(/ from "uploads"/), sweepUploads)
    await sendPart({ ...tiny.ctx(), now: () => slower }, upload, content, 1)
    await sweep.resume()
    expect((await freshUpload(world, upload.id)).status).toBe('open')
    expect(await partsOf(world.db, upload.id)).toHaveLength(1)
    await sendPart(tiny.ctx(), upload, content, 2)
    await complete({ content, upload, parts: await partsOf(world.db, upload.id) })(tiny.ctx())
    await expectObject(content)
  })

  test('a part that was on its way when its upload was swept is refused, and its bytes go', async () => {
    const { content, upload } = await tiny.sent()
    const sending = await hold(tiny.ctx(), after('put'), (ctx) => sendPart(ctx, upload, content, 1))
    const { expires_at } = await freshUpload(world, upload.id)
    pass(world, expires_at.getTime() - world.clock.now.getTime())
    await sweepUploads(tiny.ctx())
    expect(await codeOf(sending.resume())).toBe('state-conflict')
    expect(await partsOf(world.db, upload.id)).toEqual([])
    await collectGarbage(world)
    expect(await storedKeys(world, `uploads/${upload.id}/`)).toEqual([])
  })
})
