import type { Ctx } from '../../../core/ctx.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { requireQuota, type Repo, type QuotaCheck, type Wanted } from '../../repos/index.ts'
import type { Verdicts } from './verdicts.ts'

/** Refuses the whole push where `requireQuota` refuses what it brings; else answers the check that is left to do. */
export async function refuseOverQuota(
  ctx: Ctx,
  repo: Repo,
  verdicts: Verdicts,
  wanted: Wanted,
): Promise<QuotaCheck | undefined> {
  try {
    return await requireQuota(ctx, repo.id, wanted)
  } catch (error) {
    refuseFull(verdicts, error)
    return undefined
  }
}

/** Refuses the whole push for Problem `quota-exceeded`; others are thrown on. */
export function refuseFull(verdicts: Verdicts, error: unknown): void {
  if (!(error instanceof Problem) || error.code !== 'quota-exceeded') throw error
  verdicts.refuseAll('quota exceeded', [`arsenal: push rejected, ${error.detail ?? error.title}`])
}
