import { expect, test } from 'vitest'
import { eachDatabase } from '../../testing.ts'
import { observedDb, UniqueViolation } from './index.ts'

eachDatabase('an observed database', (world) => {
  const given = () => {
    const seen: string[] = []
    const db = observedDb(world.db, {
      observe: async ({ name }, act) => {
        seen.push(`${name} begins`)
        return act().finally(() => seen.push(`${name} ends`))
      },
    })
    return { db, seen }
  }

  test('reports each transaction, and passes results and errors through', async () => {
    const { db, seen } = given()
    expect(await db.write(async ({ q, t }) => q.$count(t.users))).toBe(await db.q.$count(db.t.users))
    expect(await db.snapshot(async () => 'read')).toBe('read')
    await expect(db.write(() => Promise.reject(new UniqueViolation()))).rejects.toThrow(UniqueViolation)
    const write = ['db.write begins', 'db.write ends']
    expect(seen).toEqual([...write, 'db.snapshot begins', 'db.snapshot ends', ...write])
  })

  test('keeps memory of its own, and counts the versions of the one beneath', async () => {
    const { db } = given()
    const ofThis = (one: unknown) => one
    expect(db.keep(ofThis)).toBe(db)
    const before = db.version
    await db.write(async () => undefined)
    expect(db.version).toBe(world.db.version)
    if (before !== undefined) expect(db.version).toBeGreaterThan(before)
  })
})
