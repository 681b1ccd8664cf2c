import type { Db, Tx } from '../../../stores/db/index.ts'
import type { Logger } from '../../../platform/telemetry/index.ts'
import type { NameRef } from '../commit-request.ts'
import type { ListChanges } from '../history/shallowest-changes.ts'
import type { KnownBlob } from '../known-blob.ts'
import type { Snapshot } from '../snapshot.ts'
import type { RefMove, Via } from './move-ref.ts'

/** A ref to be moved: `from` absent makes it, `to` absent deletes it. Oids are 40-hex. */
export interface RefTarget extends Pick<RefMove, 'from' | 'to' | 'peeled'> {
  /** Full name; a function names a new ref inside the transaction that makes it. */
  name: string | NameRef
}

/** Refs of one repo that are about to move. */
export interface RefChange {
  /** The repo as it was when the move was decided. It shows the objects of a push, but not yet those of `made`. */
  snapshot: Snapshot
  moves: readonly RefTarget[]
  via: Via
  userId?: string
  /** Of a rewritten history: old commit → the one that stands in its place, 40-hex. */
  rewritten?: ReadonlyMap<string, string>
  /** Of a commit that this server makes: what differs from `from`, and its new blobs. */
  made?: { changes: ListChanges; blob: (oid: string) => KnownBlob | undefined }
}

/** What listeners work with. */
export interface ListenerDeps {
  db: Db
  log: Logger
  now: () => Date
}

/**
 * Something that follows refs: the facts of the head, webhooks, indexing. It reads what it needs before the transaction,
 * on each attempt, and answers the rows it adds to it. `api/app/housekeeping.ts` collects the listeners.
 */
export type RefListener = (deps: ListenerDeps, change: RefChange) => Promise<RefRows | undefined>

/** What a listener adds to the transaction that moves refs. */
export interface RefRows {
  /** First of all: what holds or refuses the move. */
  before?: (tx: Tx) => Promise<void>
  /** Once all refs have moved. */
  after?: (tx: Tx, moves: readonly RefMove[]) => Promise<void>
}
