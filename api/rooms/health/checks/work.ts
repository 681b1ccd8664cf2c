import { countQueue } from '../../../core/jobs/index.ts'
import type { Finding, HealthCheck } from '../check.ts'

const LATE_MS = 5 * 60_000

export const jobs: HealthCheck = {
  name: 'jobs',
  async run({ db, now }) {
    const { queued, running, ageMs, failed } = await countQueue(db, now())
    const text = `${queued} due, ${running} running`
    const waited = `${text}; the oldest has waited for ${Math.round(ageMs / 60_000)} minutes`
    const findings: Finding[] = []
    if (ageMs > LATE_MS)
      findings.push({
        status: running === 0 ? 'fail' : 'warn',
        text: waited,
        fix:
          running === 0
            ? 'No worker takes jobs. Start a process with server.role all or worker.'
            : 'Raise jobs.workers or start another worker.',
      })
    else findings.push({ status: 'ok', text })
    if (failed > 0)
      findings.push({
        status: 'warn',
        text: `jobs that failed within 24 hours: ${failed}`,
        fix: 'Read why on the page of jobs and retry them.',
      })
    return findings
  },
}
