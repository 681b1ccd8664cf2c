import { and, eq, gt, isNull } from 'drizzle-orm'
import type { Check, CheckOptions, Finding } from '../../check.ts'
import type { Deps } from '../../ctx.ts'
import { StoreError } from '../../../stores/storage/index.ts'
import { checkBytes } from './bytes-check.ts'
import { closureFaults } from './closure.ts'
import { keyOf, type PackRow } from '../packs/pack-row.ts'
import { KEPT_FAULTS } from '../push/take-by-git.ts'
import { GitFailed } from '../runner/runner.ts'
import { withSkeleton } from '../runner/skeleton.ts'
import type { Snapshot } from '../snapshot.ts'
import { readTrailer } from './trailer.ts'

/**
 * Every ref leads to a commit whose whole closure lies in the live packs, every live pack's bytes are there and match
 * their index and row, and their sum is the repo's. Deep: every byte is hashed again, and real git checks every object.
 */
export const gitCheck: Check = {
  name: 'git',
  async *run(deps, options) {
    for (const repoId of await repoIds(deps, options)) {
      options.signal?.throwIfAborted()
      yield* checkRepo(deps, options, repoId)
      yield* checkBytes(deps, options, repoId)
      options.resume?.note(repoId)
    }
  },
}

async function repoIds({ db: { q, t } }: Deps, { repoId, resume }: CheckOptions): Promise<string[]> {
  const condition = and(
    isNull(t.repos.purging_at),
    repoId === undefined ? undefined : eq(t.repos.id, repoId),
    resume && gt(t.repos.id, resume.after),
  )
  const rows = await q.select({ id: t.repos.id }).from(t.repos).where(condition).orderBy(t.repos.id)
  return rows.map(({ id }) => id)
}

async function* checkRepo(deps: Deps, options: CheckOptions, repoId: string): AsyncGenerator<Finding> {
  const snapshot = await deps.git.openFresh(repoId)
  const found = (check: string, message: string, severity: Finding['severity'] = 'error'): Finding => ({
    check: `git.${check}`,
    severity,
    message,
    repo_id: repoId,
  })
  let isReadable = true
  for (const pack of snapshot.packs) {
    if (pack.corruptAt) {
      isReadable = false
      yield found('pack', `pack ${pack.id} is damaged and not read any more; restore it from a backup`)
      continue
    }
    const fault = (await openFault(deps, pack)) ?? (options.deep ? await hashFault(deps, pack) : undefined)
    if (fault === undefined) continue
    isReadable = false
    yield found('pack', `pack ${pack.id}: ${fault}`)
  }
  const refs = snapshot.listRefs()
  if (refs.length > 0 && !snapshot.findRef(`refs/heads/${snapshot.defaultBranch}`)) {
    yield found('default-branch', `the default branch ${snapshot.defaultBranch} does not exist`)
  }
  for await (const fault of closureFaults(snapshot, options.signal)) yield found('closure', fault)
  if (options.deep && isReadable && refs.length > 0) {
    const said = await fsck(deps, snapshot)
    if (said !== undefined) yield found('fsck', said)
  }
}

async function openFault({ git }: Deps, pack: PackRow): Promise<string | undefined> {
  try {
    await git.store.open(pack)
    return undefined
  } catch (error) {
    return faultOf(error)
  }
}

/** A store that is merely unreachable is no finding: then nothing can be said, and the check ends. */
function faultOf(error: unknown): string {
  if (error instanceof StoreError && error.kind !== 'missing' && error.kind !== 'corrupt') throw error
  if (!(error instanceof Error)) throw error
  return error.message
}

async function hashFault({ blobs }: Deps, pack: PackRow): Promise<string | undefined> {
  try {
    const { hash, trailer } = await readTrailer(blobs, keyOf(pack, 'pack'))
    return hash === pack.sha1 && trailer === hash ? undefined : 'its bytes do not match its checksum'
  } catch (error) {
    return faultOf(error)
  }
}

async function fsck({ git }: Deps, snapshot: Snapshot): Promise<string | undefined> {
  const kept = KEPT_FAULTS.flatMap((id) => ['-c', `fsck.${id}=ignore`])
  const args = [...kept, 'fsck', '--full', '--strict', '--no-dangling', '--no-progress']
  try {
    await withSkeleton(git, snapshot, (dir) => git.runner.run({ dir, args, kind: 'pack' }))
    return undefined
  } catch (error) {
    if (error instanceof GitFailed) return error.message
    throw error
  }
}
