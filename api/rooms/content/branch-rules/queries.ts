import { asc, eq } from 'drizzle-orm'
import type { Db, Tables } from '../../../stores/db/index.ts'

export type BranchRule = Tables['branch_rules']['$inferSelect']

/** The rules of a repo, by pattern. */
export function findRules({ q, t }: Pick<Db, 'q' | 't'>, repoId: string): Promise<BranchRule[]> {
  const { branch_rules: r } = t
  return q.select().from(r).where(eq(r.repo_id, repoId)).orderBy(asc(r.pattern))
}
