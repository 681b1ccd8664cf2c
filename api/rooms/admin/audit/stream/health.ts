import type { Ctx } from '../../../../core/ctx.ts'
import { findStream } from './row.ts'

const FAILED_MS = 3_600_000

/** How the stream does, for those who look after the server. */
export interface StreamHealth {
  state: 'none' | 'paused' | 'works' | 'fails'
  /** Since when every attempt has failed, and why the last one did. */
  failing?: { minutes: number; error: string }
}

/** The state of the stream; it fails once an hour has passed without a batch that was taken. */
export async function streamHealth({ db, now }: Pick<Ctx, 'db' | 'now'>): Promise<StreamHealth> {
  const stream = await findStream(db)
  if (!stream) return { state: 'none' }
  const { enabled, failing_since, error } = stream
  if (!enabled) return { state: 'paused' }
  const forMs = failing_since === null ? 0 : now().getTime() - failing_since.getTime()
  if (forMs < FAILED_MS) return { state: 'works' }
  return { state: 'fails', failing: { minutes: Math.floor(forMs / 60_000), error: error ?? '' } }
}
