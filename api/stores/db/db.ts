import type { ResultSet } from '@libsql/client/sqlite3'
import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core'
import type { Keep } from './keep.ts'
import type { Tables } from './schema.ts'

type Queries = BaseSQLiteDatabase<'async', ResultSet, Record<string, never>>

/** A handle that cannot write: there is no `insert`, `update` or `delete` on it. */
export type Reads = Pick<Queries, 'select' | 'selectDistinct' | '$count' | '$with' | 'with'>
/** The handle inside `write()`. SQLite's types are the canon for both engines. */
export type Writes = Reads & Pick<Queries, 'insert' | 'update' | 'delete'>

/** An open transaction. */
export interface Tx {
  q: Writes
  t: Tables
  /** Calls `then` once the transaction has committed, and never if it fails. */
  afterCommit(then: () => void): void
}

/** The database, whichever engine is behind. */
export interface Db {
  readonly engine: 'sqlite' | 'postgres'
  q: Reads
  t: Tables
  /**
   * Runs `change` in one transaction: all of it or nothing. On SQLite writers queue in this process, so there must be
   * no network, blob or git work inside. Serialisation failures of Postgres are retried, so `change` may run again.
   * Throws `UniqueViolation` and `ForeignKeyViolation` (`errors.ts`), or Problem `database-busy`.
   */
  write<T>(change: (tx: Tx) => Promise<T>): Promise<T>
  /** Several reads that must see one state: a snapshot (SQLite) or a repeatable-read transaction (Postgres). */
  snapshot<T>(read: (tx: { q: Reads; t: Tables }) => Promise<T>): Promise<T>
  /**
   * Rises with every committed write of this process. Only on SQLite, where no other server process writes, may an
   * answer be cached against it (`memo.ts`); `undefined` on Postgres.
   */
  readonly version: number | undefined
  /** What rooms keep in memory of this database: caches, listeners, prepared SQL. Servers of one process share nothing. */
  readonly keep: Keep<Db>
  /** Resolves when the database can be written to now. */
  check(): Promise<void>
  close(): Promise<void>
}
