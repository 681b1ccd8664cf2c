import { eq, sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { actorId } from '../../../core/access/index.ts'
import type { Ctx, Deps } from '../../../core/ctx.ts'
import { changeMark, type Db, type Tx } from '../../../stores/db/index.ts'
import type { Logger } from '../../../platform/telemetry/index.ts'
import type { Repo } from '../queries.ts'
import { isQueryFile } from '../list/query-files.ts'

// native-api.md §4
const ONCE_IN_MS = 5 * 60_000
/** Losing up to 60 s of counts is allowed (reliability.md §10). */
const FLUSH_AFTER_MS = 20_000
/** Of whom it is known that they have downloaded a moment ago; about 15 MB at most. */
const MAX_KNOWN = 100_000
/** Repos of one transaction: others must not wait long for the writer's turn. */
const ROWS_AT_ONCE = 500
/** Repos and days that wait to be written; beyond that, which takes a database that refuses, counts are lost. */
const MAX_PENDING = 50_000

interface Count {
  repoId: string
  day: string
  downloads: number
  bytes: number
}

/** What is read of a repo in one answer. */
export interface Fetched {
  /**
   * The file; `everything` of a fetch by git or git-lfs, which has the query files among it; `nothing` for a look in the
   * browser, which is no download.
   */
  of: { path: string } | 'everything' | 'nothing'
  bytes: number
  /** Where in the file it begins: a download that continues has been counted. */
  offset?: number | undefined
}

/** The UTC day of a time, as `repo_downloads` names it. */
export const dayOf = (time: Date): string => time.toISOString().slice(0, 10)

class Counter {
  #db: Db
  #log: Logger | undefined
  #known = new LRUCache<string, number>({ max: MAX_KNOWN })
  #pending = new Map<string, Count>()
  #timer: NodeJS.Timeout | undefined
  #flushing: Promise<void> = Promise.resolve()

  constructor(db: Db) {
    this.#db = db
  }

  /** The same counter, which logs there what it cannot write. */
  loggingTo(log: Logger): this {
    this.#log = log
    return this
  }

  add(repo: Pick<Repo, 'id' | 'type'>, client: string, now: Date, { of, bytes, offset = 0 }: Fetched): void {
    const isUse = typeof of === 'object' ? isQueryFile(repo.type, of.path) : of === 'everything'
    const isDownload = isUse && offset === 0 && this.#isFirst(`${repo.id} ${client}`, now.getTime())
    const day = dayOf(now)
    const key = `${repo.id} ${day}`
    let count = this.#pending.get(key)
    if (!count) {
      if (this.#pending.size >= MAX_PENDING) return
      count = { repoId: repo.id, day, downloads: 0, bytes: 0 }
      this.#pending.set(key, count)
    }
    count.bytes += bytes
    if (isDownload) count.downloads++
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_AFTER_MS).unref()
  }

  #isFirst(key: string, nowMs: number): boolean {
    const before = this.#known.get(key)
    if (before !== undefined && nowMs - before < ONCE_IN_MS) return false
    this.#known.set(key, nowMs)
    return true
  }

  /** Writes what was counted so far, after those who write already. What fails is kept for the next time. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#flushing = this.#flushing.then(() => this.#writePending())
    return this.#flushing
  }

  async #writePending(): Promise<void> {
    // In one order everywhere, so that processes that write at once do not wait for each other in a circle.
    const counts = [...this.#pending.values()].sort((a, b) => (a.repoId < b.repoId ? -1 : 1))
    this.#pending = new Map()
    for (let i = 0; i < counts.length; i += ROWS_AT_ONCE) {
      const page = counts.slice(i, i + ROWS_AT_ONCE)
      try {
        await this.#db.write(async (tx) => {
          for (const count of page) await addCount(tx, count)
        })
      } catch (err) {
        this.#log?.warn({ err }, 'downloads could not be counted, which is tried again')
        this.#keep(counts.slice(i))
        return
      }
    }
  }

  #keep(counts: Count[]): void {
    for (const count of counts) {
      const key = `${count.repoId} ${count.day}`
      const later = this.#pending.get(key)
      if (later) {
        later.downloads += count.downloads
        later.bytes += count.bytes
      } else if (this.#pending.size < MAX_PENDING) this.#pending.set(key, count)
    }
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_AFTER_MS).unref()
  }
}

const counterOf = (db: Db) => new Counter(db)

/** The repo's row first: it holds off a purge, and tells whether there is anything to count for. */
async function addCount({ q, t: { repos, repo_downloads } }: Tx, count: Count): Promise<void> {
  const { repoId, day, downloads, bytes } = count
  const [there] = await q
    .update(repos)
    .set({
      downloads_30d: sql`${repos.downloads_30d} + ${downloads}`,
      downloads_total: sql`${repos.downloads_total} + ${downloads}`,
      trending: sql`${repos.trending} + ${downloads}`,
      changed: changeMark(repos.changed),
    })
    .where(eq(repos.id, repoId))
    .returning({ id: repos.id })
  if (!there) return
  await q
    .insert(repo_downloads)
    .values({ repo_id: repoId, day, downloads, bytes })
    .onConflictDoUpdate({
      target: [repo_downloads.repo_id, repo_downloads.day],
      set: {
        downloads: sql`${repo_downloads.downloads} + ${downloads}`,
        bytes: sql`${repo_downloads.bytes} + ${bytes}`,
      },
    })
}

/**
 * Counts what is given out of a repo: a download at most once in 5 minutes for each user, or address where no user
 * signed in, and every byte. In memory alone, and so of each process for itself; written in batches, of which a crash
 * loses the last 20 s.
 */
export function countFetch(ctx: Ctx, repo: Pick<Repo, 'id' | 'type'>, fetched: Fetched): void {
  ctx.db
    .keep(counterOf)
    .loggingTo(ctx.log)
    .add(repo, actorId(ctx.actor) ?? ctx.origin.ip, ctx.now(), fetched)
}

/** Writes what was counted and not written yet, as at the end of a process. */
export async function flushDownloads(deps: Pick<Deps, 'db' | 'log'>): Promise<void> {
  await deps.db.keep(counterOf).loggingTo(deps.log).flush()
}
