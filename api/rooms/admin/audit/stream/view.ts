import { time, type z } from '../../../../core/http/contract.ts'
import type * as routes from './routes.ts'
import type { Sent } from './send.ts'
import type { Stream } from './settings.ts'

/** The stream as the API shows it. */
export const viewStream = (stream: Stream): z.output<typeof routes.AuditStream> => ({
  url: stream.url,
  has_token: stream.token !== null,
  enabled: stream.enabled,
  created_at: time(stream.created_at),
  updated_at: time(stream.updated_at),
  sent_seq: stream.sent_seq,
  ...(stream.sent_at && { sent_at: time(stream.sent_at) }),
  waiting: stream.waiting,
  lost: stream.lost,
  ...(stream.failing_since && { failing_since: time(stream.failing_since) }),
  ...(stream.next_attempt_at && { next_attempt_at: time(stream.next_attempt_at) }),
  ...(stream.error !== null && { error: stream.error }),
})

/** What came of a test. */
export const viewTest = ({ status, error }: Sent) => ({
  ok: error === undefined,
  ...(status !== undefined && { status }),
  ...(error !== undefined && { error }),
})
