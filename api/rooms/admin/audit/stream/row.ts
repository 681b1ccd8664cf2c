import { eq } from 'drizzle-orm'
import type { Ctx } from '../../../../core/ctx.ts'
import { Problem } from '../../../../platform/problems/index.ts'
import type { Db, Tables, Tx } from '../../../../stores/db/index.ts'

/** Where the audit is sent, and how far it was. */
export type StreamRow = Tables['audit_stream']['$inferSelect']

/** The id of the only row. */
export const STREAM = 'stream'

const context = 'audit-stream'

/** The stream; `undefined` when none is set. */
export async function findStream({ q, t }: Pick<Db | Tx, 'q' | 't'>): Promise<StreamRow | undefined> {
  const [row] = await q.select().from(t.audit_stream).where(eq(t.audit_stream.id, STREAM))
  return row
}

/** The stream. Problem `not-found` when none is set. */
export async function requireStream(reader: Pick<Db | Tx, 'q' | 't'>): Promise<StreamRow> {
  const row = await findStream(reader)
  if (!row) throw new Problem('not-found', { detail: 'No stream of the audit log is set.' })
  return row
}

/** A token as the database keeps it. */
export const sealToken = ({ secrets }: Pick<Ctx, 'secrets'>, token: string): string =>
  secrets.seal(context, token)

/** `undefined` when the instance key it was sealed with is gone. */
export const openToken = ({ secrets }: Pick<Ctx, 'secrets'>, sealed: string): string | undefined =>
  secrets.open(context, sealed)
