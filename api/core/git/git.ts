import { and, between, eq } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { availableParallelism } from 'node:os'
import type { Config } from '../../platform/config/index.ts'
import { memo, type Db } from '../../stores/db/index.ts'
import type { Caller } from '../../platform/flow/index.ts'
import type { BlobStore } from '../../stores/storage/index.ts'
import type { Logger, Telemetry } from '../../platform/telemetry/index.ts'
import { sizeOfBlame, type Blame, type NoBlame } from './blame/found-blame.ts'
import type { ChangedFiles } from './diff/file-change.ts'
import { sizeOfDiff, type FileDiff } from './diff/hunk.ts'
import { Remembered } from './diff/remembered.ts'
import { sizeOfContributors, type Contributors } from './history/contributor-count.ts'
import type { Mergeability } from './mergeability.ts'
import { cacheApart, newObjectCache, type ObjectCache } from './packs/object-cache.ts'
import { ObjectReader } from './packs/object-reader.ts'
import type { Oid } from './objects/oid.ts'
import { TreeExtents } from './objects/tree-extent.ts'
import type { PackIndex } from './packs/pack-index.ts'
import type { PackRow } from './packs/pack-row.ts'
import { PackStore } from './packs/pack-store.ts'
import { getSeqs, getState, listLivePacks, type RepoSeqs, type RepoState } from './repo-state.ts'
import { requireGit, Runner } from './runner/runner.ts'
import { Limiter } from '../../platform/flow/index.ts'
import type { RefListener } from './refs/listener.ts'
import { Snapshot } from './snapshot.ts'
import { sweepTempDir } from './runner/temp-dir.ts'

/** What the engine is opened over. */
export interface GitDeps {
  config: Pick<Config, 'git'>
  db: Db
  blobs: BlobStore
  log: Logger
  telemetry?: Telemetry
  now: () => Date
  /** What follows refs as they move. */
  refListeners: readonly RefListener[]
}

const MAX_DIFFS_BYTES = 16 * 1024 * 1024
const MAX_CONTRIBUTORS_BYTES = 8 * 1024 * 1024
/** A changed file: its path, two ids and what is known of them. */
const FILE_BYTES = 800
const MAX_STATES = 1000
const MAX_SEQS = 10_000
// A cached pack list may name packs a compaction retired meanwhile; they stay readable for git.pack_grace_period.
const MAX_STATE_AGE_MS = 5 * 60_000
const MIN_REBUILT_BYTES = 256 * 1024 * 1024

interface OpenRepo {
  state: RepoState
  reader: ObjectReader
}

/** The git engine of a process: caches, open packs, and the way to a repo's content. One per process. */
export class Git {
  readonly deps: GitDeps
  readonly store: PackStore
  /** Commits to one ref take turns in this process, so that losing the race for it is rare. */
  readonly refTurns = new Limiter({ perKey: 1 })
  /** Where the first-parent history of a commit lies in the index; commits never change, so neither does this. */
  readonly historyRanges = new LRUCache<string, { chain: number; pos: number }[]>({ max: 10_000 })
  /** Differences between trees, between files, and whole patches. None of them ever changes. */
  readonly diffs = new Remembered<ChangedFiles>(MAX_DIFFS_BYTES, ({ files }) => files.length * FILE_BYTES)
  readonly fileDiffs = new Remembered<FileDiff>(MAX_DIFFS_BYTES, sizeOfDiff)
  readonly patches = new Remembered<{ patch: string | undefined }>(
    MAX_DIFFS_BYTES,
    ({ patch }) => (patch?.length ?? 0) * 2,
  )
  /** Where the lines of files come from, which never changes either. */
  readonly blames = new Remembered<Blame | NoBlame>(MAX_DIFFS_BYTES, sizeOfBlame)
  /** Who made the commits of a history, which never changes either. */
  readonly contributors = new Remembered<Contributors>(MAX_CONTRIBUTORS_BYTES, sizeOfContributors)
  /** How commits would merge, which never changes either. */
  readonly merges = new Remembered<{ found: Mergeability | undefined }>(
    MAX_DIFFS_BYTES,
    ({ found }) => 300 + (found?.conflicts.join().length ?? 0) * 2,
  )
  /** What trees unfold to, counted before they become part of a repo. */
  readonly extents = new TreeExtents()
  /** Compactions of one repo take turns. */
  readonly compactions = new Limiter({ perKey: 1 })
  /** Compactions under way that commits wait for, by repo. */
  readonly relief = new Map<string, Promise<void>>()
  readonly runner: Runner
  /** Threads that look through large packs beside the gits that take them in. */
  readonly weighing = new Limiter({ atOnce: availableParallelism() })
  readonly #cache: ObjectCache = newObjectCache()
  readonly #repos: LRUCache<string, OpenRepo>
  readonly #seqs: (repoId: string) => RepoSeqs | Promise<RepoSeqs>

