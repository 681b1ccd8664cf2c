import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { joinServers } from '../../stores/db/index.ts'
import { silentLogger } from '../../platform/telemetry/index.ts'
import { eachDatabase } from '../../testing.ts'
import { postgresUrl } from '../../testing/postgres.ts'
import { defineJob, enqueue } from './index.ts'
import { onWake } from './wake.ts'

eachDatabase('a job that is queued', (world) => {
  const kind = defineJob({
    kind: 'test.woken',
    input: z.strictObject({}),
    maxAttempts: 1,
    title: () => 'A test',
    run: async () => ({}),
  })
  const add = () => world.db.write((tx) => enqueue(tx, world.ctx(), kind, {}))

  test('wakes the workers of this process', async () => {
    let heard = 0
    onTestFinished(onWake(world.db, () => heard++))
    await add()
    expect(heard).toBeGreaterThan(0)
  })

  if (world.engine === 'postgres')
    test('wakes those of other processes', async () => {
      const [row] = await world.db.q
        .select({ name: sql<string>`current_database()` })
        .from(sql`(select 1) as one`)
      const url = new URL(postgresUrl ?? '')
      url.pathname = `/${row?.name}`
      let heard = 0
      const member = { keyTag: 'a1b2c3d4', onWork: () => heard++, log: silentLogger() }
      onTestFinished(await joinServers(url.href, member))
      await add()
      await expect.poll(() => heard).toBe(1)
    })
})
