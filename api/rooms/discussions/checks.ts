import { and, eq, isNull, like, ne, sql, type SQL } from 'drizzle-orm'
import type { Check, CheckOptions, Finding } from '../../core/check.ts'
import type { Deps } from '../../core/ctx.ts'
import type { Reader } from './queries.ts'

/**
 * Each pull request has its ref and each such ref its pull request; comments are counted right, and no number will be
 * given twice. Repair counts again.
 */
export const discussionCheck: Check = {
  name: 'discussions',
  async *run(deps, options) {
    // Of one moment, since a pull request and its ref come about together.
    const { refless, unopened } = await deps.db.snapshot(async (tx) => ({
      refless: await withoutRef(tx, options),
      unopened: await withoutRow(tx, options),
    }))
    for (const { repoId, num } of refless)
      yield found('ref', repoId, `the pull request ${num} has no ref refs/pr/${num}`)
    for (const { repoId, name } of unopened)
      yield found('pull-request', repoId, `${name} belongs to no pull request`)
    yield* checkCounts(deps, options)
    yield* checkCounters(deps, options)
  },
}

function found(check: string, repo_id: string, message: string, isRepaired = false): Finding {
  const repaired = isRepaired ? { repaired: true as const } : {}
  return { check: `discussions.${check}`, severity: 'error', message, repo_id, ...repaired }
}

/** Of this repo, or of all but those being purged. */
function isMeant({ t: { repos } }: Reader, { repoId }: CheckOptions): SQL | undefined {
  return and(isNull(repos.purging_at), repoId === undefined ? undefined : eq(repos.id, repoId))
}

async function withoutRef(reader: Reader, options: CheckOptions) {
  const { q, t } = reader
  const { discussions: d, git_refs: r, repos } = t
  return q
    .select({ repoId: d.repo_id, num: d.num })
    .from(d)
    .innerJoin(repos, eq(repos.id, d.repo_id))
    .leftJoin(r, and(eq(r.repo_id, d.repo_id), eq(r.name, sql`'refs/pr/' || ${d.num}`)))
    .where(and(eq(d.kind, 'pull_request'), isNull(r.name), isMeant(reader, options)))
}

async function withoutRow(reader: Reader, options: CheckOptions) {
  const { q, t } = reader
  const { discussions: d, git_refs: r, repos } = t
  const isIts = and(
    eq(d.repo_id, r.repo_id),
    eq(r.name, sql`'refs/pr/' || ${d.num}`),
    eq(d.kind, 'pull_request'),
  )
  return q
    .select({ repoId: r.repo_id, name: r.name })
    .from(r)
    .innerJoin(repos, eq(repos.id, r.repo_id))
    .leftJoin(d, isIts)
    .where(and(like(r.name, 'refs/pr/%'), isNull(d.id), isMeant(reader, options)))
}

async function* checkCounts({ db }: Deps, options: CheckOptions): AsyncGenerator<Finding> {
  const { discussions: d, discussion_events: e, repos } = db.t
  const isIts = sql`${e.discussion_id} = ${d.id} and ${e.type} = 'comment'`
  const counted = sql<number>`(select count(*) from ${e} where ${isIts})`
  const wrong = await db.q
    .select({ id: d.id, repoId: d.repo_id, num: d.num, stored: d.comment_count, n: counted.mapWith(Number) })
    .from(d)
    .innerJoin(repos, eq(repos.id, d.repo_id))
    .where(and(ne(d.comment_count, counted), isMeant(db, options)))
  for (const { id, repoId, num, stored, n } of wrong) {
    if (options.repair)
      await db.write(({ q }) => q.update(d).set({ comment_count: counted }).where(eq(d.id, id)))
    yield found('comments', repoId, `${num} has ${n} comments, its row says ${stored}`, options.repair)
  }
}

async function* checkCounters({ db }: Deps, options: CheckOptions): AsyncGenerator<Finding> {
  const { discussions: d, discussion_counters: c, repos } = db.t
  const highest = sql<number>`max(${d.num})`.mapWith(Number)
  const wrong = await db.q
    .select({ repoId: d.repo_id, highest, last: c.last })
    .from(d)
    .innerJoin(repos, eq(repos.id, d.repo_id))
    .leftJoin(c, eq(c.repo_id, d.repo_id))
    .where(isMeant(db, options))
    .groupBy(d.repo_id, c.last)
    .having(sql`max(${d.num}) > coalesce(${c.last}, 0)`)
  for (const { repoId, highest: last, last: stored } of wrong) {
    if (options.repair)
      await db.write(({ q }) =>
        q
          .insert(c)
          .values({ repo_id: repoId, last })
          .onConflictDoUpdate({ target: c.repo_id, set: { last } }),
      )
    yield found('numbers', repoId, `${last} is in use, the counter says ${stored ?? 0}`, options.repair)
  }
}