  constructor(deps: GitDeps) {
    this.deps = deps
    const { git } = deps.config
    this.store = new PackStore({
      blobs: deps.blobs,
      cacheDir: git.cache_dir,
      cacheBytes: git.cache_size,
      maxRebuiltBytes: Math.max(MIN_REBUILT_BYTES, git.max_blob_size),
      log: deps.log,
    })
    this.runner = new Runner(deps.log, git.timeout, deps.telemetry)
    this.#repos = new LRUCache({
      max: MAX_STATES,
      ttl: Math.min(MAX_STATE_AGE_MS, git.pack_grace_period / 2),
    })
    this.#seqs = memo(deps.db, MAX_SEQS, (repoId) => getSeqs(deps.db, repoId))
  }

  /** Before serving: refuses a missing or too old git, and removes temporary files of processes that died. */
  async prepare(): Promise<void> {
    const { config, now } = this.deps
    await requireGit()
    await sweepTempDir(this.store.tempDir, config.git.timeout, now())
  }

  /**
   * The repo as it is now: one small query, none while nothing was written here (SQLite). Problem `repo-not-found`
   * when no such row exists; whether the caller may read it was decided before. Reads name their caller, with whom they
   * end; what changes the repo is finished without them.
   */
  async open(repoId: string, caller?: Caller): Promise<Snapshot> {
    const seqs = await this.#seqs(repoId)
    const cached = this.#repos.get(repoId)
    if (cached && cached.state.refSeq === seqs.refSeq && cached.state.pruneSeq === seqs.pruneSeq) {
      return this.#snapshot(
        { ...cached, state: { ...cached.state, defaultBranch: seqs.defaultBranch } },
        caller,
      )
    }
    return this.openFresh(repoId, caller)
  }

  /** As `open`, read again: what a retry after a lost race needs. */
  async openFresh(repoId: string, caller?: Caller): Promise<Snapshot> {
    const { db, log } = this.deps
    const state = await db.snapshot((tx) => getState(tx, repoId))
    const reload = () => listLivePacks(db, repoId)
    const reader = new ObjectReader({ store: this.store, cache: this.#cache, log }, state, reload)
    this.#repos.set(repoId, { state, reader })
    return this.#snapshot({ state, reader }, caller)
  }

  /**
   * What the snapshot shows, with a stored pack that is not live yet. What that holds is remembered nowhere else, for it
   * may be discarded. `shallow`: where the history begins from then on.
   */
  openWith(snapshot: Snapshot, row: PackRow, index: PackIndex, shallow = snapshot.shallow): Snapshot {
    const { db, log } = this.deps
    const { repoId, pruneSeq, packs } = snapshot
    const reload = async () => [row, ...(await listLivePacks(db, repoId))]
    const cache = cacheApart(this.#cache, (oid) => index.find(oid) !== undefined)
    const state = { repoId, pruneSeq, packs: [row, ...packs], shallow }
    return snapshot.readBy(new ObjectReader({ store: this.store, cache, log }, state, reload), shallow)
  }

  #snapshot({ state, reader }: OpenRepo, caller?: Caller): Snapshot {
    return new Snapshot(state, caller ? reader.readFor(caller) : reader, (prefix) =>
      this.#findByPrefix(state.repoId, prefix),
    )
  }

  async #findByPrefix(repoId: string, prefix: string): Promise<Oid | undefined> {
    const { q, t } = this.deps.db
    const bound = (digit: string) => Buffer.from(prefix.padEnd(40, digit), 'hex')
    const found = await q
      .select({ oid: t.git_commits.oid })
      .from(t.git_commits)
      .where(and(eq(t.git_commits.repo_id, repoId), between(t.git_commits.oid, bound('0'), bound('f'))))
      .limit(2)
    return found.length === 1 ? found[0]?.oid : undefined
  }

  /** Ends the runner and closes descriptors; work under way must have ended. */
  async close(): Promise<void> {
    await this.runner.close()
    this.store.close()
  }
}
