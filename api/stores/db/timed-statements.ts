import type {
  Client,
  InArgs,
  InStatement,
  ResultSet,
  Transaction,
  TransactionMode,
} from '@libsql/client/sqlite3'
import type pg from 'pg'
import { Turns } from '../../platform/flow/index.ts'
import { timed } from '../../platform/telemetry/index.ts'

const textOf = (statement: InStatement) => (typeof statement === 'string' ? statement : statement.sql)

/** Runs a statement of SQLite, in this thread. */
type Run = (statement: InStatement, work: () => Promise<ResultSet>) => Promise<ResultSet>

/**
 * The same client of SQLite, whose slow statements are reported. They run in this thread, and their promises are resolved at
 * once: a request of several statements would keep everyone else waiting for all of them, so it gives way in between.
 */
export function timedClient(client: Client): Client {
  const turns = new Turns()
  const run: Run = async (statement, work) => {
    const result = await timed(textOf(statement), true, work)
    await turns.breathe()
    return result
  }
  const begin: (mode?: TransactionMode) => Promise<Transaction> = client.transaction.bind(client) as never
  const execute: (statement: InStatement, args?: InArgs) => Promise<ResultSet> = client.execute.bind(
    client,
  ) as never
  client.execute = (statement: InStatement, args?: InArgs) => run(statement, () => execute(statement, args))
  client.transaction = async (mode?: TransactionMode) => timedTransaction(await begin(mode), run)
  return client
}

function timedTransaction(tx: Transaction, run: Run): Transaction {
  const { execute, commit } = tx
  tx.execute = (statement: InStatement) => run(statement, () => execute.call(tx, statement))
  tx.commit = () => timed('COMMIT', true, () => commit.call(tx))
  return tx
}

type Query = (...args: unknown[]) => unknown

/** Has slow statements of a connection of Postgres reported, whether it is asked for a promise or by callback. */
export function timeQueries(client: pg.PoolClient): void {
  const query = client.query.bind(client) as unknown as Query
  const timedQuery: Query = (...args) => {
    const [first] = args
    const sql = typeof first === 'string' ? first : ((first as { text?: string } | undefined)?.text ?? '')
    const callback = args.at(-1)
    if (typeof callback !== 'function') {
      const running = query(...args)
      if (running instanceof Promise) void timed(sql, false, () => running).catch(() => undefined)
      return running
    }
    let done = () => undefined as void
    void timed(sql, false, () => new Promise<void>((resolve) => (done = resolve)))
    const reporting: Query = (...answer) => {
      done()
      return (callback as Query)(...answer)
    }
    return query(...args.slice(0, -1), reporting)
  }
  client.query = timedQuery as typeof client.query
}
