import { z } from 'zod'
import type { Check, Finding } from '../../check.ts'
import type { Deps } from '../../ctx.ts'
import { defineJob, howMany, type JobKind, type RunningJob } from '../../jobs/index.ts'
import { Problem } from '../../../platform/problems/index.ts'

const input = z.strictObject({})
/** Findings that the job shows; the log has all. */
const MAX_SHOWN = 10

/** Sunday morning, behind the nightly `gc`: every repo is looked at once a week (git-storage.md §7). */
export const FSCK_SCHEDULE = '0 5 * * 0'

/**
 * The weekly job that looks for damage as `arsenal fsck` does, by the same checks; of git every byte of every pack, and
 * every object by git itself. It repairs nothing. Damage makes it fail, with what was found first.
 */
export function fsckJob(checks: readonly Check[]): JobKind<z.output<typeof input>> {
  return defineJob({
    kind: 'fsck',
    input,
    maxAttempts: 3,
    title: () => 'Look for damage',
    async run(ctx, _, job) {
      const errors: Finding[] = []
      let infos = 0
      for (const [i, check] of checks.entries()) {
        await job.progress(i, checks.length)
        const before = { errors: errors.length, infos }
        for await (const finding of findingsOf(check, ctx, job)) {
          if (finding.severity === 'error') errors.push(finding)
          else infos++
          if (finding.severity === 'error') job.log(`${finding.check}: ${finding.message}`)
        }
        const found = howMany(errors.length - before.errors, 'error')
        job.log(`${check.name} is checked: ${found}, ${howMany(infos - before.infos, 'note')}.`)
      }
      if (errors.length > 0) throw damaged(errors)
      return { errors: 0, infos }
    },
  })
}

async function* findingsOf(check: Check, ctx: Deps, job: RunningJob): AsyncGenerator<Finding> {
  const options = { deep: check.name === 'git', repair: false, signal: job.signal }
  for await (const finding of check.run(ctx, options)) {
    job.signal.throwIfAborted()
    if (finding.severity === 'error') ctx.log.error({ finding, job: job.id }, 'fsck: damage')
    yield finding
  }
}

/** Final: a second look would find the same. */
function damaged(errors: Finding[]): Problem {
  const shown = errors.slice(0, MAX_SHOWN).map(({ check, message }) => `${check}: ${message}`)
  const more = errors.length > shown.length ? [`and ${errors.length - shown.length} more`] : []
  return new Problem('state-conflict', {
    detail: [`${errors.length} errors. Run "arsenal fsck" for all of them.`, ...shown, ...more].join('\n'),
  })
}
