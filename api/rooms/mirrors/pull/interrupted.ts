import type { Tx } from '../../../stores/db/index.ts'
import { findMirror, setMirror } from '../queries.ts'

/** Kinds of jobs that bring a mirror up to date. */
const kinds = new Set(['pull', 'mirror.sync'])

/** Notes that a mirror is no longer being brought up to date, when the job that did so was cancelled. */
export async function noteCancelled(
  tx: Tx,
  { kind, status, repo_id }: { kind: string; status: string; repo_id: string | null },
): Promise<void> {
  if (repo_id === null || status !== 'cancelled' || !kinds.has(kind)) return
  const mirror = await findMirror(tx, repo_id)
  if (!mirror || mirror.state === 'detached') return
  const error = { code: 'cancelled', message: 'The last pull or sync was cancelled.' }
  await setMirror(tx, repo_id, mirror.local_commit === null ? { state: 'failed', error } : { state: 'idle' })
}
