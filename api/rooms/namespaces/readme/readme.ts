import { eq } from 'drizzle-orm'
import { authoriseNamespace, authoriseProfile, policyOf } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { audit } from '../../../core/events/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import type { Tx } from '../../../stores/db/index.ts'
import { lockNamespace, type Reader } from '../queries.ts'
import { requireNamespace } from '../require.ts'

/** What a namespace says of itself; `''` where it says nothing. */
export interface Readme {
  text: string
  updatedAt: Date | null
}

async function readmeOf({ q, t: { namespace_readmes: r } }: Reader, namespaceId: string): Promise<Readme> {
  const [row] = await q.select().from(r).where(eq(r.namespace_id, namespaceId))
  return { text: row?.text ?? '', updatedAt: row?.updated_at ?? null }
}

/** The README of a user or an organisation, for callers who may see the profile. */
export async function getReadme(ctx: Ctx, name: string): Promise<Readme> {
  authoriseProfile(ctx.actor, name, policyOf(ctx.config))
  return readmeOf(ctx.db, (await requireNamespace(ctx.db, name)).id)
}

/**
 * Writes the README of a namespace; `''` removes it. `seen` is the text the change was made to: Problem `state-conflict` when
 * it has changed meanwhile, and then nothing is written.
 */
export async function setReadme(ctx: Ctx, name: string, text: string, seen?: string): Promise<Readme> {
  authoriseProfile(ctx.actor, name, policyOf(ctx.config))
  const { id } = await requireNamespace(ctx.db, name)
  return ctx.db.write(async (tx) => {
    const row = await lockNamespace(tx, id)
    if (!row) throw new Problem('not-found', { detail: `There is no user or organisation ${name}.` })
    authoriseNamespace(ctx.actor, 'namespace.edit', row)
    const before = await readmeOf(tx, id)
    if (seen !== undefined && seen !== before.text)
      throw new Problem('state-conflict', {
        detail:
          'Somebody else has changed this README meanwhile. Copy your text, reload the page and edit again.',
      })
    if (text === before.text) return before
    const after = { text, updatedAt: text === '' ? null : ctx.now() }
    await write(tx, id, after)
    await audit(tx, ctx, {
      action: 'readme.set',
      target: { type: row.kind, id, name: row.name },
      before: { chars: before.text.length },
      after: { chars: text.length },
    })
    return after
  })
}

async function write({ q, t: { namespace_readmes: r } }: Tx, id: string, { text, updatedAt }: Readme) {
  if (updatedAt === null) return q.delete(r).where(eq(r.namespace_id, id))
  const values = { text, updated_at: updatedAt }
  return q
    .insert(r)
    .values({ namespace_id: id, ...values })
    .onConflictDoUpdate({ target: r.namespace_id, set: values })
}

/** Removes the README with its namespace. */
export async function dropReadme({ q, t: { namespace_readmes: r } }: Tx, namespaceId: string): Promise<void> {
  await q.delete(r).where(eq(r.namespace_id, namespaceId))
}
