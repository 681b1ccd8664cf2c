import { streamHealth, type StreamHealth } from '../../admin/index.ts'
import type { Finding, HealthCheck } from '../check.ts'

function findingOf({ state, failing }: StreamHealth): Finding {
  if (state === 'none') return { status: 'ok', text: 'the audit log is sent to no other system' }
  if (state === 'paused')
    return {
      status: 'warn',
      text: 'the stream of the audit log is paused',
      fix: 'Resume or delete it under Admin → Audit log. Rows expire after 400 days.',
    }
  if (failing)
    return {
      status: 'fail',
      text: `the stream of the audit log has failed for ${failing.minutes} minutes: ${failing.error}`,
      fix: 'Check the address and its token under Admin → Audit log, and send a test.',
    }
  return { status: 'ok', text: 'the audit log is sent to another system' }
}

/** Whether the audit log reaches the system it is sent to. */
export const auditLog: HealthCheck = {
  name: 'audit log',
  run: async (deps) => findingOf(await streamHealth(deps)),
}
