import { and, asc, gt, isNull } from 'drizzle-orm'
import { repoRows, toRepo, type Reader, type Repo } from '../queries.ts'

const pageOfAll = 500

/** Every repo that is not being purged, in the order they were made, read in pages. */
export async function* listAllRepos(db: Reader): AsyncGenerator<Repo> {
  const { repos } = db.t
  for (let after = ''; ;) {
    const rows = await repoRows(db, '')
      .where(and(gt(repos.id, after), isNull(repos.purging_at)))
      .orderBy(asc(repos.id))
      .limit(pageOfAll)
    for (const row of rows) yield toRepo(row)
    const last = rows.at(-1)
    if (!last || rows.length < pageOfAll) return
    after = last.row.id
  }
}
