import { and, eq } from 'drizzle-orm'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Db, Tables } from '../../../stores/db/index.ts'

type Answer = Tables['dataset_answers']['$inferSelect']
type Place = Pick<Answer, 'repo_id' | 'config' | 'split' | 'kind'>

const MAX_ANSWER_BYTES = 64 * 1024 * 1024

/** An answer that was made before, as JSON text, with the commit it was made of. */
export async function findAnswer(
  { q, t }: Pick<Db, 'q' | 't'>,
  { repo_id, config, split, kind }: Place,
): Promise<{ commit: string; json: string } | undefined> {
  const { dataset_answers: a } = t
  const [row] = await q
    .select()
    .from(a)
    .where(and(eq(a.repo_id, repo_id), eq(a.config, config), eq(a.split, split), eq(a.kind, kind)))
  if (!row) return undefined
  const json = await promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip)(row.body, {
    maxOutputLength: MAX_ANSWER_BYTES,
  })
  return { commit: row.commit, json: json.toString('utf8') }
}

/** Keeps an answer in the place of an older one. */
export async function keepAnswer(
  db: Db,
  place: Place,
  { commit, json }: { commit: string; json: string },
): Promise<void> {
  const body = await promisify<Buffer, Buffer>(gzip)(Buffer.from(json))
  await db.write(async ({ q, t }) => {
    const { dataset_answers: a } = t
    await q
      .insert(a)
      .values({ ...place, commit, body })
      .onConflictDoUpdate({ target: [a.repo_id, a.config, a.split, a.kind], set: { commit, body } })
  })
}
