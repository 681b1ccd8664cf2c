import { expect, test } from 'vitest'
import { runNextJob } from '../../../core/jobs/testing.ts'
import { codeOf, givenContent } from '../../../core/lfs/testing.ts'
import { eachDatabase } from '../../../testing.ts'
import { watchedDb } from '../../../testing/watched-db.ts'
import { completeUpload } from '../../uploads/complete/complete.ts'
import { lfsVerify } from '../../uploads/complete/verify-job.ts'
import { givenArrived, TinyRepo } from '../../uploads/testing.ts'
import { requirePointers } from './pointers.ts'

eachDatabase('pointers of a commit', (world) => {
  const tiny = new TinyRepo(world)
  const require = (ctx: ReturnType<typeof tiny.ctx>, contents: ReturnType<typeof givenContent>[]) => {
    const pointers = new Map(contents.map((content, n) => [`${n}.bin`, content]))
    return codeOf(requirePointers(ctx, tiny.repo.id, pointers, 60_000))
  }

  test('objects whose verification ends during each look are found at the next', async () => {
    const contents = []
    for (let n = 0; n < 4; n++) {
      const { content, upload, parts } = await givenArrived(world, tiny.repo, tiny.owner, { isWhole: true })
      await completeUpload(tiny.ctx(), upload.id, parts)
      contents.push(content)
    }
    let ended = 0
    // The statement between `findUsable` and what is made of it: uploads under way.
    const db = watchedDb(world.db, async (step, act) => {
      const isLook = step.kind === 'statement' && /from "uploads" where .*"lease_until"/.test(step.sql)
      if (isLook && (await runNextJob(world.ctx(), [lfsVerify]))) ended++
      return act()
    })
    expect(await require({ ...tiny.ctx(), db }, contents)).toBe('ok')
    expect(ended).toBe(contents.length)
  })

  test('an object that was never sent is missing, however many others end meanwhile', async () => {
    const { content, upload, parts } = await givenArrived(world, tiny.repo, tiny.owner, { isWhole: true })
    await completeUpload(tiny.ctx(), upload.id, parts)
    expect(await require(tiny.ctx(), [content, givenContent()])).toBe('lfs-object-missing')
  })
})
