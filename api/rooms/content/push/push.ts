import type { Ctx } from '../../../core/ctx.ts'
import {
  landPush,
  PackRefused,
  RefRefused,
  relieve,
  StaleSnapshot,
  withFresh,
  withIncoming,
  type FinishedPack,
  type Incoming,
  type Peeled,
  type PushCommand,
  type PushReport,
  type Snapshot,
  type Spooled,
} from '../../../core/git/index.ts'
import type { Pointer } from '../../../core/lfs/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import type { Repo, QuotaCheck } from '../../repos/index.ts'
import { protectionOf } from '../branch-rules/protection.ts'
import { judgeContent, missingRefusal } from './content.ts'
import { packTooLargeLines, tooManyRefsLines } from './messages.ts'
import { refuseFull, refuseOverQuota } from './quota.ts'
import { judgeCommands, judgeTips, refusalOf, type PullRequestPushes, type PullRows } from './rules.ts'
import { rowsOf } from './rows.ts'
import { Verdicts } from './verdicts.ts'
import { moverOf } from '../commit/ref-moves.ts'

// git-storage.md §11.
const MAX_COMMANDS = 1000
// reliability.md §7.
const MAX_OBJECTS = 5_000_000
const PACK_HEADER_BYTES = 12

/** A push as it has come in. */
export interface PushInput {
  commands: PushCommand[]
  isAtomic: boolean
  /** Absent where none came; `too-large` beyond `git.max_pack_size`. */
  pack?: Spooled | 'too-large'
  /** Ends the work, as long as nothing has moved. */
  signal: AbortSignal
  pulls?: PullRequestPushes
}

/** What a push needs all along. */
interface Push extends PushInput {
  repo: Repo
  snapshot: Snapshot
  verdicts: Verdicts
  rows: Map<string, PullRows>
}

/**
 * Moves the refs of a repo as a push asks, each by the rules or not at all; the caller may read the repo. All that move do
 * so in one transaction, with LFS links, history, facts of the head and jobs, as a commit's does. Why others do not is
 * in the report; Problems are left to what makes every push fail.
 */
export async function push(ctx: Ctx, repo: Repo, input: PushInput): Promise<PushReport> {
  if (input.pack) await relieve(ctx, repo.id)
  try {
    return await withFresh(ctx.git, repo.id, (snapshot) => tryPush(ctx, repo, snapshot, input))
  } catch (error) {
    // What the push relies on may have been pruned, each time.
    if (!(error instanceof StaleSnapshot)) throw error
    const verdicts = new Verdicts(input.commands, input.isAtomic)
    verdicts.refuseAll('the repo has changed meanwhile, push again')
    return verdicts.report()
  }
}

async function tryPush(ctx: Ctx, repo: Repo, snapshot: Snapshot, input: PushInput): Promise<PushReport> {
  const verdicts = new Verdicts(input.commands, input.isAtomic)
  const { commands, pulls, signal } = input
  if (commands.length > MAX_COMMANDS) {
    verdicts.refusePack('too many refs at once', tooManyRefsLines(commands.length, MAX_COMMANDS))
    return verdicts.report()
  }
  const protection = await protectionOf(ctx, repo)
  const rows = await judgeCommands(ctx, repo, snapshot, {
    verdicts,
    commands,
    protection,
    ...(pulls && { pulls }),
  })
  const maxBytes = ctx.config.git.max_pack_size
  if (input.pack === 'too-large') verdicts.refusePack('the pack is too large', packTooLargeLines(maxBytes))
  const bytes = typeof input.pack === 'object' ? input.pack.sizeBytes : 0
  const checkQuota = await refuseOverQuota(ctx, repo, verdicts, { bytes })
  if (verdicts.accepted.length === 0) return verdicts.report()
  await withIncoming(ctx.git, snapshot, signal, async (incoming) => {
    const tips = [...new Set(verdicts.accepted.flatMap((command) => command.new ?? []))]
    const pack = await take(incoming, input.pack, tips)
    const peeled = await judgeTips(ctx, repo, snapshot, { verdicts, incoming, protection })
    await settle(ctx, { ...input, repo, snapshot, verdicts, rows }, { incoming, pack, peeled, checkQuota })
  }).catch((error: unknown) => {
    if (!(error instanceof PackRefused)) throw error
    verdicts.refusePack(error.message, [`arsenal: push rejected, ${error.message}`])
  })
  return verdicts.report()
}

