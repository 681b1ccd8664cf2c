import { expect, test } from 'vitest'
import { eachDatabase } from '../../../testing.ts'
import { clock } from './clock.ts'

const hour = 3_600_000

eachDatabase('the check of clocks', (world) => {
  /** What it finds where this server's clock is that much ahead of the true time. */
  async function found(aheadMs: number) {
    const deps = { ...world.deps, now: () => new Date(Date.now() + aheadMs) }
    return [await clock.run(deps, new AbortController().signal)].flat()
  }

  test('is content where all agree', async () => {
    expect(await found(0)).toMatchObject([{ status: 'ok' }])
  })

  test.each([
    [hour, 'behind'],
    [-hour, 'ahead'],
  ])('of a clock that is %i ms ahead says who differs, and what to do', async (aheadMs, word) => {
    const findings = await found(aheadMs)
    expect(findings.map(({ status }) => status)).not.toContain('ok')
    const texts = findings.map(({ text }) => text).join('\n')
    expect(texts).toMatch(new RegExp(`the store is 3[56]\\d\\d s ${word}`))
    if (world.db.engine === 'postgres')
      expect(texts).toMatch(new RegExp(`the database is 3[56]\\d\\d s ${word}`))
    expect(findings.every(({ fix }) => fix?.includes('Synchronise'))).toBe(true)
  })

  test('leaves nothing in the store', async () => {
    await found(0)
    const left: string[] = []
    for await (const { key } of world.blobs.list('')) left.push(key)
    expect(left).toEqual([])
  })
})
