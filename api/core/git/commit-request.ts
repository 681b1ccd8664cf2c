import type { Tx } from '../../stores/db/index.ts'
import type { Person } from './objects/objects.ts'
import type { Via } from './refs/move-ref.ts'
import type { Snapshot } from './snapshot.ts'
import type { ListChanges } from './history/shallowest-changes.ts'
import type { EditFault } from './objects/tree-edit.ts'

/** Names a new ref inside the transaction that makes it. */
export type NameRef = (tx: Tx) => Promise<string>

/** Where a commit goes and who makes it. Oids are 40-hex. */
export interface CommitRequest {
  /** Full ref name; made when absent. A function names a new one, whose number is drawn in the transaction. */
  ref: string | NameRef
  /** Commit to build on instead of the ref's head; `null` starts a history without parents. */
  base?: string | null
  /** Tree the edits start from, instead of the base's. */
  tree?: string
  /** Parents behind the first, such as the head of what is merged. */
  furtherParents?: string[]
  /** The head the caller has seen; another one is Problem `commit-conflict`. Absent: build on whatever is there. */
  expectedHead?: string
  author: Person
  /** The author when left out. */
  committer?: Person
  message: string
  /** Who moves the ref. */
  userId?: string
  /** Whose work the history shows it as; `userId` when left out. */
  authorId?: string
  via: Via
  /** Makes a commit also when nothing changes. */
  allowEmpty?: boolean
  /** On each attempt, before the edits apply: adds edits that depend on the commit that is built on. */
  adapt?: (snapshot: Snapshot, parent: string | undefined) => Promise<void>
  /** Further rows of the same transaction; it may run again after a lost race. */
  alongside?: (tx: Tx, made: MadeCommit) => Promise<void>
  /** Of a job: its own transaction, which ends with its lease. */
  write?: <T>(change: (tx: Tx) => Promise<T>) => Promise<T>
}

/** What a commit became. */
export interface MadeCommit {
  sha: string
  ref: string
  /** First parent. */
  parent?: string
  changes: ListChanges
}

/**
 * The commit; or, with `changed: false`, what it would have been built on when nothing would change, and no new ref then;
 * or why the edits cannot be made.
 */
export type CommitResult = { sha: string; ref?: string; changed: boolean } | { faults: EditFault[] }