async function take(
  incoming: Incoming,
  pack: Spooled | 'too-large' | undefined,
  tips: string[],
): Promise<FinishedPack | undefined> {
  if (!pack || pack === 'too-large' || pack.sizeBytes === 0) return undefined
  const objects = await countObjects(pack)
  if (objects > MAX_OBJECTS) throw new PackRefused(`the pack has more than ${MAX_OBJECTS} objects`)
  return objects === 0 ? undefined : incoming.take(pack, tips)
}

/** As the pack's header says (Documentation/gitformat-pack.txt). */
async function countObjects(pack: Spooled): Promise<number> {
  if (pack.sizeBytes < PACK_HEADER_BYTES) throw new PackRefused('the pack is damaged or not complete')
  const header: Uint8Array[] = []
  let length = 0
  for await (const chunk of pack.open()) {
    header.push(chunk)
    length += chunk.byteLength
    if (length >= PACK_HEADER_BYTES) break
  }
  return Buffer.concat(header).readUInt32BE(8)
}

interface Brought {
  incoming: Incoming
  pack: FinishedPack | undefined
  peeled: Map<string, Peeled>
  checkQuota: QuotaCheck | undefined
}

/** Judges and moves what is accepted, again without what turns out to be refused, until all is settled. */
async function settle(ctx: Ctx, push: Push, brought: Brought): Promise<void> {
  const { verdicts } = push
  while (verdicts.accepted.length > 0) {
    const before = verdicts.accepted.length
    const pointers = await judgeContent(ctx, push.repo, brought.incoming, verdicts)
    if (!pointers) continue
    const objects = [...pointers.values()]
    const checkQuota = (await refuseOverQuota(ctx, push.repo, verdicts, { objects })) ?? brought.checkQuota
    if (verdicts.accepted.length < before) continue
    try {
      await land(ctx, push, { ...brought, checkQuota }, pointers)
      return
    } catch (error) {
      refuseLost(verdicts, error)
      if (verdicts.accepted.length === before) throw error
    }
  }
}

function refuseLost(verdicts: Verdicts, error: unknown): void {
  if (error instanceof RefRefused) {
    const { ref, problem } = error
    verdicts.refuse(ref, problem.code === 'commit-conflict' ? 'stale info' : refusalOf(problem))
  } else if (error instanceof Problem && error.code === 'quota-exceeded') refuseFull(verdicts, error)
  else {
    const { reason, lines } = missingRefusal(error, undefined)
    verdicts.refuseAll(reason, lines)
  }
}

async function land(
  ctx: Ctx,
  { repo, snapshot, verdicts, rows }: Push,
  { incoming, pack, peeled, checkQuota }: Brought,
  pointers: Map<string, Pointer>,
): Promise<void> {
  const { accepted } = verdicts
  const tips = accepted.flatMap((command) => command.new ?? [])
  const isPart = verdicts.refused.some((command) => command.new !== undefined)
  const wanted = pack && isPart ? await incoming.packOf(tips) : pack
  await landPush(ctx.git, snapshot, {
    moves: accepted.map((command) => targetOf(command, peeled)),
    ...moverOf(ctx, 'push'),
    ...(wanted && tips.length > 0 ? { pack: wanted } : {}),
    prepare: (landed, later) => {
      const warn = (lines: string[]) => verdicts.warn(lines)
      return rowsOf(ctx, { repo, accepted, landed, later, peeled, pointers, rows, checkQuota, warn })
    },
  })
}

function targetOf({ ref, old, new: to }: PushCommand, peeled: Map<string, Peeled>) {
  const commit = to === undefined ? undefined : peeled.get(to)?.commit
  return {
    name: ref,
    ...(old === undefined ? {} : { from: old }),
    ...(to === undefined ? {} : { to }),
    ...(commit === undefined || commit === to ? {} : { peeled: commit }),
  }
}
