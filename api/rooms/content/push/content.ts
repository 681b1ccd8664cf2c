import type { Ctx } from '../../../core/ctx.ts'
import {
  inspect,
  MAX_INFLATION,
  type Incoming,
  type Inspection,
  type PushCommand,
} from '../../../core/git/index.ts'
import type { Pointer } from '../../../core/lfs/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import type { Repo } from '../../repos/index.ts'
import { requirePointers } from '../commit/pointers.ts'
import {
  badPathLines,
  largeHistoryLines,
  lfsMissingLines,
  tooLargeLines,
  treeTooLargeLines,
} from './messages.ts'
import type { Verdicts } from './verdicts.ts'

/** For one ref, or all of them. */
export interface Refusal {
  reason: string
  lines?: string[]
}

/**
 * Judges what the accepted commands bring: sizes, paths, and that every pointer's object may be used here. What is wrong
 * is looked for ref by ref, so that only those are refused that bring it. Answers the pointers when nothing is.
 */
export async function judgeContent(
  ctx: Ctx,
  repo: Repo,
  incoming: Incoming,
  verdicts: Verdicts,
): Promise<Map<string, Pointer> | undefined> {
  const bringing = verdicts.accepted.filter((command) => command.new !== undefined)
  if (bringing.length === 0) return new Map()
  const all = await judge(ctx, repo, incoming, bringing)
  if ('pointers' in all) return all.pointers
  if (bringing.length === 1) for (const { ref } of bringing) verdicts.refuse(ref, all.reason, all.lines)
  else
    for (const command of bringing) {
      const one = await judge(ctx, repo, incoming, [command])
      if ('reason' in one) verdicts.refuse(command.ref, one.reason, one.lines)
    }
  // Wrong only together: too much, or a moment ago.
  if (verdicts.accepted.length >= bringing.length) verdicts.refuseAll(all.reason, all.lines)
  return undefined
}

async function judge(
  ctx: Ctx,
  repo: Repo,
  incoming: Incoming,
  commands: PushCommand[],
): Promise<{ pointers: Map<string, Pointer> } | Refusal> {
  const [first] = commands
  const ref = commands.length === 1 ? first?.ref : undefined
  const tips = [...new Set(commands.flatMap((command) => command.new ?? []))]
  const found = await inspect(incoming, tips, ctx.config.git.max_blob_size)
  const refusal = refusalOf(ctx, found, ref) ?? (await pointerRefusal(ctx, repo, found, ref))
  return refusal ?? { pointers: found.pointers }
}

/** Why commits that come from elsewhere cannot be kept here. */
export function refusalOf({ config }: Ctx, found: Inspection, ref: string | undefined): Refusal | undefined {
  if (!found.isConnected) return { reason: 'missing necessary objects' }
  if (found.large.length > 0)
    return {
      reason: 'files too large, see above',
      lines: tooLargeLines(found, config.git.max_blob_size, ref),
    }
  if (found.largeHistory)
    return {
      reason: `a ${found.largeHistory.type} is too large`,
      lines: largeHistoryLines(found.largeHistory),
    }
  if (found.treeFault)
    return { reason: `a commit ${found.treeFault.message}`, lines: treeTooLargeLines(found.treeFault) }
  if (found.badPath)
    return { reason: 'a path is not allowed', lines: badPathLines(found.badPath.path, found.badPath.message) }
  if (found.totalBytes > MAX_INFLATION * config.git.max_pack_size)
    return { reason: 'too much content at once' }
  return undefined
}

async function pointerRefusal(
  ctx: Ctx,
  repo: Repo,
  { pointers }: Inspection,
  ref: string | undefined,
): Promise<Refusal | undefined> {
  try {
    await requirePointers(ctx, repo.id, pointers, ctx.config.lfs.verify_wait)
    return undefined
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.code === 'temporarily-unavailable')
      return {
        reason: 'large files are still being verified, push again',
        lines: [`arsenal: ${error.message}`],
      }
    return missingRefusal(error, ref)
  }
}

/** Of Problem `lfs-object-missing`; others are thrown on. */
export function missingRefusal(error: unknown, ref: string | undefined): Refusal {
  if (!(error instanceof Problem) || error.code !== 'lfs-object-missing') throw error
  const files = (error.errors ?? []).map(({ field, message }) => ({ path: field, sha256: message }))
  const branch = ref?.replace(/^refs\/(?:heads|tags)\//, '') ?? '<branch>'
  return { reason: 'LFS objects missing', lines: lfsMissingLines(files, branch) }
}
