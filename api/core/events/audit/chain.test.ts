import { asc, desc, eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { createLogger } from '../../../platform/telemetry/index.ts'
import { newId } from '../../../stores/db/index.ts'
import { eachDatabase } from '../../../testing.ts'
import { enqueue } from '../../jobs/index.ts'
import { runJobs } from '../../jobs/testing.ts'
import { pass, sweepRun } from '../../lfs/testing.ts'
import { oldAudit } from './expire.ts'
import { audit } from './record.ts'
import { exportAudit } from './read.ts'
import { auditSeal, LATE_MS, sealWithin } from './seal.ts'
import { verifyAudit } from './verify.ts'

const day = 24 * 3_600_000

eachDatabase('the chain over the audit', (world) => {
  const record = (name: string) =>
    world.db.write((tx) =>
      audit(tx, world.ctx(), {
        action: 'repo.create',
        target: { type: 'repo', id: name, name },
        // Members in an order that Postgres does not keep.
        after: { zebra: 1, ape: { tiger: [true, null], bear: 'ü' } },
      }),
    )
  const seal = async (log = world.deps.log) => {
    await world.db.write((tx) => enqueue(tx, world.ctx(), auditSeal, {}))
    await runJobs({ ...world.deps, log }, [auditSeal])
  }
  const verify = (known?: { seq: number; hash: string }) => verifyAudit(world.ctx(), known)
  const seals = () =>
    world.db.q.select().from(world.db.t.audit_seals).orderBy(asc(world.db.t.audit_seals.seq))
  const seqs = async () => (await seals()).map(({ seq }) => seq)

  beforeEach(async () => {
    const { audit: rows, audit_seals } = world.db.t
    await world.db.write(async ({ q }) => {
      await q.delete(rows)
      await q.delete(audit_seals)
    })
    for (const name of ['one', 'two', 'three', 'four']) await record(name)
    await seal()
  })

  test('is whole, whatever the order in which a database keeps JSON', async () => {
    await record('five')
    expect(await verify()).toMatchObject({ checked: 4, unsealed: 1, faults: [], faultCount: 0 })
    await seal()
    expect(await verify()).toMatchObject({ checked: 5, unsealed: 0, faults: [], head: { seq: 5 } })
    expect(await seqs()).toEqual([1, 2, 3, 4, 5])
  })

  test('is one chain, however many seal at once', async () => {
    for (const name of ['five', 'six', 'seven']) await record(name)
    const sealing = () => world.db.write((tx) => sealWithin(tx, world.db))
    expect(await Promise.all([sealing(), sealing(), sealing()])).toEqual([7, 7, 7])
    expect(await verify()).toMatchObject({ checked: 7, unsealed: 0, faults: [] })
  })

  test('has its newest seal logged once a day, which proves what came before it', async () => {
    const lines: Record<string, unknown>[] = []
    const write = (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>)
    const log = createLogger({ level: 'info', format: 'json', write })
    const logged = () => lines.filter(({ msg }) => msg === 'newest seal of the audit log')
    const sealed = async (name: string) => {
      await record(name)
      await seal(log)
      const { seq, hash } = (await seals()).at(-1) ?? {}
      return { seq, hash }
    }
    const start = world.clock.now
    await sealed('five')
    expect(logged()).toEqual([])
    world.clock.now = new Date(start.getTime() + day)
    const first = await sealed('six')
    expect(logged()).toMatchObject([first])
    await sealed('seven')
    expect(logged()).toHaveLength(1)
    world.clock.now = new Date(start.getTime() + 2 * day)
    const second = await sealed('eight')
    expect(logged()).toMatchObject([first, second])
    world.clock.now = start
    const { seq = 0, hash = '' } = first
    expect((await verify({ seq, hash })).faults).toEqual([])
    expect((await verify({ seq, hash: '0'.repeat(64) })).faults).toMatchObject([{ kind: 'changed', seq }])
  })

  test('shows a changed row, whichever column it is', async () => {
    const { audit: rows } = world.db.t
    const changes = [
      { at: new Date(0) },
      { request_id: 'x' },
      { actor_id: 'x' },
      { auth_kind: 'token' as const },
      { token_id: 'x' },
      { ip: '192.0.2.1' },
      { action: 'x.y' },
      { target_type: 'user' },
      { target_id: 'x' },
      { target_name: 'x' },
      { before: { x: 1 } },
      { after: { zebra: 2, ape: { tiger: [true, null], bear: 'ü' } } },
      { outcome: 'refused' as const },
    ]
    for (const change of changes) {
      const [row] = await world.db.q.select().from(rows).where(eq(rows.target_name, 'two'))
      if (!row) throw new Error('no row')
      await world.db.write(({ q }) => q.update(rows).set(change).where(eq(rows.id, row.id)))
      expect((await verify()).faults, JSON.stringify(change)).toEqual([
        { kind: 'changed', seq: 2, id: row.id },
      ])
      await world.db.write(({ q }) => q.update(rows).set(row).where(eq(rows.id, row.id)))
    }
    expect((await verify()).faults).toEqual([])
  })

  test('shows a row that was removed, with its seal or without', async () => {
    const { audit: rows, audit_seals } = world.db.t
    const [, , third] = await seals()
    if (!third) throw new Error('no seal')
    await world.db.write(({ q }) => q.delete(rows).where(eq(rows.id, third.audit_id)))
    expect((await verify()).faults).toEqual([{ kind: 'removed', seq: 3, id: third.audit_id }])
    await world.db.write(({ q }) => q.delete(audit_seals).where(eq(audit_seals.seq, 3)))
    expect((await verify()).faults).toEqual([{ kind: 'removed', seq: 3 }])
  })

  test('shows the oldest rows to be removed before their time', async () => {
    const { audit: rows, audit_seals } = world.db.t
    const [first] = await seals()
    if (!first) throw new Error('no seal')
    await world.db.write(({ q }) => q.delete(rows).where(eq(rows.id, first.audit_id)))
    expect((await verify()).faults).toEqual([{ kind: 'removed', seq: 1, id: first.audit_id }])
    await world.db.write(({ q }) => q.delete(audit_seals).where(eq(audit_seals.seq, 1)))
    expect((await verify()).faults).toEqual([{ kind: 'removed', seq: 1 }])
  })

  test('shows a row that was inserted among the sealed ones', async () => {
    const { audit: rows } = world.db.t
    const [row] = await world.db.q.select().from(rows).orderBy(desc(rows.id)).limit(1)
    if (!row) throw new Error('no row')
    const id = newId()
    const at = new Date(row.at.getTime() - LATE_MS - 1)
    await world.db.write(({ q }) => q.insert(rows).values({ ...row, id, at }))
    expect((await verify()).faults).toEqual([{ kind: 'inserted', id }])
    await seal()
    expect((await verify()).faults).toEqual([{ kind: 'inserted', id }])
  })

  test('cut off at its end, or made again, is found by a seal that was noted down', async () => {
    const { audit: rows, audit_seals } = world.db.t
    const known = (await seals()).at(-1)
    if (!known) throw new Error('no seal')
    expect((await verify(known)).faults).toEqual([])
    await world.db.write(async ({ q }) => {
      await q.delete(audit_seals).where(eq(audit_seals.seq, 4))
      await q.delete(rows).where(eq(rows.id, known.audit_id))
    })
    expect((await verify()).faults).toEqual([])
    expect((await verify(known)).faults).toEqual([{ kind: 'removed', seq: 4 }])
    await record('other')
    await seal()
    expect((await verify(known)).faults).toMatchObject([{ kind: 'changed', seq: 4 }])
  })

  test('stays whole when its oldest rows expire', async () => {
    pass(world, 401 * day)
    await record('young')
    await seal()
    expect(await oldAudit.run(world.ctx(), sweepRun(world))).toEqual({ forgotten: 4 })
    expect(await seqs()).toEqual([4, 5])
    expect(await verify()).toMatchObject({ checked: 1, faults: [], faultCount: 0 })
    expect(await oldAudit.run(world.ctx(), sweepRun(world))).toEqual({ forgotten: 0 })
  })

  test('grows by each row once when two seal it at once', async () => {
    for (let i = 0; i < 30; i++) await record(`more ${i}`)
    await Promise.all([seal(), seal()])
    expect(await verify()).toMatchObject({ checked: 34, unsealed: 0, faults: [] })
  })

  test('is read to its end when it has more rows than are read at once', async () => {
    const { audit: rows } = world.db.t
    const [row] = await world.db.q.select().from(rows).orderBy(desc(rows.id)).limit(1)
    if (!row) throw new Error('no row')
    const more = Array.from({ length: 2500 }, (_, i) => ({ ...row, id: newId(), target_name: `more ${i}` }))
    await world.db.write(async ({ q }) => {
      for (let from = 0; from < more.length; from += 500)
        await q.insert(rows).values(more.slice(from, from + 500))
    })
    await seal()
    expect(await verify()).toMatchObject({ checked: 2504, unsealed: 0, faults: [], head: { seq: 2504 } })
    const names: string[] = []
    for await (const some of exportAudit(world.ctx(), {}))
      names.push(...some.map(({ target_name }) => target_name))
    expect(names).toEqual(['one', 'two', 'three', 'four', ...more.map(({ target_name }) => target_name)])
    const late = { ...row, id: newId(), at: new Date(row.at.getTime() - LATE_MS - 1), target_name: 'late' }
    await world.db.write(({ q }) => q.insert(rows).values(late))
    expect((await verify()).faults).toEqual([{ kind: 'inserted', id: late.id }])
    const found = []
    for await (const some of exportAudit(world.ctx(), { to: late.at })) found.push(...some)
    expect(found).toMatchObject([{ target_name: 'late', seal: null }])
  })

  test('counts faults beyond those it lists', async () => {
    const { audit: rows } = world.db.t
    for (let i = 0; i < 30; i++) await record(`more ${i}`)
    await seal()
    await world.db.write(({ q }) => q.update(rows).set({ ip: '192.0.2.1' }))
    const { faults, faultCount } = await verify()
    expect([faults.length, faultCount]).toEqual([20, 34])
  })
})
