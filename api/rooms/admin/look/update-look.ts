import { requireInstanceAdmin } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { audit } from '../../../core/events/index.ts'
import type { Tx } from '../../../stores/db/index.ts'
import { getSetLook, lookRow, readWords, type Look, type LookWords } from './look.ts'

/** Has the server call itself and say what `words` hold, in every process within seconds. For instance admins. */
export async function updateLook(ctx: Ctx, words: LookWords): Promise<Look> {
  requireInstanceAdmin(ctx.actor)
  const { name, welcome, announcement } = words
  await ctx.db.write(async (tx) => {
    await lockLook(tx, ctx)
    const before = await readWords(tx)
    await tx.q.update(tx.t.instance_look).set({
      name,
      welcome,
      announcement: announcement?.text ?? null,
      announcement_kind: announcement?.kind ?? 'info',
      announcement_ends_at: announcement?.endsAt ?? null,
      updated_at: ctx.now(),
    })
    await audit(tx, ctx, { action: 'look.update', target, before: entryOf(before), after: entryOf(words) })
  })
  return getSetLook(ctx)
}

/** What the audit log says a change of the look is about. */
export const target = { type: 'instance', id: lookRow, name: 'look' }

const entryOf = ({ name, welcome, announcement }: LookWords) => ({
  name,
  welcome,
  announcement: announcement && {
    text: announcement.text,
    kind: announcement.kind,
    ends_at: announcement.endsAt?.toISOString() ?? null,
  },
})

/** Makes the row of the look where it is missing, and lets no other change pass until the transaction ends. */
export async function lockLook(tx: Tx, ctx: Ctx): Promise<void> {
  const { instance_look: l } = tx.t
  await tx.q
    .insert(l)
    .values({ id: lookRow, updated_at: ctx.now() })
    .onConflictDoUpdate({ target: l.id, set: { id: lookRow } })
}
