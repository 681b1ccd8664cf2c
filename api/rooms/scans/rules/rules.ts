import { and, asc, eq } from 'drizzle-orm'
import { requireInstanceAdmin } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { audit } from '../../../core/events/index.ts'
import { enqueue } from '../../../core/jobs/index.ts'
import { judgeImport } from '../../../core/scanning/index.ts'
import { invalidField, Problem } from '../../../platform/problems/index.ts'
import type { Tables } from '../../../stores/db/index.ts'
import type { Reader } from '../content.ts'
import type { RuledSafety } from './apply.ts'
import { lockRules } from './lock.ts'
import { scanRejudgeTicket } from './rejudge-job.ts'

/** What an admin says of an import. */
export interface ImportRule {
  module: string
  name: string
  safety: RuledSafety
  note: string | null
  /** Who said so: a username; absent when that user is gone. */
  setBy: string | null
  setAt: Date
}

interface Import {
  module: string
  name: string
}

/** Each is looked up for every file that is scanned. */
const MAX_RULES = 1000

const ruleOf = (t: Tables, { module, name }: Import) =>
  and(eq(t.scan_rules.module, module), eq(t.scan_rules.name, name))

/** All rules, by module and name. For instance admins. */
export async function listImportRules(ctx: Ctx): Promise<ImportRule[]> {
  requireInstanceAdmin(ctx.actor)
  return readImportRules(ctx.db)
}

async function readImportRules({ q, t }: Reader, of?: Import): Promise<ImportRule[]> {
  const { scan_rules: r, namespaces: n } = t
  return q
    .select({
      module: r.module,
      name: r.name,
      safety: r.safety,
      note: r.note,
      setBy: n.name,
      setAt: r.set_at,
    })
    .from(r)
    .leftJoin(n, eq(n.id, r.set_by))
    .where(of && ruleOf(t, of))
    .orderBy(asc(r.module), asc(r.name))
}

/**
 * Says how safe an import is, for all files, and has those judged again that have it. For instance admins. Problem
 * `validation-failed`, also for an import that can run code: no rule allows it.
 */
export async function setImportRule(
  ctx: Ctx,
  of: Import,
  { safety, note = null }: { safety: RuledSafety; note?: string | null | undefined },
): Promise<ImportRule> {
  requireInstanceAdmin(ctx.actor)
  if (safety === 'innocuous' && judgeImport(of.module, of.name) === 'dangerous')
    throw invalidField(
      'safety',
      `${of.module}.${of.name} can run code when a file is loaded. It cannot be allowed.`,
    )
  const by = ctx.actor.kind === 'user' ? ctx.actor.id : null
  return ctx.db.write(async (tx) => {
    const { scan_rules: r } = tx.t
    await lockRules(tx, ctx.db)
    const [before] = await readImportRules(tx, of)
    if (!before && (await tx.q.$count(r)) >= MAX_RULES)
      throw invalidField('name', `at most ${MAX_RULES} rules; delete one first`, 'too-many')
    const set = { safety, note, set_by: by, set_at: ctx.now() }
    await tx.q
      .insert(r)
      .values({ ...of, ...set })
      .onConflictDoUpdate({ target: [r.module, r.name], set })
    await audit(tx, ctx, {
      action: 'scan.import.set',
      target: targetOf(of),
      ...(before && { before: factsOf(before) }),
      after: factsOf({ safety, note }),
    })
    if (before?.safety !== safety) await enqueue(tx, ctx, scanRejudgeTicket, of)
    const [after] = await readImportRules(tx, of)
    if (!after) throw new Error('a rule that was written is not there')
    return after
  })
}

/** Takes a rule back: what the scanner says counts again. For instance admins. Problem `not-found`. */
export async function deleteImportRule(ctx: Ctx, of: Import): Promise<void> {
  requireInstanceAdmin(ctx.actor)
  await ctx.db.write(async (tx) => {
    await lockRules(tx, ctx.db)
    const [before] = await readImportRules(tx, of)
    if (!before) throw new Problem('not-found', { detail: `There is no rule for ${of.module}.${of.name}.` })
    await tx.q.delete(tx.t.scan_rules).where(ruleOf(tx.t, of))
    await audit(tx, ctx, { action: 'scan.import.delete', target: targetOf(of), before: factsOf(before) })
    await enqueue(tx, ctx, scanRejudgeTicket, of)
  })
}

const targetOf = ({ module, name }: Import) => ({
  type: 'import',
  id: `${module}.${name}`,
  name: `${module}.${name}`,
})

const factsOf = ({ safety, note }: Pick<ImportRule, 'safety' | 'note'>) => ({
  safety,
  ...(note === null ? {} : { note }),
})
