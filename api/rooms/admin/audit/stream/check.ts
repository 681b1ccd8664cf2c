import type { Check } from '../../../../core/check.ts'
import { findStream, openToken } from './row.ts'

/** The token of the stream of the audit log can be opened. */
export const auditStreamCheck: Check = {
  name: 'audit stream',
  async *run(deps, { repoId }) {
    if (repoId !== undefined) return
    const stream = await findStream(deps.db)
    if (stream?.token && openToken(deps, stream.token) === undefined)
      yield {
        check: 'audit.stream.secret',
        severity: 'error',
        message: 'the token of the stream of the audit log cannot be opened; set it again',
      }
  },
}
