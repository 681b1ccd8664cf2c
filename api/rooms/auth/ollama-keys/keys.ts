import { and, desc, eq } from 'drizzle-orm'
import { requireAccount } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { audit } from '../../../core/events/index.ts'
import { invalidField, Problem } from '../../../platform/problems/index.ts'
import { newId, UniqueViolation, type Tables } from '../../../stores/db/index.ts'
import { lockNamespace } from '../../namespaces/index.ts'
import { readKeyLine } from './public-key.ts'

export type OllamaKeyRow = Tables['ollama_keys']['$inferSelect']

// indexing.md §6
const MAX_KEYS = 20

/** The saved keys of the caller, newest first. */
export async function listKeys({ actor, db }: Ctx): Promise<OllamaKeyRow[]> {
  const { ollama_keys: keys } = db.t
  const user = requireAccount(actor, 'read')
  return db.q.select().from(keys).where(eq(keys.user_id, user.id)).orderBy(desc(keys.id)).limit(MAX_KEYS)
}

/**
 * Saves a public key, by which `ollama` then reads what the caller may read. Problems: `validation-failed` for what is no
 * ed25519 key and beyond 20 keys, `already-exists` when any user has saved it.
 */
export async function saveKey(ctx: Ctx, wanted: { name: string; publicKey: string }): Promise<OllamaKeyRow> {
  const user = requireAccount(ctx.actor, 'write')
  const key = readKeyLine(wanted.publicKey)
  if (!key)
    throw invalidField(
      'public_key',
      'paste the one line of ~/.ollama/id_ed25519.pub: ssh-ed25519 AAAA…',
      'invalid',
    )
  const row: OllamaKeyRow = {
    id: newId(),
    user_id: user.id,
    name: wanted.name,
    public_key: key.line,
    fingerprint: key.fingerprint,
    created_at: ctx.now(),
    last_used_at: null,
  }
  try {
    await ctx.db.write(async (tx) => {
      // Holds off others of the user's, so that the limit holds.
      await lockNamespace(tx, user.id)
      const { ollama_keys: keys } = tx.t
      if ((await tx.q.$count(keys, eq(keys.user_id, user.id))) >= MAX_KEYS)
        throw invalidField('public_key', `at most ${MAX_KEYS} keys; delete one first`, 'too-many')
      await tx.q.insert(keys).values(row)
      const { id, name, fingerprint } = row
      await audit(tx, ctx, {
        action: 'ollama-key.create',
        target: { type: 'ollama-key', id, name },
        after: { fingerprint },
      })
    })
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
    throw new Problem('already-exists', { detail: `The key ${key.fingerprint} is saved already.` })
  }
  return row
}

/** Deletes a key of the caller's; what was signed in with it ends at once. Problem `not-found`. */
export async function deleteKey(ctx: Ctx, id: string): Promise<void> {
  const user = requireAccount(ctx.actor, 'write')
  await ctx.db.write(async (tx) => {
    const { ollama_keys: keys } = tx.t
    const [gone] = await tx.q
      .delete(keys)
      .where(and(eq(keys.id, id), eq(keys.user_id, user.id)))
      .returning()
    if (!gone) throw new Problem('not-found')
    await audit(tx, ctx, {
      action: 'ollama-key.delete',
      target: { type: 'ollama-key', id, name: gone.name },
      before: { fingerprint: gone.fingerprint },
    })
  })
}
