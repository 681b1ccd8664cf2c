import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Ctx } from '../../../core/ctx.ts'
import { contentOf, hours, pass, sweepRun } from '../../../core/lfs/testing.ts'
import { PARSER_VERSION } from '../../../core/parsers/index.ts'
import { dbWith, eachDatabase, givenRepo, givenUser } from '../../../testing.ts'
import { givenCommit } from '../../content/testing.ts'
import { openFileAt, openRevision } from '../../content/index.ts'
import { put, weights } from '../testing.ts'
import { factCheck } from '../checks.ts'
import { readFacts } from './kept-facts.ts'
import { unusedFacts } from './sweep.ts'

eachDatabase('facts of files', (world) => {
  let made = 0
  async function given(file = weights({ [`t${++made}`]: ['F32', [2], 4] })) {
    const owner = await givenUser(world, `owner${++made}`)
    const repo = await givenRepo(world, owner)
    await givenCommit(world, owner, repo, [put('m.safetensors', file)])
    const ctx = world.ctx(owner)
    const opened = await openFileAt(ctx, repo, await openRevision(ctx, repo.id), 'm.safetensors')
    let opens = 0
    const open: typeof opened.open = (...range) => (opens++, opened.open(...range))
    return { ctx, file: { ...opened, open }, opensOf: () => opens }
  }
  const rows = (content: string) => {
    const { q, t } = world.db
    return q.select().from(t.file_facts).where(eq(t.file_facts.content, content))
  }

  test('are read once, also after a restart', async () => {
    const { ctx, file, opensOf } = await given()
    const facts = await readFacts(ctx, file)
    const first = opensOf()
    expect(first).toBeGreaterThan(0)
    expect(await readFacts(ctx, file)).toEqual(facts)
    const restarted = restartedOf(ctx)
    expect(await readFacts(restarted, file)).toEqual(facts)
    expect(opensOf()).toBe(first)
    expect(await rows(file.etag)).toMatchObject([{ reading: 'safetensors', version: PARSER_VERSION }])
  })

  test('depend on how parameters count', async () => {
    const { ctx, file } = await given(weights({ 'a.qweight': ['I32', [10, 10], 4] }))
    const of = async (quantization?: Parameters<typeof readFacts>[2]) => {
      const facts = await readFacts(ctx, file, quantization)
      return facts?.format === 'safetensors' ? facts.parameters : undefined
    }
    const gptq = { method: 'gptq', bits: 4, notConverted: [], ignored: [] }
    expect([await of(), await of(gptq), await of()]).toEqual([100, 800, 100])
    expect(await rows(file.etag)).toHaveLength(2)
  })

  test('of an older parser, and damaged ones, are read again', async () => {
    const { ctx, file, opensOf } = await given()
    const { file_facts: f } = world.db.t
    const facts = await readFacts(ctx, file)
    for (const spoiled of [{ version: PARSER_VERSION - 1 }, { facts: Buffer.from('no gzip') }]) {
      await world.db.write(({ q }) => q.update(f).set(spoiled).where(eq(f.content, file.etag)))
      const before = opensOf()
      const restarted = restartedOf(ctx)
      expect(await readFacts(restarted, file)).toEqual(facts)
      expect(opensOf()).toBeGreaterThan(before)
    }
  })

  test('that are damaged are found by fsck, and forgotten by its repair', async () => {
    const { ctx, file } = await given()
    await readFacts(ctx, file)
    const { file_facts: f } = world.db.t
    await world.db.write(({ q }) =>
      q
        .update(f)
        .set({ facts: Buffer.from('x') })
        .where(eq(f.content, file.etag)),
    )
    const check = async (repair: boolean) => {
      const found = []
      for await (const finding of factCheck.run(world.deps, { deep: false, repair })) found.push(finding)
      return found.map((finding) => [finding.check, finding.repaired])
    }
    expect(await check(false)).toEqual([['facts.file', undefined]])
    expect(await check(true)).toEqual([['facts.file', true]])
    expect(await check(false)).toEqual([])
    expect(await rows(file.etag)).toEqual([])
  })

  test('that are unused are deleted by gc', async () => {
    const { ctx, file } = await given()
    const used = await given()
    await readFacts(ctx, file)
    await readFacts(used.ctx, used.file)
    const lost = contentOf(Buffer.from(`lost ${made}`)).sha256
    const { file_facts: f } = world.db.t
    const row = {
      reading: 'gguf',
      version: PARSER_VERSION,
      facts: Buffer.from('x'),
      touched_at: world.clock.now,
    }
    await world.db.write(({ q }) => q.insert(f).values({ content: lost, ...row }))
    const run = sweepRun(world)
    await unusedFacts.run(ctx, run)
    expect(await rows(lost)).toHaveLength(1)
    pass(world, hours(2))
    await unusedFacts.run(ctx, run)
    expect(await rows(lost)).toHaveLength(0)
    pass(world, hours(24 * 20))
    const restarted = restartedOf(ctx)
    await readFacts(restarted, used.file)
    pass(world, hours(24 * 11))
    expect(await unusedFacts.run(ctx, { ...run, dryRun: true })).toMatchObject({ comparisons: 0 })
    await unusedFacts.run(ctx, run)
    expect([await rows(file.etag), await rows(used.file.etag)]).toMatchObject([[], [{}]])
  })
})

/** The same server after a restart: it has nothing in memory. */
const restartedOf = (ctx: Ctx): Ctx => ({ ...ctx, db: dbWith(ctx.db, {}) })
