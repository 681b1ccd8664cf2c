import { and, asc, eq, gt, gte, inArray, isNull, sql } from 'drizzle-orm'
import type { ListedRepo } from '../../../core/access/index.ts'
import type { Deps } from '../../../core/ctx.ts'
import {
  changeHorizon,
  jsonOuter,
  jsonRow,
  jsonTexts,
  perTables,
  type Db,
  type JsonRow,
} from '../../../stores/db/index.ts'
import { NumberLists } from './number-lists.ts'
import { Terms } from './terms.ts'

/** A repo as lists choose, count and order it. */
export interface Entry extends ListedRepo {
  isGated: boolean
  isMirror: boolean
  /** Lower case. */
  description: string
  updated: number
  created: number
  likes: number
  downloads: number
  trending: number
  /** Bytes at the head. */
  size: number
  /** -1 where they are not known, as with the two below. */
  parameters: number
  contextLength: number
  rows: number
  /** Numbers of `Catalogue.tags`. */
  tags: readonly number[]
}

const pageSize = 2000

/**
 * All repos that are not deleted, in memory, for lists: a page of 100 000 repos by three filters with its counts is one
 * pass of some milliseconds over this, and seconds of statements, which would stop everything else on SQLite. Every change of
 * a repo's row marks it (`repos.changed`); each list first takes in what has changed since the last one.
 */
export class Catalogue {
  /** Words `field=value`. */
  readonly facets = new Terms()
  /** The facets of each entry, by its place. */
  readonly facetsAt = new NumberLists()
  readonly tags = new Terms()
  readonly #db: Db
  readonly #places = new Map<string, number>()
  readonly #entries: Entry[] = []
  #horizon: number | undefined
  #refresh: Promise<void> | undefined
  #next: Promise<void> | undefined

  constructor(db: Db) {
    this.#db = db
  }

  /** The repos as they are now. The array changes with the next refresh. */
  async entries(): Promise<readonly Entry[]> {
    await this.#refreshed()
    return this.#entries
  }

  /** A refresh that has begun may have read before the caller's last change: it waits for the one after it. */
  #refreshed(): Promise<void> {
    if (!this.#refresh) return (this.#refresh = this.#take().finally(() => (this.#refresh = undefined)))
    this.#next ??= this.#refresh
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined
        return this.#refreshed()
      })
    return this.#next
  }

  #take(): Promise<void> {
    return this.#horizon === undefined ? this.#takeAll() : this.#takeChanged(this.#horizon)
  }

  async #takeAll(): Promise<void> {
    const { q, t } = this.#db
    const { repos } = t
    const [row] = await q
      .select({ horizon: changeHorizon(repos.changed) })
      .from(repos)
      .limit(1)
    for (let after = ''; ;) {
      const page = await this.#rows()
        .where(and(gt(repos.id, after), isNull(repos.deleted_at)))
        .orderBy(asc(repos.id))
        .limit(pageSize)
      for (const { entry } of page) this.#put(entry)
      const last = page.at(-1)
      if (!last || page.length < pageSize) break
      after = last.entry.id
    }
    this.#horizon = row?.horizon ?? 0
  }

  /** Where nothing has changed the horizon stays: what changes later lies above it as well. */
  async #takeChanged(from: number): Promise<void> {
    const { q, t } = this.#db
    const { repos } = t
    const changed = await q
      .select({
        id: repos.id,
        isDeleted: sql<boolean>`${repos.deleted_at} is not null`.mapWith(Boolean),
        horizon: changeHorizon(repos.changed),
      })
      .from(repos)
      .where(gte(repos.changed, from))
    const gone = changed.filter(({ isDeleted }) => isDeleted)
    for (const { id } of gone) this.#drop(id)
    const ids = changed.filter(({ isDeleted }) => !isDeleted).map(({ id }) => id)
    for (let at = 0; at < ids.length; at += pageSize) {
      const page = await this.#rows().where(inArray(repos.id, ids.slice(at, at + pageSize)))
      for (const { entry } of page) this.#put(entry)
    }
    this.#horizon = changed[0]?.horizon ?? from
  }

  #rows() {
    const { q, t } = this.#db
    return q
      .select({ entry: rowOf(t).one })
      .from(t.repos)
      .innerJoin(t.repo_heads, eq(t.repo_heads.repo_id, t.repos.id))
      .leftJoin(t.mirrors, eq(t.mirrors.repo_id, t.repos.id))
  }

  #put(row: Row): void {
    // Written out, so that all have one shape and nothing else is kept.
    const entry: Entry = {
      id: row.id,
      type: row.type,
      namespaceId: row.namespaceId,
      key: row.key,
      isPublic: row.visibility === 'public',
      isGated: row.gated !== null,
      isMirror: row.mirrorState !== null && row.mirrorState !== 'detached',
      description: row.description?.toLowerCase() ?? '',
      updated: row.updatedAt.getTime(),
      created: row.createdAt.getTime(),
      likes: row.likes,
      downloads: row.downloads,
      trending: row.trending,
      size: row.size,
      parameters: row.parameters,
      contextLength: row.contextLength ?? -1,
      rows: row.rows ?? -1,
      tags: this.tags.take(row.tags),
    }
    const numbers = this.facets.take(row.facets)
    const place = this.#places.get(row.id) ?? this.#entries.length
    if (place < this.#entries.length) this.#forget(place)
    this.#places.set(row.id, place)
    this.#entries[place] = entry
    this.facetsAt.set(place, numbers)
  }

  #drop(id: string): void {
    const place = this.#places.get(id)
    if (place === undefined) return
    this.#forget(place)
    this.#places.delete(id)
    const last = this.#entries.pop()
    if (!last || last.id === id) return
    this.#entries[place] = last
    this.#places.set(last.id, place)
    this.facetsAt.set(place, this.facetsAt.at(this.#entries.length).slice())
  }

  #forget(place: number): void {
    this.facets.give(this.facetsAt.at(place))
    this.tags.give(this.#entries[place]?.tags ?? [])
  }
}

type Row = ReturnType<typeof rowOf> extends JsonRow<infer T> ? T : never

const rowOf = perTables(({ repos, repo_heads: heads, repo_tags: tags, repo_facets: facets, mirrors }) => {
  const word = sql`${facets.field} || '=' || ${facets.value}`
  return jsonRow({
    id: repos.id,
    type: repos.type,
    namespaceId: repos.namespace_id,
    key: repos.full_key,
    visibility: repos.visibility,
    gated: repos.gated,
    mirrorState: jsonOuter(mirrors.state),
    description: repos.description,
    updatedAt: repos.updated_at,
    createdAt: repos.created_at,
    likes: repos.likes,
    downloads: repos.downloads_30d,
    trending: repos.trending,
    size: heads.bytes,
    parameters: heads.parameters,
    contextLength: heads.context_length,
    rows: heads.rows,
    facets: jsonTexts(facets.value, sql`from ${facets} where ${eq(facets.repo_id, repos.id)}`, word),
    tags: jsonTexts(tags.tag, sql`from ${tags} where ${eq(tags.repo_id, repos.id)}`),
  })
})

/** The catalogue of a database. */
export const catalogueOf = (db: Db): Catalogue => db.keep(makeCatalogue)

const makeCatalogue = (db: Db) => new Catalogue(db)

/** Reads the catalogue ahead: with 100 000 repos the first list would wait some seconds for it. */
export async function prepareLists({ db, log }: Pick<Deps, 'db' | 'log'>): Promise<void> {
  try {
    await catalogueOf(db).entries()
  } catch (err) {
    log.warn({ err }, 'the repos for lists could not be read ahead')
  }
}
