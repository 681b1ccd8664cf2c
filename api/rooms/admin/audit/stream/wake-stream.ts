import { system } from '../../../../core/access/index.ts'
import type { Deps } from '../../../../core/ctx.ts'
import { isAnyWaiting } from '../../../../core/events/index.ts'
import { enqueue } from '../../../../core/jobs/index.ts'
import { findStream } from './row.ts'
import { auditStream, isOpen } from './stream-job.ts'

const EVERY_MS = 5000

/**
 * Queues the job that sends, when there is something to send and the stream is not waiting after a failure. Transactions
 * that write rows do not queue it: on Postgres they would wait for each other at its key.
 */
export async function wakeStream(deps: Deps): Promise<void> {
  const stream = await findStream(deps.db)
  if (!stream || !isOpen(stream, deps.now()) || !(await isAnyWaiting(deps, stream.sent_seq))) return
  await deps.db.write((tx) =>
    enqueue(tx, { ...deps, actor: system }, auditStream(), {}, { dedupKey: 'stream', createdBy: null }),
  )
}

/** Looks every few seconds whether the stream has something to send; the answered function ends that. */
export function watchStream(deps: Deps, everyMs = EVERY_MS): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined
  let look = Promise.resolve()
  let isStopped = false
  const arm = () => {
    if (!isStopped) timer = setTimeout(() => (look = turn()), everyMs)
  }
  const turn = () =>
    wakeStream(deps)
      .catch((error: unknown) =>
        deps.log.warn({ err: error }, 'the stream of the audit log could not be looked at'),
      )
      .then(arm)
  arm()
  return () => {
    isStopped = true
    clearTimeout(timer)
    return look
  }
}
