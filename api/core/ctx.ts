import type { Actor } from './access/index.ts'
import type { Config } from '../platform/config/index.ts'
import type { Db } from '../stores/db/index.ts'
import type { ChangeListener } from './events/publish.ts'
import type { Git } from './git/git.ts'
import type { PullThrough } from './pull-through.ts'
import type { Secrets } from '../platform/secrets/index.ts'
import type { BlobStore } from '../stores/storage/index.ts'
import type { Logger, Telemetry } from '../platform/telemetry/index.ts'

/** What a process opens once at start and closes at its end. */
export interface Deps {
  config: Config
  db: Db
  blobs: BlobStore
  git: Git
  secrets: Secrets
  log: Logger
  /** Where calls are observed; `db` and `blobs` report to it by themselves. */
  telemetry: Telemetry
  /** What follows changes of repos; `housekeeping.ts` collects them. */
  changeListeners: readonly ChangeListener[]
  /** The clock; tests set it. */
  now: () => Date
  /** Aborts when the process begins to end: callers that wait for a job then leave it to the next process. */
  stopping: AbortSignal
}

/** Who asks, from where. */
export interface Origin {
  /** What the answer carries: the caller's own id where it is well-formed, as the public hub echoes it, else ours. */
  requestId: string
  /** Ours, where the caller chose `requestId`: callers may send one id with every request. */
  serverId?: string
  /** Client address, seen through trusted proxies only. */
  ip: string
  userAgent: string
  /** Scheme and host the client used, such as `http://127.0.0.1:8080`; hub answers build links from it. */
  baseUrl: string
}

/** What a verb is given: the stores, the caller, the clock. */
export interface Ctx extends Deps {
  actor: Actor
  origin: Origin
  /** How this caller gets what other hubs have; left out where nothing is pulled through. */
  pullThrough?: PullThrough
  /**
   * Aborts when the caller has gone: a client that closed its connection, a job that lost its lease. Reads of a repo end
   * with it (`git.open`); changes that have begun are finished.
   */
  readonly signal: AbortSignal
}
