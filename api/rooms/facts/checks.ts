import { and, eq, gt, or } from 'drizzle-orm'
import type { Check, Finding } from '../../core/check.ts'
import { unpacked } from './kept/packed.ts'

/** Rows read together; each has up to 2 MiB. */
const PAGE = 50

/**
 * What is kept of files, and of comparisons of their tensors, can be read. Repair forgets what cannot: the next use reads the
 * files again.
 */
export const factCheck: Check = {
  name: 'facts',
  async *run({ db }, { repair, repoId }) {
    // They are of contents, not of repos.
    if (repoId !== undefined) return
    const { file_facts: f, tensor_comparisons: c } = db.t
    for (let last = { content: '', reading: '' }; ;) {
      const isLater = or(
        gt(f.content, last.content),
        and(eq(f.content, last.content), gt(f.reading, last.reading)),
      )
      const rows = await db.q.select().from(f).where(isLater).orderBy(f.content, f.reading).limit(PAGE)
      for (const { content, reading, facts } of rows) {
        if ((await unpacked(facts)) !== undefined) continue
        const isIt = and(eq(f.content, content), eq(f.reading, reading))
        if (repair) await db.write(({ q }) => q.delete(f).where(isIt))
        yield damaged('file', `what is kept of ${content} (${reading}) cannot be read`, repair)
      }
      const end = rows.at(-1)
      if (!end || rows.length < PAGE) break
      last = end
    }
    for (let last = ''; ;) {
      const rows = await db.q.select().from(c).where(gt(c.pair, last)).orderBy(c.pair).limit(PAGE)
      for (const { pair, result } of rows) {
        if ((await unpacked(result)) !== undefined) continue
        if (repair) await db.write(({ q }) => q.delete(c).where(eq(c.pair, pair)))
        yield damaged('comparison', `the comparison ${pair} cannot be read`, repair)
      }
      last = rows.at(-1)?.pair ?? ''
      if (rows.length < PAGE) return
    }
  },
}

const damaged = (check: string, message: string, isRepaired: boolean): Finding => ({
  check: `facts.${check}`,
  severity: 'error',
  message,
  ...(isRepaired ? { repaired: true as const } : {}),
})
