import type { WebhookEvent } from '../../../shared/vocabulary.ts'
import type { Db, Tx } from '../../stores/db/index.ts'
import type { Logger } from '../../platform/telemetry/index.ts'
import type { ChangeAction, ChangeFacts } from './subject.ts'

/** Something that happened to a repo. */
export interface Change {
  repoId: string
  event: WebhookEvent
  action: ChangeAction
  /** Read only when a listener asks for them. */
  facts?: () => ChangeFacts | Promise<ChangeFacts>
  /** A further namespace whose watchers learn of it: the one a repo moves to. */
  alsoIn?: string
}

/** What publishing works with. */
export interface Publisher {
  db: Db
  now: () => Date
  log: Logger
  changeListeners: readonly ChangeListener[]
}

/** Follows changes by rows of its own, in the transaction of each change. `api/app/housekeeping.ts` collects them. */
export type ChangeListener = (tx: Tx, ctx: Publisher, change: Change) => Promise<void>

/**
 * Publishes a change to all listeners in its own transaction, so that what they write exists only with it. A repo that
 * is being made or purged publishes nothing.
 */
export async function publish(tx: Tx, ctx: Publisher, change: Change): Promise<void> {
  for (const follow of ctx.changeListeners) await follow(tx, ctx, change)
}

/** A ref that has moved: `from` absent means that it was made, `to` that it was deleted. */
interface Move {
  repoId: string
  name: string
  from?: string
  to?: string
}

/** Bounds what one push may have written for each listener. */
const MAX_REFS = 250

/** Publishes that refs of one repo have moved, in the transaction that moves them. Oids are 40-hex. */
export async function publishMoves(tx: Tx, ctx: Publisher, moves: readonly Move[]): Promise<void> {
  const [first] = moves
  if (!first) return
  const refs = moves.slice(0, MAX_REFS).map(({ name, from = null, to = null }) => ({ ref: name, from, to }))
  await publish(tx, ctx, {
    repoId: first.repoId,
    event: 'repo.content',
    action: 'update',
    facts: () => ({ refs }),
  })
}
