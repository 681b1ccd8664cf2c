import { and, eq, inArray, isNotNull, isNull } from 'drizzle-orm'
import { inBatches, type Db, type Tx } from '../../../stores/db/index.ts'
import { Turns } from '../../../platform/flow/index.ts'
import { oidFromHex } from '../objects/oid.ts'

/** The commits that each account made here, 40-hex, by user id. */
export type CommitsOfAccounts = ReadonlyMap<string, string[]>

/** The account that made each of these commits here, by the sha; commits without one are missing. */
export async function accountsByCommit(
  { q, t: { git_commits: c } }: Pick<Db, 'q' | 't'>,
  repoId: string,
  shas: Iterable<string>,
): Promise<Map<string, string>> {
  const rows = await inBatches(shas, (some) =>
    q
      .select({ oid: c.oid, userId: c.user_id })
      .from(c)
      .where(and(eq(c.repo_id, repoId), inArray(c.oid, some.map(oidFromHex)), isNotNull(c.user_id))),
  )
  return new Map(rows.flatMap(({ oid, userId }) => (userId === null ? [] : [[oid.toString('hex'), userId]])))
}

/** Which accounts made the commits that others take the place of; `commits` leads from the old to the new ones, 40-hex. */
export async function accountsOf(
  db: Pick<Db, 'q' | 't'>,
  repoId: string,
  commits: ReadonlyMap<string, string>,
): Promise<CommitsOfAccounts> {
  const made = new Map<string, string[]>()
  for (const [former, userId] of await accountsByCommit(db, repoId, commits.keys())) {
    const now = commits.get(former)
    if (now === undefined) continue
    const list = made.get(userId) ?? []
    list.push(now)
    made.set(userId, list)
  }
  return made
}

/** Notes who made commits that were entered into the history index without it. */
export async function noteAccounts(tx: Tx, repoId: string, made: CommitsOfAccounts): Promise<void> {
  const { git_commits: c } = tx.t
  // On SQLite statements are synchronous, so a long list of them would block every other request.
  const turns = new Turns()
  for (const [userId, oids] of made)
    await inBatches(oids, async (some) => {
      await turns.breathe()
      await tx.q
        .update(c)
        .set({ user_id: userId })
        .where(and(eq(c.repo_id, repoId), inArray(c.oid, some.map(oidFromHex)), isNull(c.user_id)))
      return []
    })
}
