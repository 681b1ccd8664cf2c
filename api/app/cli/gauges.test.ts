import { afterEach, expect, test, vi } from 'vitest'
import { noTelemetry, type Reading } from '../../platform/telemetry/index.ts'
import { eachStore } from '../../testing.ts'
import { addGauges } from './gauges.ts'

const hour = 3_600_000

eachStore('the gauge of the clocks', (world) => {
  afterEach(() => void vi.useRealTimers())

  /** What it reads where this process's clock is that much ahead of the true time; `undefined` where there is none. */
  async function skewOf(aheadMs: number): Promise<Reading[] | undefined> {
    // Requests to a bucket are signed with it too, and refused.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + aheadMs })
    const gauges = new Map<string, () => Promise<Reading[]> | Reading[]>()
    const telemetry = {
      ...noTelemetry,
      gauge: (name: string, read: () => Promise<Reading[]> | Reading[]) => void gauges.set(name, read),
    }
    addGauges({ ...world.deps, telemetry, now: () => new Date() })
    return gauges.get('arsenal.clock.skew')?.()
  }

  test.each([0, hour, -hour])('is about %i ms where a clock of others is that far away', async (aheadMs) => {
    const read = await skewOf(aheadMs)
    if (world.db.engine === 'sqlite' && world.blobs.kind !== 's3') return expect(read).toBeUndefined()
    const [{ value } = { value: NaN }] = read ?? []
    expect(Math.abs(value - Math.abs(aheadMs) / 1000)).toBeLessThan(30)
  })

  test('leaves nothing in the store', async () => {
    await skewOf(0)
    const left: string[] = []
    for await (const { key } of world.blobs.list('')) left.push(key)
    expect(left).toEqual([])
  })
})
