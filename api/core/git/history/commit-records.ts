import { and, eq, inArray } from 'drizzle-orm'
import type { Person } from '../objects/objects.ts'
import { OID_BYTES, oidFromHex } from '../objects/oid.ts'
import type { Reader } from '../repo-state.ts'

/** Merges of Linux have 66 at most; made-up commits have tens of thousands, which a list would tell a thousand times. */
export const MAX_PARENTS_TOLD = 100

/** A commit as the history index tells it. Oids are 40-hex. */
export interface CommitRecord {
  sha: string
  /** The first `MAX_PARENTS_TOLD`. */
  parents: string[]
  author: Person
  committer: Person
  subject: string
  body: string
  /** The account that made it here. */
  userId?: string
}

/** Index records of commits, by sha; those not entered are missing. */
export async function findCommitRecords(
  { q, t: { git_commits } }: Reader,
  repoId: string,
  shas: string[],
): Promise<Map<string, CommitRecord>> {
  const rows = await q
    .select()
    .from(git_commits)
    .where(and(eq(git_commits.repo_id, repoId), inArray(git_commits.oid, shas.map(oidFromHex))))
  return new Map(rows.map((row) => [row.oid.toString('hex'), toRecord(row)]))
}

/** Index records of one chain, by position. */
export async function recordsAt(
  reader: Reader,
  repoId: string,
  chain: number,
  positions: number[],
): Promise<Map<number, CommitRecord>> {
  const { git_commits } = reader.t
  const rows = await reader.q
    .select()
    .from(git_commits)
    .where(
      and(eq(git_commits.repo_id, repoId), eq(git_commits.chain, chain), inArray(git_commits.pos, positions)),
    )
  return new Map(rows.map((row) => [row.pos, toRecord(row)]))
}

type CommitRow = Reader['t']['git_commits']['$inferSelect']

function toRecord(row: CommitRow): CommitRecord {
  const parents = Array.from({ length: row.parents.length / OID_BYTES }, (_, i) =>
    row.parents.toString('hex', i * OID_BYTES, (i + 1) * OID_BYTES),
  )
  return {
    sha: row.oid.toString('hex'),
    parents,
    author: { name: row.author_name, email: row.author_email, at: row.author_time, tzMinutes: row.author_tz },
    committer: {
      name: row.committer_name,
      email: row.committer_email,
      at: row.committer_time,
      tzMinutes: row.committer_tz,
    },
    subject: row.subject,
    body: row.body,
    ...(row.user_id !== null && { userId: row.user_id }),
  }
}
